//! The user, or whoever stops the process politely, has had enough.

use tokio::sync::mpsc::{self, Receiver};

/// Gives a message for each Ctrl-C, and for each SIGTERM where there is such a thing.
pub(super) fn listen() -> Receiver<()> {
    let (sender, receiver) = mpsc::channel(2);
    tokio::spawn(async move {
        let Some(mut signals) = Signals::new() else { return };
        loop {
            signals.next().await;
            if sender.send(()).await.is_err() {
                break;
            }
        }
    });
    receiver
}

/// Listened to all the time: between two waits none gets lost.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> Option<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let interrupt = signal(SignalKind::interrupt()).ok()?;
        let terminate = signal(SignalKind::terminate()).ok()?;
        Some(Self { interrupt, terminate })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn new() -> Option<Self> {
        tokio::signal::windows::ctrl_c().ok().map(Self)
    }

    async fn next(&mut self) {
        self.0.recv().await;
    }
}
