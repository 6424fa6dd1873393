//! What the server sends, read as far as somebody wants to know it.

use tokio_tungstenite::tungstenite::Utf8Bytes;
use unum_protocol::{Head, MessageKind, ServerMsg, WhatKind};

use crate::ClientError;

/// One message. Its head is read at once, the rest when it is asked for.
#[derive(Clone, Debug)]
pub struct Message {
    head: Head,
    text: Utf8Bytes,
}

impl Message {
    /// Reads the head of a message.
    ///
    /// # Errors
    /// When the text is not a message.
    pub fn parse(text: impl Into<Utf8Bytes>) -> Result<Message, ClientError> {
        let text = text.into();
        let head = serde_json::from_str(&text).map_err(|error| unreadable(&error, &text))?;
        Ok(Message { head, text })
    }

    /// The small fields.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The whole message as it came.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it may be about a deal. Most messages are not, and need no closer look for that.
    pub(crate) fn is_about_dealing(&self) -> bool {
        let steps = [WhatKind::Dealt, WhatKind::PartOpened, WhatKind::Withheld];
        match self.head.kind {
            MessageKind::Welcome | MessageKind::Snapshot => true,
            MessageKind::Update | MessageKind::Presence => {
                self.head.lobby || self.head.own || self.head.what.is_some_and(|what| steps.contains(&what.kind))
            }
            _ => false,
        }
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
