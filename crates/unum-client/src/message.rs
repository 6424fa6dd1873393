//! Messages from the server, parsed lazily: the head at once, the rest on demand.

use tokio_tungstenite::tungstenite::Utf8Bytes;
use unum_protocol::{Head, MessageKind, ServerMsg, WhatKind};

use crate::ClientError;

/// One message. Its head is parsed at once, the rest on demand.
#[derive(Clone, Debug)]
pub struct Message {
    head: Head,
    text: Utf8Bytes,
    /// The whole message, if the client has parsed it already.
    whole: Option<Box<ServerMsg>>,
}

impl Message {
    /// Reads the head of a message.
    ///
    /// # Errors
    /// When the text is not a message.
    pub fn parse(text: impl Into<Utf8Bytes>) -> Result<Message, ClientError> {
        let text = text.into();
        let head = serde_json::from_str(&text).map_err(|error| unreadable(&error, &text))?;
        Ok(Message { head, text, whole: None })
    }

    /// The small fields.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The raw text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it may be about a deal. Most messages are not, and need no further parsing.
    pub(crate) fn is_about_dealing(&self) -> bool {
        let steps = [WhatKind::Dealt, WhatKind::PartOpened, WhatKind::Withheld, WhatKind::StoodIn];
        match self.head.kind {
            MessageKind::Welcome | MessageKind::Snapshot => true,
            MessageKind::Update | MessageKind::Presence => {
                self.head.lobby || self.head.own || self.head.happened().any(|kind| steps.contains(&kind))
            }
            _ => false,
        }
    }

    /// Turns the text into the whole message. It is parsed only once, even if the client has looked into it before.
    ///
    /// # Errors
    /// When it is not one of the protocol.
    pub fn into_whole(self) -> Result<ServerMsg, ClientError> {
        match self.whole {
            Some(whole) => Ok(*whole),
            None => self.read(),
        }
    }

    /// Reads the whole message for the client itself, and keeps it for [`Message::into_whole`].
    pub(crate) fn look(&mut self) -> Option<&ServerMsg> {
        if self.whole.is_none() {
            // If it is invalid, reading the message reports it.
            self.whole = self.read().ok().map(Box::new);
        }
        self.whole.as_deref()
    }

    /// The whole message.
    ///
    /// # Errors
    /// When it is not one of the protocol.
    pub fn read(&self) -> Result<ServerMsg, ClientError> {
        serde_json::from_str(&self.text).map_err(|error| unreadable(&error, &self.text))
    }
}

fn unreadable(error: &serde_json::Error, text: &str) -> ClientError {
    let beginning = unum_rules::text::printable(text, 200);
    ClientError::Protocol(format!("a message cannot be read ({error}): {beginning}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_client_has_looked_into_is_not_read_again() {
        let parse = || Message::parse(r#"{"type":"done","id":7}"#).unwrap();
        let mut message = parse();
        assert_eq!(message.look(), Some(&parse().read().unwrap()));
        // Nothing else is left to read from.
        message.text = Utf8Bytes::default();
        assert_eq!(message.into_whole().unwrap(), parse().into_whole().unwrap());
    }

    #[test]
    fn who_reads_a_message_that_is_none_is_told() {
        let mut message = Message::parse(r#"{"type":"update","seq":1}"#).unwrap();
        assert_eq!(message.look(), None);
        assert!(message.into_whole().is_err());
    }
}
