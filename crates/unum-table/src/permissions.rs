//! Who may ask for what, and when: one table that decides requests and tells clients what they may do.

use strum::VariantArray as _;
use unum_protocol::{DealingStep, Person, Refusal, RequestKind, Stage, TableCode};
use unum_rules::Seat;

use crate::state::{Member, State};

/// Who may make a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Anybody,
    Seated,
    Host,
    /// The host, if it is their table: not a stand-in.
    Owner,
}

/// One row of the table: who, at which stages, and under which condition.
struct Permission {
    role: Role,
    stages: &'static [Stage],
    /// The refusal at a wrong stage.
    otherwise: &'static str,
    /// Whether it is allowed while a deal is being prepared.
    dealing: bool,
    more: fn(&State, &Member) -> Result<(), Refusal>,
}

const ALWAYS: &[Stage] = &[Stage::Lobby, Stage::Playing, Stage::Scores, Stage::Over];
const LOBBY: &[Stage] = &[Stage::Lobby];
const PLAYING: &[Stage] = &[Stage::Playing];
/// How many others must judge: a single one could be the accuser's friend, or the accuser under another name.
const JUDGES: usize = 2;
const IN_LOBBY: &str = "that is possible only in the lobby: the host can reopen the table";
const CLOSED: &str = "this table is closed: open another one";

/// The table.
fn permission(kind: RequestKind) -> Permission {
    use RequestKind as Kind;
    let allow = |role, stages, otherwise, more| Permission { role, stages, otherwise, more, dealing: false };
    let always = |role, more| Permission { dealing: true, ..allow(role, ALWAYS, CLOSED, more) };
    let lobby = |role, more| allow(role, LOBBY, IN_LOBBY, more);
    match kind {
        Kind::Sit => lobby(Role::Anybody, can_sit),
        Kind::Take => {
            let stages = &[Stage::Playing, Stage::Scores, Stage::Over];
            allow(Role::Anybody, stages, "no match is being played: sit down", State::can_take)
        }
        Kind::Stand => always(Role::Anybody, can_stand),
        Kind::Leave | Kind::Quit | Kind::Rename | Kind::React => always(Role::Anybody, nothing),
        Kind::Set | Kind::Settings => lobby(Role::Host, nothing),
        Kind::Accept => lobby(Role::Seated, nothing),
        Kind::Ready => {
            let stages = &[Stage::Lobby, Stage::Scores, Stage::Over];
            allow(Role::Seated, stages, "a round is being played: there is nothing to be ready for", has_accepted)
        }
        Kind::Start => allow(Role::Host, LOBBY, "the match has begun already", can_start),
        Kind::Reopen => {
            let stages = &[Stage::Playing, Stage::Scores, Stage::Over];
            Permission { dealing: true, ..allow(Role::Host, stages, "the table is in the lobby already", nothing) }
        }
        Kind::Pledge => always(Role::Seated, can_pledge),
        Kind::Open => always(Role::Seated, can_open),
        Kind::AddBot => lobby(Role::Host, has_room),
        Kind::RemoveBot => lobby(Role::Host, has_bots),
        Kind::Kick => always(Role::Host, has_somebody_to_kick),
        Kind::Unkick => always(Role::Host, has_kicked),
        Kind::Lock => always(Role::Host, nothing),
        Kind::NewCode => always(Role::Owner, nothing),
        Kind::PassHost => always(Role::Owner, has_others),
        Kind::Act => allow(Role::Seated, PLAYING, "no round is being played", is_not_excluded),
        Kind::Hint => allow(Role::Seated, PLAYING, "no round is being played", can_hint),
        Kind::Autopilot => {
            let stages = &[Stage::Playing, Stage::Scores];
            allow(Role::Seated, stages, "a bot can stand in while a match is played", is_not_excluded)
        }
        Kind::Pace => {
            let stages = &[Stage::Playing, Stage::Scores];
            allow(Role::Seated, stages, "in the lobby the host sets the `pace`", is_alone)
        }
        Kind::Chat => always(Role::Anybody, can_chat),
        Kind::Mute | Kind::Report => always(Role::Anybody, has_others),
        Kind::Accuse => allow(Role::Seated, PLAYING, "accusations belong to a round that is being played", can_accuse),
        Kind::Judge => always(Role::Anybody, can_judge),
    }
}

fn nothing(_: &State, _: &Member) -> Result<(), Refusal> {
    Ok(())
}

fn check(holds: bool, code: TableCode, message: &'static str) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::new(code, message)) }
}

fn can_sit(state: &State, member: &Member) -> Result<(), Refusal> {
    check(state.seat_of(member.person).is_none(), TableCode::AlreadySeated, "you have a seat already")?;
    has_room(state, member)?;
    let message = "two people from your address have a seat already, and a public table allows no more";
    check(state.has_room_for(member.link.address), TableCode::NoChair, message)
}

fn can_stand(state: &State, member: &Member) -> Result<(), Refusal> {
    if state.has_claim(member) {
        return Ok(());
    }
    state.check_seated(member.person)?;
    let message = "nobody can watch at this table: leave it instead";
    check(state.settings.spectators, TableCode::NoSpectators, message)
}

fn has_accepted(state: &State, member: &Member) -> Result<(), Refusal> {
    let accepted = state.stage != Stage::Lobby || state.has_accepted(member);
    check(accepted, TableCode::NotAccepted, "accept the rules before you are ready")
}

fn is_not_excluded(state: &State, member: &Member) -> Result<(), Refusal> {
    state.seat_of(member.person).map_or(Ok(()), |seat| state.check_not_excluded(seat))
}

fn is_alone(state: &State, member: &Member) -> Result<(), Refusal> {
    let mut others = state.chairs.iter().filter(|chair| chair.person != Some(member.person));
    let alone = others.all(|chair| chair.person.is_none() || chair.away.is_some());
    check(alone, TableCode::WrongStage, "other people play here: the pace stays as it was agreed")
}

fn can_hint(state: &State, member: &Member) -> Result<(), Refusal> {
    is_not_excluded(state, member)?;
    state.gives_hints(member)
}

fn can_start(state: &State, _: &Member) -> Result<(), Refusal> {
    state.can_start()
}

fn can_pledge(state: &State, member: &Member) -> Result<(), Refusal> {
    state.check_awaited(member.person, DealingStep::Pledge)
}

fn can_open(state: &State, member: &Member) -> Result<(), Refusal> {
    state.check_awaited(member.person, DealingStep::Open)
}

fn has_room(state: &State, _: &Member) -> Result<(), Refusal> {
    check(state.has_room(), TableCode::NoChair, "all seats are taken: watch, or ask the host for more `seats`")
}

fn has_bots(state: &State, _: &Member) -> Result<(), Refusal> {
    let bots = state.chairs.iter().any(|chair| chair.level.is_some());
    check(bots, TableCode::NoSuchSeat, "no bot sits at this table")
}

fn has_others(state: &State, _: &Member) -> Result<(), Refusal> {
    check(state.people.len() > 1, TableCode::NoSuchPerson, "there is nobody else at this table")
}

fn has_somebody_to_kick(state: &State, member: &Member) -> Result<(), Refusal> {
    has_others(state, member)?;
    let kickable = state.people.iter().any(|other| state.check_kick(member, other).is_ok());
    check(kickable, TableCode::NotHost, "a stand-in host cannot remove players from a match")
}

fn has_kicked(state: &State, _: &Member) -> Result<(), Refusal> {
    check(!state.kicked.is_empty(), TableCode::NoSuchPerson, "nobody was removed from this table")
}

fn can_chat(state: &State, _: &Member) -> Result<(), Refusal> {
    check(state.settings.chat, TableCode::ChatOff, "there is no chat at this table: use the reactions")
}

fn can_accuse(state: &State, member: &Member) -> Result<(), Refusal> {
    if state.rules.suggestion_penalty() == 0 {
        let message = "these rules have no penalty for suggestions: set `suggestion_penalty`";
        return Err(about_x1(Refusal::new(unum_rules::Code::BadRules, message)));
    }
    let refuse = |code, message: &'static str| Err(about_x1(Refusal::new(code, message)));
    if !state.settings.has_accusations() {
        return refuse(TableCode::AccusationsOff, "accusations are off at this table: see `accusations`");
    }
    if state.accusation.is_some() {
        return refuse(TableCode::NoMoreAccusations, "another accusation is being voted on: wait for the result");
    }
    if member.accuses_from > state.rounds {
        let message = "you can accuse once per round, and not for three rounds after a false accusation";
        return refuse(TableCode::NoMoreAccusations, message);
    }
    if !(0..state.chairs.len() as Seat).any(|seat| state.can_be_accused(seat, member.person)) {
        let message = "an accusation takes four people, connected from at least three addresses";
        return refuse(TableCode::TooFew, message);
    }
    Ok(())
}

fn can_judge(state: &State, member: &Member) -> Result<(), Refusal> {
    let mut votes = state.accusation.iter().flat_map(|accusation| &accusation.voters);
    let open = votes.any(|(voter, vote)| *voter == member.person && vote.is_none());
    let message = "no accusation is waiting for your vote";
    check(open, TableCode::NothingToJudge, message).map_err(about_x1)
}

/// A refusal with the rule about suggestions behind it.
pub(crate) fn about_x1(refusal: Refusal) -> Refusal {
    Refusal { rule: Some("X1".into()), ..refusal }
}

impl State {
    /// Whether somebody may make requests of a type now. The content is checked where the request is carried out.
    ///
    /// # Errors
    /// When they may not.
    pub(crate) fn permit(&self, member: &Member, kind: RequestKind) -> Result<(), Refusal> {
        let Permission { role, stages, otherwise, more, dealing } = permission(kind);
        check(stages.contains(&self.stage), TableCode::WrongStage, otherwise)?;
        check(dealing || self.dealing.is_none(), TableCode::WrongStage, "the cards are being dealt: wait a moment")?;
        match role {
            Role::Host => self.check_host(member.person)?,
            Role::Owner => self.check_owner(member)?,
            Role::Seated => drop(self.check_seated(member.person)?),
            Role::Anybody => {}
        }
        more(self, member)
    }

    /// The types of requests somebody may make now: each is accepted in at least one form, and no other changes
    /// anything. What can be done in a round is told move by move, by [`GameView::legal`](unum_protocol::GameView::legal).
    pub(crate) fn may(&self, member: &Member) -> Vec<RequestKind> {
        // Accepting again changes nothing, so it is not offered.
        let is_done = |kind: &RequestKind| *kind == RequestKind::Accept && self.has_accepted(member);
        let permitted = |kind: &RequestKind| !is_done(kind) && self.permit(member, *kind).is_ok();
        RequestKind::VARIANTS.iter().copied().filter(permitted).collect()
    }

    /// Whether somebody with a seat has accepted the rules.
    fn has_accepted(&self, member: &Member) -> bool {
        self.chairs.iter().any(|chair| chair.person == Some(member.person) && chair.accepted)
    }

    fn check_host(&self, person: Person) -> Result<(), Refusal> {
        if self.host == Some(person) {
            return Ok(());
        }
        let host = self.host.and_then(|host| self.member(host));
        let advice = host.map_or(String::new(), |host| format!(": ask {}", host.name));
        Err(Refusal::new(TableCode::NotHost, format!("only the host can do that{advice}")))
    }

    fn check_owner(&self, member: &Member) -> Result<(), Refusal> {
        self.check_host(member.person)?;
        let message = "only the owner of the table can do that: you stand in until they are back";
        check(self.owner == Some(member.guest), TableCode::NotHost, message)
    }

    pub(crate) fn check_seated(&self, person: Person) -> Result<Seat, Refusal> {
        self.seat_of(person).ok_or_else(|| Refusal::new(TableCode::NotSeated, "take a seat first"))
    }

    /// Whether a person can accuse the player of a seat, whom nobody has accused in this round, and enough others are
    /// there to judge.
    pub(crate) fn can_be_accused(&self, seat: Seat, by: Person) -> bool {
        let accused = self.chair(seat).and_then(|chair| self.member(chair.person?));
        let fresh = accused.is_some_and(|other| other.person != by && other.accused_in < self.rounds);
        fresh && self.judges(by, seat).len() >= JUDGES
    }
}
