//! Game reviews: computed by the bots' threads, a little at a time, as long as somebody is looking.
//!
//! Every request for a review says that somebody still looks; one that nobody asks about any more is given up. Thinking
//! goes through the same fair queue as the bots' ([`Thinkers`](crate::thinkers::Thinkers)), in slices so short that no bot
//! waits long for one, and every guest has a budget of such slices. Few reviews are in memory at the same time.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use unum_protocol::ServerCode;
use unum_protocol::review::{GameFigures, Review, ReviewProgress};
use unum_review::serving::{Look, Sitting, served};
use unum_review::{Analysis, season};
use unum_rules::record::Record;
use unum_store::ReviewRow;
use unum_table::GuestId;

use crate::address::AddressKey;
use crate::app::App;
use crate::http::ApiError;
use crate::limits::Rates;

/// How many reviews are in memory at the same time. Each takes about 8 KiB per decision.
const AT_ONCE: usize = 2;
/// How many are on their way, waiting or done and not yet forgotten; and of these, how many of one guest are unfinished.
const MOST: usize = 256;
const MOST_OF_ONE: usize = 2;
/// How long one slice of thought is, and how many of them a guest gets in a minute.
const SLICE: Duration = Duration::from_millis(8);
const SLICES_PER_MINUTE: u32 = 3_000;
/// After this long without a request, nobody is looking any more; a finished review is kept a little longer.
const PATIENCE: Duration = Duration::from_secs(15);
const KEPT: Duration = Duration::from_secs(120);
/// How long the first answer waits for luck to be known.
const FIRST: Duration = Duration::from_millis(800);
/// How often the figures so far are stored.
const NEWS: Duration = Duration::from_millis(700);

/// What is reviewed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    /// A finished match, by the id of its record.
    Game(String),
    /// A finished round of a running match: the table, the number of the match, the round.
    Round(String, u32, u32),
}

impl Subject {
    fn rounds(&self) -> RangeInclusive<u32> {
        match self {
            Subject::Game(_) => 1..=u32::MAX,
            Subject::Round(_, _, round) => *round..=*round,
        }
    }
}

/// Who has a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Who {
    /// A guest.
    Guest(GuestId),
    /// Somebody who is not a guest.
    Address(AddressKey),
}

/// How a review stands.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub(crate) progress: ReviewProgress,
    /// The review as JSON; none before anything is known.
    pub(crate) review: Option<Bytes>,
}

#[derive(Clone, Debug)]
enum State {
    Known(Standing),
    /// Why there is none, as a code and a sentence.
    Failed(ServerCode, &'static str),
}

#[derive(Debug)]
struct Job {
    who: Who,
    asked: Mutex<Instant>,
    state: watch::Sender<State>,
}

impl Job {
    fn new(who: Who) -> Job {
        let waiting = Standing { progress: ReviewProgress::Waiting, review: None };
        Job { who, asked: Mutex::new(Instant::now()), state: watch::Sender::new(State::Known(waiting)) }
    }

    fn since(&self) -> Duration {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    fn ask(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn is_open(&self) -> bool {
        matches!(&*self.state.borrow(), State::Known(standing) if standing.progress != ReviewProgress::Done)
    }

    fn publish(&self, progress: ReviewProgress, review: &Review) {
        match serde_json::to_vec(review) {
            Ok(body) => {
                let standing = Standing { progress, review: Some(body.into()) };
                self.state.send_replace(State::Known(standing));
            }
            Err(_) => self.fail(ServerCode::Crashed, "the review cannot be written down"),
        }
    }

    fn fail(&self, code: ServerCode, why: &'static str) {
        self.state.send_replace(State::Failed(code, why));
    }
}

/// All reviews that are on their way.
#[derive(Debug)]
pub(crate) struct Reviews {
    jobs: Mutex<HashMap<Subject, Arc<Job>>>,
    room: Arc<Semaphore>,
    budgets: Rates<Who>,
    patience: Duration,
}

impl Default for Reviews {
    fn default() -> Reviews {
        Reviews::with_patience(PATIENCE)
    }
}

impl Reviews {
    fn with_patience(patience: Duration) -> Reviews {
        Reviews {
            jobs: Mutex::default(),
            room: Arc::new(Semaphore::new(AT_ONCE)),
            budgets: Rates::new(SLICES_PER_MINUTE),
            patience,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Subject, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The job for a subject, and whether it is new; `None` if there are too many.
    fn job(&self, subject: &Subject, who: Who) -> Option<(Arc<Job>, bool)> {
        let mut jobs = self.lock();
        if let Some(job) = jobs.get(subject) {
            job.ask();
            return Some((Arc::clone(job), false));
        }
        jobs.retain(|_, job| job.is_open() || job.since() < KEPT);
        let own = jobs.values().filter(|job| job.who == who && job.is_open()).count();
        if jobs.len() >= MOST || own >= MOST_OF_ONE {
            return None;
        }
        let job = Arc::new(Job::new(who));
        jobs.insert(subject.clone(), Arc::clone(&job));
        Some((job, true))
    }

    fn forget(&self, subject: &Subject) {
        self.lock().remove(subject);
    }
}

/// How the review of a subject stands; `load` reads the record when it is needed. Asking keeps it going.
pub(crate) async fn look(
    app: &Arc<App>,
    subject: Subject,
    (who, address): (Who, AddressKey),
    load: impl FnOnce() -> Result<Record, ApiError> + Send + 'static,
) -> Result<Standing, ApiError> {
    let Some((job, is_new)) = app.reviews.job(&subject, who) else {
        let message = "too many reviews are being made right now; try again in a moment";
        return Err(ApiError::new(ServerCode::TooMany, message));
    };
    if is_new {
        let work = Work { app: Arc::clone(app), job: Arc::clone(&job), subject: subject.clone(), address };
        tokio::spawn(work.run(load));
    }
    let mut state = job.state.subscribe();
    let known = state.wait_for(|state| match state {
        State::Known(standing) => standing.review.is_some(),
        State::Failed(..) => true,
    });
    // Luck is there at once as a rule; if not, the next request a second later gets it.
    let _ = tokio::time::timeout(FIRST, known).await;
    let state = job.state.borrow().clone();
    match state {
        State::Known(standing) => Ok(standing),
        State::Failed(code, why) => {
            app.reviews.forget(&subject);
            Err(ApiError::new(code, why))
        }
    }
}

/// Why a review is not made to its end.
enum Stopped {
    /// Nobody looks any more, or the server stops.
    GivenUp,
    Failed(ServerCode, &'static str),
}

const CRASHED: Stopped = Stopped::Failed(ServerCode::Crashed, "the review failed because of a bug; please report it");

/// A review being made.
struct Work {
    app: Arc<App>,
    job: Arc<Job>,
    subject: Subject,
    address: AddressKey,
}

impl Work {
    async fn run(self, load: impl FnOnce() -> Result<Record, ApiError> + Send + 'static) {
        match self.make(load).await {
            Ok(()) => {}
            Err(Stopped::GivenUp) => self.app.reviews.forget(&self.subject),
            Err(Stopped::Failed(code, why)) => self.job.fail(code, why),
        }
    }

    async fn make(&self, load: impl FnOnce() -> Result<Record, ApiError> + Send + 'static) -> Result<(), Stopped> {
        let _room = self.room().await?;
        let rounds = self.subject.rounds();
        let read = self.app.heavy.run(move || sitting(load, rounds)).await;
        let read = read.unwrap_or(Err(Stopped::Failed(ServerCode::TooMany, "too many ask for this right now")));
        let (mut sitting, mut goes_on) = (read?, true);
        self.job.publish(ReviewProgress::Thinking, &served(sitting.review()));
        let mut told = Instant::now();
        while goes_on {
            (sitting, goes_on) = self.slice(sitting).await?;
            if told.elapsed() > NEWS {
                self.job.publish(ReviewProgress::Thinking, &served(sitting.review()));
                told = Instant::now();
            }
        }
        self.finish(&sitting).await
    }

    /// Waits for room in memory.
    async fn room(&self) -> Result<OwnedSemaphorePermit, Stopped> {
        let room = Arc::clone(&self.app.reviews.room).acquire_owned();
        tokio::pin!(room);
        loop {
            tokio::select! {
                permit = &mut room => return permit.map_err(|_| Stopped::GivenUp),
                () = tokio::time::sleep(self.app.reviews.patience / 4) => self.check_wanted()?,
            }
        }
    }

    fn check_wanted(&self) -> Result<(), Stopped> {
        let wanted = self.job.since() < self.app.reviews.patience && !*self.app.stopping.borrow();
        if wanted { Ok(()) } else { Err(Stopped::GivenUp) }
    }

    /// Thinks a little, when it is this guest's turn and there is some of the budget left. Says whether there is more to do.
    async fn slice(&self, mut sitting: Sitting) -> Result<(Sitting, bool), Stopped> {
        let budget = || std::iter::once((self.job.who, 1));
        while !self.app.reviews.budgets.has_left(budget(), Instant::now()) {
            self.check_wanted()?;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        self.check_wanted()?;
        let turn = self.app.hub.thinkers.turn(self.address).await.ok_or(Stopped::GivenUp)?;
        self.app.reviews.budgets.charge(budget(), Instant::now());
        let thought = tokio::task::spawn_blocking(move || {
            let (_turn, begun) = (turn, Instant::now());
            let goes_on = sitting.think(|| begun.elapsed() >= SLICE);
            (sitting, goes_on)
        });
        thought.await.map_err(|_| {
            self.app.metrics.panics.one();
            CRASHED
        })
    }

    /// Keeps what a finished match has become, and tells it.
    async fn finish(&self, sitting: &Sitting) -> Result<(), Stopped> {
        let whole = sitting.review();
        let figures = season::figures(&whole);
        let review = served(whole);
        if let Subject::Game(id) = &self.subject
            && let (Ok(body), Ok(figures)) = (serde_json::to_vec(&review), write_figures(&figures))
        {
            let (id, row) = (id.clone(), ReviewRow { review: body, figures });
            if let Err(error) = self.app.store(move |store| store.put_review(&id, row)).await {
                // It is sent all the same, and made again at the next request.
                tracing::warn!(%error, "a review could not be kept");
            }
        }
        self.job.publish(ReviewProgress::Done, &review);
        Ok(())
    }
}

/// Analyzes a moment of what is over, with the same budget and in the same queue. It ends with the request.
pub(crate) async fn analyze(
    app: &Arc<App>,
    (who, address): (Who, AddressKey),
    load: impl FnOnce() -> Result<Record, ApiError> + Send + 'static,
    step: u32,
) -> Result<Analysis, ApiError> {
    let mut look = app.heavy.run(move || look_at(load, step)).await??;
    loop {
        let budget = || std::iter::once((who, 1));
        if !app.reviews.budgets.has_left(budget(), Instant::now()) {
            return Err(ApiError::too_fast());
        }
        let Some(turn) = app.hub.thinkers.turn(address).await else {
            return Err(ApiError::new(ServerCode::Stopping, "the server is restarting"));
        };
        app.reviews.budgets.charge(budget(), Instant::now());
        let thought = tokio::task::spawn_blocking(move || {
            let (_turn, begun) = (turn, Instant::now());
            let goes_on = look.think(|| begun.elapsed() >= SLICE);
            (look, goes_on)
        });
        let goes_on;
        (look, goes_on) = thought.await.map_err(|_| {
            app.metrics.panics.one();
            ApiError::new(ServerCode::Crashed, "the analysis failed because of a bug; please report it")
        })?;
        if !goes_on {
            return Ok(look.analysis());
        }
    }
}

fn look_at(load: impl FnOnce() -> Result<Record, ApiError>, step: u32) -> Result<Look, ApiError> {
    Look::new(&load()?, step).map_err(|why| ApiError::new(why.code(), why.to_string()))
}

/// Figures for seasons as they are stored.
pub(crate) fn write_figures(figures: &GameFigures) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(figures)
}

fn sitting(load: impl FnOnce() -> Result<Record, ApiError>, rounds: RangeInclusive<u32>) -> Result<Sitting, Stopped> {
    let record = load().map_err(|_| Stopped::Failed(ServerCode::NotFound, "there is no such game any more"))?;
    Sitting::new(&record, rounds).map_err(|why| {
        let (code, sentence) = why.tell();
        Stopped::Failed(code, sentence)
    })
}

#[cfg(test)]
mod tests {
    use unum_protocol::review::MOMENTS;
    use unum_rules::playout::Casual;
    use unum_rules::record::{Recorder, Setup};
    use unum_rules::{Edition, RulesSpec, Scoring, Seeded};
    use unum_store::Store;

    use super::*;
    use crate::config::Config;

    fn round(seed: u64) -> Record {
        let rules = RulesSpec { scoring: Some(Scoring::SingleRound), ..RulesSpec::of(Edition::Original) };
        let mut recorder = Recorder::start(Setup::new(rules, 3, seed), &mut ()).unwrap();
        let mut chance = Seeded::new(seed);
        while !recorder.game().round().is_over() {
            let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut chance);
            recorder.apply(seat, &action, &mut ()).unwrap();
        }
        recorder.into_record()
    }

    fn app(patience: Duration) -> Arc<App> {
        let mut app = App::new(Config { ephemeral: true, ..Config::default() }, Store::in_memory().unwrap());
        app.reviews = Reviews::with_patience(patience);
        Arc::new(app)
    }

    fn somebody(number: u64) -> (Who, AddressKey) {
        (Who::Guest(GuestId(number)), AddressKey::of([10, 0, 0, number as u8].into()))
    }

    async fn ask(app: &Arc<App>, name: &str, who: u64) -> Result<Standing, ApiError> {
        look(app, Subject::Game(name.to_owned()), somebody(who), move || Ok(round(who))).await
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_review_gets_done_as_long_as_somebody_asks_and_is_the_same_in_slices() {
        let app = app(PATIENCE);
        let done = loop {
            let standing = ask(&app, "a", 3).await.unwrap();
            if standing.progress == ReviewProgress::Done {
                break standing.review.unwrap();
            }
            tokio::task::yield_now().await;
        };
        let mut whole = Sitting::new(&round(3), 1..=1).unwrap();
        assert!(!whole.think(|| false));
        let expected = served(whole.review());
        assert_eq!(done, serde_json::to_vec(&expected).unwrap(), "slices make no difference");
        let read: Review = serde_json::from_slice(&done).unwrap();
        assert!(read.names.is_empty() && read.rounds.iter().all(|round| round.strokes.is_empty()));
        assert!((0..3).all(|seat| read.decisions.iter().filter(|one| one.spot.seat == seat).count() <= MOMENTS));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_nobody_asks_about_is_given_up() {
        let app = app(Duration::ZERO);
        let first = ask(&app, "a", 3).await.unwrap();
        assert_ne!(first.progress, ReviewProgress::Done);
        while !app.reviews.lock().is_empty() {
            tokio::task::yield_now().await;
        }
        assert_eq!(app.reviews.room.available_permits(), AT_ONCE, "its room is free");
    }

    #[tokio::test]
    async fn one_guest_has_few_reviews_on_their_way_and_all_together_not_too_many() {
        let reviews = Reviews::default();
        let job =
            |name: u64, who: u64| reviews.job(&Subject::Game(name.to_string()), somebody(who).0).map(|(_, new)| new);
        assert_eq!([job(1, 1), job(2, 1), job(3, 1), job(1, 1)], [Some(true), Some(true), None, Some(false)]);
        assert_eq!(job(1, 2), Some(false), "others may look at the same one");
        for number in 3..=MOST as u64 {
            assert_eq!(job(number, number), Some(true));
        }
        assert_eq!(job(1_000, 1_000), None);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_record_that_is_gone_is_an_error_and_can_be_asked_for_again() {
        let app = app(PATIENCE);
        let gone = || Err(ApiError::new(ServerCode::NotFound, "gone"));
        let failed = look(&app, Subject::Game("b".to_owned()), somebody(1), gone).await;
        assert_eq!(failed.unwrap_err().code(), ServerCode::NotFound.into());
        assert!(ask(&app, "b", 1).await.is_ok());
    }
}
