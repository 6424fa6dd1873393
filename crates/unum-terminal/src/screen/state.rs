//! The state that the screen is drawn from, and how table events change it.

use unum_protocol::Level;
use unum_protocol::{RequestKind, Stage};
use unum_rules::wire::{ActionForm, PhaseForm};
use unum_rules::{CardName, ColorName, Edition, Seat, rulebook};

use super::draft::{self, Draft, Question};
use super::form::Form;
use super::keys::{Intent, Step};
use super::look::Paint;
use super::view::Shape;
use crate::game::Event;
use crate::model::{Model, Tone};
use crate::plain::Whereabouts;
use crate::status;
use crate::text::Text;
use crate::words::Show;

/// A game on the screen.
#[derive(Debug)]
pub(crate) struct Screen {
    /// What is known about the table.
    pub model: Model,
    /// What the terminal can show.
    pub paint: Paint,
    /// The selected card of the hand; in the lobby, the selected chair.
    pub cursor: usize,
    /// The selected answer of a question.
    pub option: usize,
    /// The cards that are marked, as places in the hand.
    pub marks: Vec<usize>,
    /// A decision that is not complete.
    pub draft: Option<Draft>,
    /// The settings a host is about to propose.
    pub form: Option<Form>,
    /// What is being typed.
    pub typing: Option<Typing>,
    /// The commands that were typed, the latest last.
    pub history: Vec<String>,
    /// A text that is being read.
    pub page: Option<Page>,
    /// Whether the user was asked to confirm leaving.
    pub leaving: bool,
    /// What was wrong, or what to know.
    pub note: Option<Text>,
    /// How many lines the log is scrolled back.
    pub back: usize,
    /// Where the game can be found again.
    pub whereabouts: Whereabouts,
    pub(super) wants_why: bool,
    looked_at: Option<CardName>,
    /// Whether the person chose that card, rather than the screen.
    aimed: bool,
    asked_at: Option<(u32, u32)>,
}

/// A line that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Typing {
    /// What it is for.
    pub kind: TypingKind,
    /// What there is of it.
    pub text: String,
}

/// What a typed line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypingKind {
    /// A command, as in `--plain`.
    Command,
    /// Something to say to everybody.
    Chat,
}

/// A text over the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// What it is.
    pub title: String,
    /// Its paragraphs.
    pub lines: Vec<Text>,
    /// How many rows are scrolled away.
    pub top: usize,
    /// The rules that can be opened from it.
    pub links: Option<Links>,
    /// The page it was opened from.
    pub from: Option<Box<Page>>,
}

/// A list of rules on a page, one a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Links {
    /// The line of the first one.
    pub first: usize,
    /// Their ids.
    pub ids: Vec<&'static str>,
    /// The one that is looked at.
    pub at: usize,
}

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A color.
    Color(ColorName),
    /// A player.
    Seat(Seat),
    /// How well a bot plays.
    Level(Level),
    /// Yes or no.
    Yes(bool),
}

impl Screen {
    /// Nothing is known yet.
    pub(crate) fn new(paint: Paint, whereabouts: Whereabouts) -> Screen {
        Screen {
            model: Model::default(),
            paint,
            cursor: 0,
            option: 0,
            marks: Vec::new(),
            draft: None,
            form: None,
            typing: None,
            history: Vec::new(),
            page: None,
            leaving: false,
            note: None,
            back: 0,
            whereabouts,
            wants_why: false,
            looked_at: None,
            aimed: false,
            asked_at: None,
        }
    }

    /// Takes news in.
    pub(crate) fn take(&mut self, event: &Event) {
        let lines = self.model.take(event);
        for line in &lines {
            if line.tone == Tone::Refused {
                self.note = Some(line.text.clone());
            }
        }
        if self.wants_why && self.model.refusal.is_some() {
            self.wants_why = false;
            self.note = None;
            self.page = Some(Page::new("Why", status::why(&self.model)));
        }
        if self.model.is_settled() {
            self.settle();
        }
    }

    /// Keeps the cursor on a card that the person chose. Otherwise, on their turn, it goes to the first playable card, wilds
    /// last: two careless keys should not cost a wild.
    fn settle(&mut self) {
        let at = self.model.game.as_ref().map(|game| (game.round, game.at));
        if self.draft.as_ref().is_some_and(|draft| !draft.is_possible(&self.model)) {
            self.drop_draft();
        }
        if !self.model.may(RequestKind::Settings) {
            self.form = None;
        }
        self.close_form();
        if self.model.stage() == Stage::Lobby {
            self.cursor = self.cursor.min(self.model.names().len().saturating_sub(1));
            return;
        }
        if at == self.asked_at {
            return;
        }
        self.asked_at = at;
        if self.draft.is_none() {
            self.marks.clear();
            self.option = 0;
        }
        let hand = self.model.hand();
        let old = self.cursor.min(hand.len().saturating_sub(1));
        let same = self.looked_at.and_then(|card| {
            let places = (0..hand.len()).filter(|place| hand[*place] == card);
            places.min_by_key(|place| place.abs_diff(old))
        });
        self.cursor = same.unwrap_or(old);
        let drawn = match self.model.view().map(|view| &view.phase) {
            Some(PhaseForm::Drawn { cards: Some(cards), .. }) => cards.first().copied(),
            _ => None,
        };
        let can_play = |card: &CardName| self.model.is_playable(*card);
        let looks_well = self.aimed && same.is_some() && hand.get(self.cursor).is_some_and(can_play);
        if self.model.is_my_turn() && !(looks_well && drawn.is_none()) && self.draft.is_none() {
            let is_drawn = |card: &CardName| drawn == Some(*card);
            let plain = |card: &CardName| can_play(card) && card.color().is_some();
            let place = hand.iter().position(is_drawn).or_else(|| hand.iter().position(plain));
            self.cursor = place.or_else(|| hand.iter().position(can_play)).unwrap_or(self.cursor);
            self.aimed = false;
        }
        self.looked_at = self.selected();
    }

    /// Closes the form once the table has agreed to it; after a refusal it can be changed.
    fn close_form(&mut self) {
        let Some(form) = self.form.as_mut().filter(|form| form.asked && !self.model.is_waiting()) else { return };
        form.asked = false;
        if self.model.refusal.is_none() {
            self.form = None;
        }
    }

    /// Remembers which card the person has selected.
    pub(super) fn look(&mut self) {
        self.looked_at = self.selected();
        self.aimed = true;
    }

    /// Looks at a card by its place in the hand.
    pub(crate) fn look_at(&mut self, place: usize) {
        self.cursor = place;
        self.look();
    }

    /// What a second click on a card means.
    pub(super) fn click(&self) -> Vec<Intent> {
        match self.question() {
            Question::Mark(..) => vec![Intent::Mark],
            Question::Open => vec![Intent::Choose],
            Question::Pick(_) => Vec::new(),
        }
    }

    /// The selected card.
    pub(crate) fn selected(&self) -> Option<CardName> {
        self.model.hand().get(self.cursor).copied()
    }

    pub(super) fn drop_draft(&mut self) {
        self.draft = None;
        self.marks.clear();
        self.option = 0;
    }

    /// What has to be decided.
    pub(crate) fn question(&self) -> Question {
        draft::question(self)
    }

    /// The cards that are marked.
    pub(crate) fn marked(&self) -> Vec<CardName> {
        let hand = self.model.hand();
        self.marks.iter().filter_map(|place| hand.get(*place).copied()).collect()
    }

    /// Whether such an action is legal now.
    pub(crate) fn can(&self, fits: impl Fn(&ActionForm) -> bool) -> bool {
        self.model.actions().any(fits)
    }

    /// Whether more messages are about to come: the game is older than the log.
    pub(crate) fn is_busy(&self) -> bool {
        self.model.is_waiting() || !self.model.is_settled()
    }

    /// Whether a bot plays for this person.
    pub(crate) fn is_away(&self) -> bool {
        self.model.is_away()
    }

    /// Whether the table is on a server.
    pub(crate) fn is_remote(&self) -> bool {
        self.whereabouts.saved.is_none()
    }

    /// Opens a text.
    pub(crate) fn open(&mut self, what: &Show) {
        let title = match what {
            Show::Hand => "Your hand",
            Show::Table => "The table",
            Show::Scores => "Scores",
            Show::Log => "What happened",
            Show::Chat => "What was said",
            Show::People => "Who is here",
            Show::Settings => "All settings",
            Show::Choices => "What you can do",
            Show::Rules(_) => "Rules",
            Show::Why => "Why",
            Show::Help(_) => "Commands",
        };
        let mut page = Page::new(title, status::show(what, &self.model));
        match what {
            Show::People => {
                page.lines.extend(self.invitation().map(|link| format!("Invite others: {link}").into()));
            }
            Show::Log if !self.model.log.is_empty() => {
                let told = self.model.log.iter().filter(|line| line.tone != Tone::Refused);
                page.lines = told.map(|line| line.text.clone()).collect();
                page.top = usize::MAX;
            }
            Show::Rules(None) => {
                page.links = self.model.rules().map(|rules| Links::new(rules.edition));
                // The keys in the foot say how one is opened.
                page.links.iter().for_each(|links| page.lines.truncate(links.first + links.ids.len()));
            }
            _ => {}
        }
        self.page = Some(page);
    }

    /// Opens the selected rule of a list.
    pub(crate) fn open_link(&mut self) {
        let Some(list) = self.page.take() else { return };
        let id = list.links.as_ref().and_then(|links| links.ids.get(links.at));
        let Some(id) = id else { return };
        let rule = Page::new("Rules", status::rules(Some(id), &self.model));
        self.page = Some(Page { from: Some(Box::new(list)), ..rule });
    }
}

impl Screen {
    /// The link that lets others join, with the code the table has now.
    pub(crate) fn invitation(&self) -> Option<String> {
        self.whereabouts.invitation(&self.model)
    }
}

impl Page {
    /// A text from its beginning.
    pub(crate) fn new(title: &str, lines: Vec<Text>) -> Page {
        Page { title: title.to_owned(), lines, top: 0, links: None, from: None }
    }

    /// Reads on, or back; in a list of rules, looks at another one.
    pub(crate) fn scroll(&mut self, step: Step, shape: Shape) {
        match &mut self.links {
            Some(links) => links.go(step, shape.rows),
            None => self.top = scrolled(self.top, step, true, shape),
        }
    }
}

/// The row at which a text or the log begins after a step; the log is read backwards.
pub(super) fn scrolled(from: usize, step: Step, forward: bool, shape: Shape) -> usize {
    let by = match step {
        Step::PageUp | Step::PageDown => shape.rows.saturating_sub(1).max(1),
        Step::First | Step::Last => usize::MAX,
        _ => 1,
    };
    let on = matches!(step, Step::Down | Step::Right | Step::PageDown | Step::Last | Step::Next);
    let farthest = shape.lines.saturating_sub(shape.rows);
    let from = from.min(farthest);
    if on == forward { from.saturating_add(by).min(farthest) } else { from.saturating_sub(by) }
}

impl Links {
    /// The introduction and all rules of an edition, as [`status::rules`] lists them.
    fn new(edition: Edition) -> Links {
        let rules = rulebook::for_edition(edition).map(|rule| rule.id);
        Links { first: 1, ids: [status::HOW].into_iter().chain(rules).collect(), at: 0 }
    }

    /// Looks at another one.
    pub(crate) fn go(&mut self, step: Step, rows: usize) {
        let by = if matches!(step, Step::PageUp | Step::PageDown) { rows.saturating_sub(1).max(1) } else { 1 };
        let last = self.ids.len().saturating_sub(1);
        self.at = match step {
            Step::First => 0,
            Step::Last => last,
            Step::Up | Step::Left | Step::PageUp | Step::Previous => self.at.saturating_sub(by),
            Step::Down | Step::Right | Step::PageDown | Step::Next => (self.at + by).min(last),
        };
    }
}
