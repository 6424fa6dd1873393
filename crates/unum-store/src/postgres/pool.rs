//! The connection pool for everything but the journals' writer.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::time::sleep;

use super::link::{Connector, Fault, Link};
use crate::StoreError;

/// Connections at most.
const CONNECTIONS: usize = 8;
/// How long to wait for a database that is away, and how often to try.
const PATIENCE: Duration = Duration::from_secs(5);
const AGAIN: Duration = Duration::from_millis(100);

pub(crate) struct Pool {
    connector: Rc<Connector>,
    idle: RefCell<Vec<Link>>,
    room: Semaphore,
}

impl Pool {
    pub(crate) fn new(connector: Rc<Connector>) -> Pool {
        Pool { connector, idle: RefCell::default(), room: Semaphore::new(CONNECTIONS) }
    }

    pub(crate) fn connector(&self) -> Rc<Connector> {
        Rc::clone(&self.connector)
    }

    /// Runs something with a connection, and again if the connection is lost. Also returns whether an answer was lost
    /// meanwhile, in which case an earlier attempt may have taken effect.
    pub(crate) async fn with<T>(&self, work: impl AsyncFn(&Link) -> Result<T, Fault>) -> Result<(T, bool), Fault> {
        let closed = |_| Fault::Own(StoreError::Closed);
        let _permit = self.room.acquire().await.map_err(closed)?;
        let (begun, mut lost) = (Instant::now(), false);
        loop {
            let fault = match self.link().await {
                Ok(link) => {
                    let result = work(&link).await;
                    if link.is_usable() {
                        self.idle.borrow_mut().push(link);
                    }
                    match result {
                        Ok(value) => return Ok((value, lost)),
                        Err(Fault::Own(error)) => return Err(Fault::Own(error)),
                        Err(Fault::Again) => continue,
                        Err(fault) => fault,
                    }
                }
                // Nothing was asked, so nothing was lost.
                Err(fault) if is_passing(&fault) && begun.elapsed() < PATIENCE => {
                    sleep(AGAIN).await;
                    continue;
                }
                Err(fault) => return Err(fault),
            };
            if !is_passing(&fault) || begun.elapsed() > PATIENCE {
                return Err(fault);
            }
            lost |= matches!(fault, Fault::Lost(_));
            // The other connections go to the same host.
            self.idle.borrow_mut().clear();
            sleep(AGAIN).await;
        }
    }

    async fn link(&self) -> Result<Link, Fault> {
        let idle = self.idle.borrow_mut().pop().filter(Link::is_usable);
        match idle {
            Some(link) => Ok(link),
            None => self.connector.connect().await,
        }
    }
}

/// Whether to retry: the database may be back soon, or elsewhere.
fn is_passing(fault: &Fault) -> bool {
    matches!(fault, Fault::Lost(_) | Fault::Refused(StoreError::ReadOnly))
}
