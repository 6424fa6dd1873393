//! Keys and terminal events, each reported from its own thread.

use std::io;

use ratatui::crossterm::event::Event;

/// What the terminal reports, apart from keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// It has another size.
    Resized,
    /// A request to suspend the process.
    Suspend,
    /// The process goes on after it was stopped.
    Resumed,
    /// The terminal is gone.
    Gone,
}

/// Something from the terminal.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// A key, a click.
    Event(Event),
    /// Something else.
    Notice(Notice),
}

/// Starts reporting what comes from the terminal.
///
/// # Errors
/// When signals cannot be listened for.
pub(crate) fn listen(tell: impl Fn(News) + Clone + Send + 'static) -> io::Result<()> {
    let tell_notices = tell.clone();
    notices(move |notice| tell_notices(News::Notice(notice)))?;
    std::thread::Builder::new().name("keys".to_owned()).spawn(move || {
        read(|event| tell(News::Event(event)));
        tell(News::Notice(Notice::Gone));
    })?;
    Ok(())
}

/// Tells keys until the terminal is gone. The library's own reader is not used: it loses a key that comes together with a
/// change of the size, and does not notice that a terminal is gone.
#[cfg(unix)]
fn read(tell: impl Fn(Event)) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    /// How long the rest of a sequence may take; after that, an escape is the key.
    const REST: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    let stdin = io::stdin();
    let mut decoder = super::decode::Decoder::default();
    let mut bytes = [0; 1024];
    loop {
        let mut waiting = [PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut waiting, decoder.is_waiting().then_some(&REST)) {
            Ok(0) => decoder.flush().into_iter().for_each(&tell),
            Ok(_) => match rustix::io::read(&stdin, &mut bytes) {
                Ok(count @ 1..) => decoder.feed(&bytes[..count]).into_iter().for_each(&tell),
                Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
                Ok(0) | Err(_) => return,
            },
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

#[cfg(not(unix))]
fn read(tell: impl Fn(Event)) {
    while let Ok(event) = ratatui::crossterm::event::read() {
        tell(event);
    }
}

#[cfg(unix)]
fn notices(tell: impl Fn(Notice) + Send + 'static) -> io::Result<()> {
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut resize, mut suspend, mut resume) = {
        let _within = runtime.enter();
        let raw = |number: Signal| signal(SignalKind::from_raw(number.as_raw()));
        (signal(SignalKind::window_change())?, raw(Signal::TSTP)?, raw(Signal::CONT)?)
    };
    std::thread::Builder::new().name("notices".to_owned()).spawn(move || {
        runtime.block_on(async {
            loop {
                tell(tokio::select! {
                    _ = resize.recv() => Notice::Resized,
                    _ = suspend.recv() => Notice::Suspend,
                    _ = resume.recv() => Notice::Resumed,
                });
            }
        });
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn notices(_tell: impl Fn(Notice) + Send + 'static) -> io::Result<()> {
    Ok(())
}
