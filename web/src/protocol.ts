// Everything that travels between a client and a server (docs/protocol.md).
// Made from the Rust types by `cargo xtask types`: do not edit.

/** What a client sends: `{"hello":…}` first, then `{"id":…,"request":…}` and `{"ping":{}}`. */
export type ClientMsg = {
    /** Which table, as whom. */
    hello: Hello } | {
    /** No fields. */
    ping: Empty } | {
    /** Chosen by the client, greater than any it has used at this table. A request that is resent because the
    * connection broke before the answer keeps its number and is never carried out twice. */
    id: number,
    /** What to do. */
    request: Request };

/** Which table, as whom, and what the client already has. */
export type Hello = {
    /** The client's [`VERSION`](crate::VERSION). */
    version: number,
    /** The code of the table, as in its invite link. */
    table: string,
    /** The number of the last change the client has; it then gets only the rest, if the table still has it. */
    after?: number,
    /** The guest's token, for programs that cannot send it in a header. */
    token?: string };

/** An object without fields. */
export type Empty = Record<symbol, never>;

/** What a client asks for. */
export type Request =
  | { "type": "sit" }
  | { "type": "take",
    /** Which one; left out: any that can be taken, or a free one when the next match begins. */
    seat?: number }
  | { "type": "stand" }
  | { "type": "leave" }
  | { "type": "quit" }
  | { "type": "set",
    /** The setting. */
    setting: SettingId,
    /** Its new value; `null` for the edition's own, or for none. */
    value: SettingValue }
  | { "type": "settings",
    /** All of them. */
    settings: Settings }
  | { "type": "accept",
    /** The number of the agreement the person has read. */
    agreement: number }
  | { "type": "ready",
    /** Whether the person is ready. */
    ready: boolean,
    /** What the person pledges for the next deal. */
    pledge?: Pledge }
  | { "type": "start",
    /** What the host pledges for the deal. */
    pledge?: Pledge }
  | { "type": "pledge",
    /** The hash of the part. */
    pledge: Pledge }
  | { "type": "open",
    /** The part. */
    part: Entropy }
  | { "type": "reopen" }
  | { "type": "add_bot",
    /** How well it plays. */
    level: Level }
  | { "type": "remove_bot",
    /** Its seat. */
    seat: number }
  | { "type": "kick",
    /** The person. */
    person: number,
    /** Whether nobody new may come from their address either: a household or a school shares one. */
    address?: boolean }
  | { "type": "unkick",
    /** The number they had. */
    person: number }
  | { "type": "lock",
    /** Whether nobody new may enter. */
    locked: boolean }
  | { "type": "new_code" }
  | { "type": "pass_host",
    /** The person. */
    person: number }
  | { "type": "rename",
    /** The new name. */
    name: string }
  | { "type": "act",
    /** The action. */
    action: ActionForm,
    /** The number of moves ([`GameView::at`](crate::GameView::at)) the player had seen: refused as stale if there
    * were more since. */
    at?: number }
  | { "type": "hint",
    /** The number of moves the player had seen, as for [`Request::Act`]. */
    at?: number }
  | { "type": "autopilot",
    /** Whether the bot plays. */
    on: boolean }
  | { "type": "pace",
    /** How fast. */
    pace: Pace }
  | { "type": "chat",
    /** The words. */
    text: string }
  | { "type": "react",
    /** The reaction. */
    reaction: Reaction }
  | { "type": "mute",
    /** The person. */
    person: number,
    /** Whether they are muted. */
    muted: boolean,
    /** Whether that is so at every table from now on: they are blocked. Unmuting always ends that. */
    always?: boolean }
  | { "type": "report",
    /** The person. */
    person: number,
    /** What for. */
    kind: ReportKind,
    /** More about it. */
    text?: string }
  | { "type": "accuse",
    /** The player's seat. */
    seat: number }
  | { "type": "judge",
    /** Whether it is upheld. */
    yes: boolean };

/**
*A type of request, as `may` lists those that somebody can make now. */
export type RequestKind = "sit" | "take" | "stand" | "leave" | "quit" | "set" | "settings" | "accept" | "ready" | "start" | "pledge" | "open" | "reopen" | "add_bot" | "remove_bot" | "kick" | "unkick" | "lock" | "new_code" | "pass_host" | "rename" | "act" | "hint" | "autopilot" | "pace" | "chat" | "react" | "mute" | "report" | "accuse" | "judge";

/** What a server sends. */
export type ServerMsg =
  | { "type": "welcome",
    /** The version of the protocol. */
    version: number,
    /** The server's name and version. */
    server: string,
    /** The code of the table. */
    table: string,
    /** The client's person at this table. */
    you: number,
    /** The greatest request number that was carried out for this person. */
    last_id: number }
  | { "type": "snapshot",
    /** The number of the last change in it. */
    seq: number,
    /** What is agreed on. */
    terms: Terms,
    /** Who sits where. */
    lobby: LobbyView,
    /** What concerns only this person. */
    own: OwnView,
    /** The game, once there is one. */
    game?: GameView,
    /** The last lines of chat. */
    chat: Array<ChatLine>,
    /** What happened last, oldest first, as this person may know it: enough for a log. */
    past?: Array<Past> }
  | { "type": "update",
    /** Its number. */
    seq: number,
    /** The changes just before it, oldest first, if they are told together. */
    earlier?: Array<Past>,
    /** The request it carries out, for the client that made it: this is the acknowledgment. */
    id?: number,
    /** What happened. */
    what: Happened,
    /** What happened in the game. */
    events?: Array<EventForm>,
    /** The agreement, if it changed. */
    terms?: Terms,
    /** The lobby, if it changed. */
    lobby?: LobbyView,
    /** What concerns only this person, if it changed. */
    own?: OwnView,
    /** The game, if it changed. */
    game?: GameView }
  | { "type": "presence",
    /** Everybody at the table. */
    people: Array<PersonView>,
    /** What concerns only this person, if it changed. */
    own?: OwnView }
  | { "type": "done",
    /** Its number. */
    id: number }
  | { "type": "refused",
    /** Its number; left out when the message had no readable one. */
    id?: number,
    /** For programs. */
    code: Code,
    /** For people: what was wrong, and what would be right. */
    message: string,
    /** The id of the rule behind it. */
    rule?: string,
    /** The sentence as data, for translation. */
    why?: Why,
    /** After how many milliseconds to try again, if it came too fast. */
    retry?: number }
  | { "type": "hint",
    /** The number of the request. */
    id: number,
    /** What, and why. */
    hint: HintView }
  | { "type": "pong" }
  | { "type": "announcement",
    /** The words. */
    text: string }
  | { "type": "bye",
    /** Why, for programs. */
    code: Code,
    /** Why, for people. */
    message: string,
    /** After how many milliseconds to come back, if at all. */
    retry?: number };

/** Why something was refused. */
export type Refusal = {
    /** For programs. */
    code: Code,
    /** For people: what was wrong, and what would be right. */
    message: string,
    /** The id of the rule behind it. */
    rule?: string,
    /** The sentence as data, for translation. */
    why?: Why,
    /** After how many milliseconds to try again, if it came too fast. */
    retry?: number };

/** What happened, as one viewer may know it. */
export type Happened =
  | { "type": "opened" }
  | { "type": "joined", person: number, name: string }
  | { "type": "sat", person: number, seat: number }
  | { "type": "stood", person: number }
  | { "type": "seat_claimed", person: number, seat?: number }
  | { "type": "claim_dropped", person: number }
  | { "type": "seat_released", seat: number }
  | { "type": "left", person: number,
    /** Their name, which is no longer in the lobby. */
    name: string }
  | { "type": "kicked", person: number, name: string }
  | { "type": "unkicked", person: number }
  | { "type": "locked", locked: boolean }
  | { "type": "code_renewed", code: string }
  | { "type": "chair_lost", person: number }
  | { "type": "renamed", person: number, name: string }
  | { "type": "dressed", person: number }
  | { "type": "host_passed", person: number }
  | { "type": "settings_changed" }
  | { "type": "pace_changed",
    /** How fast they act now. */
    pace: Pace }
  | { "type": "accepted", person: number }
  | { "type": "ready", person: number, ready: boolean }
  | { "type": "bot_added", seat: number, level: Level }
  | { "type": "bot_removed", seat: number }
  | { "type": "committed", commitment: Commitment }
  | { "type": "deal_begun" }
  | { "type": "pledged", person: number }
  | { "type": "pledges_closed" }
  | { "type": "part_opened", seat: number }
  | { "type": "withheld", seats: Array<number>, again: boolean }
  | { "type": "dealt", round: number }
  | { "type": "acted", seat: number, by: Actor }
  | { "type": "stood_in", seat: number, why: Away }
  | { "type": "came_back", seat: number }
  | { "type": "reopened" }
  | { "type": "round_lost" }
  | { "type": "chatted", person: number, text: string }
  | { "type": "reacted", person: number, reaction: Reaction }
  | { "type": "bot_reacted", seat: number, reaction: Reaction }
  | { "type": "muted", person: number, muted: boolean }
  | { "type": "accused", person: number, seat: number }
  | { "type": "judged", person: number, yes: boolean }
  | { "type": "accusation_ended", seat: number, upheld: boolean }
  | { "type": "closed" }
  | { "type": "hidden" };

/** Something that happened before, as a client's person may know it. */
export type Past = {
    /** The number of the change. */
    seq: number,
    /** The request it carries out, in an update for the client that made it: this is the acknowledgment. */
    id?: number,
    /** What happened. */
    what: Happened,
    /** What happened in the game. */
    events?: Array<EventForm> };

/** A stable code for programs, the same in `refused`, in `bye` and in the errors of HTTP. */
export type Code = GameCode | TableCode | ServerCode;

/** What somebody is reported for. */
export type ReportKind = "abuse" | "name" | "spam" | "cheating" | "other";

/** Somebody a guest has blocked. */
export type BlockedPerson = {
    /** A number to unblock them by. */
    id: number,
    /** What they were called. */
    name: string,
    /** When it was, in milliseconds since 1970. */
    at: number };

/** A stable code for programs. */
export type GameCode = "bad_request" | "bad_rules" | "bad_position" | "bad_seat" | "not_your_turn" | "wrong_phase" | "not_in_hand" | "does_not_match" | "not_the_drawn_card" | "color_required" | "no_such_color" | "bad_discard" | "bad_swap" | "must_play" | "bluff_not_allowed" | "not_liable" | "nothing_to_call" | "over";

/** Why a table refuses a request or a newcomer. */
export type TableCode = "not_host" | "not_seated" | "wrong_stage" | "stale" | "no_chair" | "already_seated" | "not_accepted" | "not_ready" | "old_agreement" | "too_few" | "no_such_person" | "no_such_seat" | "kicked" | "locked" | "bad_settings" | "bad_name" | "bad_text" | "chat_off" | "no_spectators" | "full" | "nothing_to_judge" | "no_more_accusations" | "accusations_off" | "closed" | "not_here" | "bad_part" | "no_part" | "too_soon" | "not_in_lesson" | "no_hints";

/** Why a server refuses a message or a request over HTTP, or ends a connection. */
export type ServerCode = "stopping" | "replaced" | "storage" | "slow" | "flood" | "too_long" | "not_text" | "not_utf8" | "protocol" | "no_hello" | "bad_hello" | "bad_version" | "no_guest" | "no_table" | "too_many" | "silent" | "dismissed" | "crashed" | "signed_out" | "too_fast" | "foreign_origin" | "wrong_host" | "not_found" | "method_not_allowed" | "too_slow" | "not_json" | "upgrade_required" | "damaged" | "quota" | "no_room" | "moved" | "newer" | "banned" | "muted";

/** What is agreed on. */
export type Terms = {
    /** The number of this agreement, which changes with the rules. */
    agreement: number,
    /** The settings as they were chosen; rules that were left out are the edition's. */
    settings: Settings,
    /** The rules in force, with nothing left out. */
    rules: RulesView,
    /** The preset that the settings come to, if they do. */
    preset?: PresetId };

/** The settings of a table, as chosen. */
export type Settings = {
    /** What the table is called. */
    title: string,
    /** What is played. */
    rules: RulesSpec,
    /** How many may sit. */
    seats: number,
    /** Whether the table is listed publicly. */
    public: boolean,
    /** Whether people may watch. */
    spectators: boolean,
    /** Whether people may write. */
    chat: boolean,
    /** Seconds for a turn; `None` for no limit (private tables only). */
    clock: number | null,
    /** How fast bots act. */
    pace: Pace,
    /** Whether the table switches the house rule `reverse_skips_with_two` on while at most two chairs are taken, and
    * off otherwise. Choosing that rule explicitly ends this. */
    usual_for_two: boolean,
    /** Where players can be accused of suggesting a play (X1). */
    accusations: Accusations,
    /** Whether the table teaches one person the game: rules, cards and bots' moves are then the lesson's, and the other
    * settings have no effect. Fixed when the table is opened. */
    lesson?: boolean };

/** How fast bots act. */
export type Pace = "relaxed" | "brisk" | "instant";

/** The name of a [`Preset`]. */
export type PresetId = "official" | "party" | "quick";

/** Rules and a pace that go well together, for every edition. */
export type Preset = {
    /** Its name. */
    id: PresetId,
    /** How long a match is; `null` for what the edition prints. */
    scoring: Scoring | null,
    /** The house rules. */
    house: House,
    /** How fast bots act. */
    pace: Pace };

/** Where players can be accused of suggesting a play (X1): strangers could take turns at it. */
export type Accusations = "private" | "always" | "never";

/** The name of a setting. */
export type SettingId = "edition" | "cards" | "card1" | "card2" | "card3" | "scoring" | "target" | "clock" | "pace" | "stacking" | "seven_zero" | "jump_in" | "draw_to_match" | "force_play" | "no_bluffing" | "no_challenges" | "reverse_skips_with_two" | "usual_for_two" | "hand_size" | "uno_penalty" | "suggestion_penalty" | "seats" | "title" | "public" | "spectators" | "chat" | "accusations";

/** The value of a setting; `null` where it has none of its own. */
export type SettingValue = null | boolean | number | string | CustomRule;

/** One thing that can be agreed on. */
export type Setting = {
    /** Its name. */
    id: SettingId,
    /** Where it belongs. */
    group: Group,
    /** What `null` means; left out if it always has a value. */
    unset?: Unset,
    /** Where its value is in [`Settings`]. */
    path: Array<string>,
    /** The rule that explains it, a key of the rule book. */
    rule?: string,
    /** When there is such a setting; left out if always. */
    only?: Condition,
    /** A setting that is switched off when this one is switched on. */
    excludes?: SettingId,
    /** Whether everybody has to accept the rules again when it changes. The host changes settings, in the lobby. */
    agreed: boolean,
    /** What is in force when it has no value of its own, by edition. */
    defaults: { [key in Edition]?: SettingValue } } & ({ "type": "switch" }
  | { "type": "choice",
    /** The words. */
    values: Array<string> }
  | { "type": "number",
    /** The smallest. */
    least: number,
    /** The largest. */
    most: number,
    /** How far one step of a form goes. */
    step: number }
  | { "type": "text",
    /** How many characters at most. */
    longest: number }
  | { "type": "card",
    /** How many starters there are. */
    starters: number });

/** The values a setting can have. */
export type SettingKind =
  | { "type": "switch" }
  | { "type": "choice",
    /** The words. */
    values: Array<string> }
  | { "type": "number",
    /** The smallest. */
    least: number,
    /** The largest. */
    most: number,
    /** How far one step of a form goes. */
    step: number }
  | { "type": "text",
    /** How many characters at most. */
    longest: number }
  | { "type": "card",
    /** How many starters there are. */
    starters: number };

/** Settings that belong together. */
export type Group = "game" | "house" | "table";

/** What a missing value means. */
export type Unset = "printed" | "none";

/** A condition under which a setting exists. */
export type Condition = {
    /** The other setting. */
    setting: SettingId,
    /** The values it must have. */
    values: Array<SettingValue> };

/** Rules with nothing left out. */
export type RulesView = {
    /** The sheet. */
    edition: Edition,
    /** How rounds become a match. */
    scoring: Scoring,
    /** Cards dealt to each player. */
    hand_size: number,
    /** Cards for being caught without "UNO"; 0: there is no race to call. */
    uno_penalty: number,
    /** With this many cards in hand, "UNO" can be called along with the next one played. */
    uno_from: number,
    /** Cards for suggesting a play; 0: nobody can be accused. */
    suggestion_penalty: number,
    /** Whether a Wild Draw Four can be challenged. */
    challenges: boolean,
    /** Whether attacks can be blocked. */
    blocks: boolean,
    /** How many can play with these hands and this deck. */
    players: Players,
    /** The colors of the deck, in order. */
    colors: Array<ColorName>,
    /** The deck, sorted. */
    deck: Array<DeckCard>,
    /** What the Customizable cards in the deck carry. */
    custom: Array<CustomView> };

/** How many can play. */
export type Players = {
    /** At least. */
    least: number,
    /** At most. */
    most: number };

/** One kind of card in a deck. */
export type DeckCard = {
    /** The card. */
    card: CardName,
    /** How many there are. */
    copies: number,
    /** What it counts when it is left in a hand. */
    points: number,
    /** What it does when it is played, in order; nothing for a plain number. */
    does?: Array<CardFact>,
    /** The id of the rule that explains it. */
    rule?: string };

/** Something a card does by the rules in force. */
export type CardFact =
  | { "type": "anywhere" }
  | { "type": "color" }
  | { "type": "draw",
    /** How many cards. */
    count: number }
  | { "type": "challenge" }
  | { "type": "honest" }
  | { "type": "skip" }
  | { "type": "reverse" }
  | { "type": "skip_for_two" }
  | { "type": "stack_same" }
  | { "type": "stack_any" }
  | { "type": "block" }
  | { "type": "along",
    /** How many at most. */
    most: number }
  | { "type": "shuffle_hands" }
  | { "type": "custom" }
  | { "type": "swap" }
  | { "type": "pass_hands" }
  | { "type": "jump_in" };

/** What a Customizable card carries. */
export type CustomView = {
    /** The card. */
    card: CardName,
    /** The rule on it; `None` for a plain wild. */
    rule: CustomRule | null };

/** Who sits where: the same for everybody at the table. */
export type LobbyView = {
    /** What the table is doing. */
    stage: Stage,
    /** The code of the table, which invites others. */
    code: string,
    /** The host; nobody until the guest who opened the table has come. */
    host: number | null,
    /** Whether the host stands in for the owner of the table, until they are back. */
    acting: boolean,
    /** Whether nobody new may enter. */
    locked: boolean,
    /** Whether the bots have played without a person for so long that they now wait for one. */
    paused: boolean,
    /** The chairs, by seat. */
    chairs: Array<ChairView>,
    /** Everybody at the table. */
    people: Array<PersonView>,
    /** The accusation that is voted on. */
    accusation?: AccusationView,
    /** The fair deal: commitments, pledges, and what was revealed. */
    fair: FairView };

/** What concerns only one person at a table. */
export type OwnView = {
    /** The types of requests they can make now. Each is accepted in at least one form, unless it comes too fast. */
    may: Array<RequestKind>,
    /** The people they have muted. */
    muted: Array<number>,
    /** People removed from the table and kept out, oldest first; only the host is told. */
    kicked: Array<KickedView> };

/** Somebody who was removed from a table. */
export type KickedView = {
    /** The number they had. */
    person: number,
    /** Their name at that time. */
    name: string,
    /** Whether newcomers from their address are kept out too. */
    address: boolean };

/** What a table is doing. */
export type Stage = "lobby" | "playing" | "scores" | "over" | "closed";

/** How somebody wants to look. A client that does not know an id shows a default. */
export type Look = {
    /** The picture beside the name. */
    avatar?: string,
    /** The back of the cards. */
    back?: string };

/** A chair. */
export type ChairView = {
    /** The name on it. */
    name: string,
    /** How they want to look. */
    look?: Look,
    /** The person; `None` for a bot. */
    person: number | null,
    /** The bot that sits there, or plays for the person at the moment. */
    bot: Level | null,
    /** Why it plays for the person. */
    away?: Away,
    /** Whether they accepted the rules. */
    accepted: boolean,
    /** Whether they are ready. */
    ready: boolean,
    /** Whether somebody who came later can take it when the round is over. */
    takeable?: boolean,
    /** Who takes it when the round is over. */
    claim?: number };

/** Somebody at the table. */
export type PersonView = {
    /** Their number. */
    person: number,
    /** Their name. */
    name: string,
    /** How they want to look. */
    look?: Look,
    /** Where they sit; `None` for onlookers. */
    seat: number | null,
    /** Whether they are connected. */
    connected: boolean,
    /** Whether they sit down when the next match begins. */
    waiting?: boolean };

/** An accusation by X1. */
export type AccusationView = {
    /** Who accuses. */
    by: number,
    /** The accused. */
    seat: number,
    /** Who has yet to vote. */
    waiting: Array<number>,
    /** Milliseconds left to vote. */
    left: number };

/** The fair deal: commitments, pledges, and what was revealed. */
export type FairView = {
    /** What the table is bound to for the next deal, before anybody pledges a part. */
    next: Commitment,
    /** The attempt at the next deal: 2 after somebody did not open their part. */
    attempt: number,
    /** The pledges for the next deal, by seat; left out while there are none. */
    pledges?: Array<Pledge | null>,
    /** What the table waits for before it deals. */
    dealing?: DealingView,
    /** What it was bound to for the round on the table, or for the one that was broken off. */
    dealt?: Commitment,
    /** Everything that determined the cards of that round, once it is over or broken off. */
    revealed?: FairDeal };

/** A deal in preparation. Clients take part by themselves, without anybody pressing anything. */
export type DealingView = {
    /** What the table waits for. */
    step: DealingStep,
    /** Whose clients it waits for. */
    waiting: Array<number>,
    /** Milliseconds left for them. */
    left: number };

/** The two steps before a deal. */
export type DealingStep = "pledge" | "open";

/** The game as one viewer may know it. */
export type GameView = {
    /** The number of the round in the match, from 1. */
    round: number,
    /** How many moves there were in the round. */
    at: number,
    /** What the viewer sees. */
    view: ViewForm,
    /** What the viewer can do now. */
    legal: Array<Choice>,
    /** The clock that runs. */
    clock?: ClockView,
    /** How the match stands, once the round is over. */
    standings?: Standings,
    /** Where the viewer is in the lesson, at a table that teaches. */
    lesson?: LessonView };

/** How a match stands after a round. */
export type Standings = {
    /** The rank of each seat, from 1; equals share one. */
    ranks: Array<number>,
    /** What each seat's cards count that were left when the round ended. */
    hands: Array<number>,
    /** What the points of each seat add up from: the hands that count for it. Nothing where the round brought none. */
    sums: Array<Array<number>>,
    /** Awards for the match, once it is over, the most telling first. */
    awards?: Array<Award> };

/** Something a seat did more than any other seat in a match. */
export type Award = {
    /** What for. */
    kind: AwardKind,
    /** Who gets it. */
    seat: number,
    /** How many: cards, times. */
    count: number };

/** What an award is given for. The first ones are given first. */
export type AwardKind = "bluffs" | "exposed" | "handed_out" | "catches" | "biggest_hand" | "drawn" | "caught" | "blocks" | "skipped" | "unos";

/** An action the viewer can take, and its stakes. */
export type Choice = {
    /** The action, without the optional `uno`. */
    action: ChoiceForm,
    /** It leaves one card: "UNO" must be called, and can be called with it (U1). */
    uno?: boolean,
    /** It is a bluff that can be challenged: a Wild Draw Four that breaks W2. */
    bluff?: boolean,
    /** How many cards the player draws by it; for a challenge, if it fails. */
    draws?: number,
    /** How many cards the other player draws if a challenge succeeds. */
    wins?: number,
    /** It is a race: several can do it, at any time, and it does not depend on whose turn it is. */
    race?: boolean };

/** A hint. */
export type HintView = {
    /** The number of moves it is based on ([`GameView::at`](crate::GameView::at)). */
    at: number,
    /** What the expert would do. */
    action: ActionForm,
    /** Why, in short. */
    reason: HintReason };

/** Why an expert would do it, based only on what the seat can see. */
export type HintReason = "wins" | "only_choice" | "catches" | "stops_next" | "keeps_wild" | "best_color" | "sheds_points" | "changes_color" | "waits" | "likely_bluff" | "likely_honest" | "spares" | "wins_most";

/** Where a learner is in the lesson. */
export type LessonView = {
    /** What the learner does next; `None` when everything is done. */
    step?: LessonStep,
    /** What the learner has done last. */
    done?: LessonStep,
    /** How many steps are done. */
    number: number,
    /** How many there are. */
    of: number };

/** One idea of the lesson, learned by doing it. */
export type LessonStep = "match_color" | "match_number" | "attack" | "catch" | "draw" | "wild" | "uno" | "last";

/** A clock. */
export type ClockView = {
    /** Milliseconds left. */
    left: number,
    /** Milliseconds in all. */
    of: number };

/** A line of chat. */
export type ChatLine = {
    /** The number of the change. */
    seq: number,
    /** Who wrote it. */
    person: number,
    /** Their name at that time. */
    name: string,
    /** The words. */
    text: string };

/** What can be said with one tap. */
export type Reaction = "hello" | "thanks" | "well_played" | "oops" | "laugh" | "wow" | "think" | "hurry" | "sorry" | "cheers";

/** Who moved a seat's cards. */
export type Actor = "person" | "bot" | "autopilot";

/** Why a bot plays for a person. */
export type Away = "asked" | "timed_out" | "disconnected" | "left" | "no_part";

/** How well a bot plays, weakest first. */
export type Level = "random" | "easy" | "normal" | "hard" | "expert";

/** The answer to everything that is refused. */
export type ErrorBody = {
    /** Why. */
    error: Refusal };

/** `GET /api/editions`: what can be played, with every default and bound. */
export type Editions = {
    /** The editions. */
    editions: Array<EditionView>,
    /** The settings of a table. */
    settings: Array<Setting>,
    /** The default settings of a table. */
    defaults: Settings,
    /** Rules that go well together, to choose from. */
    presets: Array<Preset>,
    /** How long a quick game can be. */
    lengths: Array<Scoring>,
    /** The longest texts. */
    texts: TextBounds,
    /** What Customizable cards can carry. */
    custom: CustomBounds };

/** The longest texts, in characters. */
export type TextBounds = {
    /** The name of a person. */
    name: number,
    /** The title of a table. */
    title: number,
    /** A line of chat. */
    chat: number };

/** Bounds of the rules on Customizable cards. */
export type CustomBounds = {
    /** The longest title, in characters. */
    title: number,
    /** The longest text or prompt, in characters. */
    text: number,
    /** Most effects of a rule, nested ones included. */
    effects: number,
    /** How many lists deep effects can be nested. */
    depth: number,
    /** Fewest cards that an effect can name. */
    least_cards: number,
    /** Most cards that an effect can name. */
    most_cards: number };

/** `POST /api/guests`: a guest to be. */
export type NewGuest = {
    /** A name. */
    name: string,
    /** How they want to look. */
    look?: Look };

/** `PATCH /api/me`: what a guest wants to change. */
export type GuestChange = {
    /** Another name. */
    name?: string,
    /** Another look. */
    look?: Look };

/** A guest. */
export type Guest = {
    /** Their number on this server. */
    id: number,
    /** Their name. */
    name: string,
    /** How they want to look. */
    look?: Look };

/** The answer to `POST /api/guests`: a new guest and their token. */
export type SignedIn = {
    /** Their number on this server. */
    id: number,
    /** Their name. */
    name: string,
    /** How they want to look. */
    look?: Look,
    /** What identifies them from now on, on any device. It is sent only once; keep it secret. */
    token: string };

/** `POST /api/tables/continued`: a match against bots, begun on a device, goes on at a table. */
export type Continuation = {
    /** What else is agreed on. The rules are those of the record. */
    settings: Settings,
    /** The rounds so far, in either form of a record. The last one is over, and nobody has won the match yet. */
    record: string,
    /** The levels of the bots by seat, and `null` at the seat of the person. */
    bots: Array<Level | null> };

/** `POST /api/tables`: a table was opened. */
export type Opened = {
    /** Its code. */
    code: string,
    /** The link that invites others. */
    link: string };

/** `GET /api/me/export`: everything stored about a guest. */
export type Export = {
    /** The guest. Only a hash of the token is stored, so it is not included. */
    guest: Guest,
    /** When they came first, in milliseconds since 1970. */
    created: number,
    /** When they were seen last, give or take a day. */
    seen: number,
    /** Tables they are at. */
    open: Array<OpenGame>,
    /** Matches they played, newest first. `GET /api/games/{id}` has each as a record. */
    finished: Array<FinishedGame>,
    /** What they said at those tables, if it is still stored. */
    chat: Array<Said>,
    /** Whom they have blocked. */
    blocked: Array<BlockedPerson>,
    /** Whether this is everything: at most 10,000 matches are included, and the chat of 1,000 tables. */
    complete: boolean };

/** Something a guest said at a table. */
export type Said = {
    /** The code of the table. */
    table: string,
    /** What. */
    text: string };

/** What people who are not at a table may know about it. */
export type Listing = {
    /** Its code. */
    code: string,
    /** Its title. */
    title: string,
    /** What is played. */
    edition: Edition,
    /** How many people sit there. */
    people: number,
    /** How many bots do. */
    bots: number,
    /** How many can. */
    seats: number,
    /** What the table is doing. */
    stage: Stage,
    /** Whether people may watch. */
    spectators: boolean,
    /** Whether nobody new may enter. Such a table is not in the list. */
    locked: boolean,
    /** The name of the host, if they are there. */
    host?: string,
    /** How many seats are open to a newcomer: free chairs, and during a match those that can be taken. */
    free: number,
    /** What a newcomer would do there. */
    entry: Entry };

/** What a newcomer does at a table. */
export type Entry = "sit" | "take" | "watch" | "nothing";

/** Who has a chair, as told to somebody who may join. */
export type Seated = {
    /** The name. */
    name: string,
    /** How they want to look. */
    look?: Look,
    /** Whether a bot plays there, for itself or for somebody. */
    bot: boolean };

/** `GET /api/tables/{code}`: a table, for anybody who has its code. */
export type TableSummary = {
    /** What is agreed on. */
    terms: Terms,
    /** Who sits there, by seat. */
    players: Array<Seated>,
    /** How many watch. */
    onlookers: number,
    /** The number of the current or last round. */
    round?: number,
    /** Whether the guest who asks is at the table, or has a seat there to come back to. */
    known: boolean,
    /** Its code. */
    code: string,
    /** Its title. */
    title: string,
    /** What is played. */
    edition: Edition,
    /** How many people sit there. */
    people: number,
    /** How many bots do. */
    bots: number,
    /** How many can. */
    seats: number,
    /** What the table is doing. */
    stage: Stage,
    /** Whether people may watch. */
    spectators: boolean,
    /** Whether nobody new may enter. Such a table is not in the list. */
    locked: boolean,
    /** The name of the host, if they are there. */
    host?: string,
    /** How many seats are open to a newcomer: free chairs, and during a match those that can be taken. */
    free: number,
    /** What a newcomer would do there. */
    entry: Entry };

/** `GET /api/games`: the games of a guest. */
export type Games = {
    /** Tables the guest is at. */
    open: Array<OpenGame>,
    /** Matches that are over. */
    finished: Array<FinishedGame> };

/** A table the guest is at. */
export type OpenGame = {
    /** Its code. */
    table: string,
    /** When it was opened, in milliseconds since 1970. */
    opened: number,
    /** When something last happened there. */
    touched: number };

/** A match that is over. */
export type FinishedGame = {
    /** The id of its record. */
    id: string,
    /** The table it was played at. */
    table: string,
    /** What was played. */
    edition: Edition,
    /** The names, by seat. */
    players: Array<string | null>,
    /** The levels of the bots, by seat; none for people. Empty if that was not noted. */
    levels: Array<Level | null>,
    /** How many rounds there were. */
    rounds: number,
    /** The scores, by seat. */
    scores: Array<number>,
    /** The seats that won. */
    winners: Array<number> | null,
    /** When it ended, in milliseconds since 1970. */
    ended: number };

/** A match in a list. */
export type GameSummary = {
    /** What was played. */
    edition: Edition,
    /** The names, by seat. */
    players: Array<string | null>,
    /** The levels of the bots, by seat; none for people. Empty if that was not noted. */
    levels: Array<Level | null>,
    /** How many rounds there were. */
    rounds: number,
    /** The scores, by seat. */
    scores: Array<number>,
    /** The seats that won. */
    winners: Array<number> | null,
    /** When it ended, in milliseconds since 1970. */
    ended: number };

/** The forms of a record. */
export type RecordFormat = "json" | "text";

/** `GET /api/games/{id}/replay`: some steps of a match. */
export type Replay = {
    /** The names, by seat. */
    names: Array<string | null>,
    /** What was played. */
    rules: RulesView,
    /** How many steps the match has, deals included. */
    total: number,
    /** The steps at which the rounds were dealt. */
    rounds: Array<number>,
    /** The number of the first step here. */
    from: number,
    /** Everything that determined the cards, for every round these steps belong to, in order; empty if the match was
    * not dealt by a table. */
    deals: Array<FairDeal>,
    /** The steps. */
    steps: Array<ReplayStep> };

/** One step of a match: as one seat saw it, or with all cards open. */
export type ReplayStep = {
    /** The number of the round, from 1. */
    round: number,
    /** The number of the move in the match, from 1; 0 for the first deal. */
    number: number,
    /** Who moved. */
    seat: number | null,
    /** The move as the text of a record has it. */
    move: string,
    /** What happened. */
    events: Array<EventForm>,
    /** What the seat saw afterwards, if one was chosen. */
    view?: ViewForm,
    /** The whole state afterwards, if none was. */
    state?: Position };

/** What the module can be asked.
*
* Those about a table are answered with a [`Step`]. There is one table at a time: another takes its place. */
export type Ask = { "open": {
    /** What is played. */
    settings: Partial<Settings> } } | { "restore": {
    /** The last snapshot. */
    snapshot: Saved | null,
    /** Every entry after it. */
    entries: Array<string>,
    /** The parts of the match that is being played. */
    parts: Array<string> } } | { "arrive": {
    /** The first message on the connection. */
    hello: string,
    /** What they want to be called, if they are new here. */
    name: string,
    /** How they want to look. */
    look: Look } } | { "send": {
    /** The message. */
    text: string } } | { "leave": Record<symbol, never> } | { "settings": {
    /** What is played from now on. */
    settings: Settings } } | { "stored": Record<symbol, never> } | { "give_up": {
    /** Why. */
    code: ServerCode } } | { "tick": Record<symbol, never> } | { "think": {
    /** How long the last such moment took, in milliseconds. */
    spent: number } } | { "table": Record<symbol, never> } | { "hand_over": Record<symbol, never> } | { "editions": Record<symbol, never> } | { "rules": {
    /** Of which edition. */
    edition: Edition } } | { "name": {
    /** As it was typed. */
    name: string } } | { "replay": {
    /** The record; left out: the rounds of the table's match that are over. */
    record: string | null,
    /** As seen from there; left out: all cards are open. */
    seat: number | null,
    /** The first step. */
    from: number } } | { "review": {
    /** What the caller calls it: another name means another review. */
    key: string,
    /** The record; left out: the rounds of the table's match that are over. */
    record: string | null,
    /** One round alone. */
    round: number | null,
    /** The seat of the person who asks. */
    seat: number | null } } | { "review_more": Record<symbol, never> } | { "figures": Record<symbol, never> } | { "season": {
    /** Whether games to come are counted. */
    on: boolean,
    /** The games, in any order. Those with figures that cannot be read are left out. */
    games: Array<SeasonEntry> } } | { "look": {
    /** The record; left out: the rounds of the table's match that are over. */
    record: string | null,
    /** After which move. */
    step: number } } | { "look_more": Record<symbol, never> } | { "analysis": Record<symbol, never> } | { "record": {
    /** The record. */
    record: string,
    /** In which form. */
    format: RecordFormat } } | { "verify": {
    /** The record. */
    record: string } } | { "deal": {
    /** What the round was dealt from. */
    deal: FairDeal,
    /** By which rules. */
    rules: RulesSpec,
    /** Who dealt, unless it was the first round of a match. */
    dealer: number | null } } | { "bench": {
    /** Of which edition. */
    edition: Edition,
    /** How many play. */
    players: number,
    /** How many rounds, at most 100,000. */
    rounds: number } };

/** What became of a question about the table. */
export type Step = {
    /** The code of the table. */
    code: string,
    /** What has to be durable before anything else is asked about the table; `stored` then tells what follows from it. */
    batch?: Batch,
    /** Messages for the person, in order: what they are about is durable. */
    told: Array<string>,
    /** Whether the connection ends after them. */
    ended: boolean,
    /** When the table wants to be woken, in milliseconds since 1970. */
    wake: number | null,
    /** Whether a bot thinks. */
    thinks: boolean };

/** What has to be stored in one piece. */
export type Batch = {
    /** The number of the last entry before. Entries are numbered from 1, without gaps. */
    after: number,
    /** The entries, in order. */
    entries: Array<string>,
    /** The table just after one of them. Entries up to that one, and earlier snapshots, are no longer needed. */
    snapshot?: Saved,
    /** Parts of the match that is being played, to be kept in order until it is finished. */
    parts: Array<Part>,
    /** Matches that have come to their end. Their parts are no longer needed. */
    finished: Array<Finished>,
    /** The table as a list shows it. */
    summary: Listed,
    /** Whether the table is closed for good: nothing of it is needed but its finished matches. */
    closed: boolean };

/** A whole table. */
export type Saved = {
    /** The number of the last entry it contains. */
    seq: number,
    /** The table. */
    body: string };

/** A part of a match. */
export type Part = {
    /** Which of the table's matches, from 1. */
    number: number,
    /** Whether the match begins with it: what was kept before belongs to one that was broken off. */
    first: boolean,
    /** Whether the match ends with it. */
    last: boolean,
    /** What happened. */
    body: string };

/** A match that has come to its end. */
export type Finished = {
    /** As lists have it. Its id is that of the record. */
    game: FinishedGame,
    /** Where the person sat. */
    seat: number | null,
    /** The record, as JSON. */
    record: string,
    /** What a season keeps of it, with its luck alone; left out if it cannot be told. */
    figures: string | null };

/** A game of a season. */
export type SeasonEntry = {
    /** The id of its record. */
    id: string,
    /** When it ended, in milliseconds since 1970. */
    ended: number,
    /** Where the person sat. */
    seat: number,
    /** The levels of the bots, by seat; none for people. */
    levels: Array<Level | null>,
    /** What is kept of it. */
    figures: string };

/** A table in a list. */
export type Listed = {
    /** Its code. */
    code: string,
    /** Its title. */
    title: string,
    /** What is played. */
    edition: Edition,
    /** What the table is doing. */
    stage: Stage,
    /** Who sits there, by seat. */
    players: Array<Seated>,
    /** The scores, by seat; empty before the first deal. */
    scores: Array<number>,
    /** The number of the current or last round. */
    round: number | null,
    /** Whether it is the lesson. */
    lesson: boolean,
    /** When something last happened, in milliseconds since 1970. */
    touched: number };

/** A name. */
export type Named = {
    /** As others see it. */
    name: string };

/** A text. */
export type Text = {
    /** The text. */
    text: string };

/** Whether there is more to think about. */
export type More = {
    /** Whether there is. */
    more: boolean };

/** What a record proves: every card follows from its deals and its moves. */
export type Verified = {
    /** Whether there was a secret and a commitment for every round, or a plain seed. */
    fair: boolean,
    /** How many rounds there are. */
    rounds: number,
    /** How many moves. */
    moves: number,
    /** The rounds to which nobody added anything, from 1. */
    unaided: Array<number>,
    /** The digest of the last state. */
    final: string };

/** What follows from a deal. */
export type DealAgain = {
    /** What the table had to publish before. */
    commitment: Commitment,
    /** The key of the generator. */
    key: string,
    /** What the players had to publish before anybody opened a part, by seat. */
    pledges: Array<Pledge | null>,
    /** Who dealt. */
    dealer: number,
    /** The hands as they were dealt, by seat. */
    hands: Array<Array<CardName>> };

/** Rounds that were played. */
export type Played = {
    /** How many. */
    rounds: number,
    /** How many actions that took. */
    actions: number };

/** A whole review. */
export type Review = {
    /** The version of this form. */
    format: number,
    /** Number of players. */
    players: number,
    /** Their names, by seat. */
    names: Array<string>,
    /** What the evaluation does not know of these rules. */
    gaps: Array<Gap>,
    /** Whether chances to win the match are told as well. */
    is_match: boolean,
    /** Worlds imagined for decisions, all together. */
    worlds: number,
    /** The rounds that were finished. */
    rounds: Array<RoundReview>,
    /** All rounds together, by seat. */
    seats: Array<SeatReview>,
    /** Every decision that was judged, in order. */
    decisions: Array<DecisionReview> };

/** One round. */
export type RoundReview = {
    /** Its number, from 1. */
    round: number,
    /** Who won it. */
    winner: number | null,
    /** Everybody's account, by seat. */
    seats: Array<Account>,
    /** The chances after every move. */
    line: Array<LinePoint>,
    /** Every chance event. */
    strokes: Array<StrokeReview>,
    /** Every "UNO" that was forgotten. */
    unos: Array<UnoReview> };

/** Where a seat's result in a round came from. All terms from `place` on add up to `result` less an even share. */
export type Account = {
    /** 1 for a win, 0 for a loss, an even share if nobody won. */
    result: Figure,
    /** The result without luck. */
    adjusted: Figure,
    /** What the place behind the dealer is worth. */
    place: Figure,
    /** Luck of the deal. */
    deal: Figure,
    /** Luck of the cards drawn. */
    own_draws: Figure,
    /** What others' cards did. */
    others_draws: Figure,
    /** What hidden cards did to good and bad choices alike. */
    fog: Figure,
    /** What own choices lost; at most zero but for noise. */
    own_errors: Figure,
    /** What others' choices gave. */
    others_errors: Figure,
    /** What penalties for a forgotten "UNO" did. */
    attention: Figure,
    /** What is left: players are not the ones the evaluation has in mind. */
    rest: Figure,
    /** All luck together. */
    luck: Figure,
    /** The standard deviation of luck. */
    spread: Figure,
    /** The share of rounds that were less lucky. */
    percentile: Figure,
    /** Chance to win the match before the round, and after it; luck and own errors in the same chances. */
    in_match: MatchAccount | null };

/** A round in chances to win the match. */
export type MatchAccount = {
    /** Before the deal. */
    before: Figure,
    /** After the round. */
    after: Figure,
    /** Luck. */
    luck: Figure,
    /** What own choices lost. */
    own_errors: Figure,
    /** The change without luck. */
    adjusted: Figure };

/** How things stood after a move. */
export type LinePoint = {
    /** The number of the move; the deal is 0 or the move that dealt. */
    number: number,
    /** Who moved. */
    seat: number | null,
    /** The move as the record writes it. */
    text: string,
    /** What the change came from. */
    cause: Cause,
    /** Chances with all cards open, by seat. */
    open: Array<Figure>,
    /** The mover's own chance before the move as they saw it, if it was a decision that was judged. */
    seen: Figure | null };

/** What moved the chances. */
export type Cause = "deal" | "luck" | "play" | "error";

/** The luck of one chance event. */
export type StrokeReview = {
    /** The number of the move. */
    number: number,
    /** Who drew, if it was one player. */
    drawer: number | null,
    /** How many cards. */
    cards: number,
    /** Luck, by seat. */
    luck: Array<Figure>,
    /** Its standard deviation, by seat. */
    spread: Array<Figure> };

/** An "UNO" that was forgotten. */
export type UnoReview = {
    /** The number of the move. */
    number: number,
    /** Who forgot. */
    seat: number,
    /** Who caught them. */
    caught_by: number | null,
    /** Whether it was called late, in time. */
    called_late: boolean,
    /** What being caught costs on average. */
    cost: Figure };

/** A decision. */
export type DecisionReview = {
    /** Whether it makes a difference what is done. */
    counts: boolean,
    /** Worlds imagined. */
    worlds: number,
    /** What was played, by its place among the actions. */
    played: number,
    /** What was better, by its place among the actions. */
    best: number,
    /** What was lost, in rounds won. */
    error: Figure,
    /** Its standard error. */
    standard_error: Figure,
    /** Whether it is clear enough to be told. */
    marked: boolean,
    /** What was lost, in chances to win the match. */
    match_error: Figure | null,
    /** What hidden cards did, for the one who decided. */
    fog: Figure,
    /** Odds of a challenge. */
    challenge: Odds | null,
    /** Why the better action is better, in words. */
    why: string | null,
    /** The same as data. */
    reason: Reason | null,
    /** All actions with their values. */
    actions: Array<ActionReview>,
    /** The round, from 1. */
    round: number,
    /** The number of the move in the record. */
    number: number,
    /** Who decided. */
    seat: number };

/** A figure, written with six decimals: beyond that, machines may differ. */
export type Figure = number;

/** Where in a record a decision was made. */
export type Spot = {
    /** The round, from 1. */
    round: number,
    /** The number of the move in the record. */
    number: number,
    /** Who decided. */
    seat: number };

/** An action and what it is worth. */
export type ActionReview = {
    /** The action. */
    action: ActionForm,
    /** The same in words. */
    words: string,
    /** The chance to win the round with it. */
    value: Figure,
    /** The standard error of that. */
    value_error: Figure,
    /** How far it is ahead of the action played. */
    ahead: Figure,
    /** The standard error of that: smaller than the value's, as both are tried in the same worlds. */
    ahead_error: Figure,
    /** Worlds it was tried in. */
    worlds: number };

/** A seat over all rounds. */
export type SeatReview = {
    /** Rounds won, a blocked one shared. */
    won: Figure,
    /** The same without luck. */
    adjusted: Figure,
    /** All luck. */
    luck: Figure,
    /** Its standard deviation. */
    spread: Figure,
    /** The mean percentile of luck over rounds; of the round itself if there is one. */
    percentile: Figure,
    /** Decisions that count. */
    decisions: number,
    /** What was lost by them, in rounds. */
    lost: Figure,
    /** The standard error of that. */
    lost_error: Figure,
    /** Thousandths of a round lost per decision that counts. */
    error_rate: Figure | null,
    /** Its standard error. */
    error_rate_error: Figure | null,
    /** Where that lies among the bots, in words. */
    level: string | null,
    /** The same as data. */
    standing: Standing | null,
    /** UNOs forgotten. */
    unos_forgotten: number,
    /** Of these, caught. */
    unos_caught: number,
    /** Challenges that hit a bluff. */
    challenges_right: number,
    /** Challenges that hit an honest play. */
    challenges_wrong: number,
    /** Wild Draw Fours that were bluffs. */
    bluffs: number,
    /** Of these, challenged. */
    bluffs_caught: number };

/** Odds of a challenge. */
export type Odds = {
    /** How likely the Wild Draw Four was a bluff, for all the seat knew. */
    bluff: Figure,
    /** How likely it must be for a challenge to be as good as taking the cards. */
    break_even: Figure | null };

/** Why one action is better than another: the feature that differs most, with what it is for both. Shares of worlds, or
* numbers of cards on average. */
export type Reason =
  | { "type": "odds",
    /** The share of worlds in which it was one. */
    bluff: Figure,
    /** The share that a challenge needs, if both came up in the worlds. */
    needed: Figure | null }
  | { "type": "wins" }
  | { "type": "next_out",
    /** The share of worlds with the better action. */
    better: Figure,
    /** The share with the other one. */
    played: Figure }
  | { "type": "next_follows",
    /** The share of worlds with the better action. */
    better: Figure,
    /** The share with the other one. */
    played: Figure }
  | { "type": "own_turn" }
  | { "type": "own_fits",
    /** How many with the better action. */
    better: Figure,
    /** How many with the other one. */
    played: Figure }
  | { "type": "own_cards",
    /** How many with the better action. */
    better: Figure,
    /** How many with the other one. */
    played: Figure }
  | { "type": "others_draw",
    /** How many cards with the better action. */
    better: Figure,
    /** How many with the other one. */
    played: Figure }
  | { "type": "keeps_wild" };

/** Where an error rate lies among those of the bots. */
export type Standing =
  | { "type": "below",
    /** The weakest. */
    level: Level }
  | { "type": "above",
    /** The strongest. */
    level: Level }
  | { "type": "like",
    /** The level. */
    level: Level }
  | { "type": "between",
    /** The next weaker one. */
    from: Level,
    /** The next stronger one. */
    to: Level }
  | { "type": "range",
    /** The weakest of them. */
    from: Level,
    /** The strongest of them. */
    to: Level };

/** What the value function does not know of the rules. Luck is still unbiased, but less precise; actions are
* valued by rollouts to the end of the round. */
export type Gap = "custom_cards" | "hands_change" | "stacking" | "jump_in" | "draw_to_match" | "points_in_hand";

/** What a position is worth to the player who is to act. */
export type Analysis = {
    /** Who is to act. */
    seat: number,
    /** Worlds imagined. */
    worlds: number,
    /** Every action worth comparing, the best first. */
    actions: Array<ActionReview>,
    /** Odds of a challenge, where one is possible. */
    challenge: Odds | null,
    /** Why the best action is better than the second best, in words. */
    why: string | null,
    /** The same as data. */
    reason: Reason | null,
    /** What the others are likely to hold. */
    hands: Array<HandGuess>,
    /** What the evaluation does not know of these rules. */
    gaps: Array<Gap> };

/** What somebody is likely to hold. */
export type HandGuess = {
    /** Whose hand. */
    seat: number,
    /** How many cards. */
    cards: number,
    /** Cards of each color on average. */
    colors: Array<[ColorName, Figure]>,
    /** Wilds on average. */
    wilds: Figure,
    /** How likely a card fits the one on top. */
    fits: Figure };

/** `GET /api/games/{id}/review` and `GET /api/tables/{code}/review`: a review on its way or done. It names nobody, tells
* no draws one by one, and of the decisions only each seat's clearest mistakes. */
export type ServedReview = {
    /** How far it is. */
    progress: ReviewProgress,
    /** The seat of the guest who asks, if they played in a finished game. */
    seat: number | null,
    /** The review as it stands; `null` while nothing is known yet. */
    review: Review | null };

/** How far a served review is. */
export type ReviewProgress = "waiting" | "thinking" | "done";

/** `GET /api/me/season`: luck and play over many games. */
export type Season = {
    /** Whether games to come are counted. */
    on: boolean,
    /** How many games are counted, the newest ones if there are very many. */
    games: number,
    /** All rounds, whatever the table size. */
    rounds: number,
    /** All luck, in rounds. */
    luck: Figure,
    /** How far all luck is from nothing by chance: its standard deviation. */
    luck_spread: Figure,
    /** By number of players, the fewest first, and by opponents, the weakest bots first and people last. */
    sizes: Array<SeasonSize>,
    /** The error rate over time, the oldest games first. */
    over_time: Array<SeasonStretch>,
    /** Challenges that hit a bluff, and that did not. */
    challenges: [number, number],
    /** Bluffs, and those that were challenged. */
    bluffs: [number, number],
    /** UNOs forgotten, and those that were caught. */
    unos: [number, number],
    /** The luckiest cards, the best first. */
    best: Array<SeasonPick>,
    /** The dearest mistakes, the worst first. */
    worst: Array<SeasonPick> };

/** Who the others at a table were. */
export type Opponents =
  | { "type": "bots",
    /** The level. */
    level: Level }
  | { "type": "mixed" }
  | { "type": "people" }
  | { "type": "unknown" };

/** A season at tables of one size, against opponents of one kind. */
export type SeasonSize = {
    /** Number of players. */
    players: number,
    /** The others. */
    against: Opponents,
    /** Rounds played. */
    rounds: number,
    /** The share of rounds won. */
    won: Measured,
    /** The same without luck. */
    adjusted: Measured,
    /** Decisions that count. */
    decisions: number,
    /** Thousandths of a round lost per decision that counts. */
    error_rate: Measured | null,
    /** Where that lies among the bots. */
    standing: Standing | null };

/** Some games in a row. */
export type SeasonStretch = {
    /** When the last of them ended, in milliseconds since 1970. */
    until: number,
    /** How many games. */
    games: number,
    /** Thousandths of a round lost per decision that counts. */
    error_rate: Measured | null,
    /** Luck per round. */
    luck: Figure };

/** A moment to look at again. */
export type SeasonMoment = {
    /** The number of the move. */
    number: number,
    /** What it did to the chance to win the round. */
    change: Figure };

/** A moment of one of the games. */
export type SeasonPick = {
    /** The game. */
    game: string,
    /** The number of the move. */
    number: number,
    /** What it did to the chance to win the round. */
    change: Figure };

/** `PUT /api/me/season`: whether games to come are counted. */
export type SeasonChange = {
    /** Whether they are. */
    on: boolean };

/** A mean with the half width of its 95 % interval, where there is enough to tell one. */
export type Measured = {
    /** The mean. */
    mean: Figure,
    /** Half the width of the interval. */
    margin: Figure | null };

/** The rule book, or the part of it that one edition plays. */
export type RuleBook = {
    /** The editions it is about. */
    editions: Array<EditionView>,
    /** The rules, by section. */
    sections: Array<SectionView> };

/** One edition. */
export type EditionView = {
    /** Its id. */
    id: Edition,
    /** Its name. */
    title: string,
    /** What is special about it, in a sentence. */
    summary: string,
    /** How it differs from the other editions. */
    differences: Array<string>,
    /** Our rulings where its sheet is silent. */
    rulings: Array<string>,
    /** How many cards its deck has. */
    cards: number,
    /** Its rules with nothing left out: scoring, penalties, deck, bounds. */
    rules: RulesView,
    /** The settings a table of this edition begins with. */
    suggested: RulesSpec,
    /** The thought starters for its Customizable cards. */
    starters: Array<CustomRule> };

/** Rules that belong together. */
export type SectionView = {
    /** The letter their ids begin with. */
    letter: string,
    /** What they are about. */
    title: string,
    /** The rules. */
    rules: Array<RuleView> };

/** One rule. */
export type RuleView = {
    /** Its id, such as `W2` or `stacking`. */
    id: string,
    /** Its name. */
    title: string,
    /** What it says; in the book of one edition, in that edition's own words. */
    text: string,
    /** Whether the text is that edition's alone, in place of the one the others have. */
    own: boolean,
    /** Our rulings where the sheets are silent; in the book of one edition, only those that concern it. */
    rulings: Array<string>,
    /** The places of these rulings among all rulings of the rule, from 0: for translations. */
    places: Array<number>,
    /** The editions that play by it. */
    editions: Array<Edition>,
    /** Editions that play it differently; in the book of one edition, what that edition adds to the text. */
    differences: Array<Difference> };

/** How an edition differs from a rule. */
export type Difference = {
    /** The edition. */
    edition: Edition,
    /** The difference. */
    text: string };

/** An [`Action`] as JSON. */
export type ActionForm =
  | { "type": "play", card: CardName, color?: ColorName, uno?: boolean, discard?: Array<CardName>, swap_with?: number }
  | { "type": "draw" }
  | { "type": "keep" }
  | { "type": "call_color", color?: ColorName }
  | { "type": "take" }
  | { "type": "challenge" }
  | { "type": "block", color?: ColorName, uno?: boolean }
  | { "type": "call_uno" }
  | { "type": "catch", seat: number }
  | { "type": "discard", cards: Array<CardName>, uno?: boolean }
  | { "type": "vote", yes: boolean }
  | { "type": "dare", accept: boolean };

/** An action, or a discard with too many choices to list. */
export type ChoiceForm = ActionForm | discard;

/** A discard of any cards of the hand: there are too many to list. */
export type discard =
  | { "type": "discard",
    /** How many cards. */
    count: number };

/** The stakes of an action; empty where there are none. */
export type Stakes = {
    /** It leaves one card: "UNO" must be called, and can be called with it (U1). */
    uno?: boolean,
    /** It is a bluff that can be challenged: a Wild Draw Four that breaks W2. */
    bluff?: boolean,
    /** How many cards the player draws by it; for a challenge, if it fails. */
    draws?: number,
    /** How many cards the other player draws if a challenge succeeds. */
    wins?: number,
    /** It is a race: several can do it, at any time, and it does not depend on whose turn it is. */
    race?: boolean };

/** A [`View`] as JSON. */
export type ViewForm = { players: number, dealer: number, direction: Direction, phase: PhaseForm, top: CardName, color: ColorName | null, hand_sizes: Array<number>, hand?: Array<CardName>, shown: { [key in number]: Array<CardName> }, draw_count: number, discard_pile: Array<CardName>, liable: Array<number>, idle: number, draw_more: Array<DrawMoreForm>, face_up: Array<FaceUpForm>, banners: Array<BannerForm>, scores: Array<number>, result: ResultForm | null, winners: Array<number> | null };

/** The whole state of a match as JSON, or a position to start from, which may leave most of it out.
*
* This is the loose form: it may be wrong. [`Position::into_match`] checks it. */
export type Position = { players: number | null, dealer: number, direction: Direction, phase: PhaseForm | null, top: CardName | null, color: ColorName | null, hands: Array<Array<CardName>>, draw_pile: Array<CardName>, discard_pile: Array<CardName> | null, liable: Array<number>, idle: number, draw_more: Array<DrawMoreForm>, face_up: Array<FaceUpForm>, banners: Array<BannerForm>, scores: Array<number>, result: ResultForm | null, winners: Array<number> | null };

/** A [`Phase`] as JSON. In views `bluff` is left out, and `cards` of others. */
export type PhaseForm =
  | { "type": "turn", seat: number }
  | { "type": "drawn", seat: number, cards?: Array<CardName> | null }
  | { "type": "call_color", seat: number, next?: number | null }
  | { "type": "respond", seat: number, by: number, cards?: number | null, bluff?: boolean | null }
  | { "type": "discard", seat: number, count: number }
  | { "type": "vote", seat: number, prompt: string, waiting: Array<number> }
  | { "type": "dare", seat: number, prompt: string }
  | { "type": "round_over" }
  | { "type": "match_over" };

/** An [`Event`] as somebody may see it, as JSON: cards they may not see are a `count`. */
export type EventForm =
  | { "type": "drew_for_dealer", seat: number, card: CardName }
  | { "type": "dealer_chosen", seat: number }
  | { "type": "dealt", seat: number } & ({ "cards": Array<CardName> } | { "count": number })
  | { "type": "dealt_again" }
  | { "type": "turned_up", card: CardName, turned: Turned }
  | { "type": "played", seat: number, card: CardName, color?: ColorName, discarded?: Array<CardName>, jumped_in?: boolean }
  | { "type": "drew", seat: number, reason: DrawReason } & ({ "cards": Array<CardName> } | { "count": number })
  | { "type": "kept", seat: number }
  | { "type": "color_called", seat: number, color: ColorName }
  | { "type": "reshuffled", count: number }
  | { "type": "skipped", seat: number }
  | { "type": "reversed", direction: Direction }
  | { "type": "challenged", seat: number, challenged: number, guilty: boolean }
  | { "type": "hand_shown", seat: number, to: number } & ({ "cards": Array<CardName> } | { "count": number })
  | { "type": "blocked", seat: number, color: ColorName }
  | { "type": "uno_called", seat: number }
  | { "type": "caught", seat: number, by: number }
  | { "type": "penalized", seat: number }
  | { "type": "hands_swapped", seat: number, with: number }
  | { "type": "hands_passed", direction: Direction }
  | { "type": "hands_shuffled", seat: number }
  | { "type": "received", seat: number } & ({ "cards": Array<CardName> } | { "count": number })
  | { "type": "discarded", seat: number, cards: Array<CardName> }
  | { "type": "must_draw_more", seat: number, count: number }
  | { "type": "extra_turn", seat: number }
  | { "type": "faced_up", seat: number, until: number }
  | { "type": "banner_raised", seat: number, text: string }
  | { "type": "performance_began", seat: number, prompt: string }
  | { "type": "voted", seat: number, yes: boolean }
  | { "type": "performance_ended", seat: number, success: boolean }
  | { "type": "dared", seat: number, prompt: string }
  | { "type": "dare_answered", seat: number, accept: boolean }
  | { "type": "turn_came", seat: number }
  | { "type": "went_out", seat: number }
  | { "type": "round_blocked" }
  | { "type": "round_scored", winner: number | null, points: Array<number> }
  | { "type": "match_won", winners: Array<number> };

/** A seat that must draw more when stuck. */
export type DrawMoreForm = { seat: number, count: number };

/** A hand that lies open. */
export type FaceUpForm = { seat: number, until: number };

/** A note on a seat. */
export type BannerForm = { seat: number, text: string, until: Until, by?: number | null };

/** What a round added to the scores. */
export type ResultForm = { winner: number | null, points: Array<number> };

/** Why cards were drawn. */
export type DrawReason = "turn" | "attack" | "challenge" | "caught" | "suggestion" | "effect" | "start";

/** What became of a card turned up to start with. */
export type Turned = "start" | "ignored" | "returned";

/** Which way the turn moves. */
export type Direction = "left" | "right";

/** A card as people and files write it: `R7`, `P0`, `B+2`, `W+4`. */
export type CardName = string;

/** A color as people and files write it. */
export type ColorName = "red" | "pink" | "yellow" | "green" | "blue";

/** Which rule sheet is played. */
export type Edition = "original" | "fairies" | "frozen" | "custom" | "modern";

/** Rules as a table agrees on them: an edition and what is different from its sheet.
*
* This is the loose form, as in files and requests; [`Rules::new`] checks it. */
export type RulesSpec = {
    /** The sheet. */
    edition: Edition,
    /** Scoring, if it differs from the sheet's. */
    scoring?: Scoring | null,
    /** House rules. */
    house?: House,
    /** What the Customizable cards carry (`custom` only), one entry per card in the deck. */
    custom_cards?: Array<CustomCard> | null };

/** How rounds become a match (P2–P4). */
export type Scoring =
  | { "type": "first_to", target: number }
  | { "type": "lowest_at", target: number }
  | { "type": "single_round" };

/** The house rules, all off by default. Numbers left out are the edition's. */
export type House = {
    /** With two players a Reverse acts as a Skip. */
    reverse_skips_with_two?: boolean,
    /** Attacks may be answered by attacks. */
    stacking?: Stacking,
    /** A 7 swaps hands, a 0 passes all hands on. */
    seven_zero?: boolean,
    /** An identical colored card may be played out of turn. */
    jump_in?: boolean,
    /** A player who draws keeps drawing until a card can be played. */
    draw_to_match?: boolean,
    /** A player who can play must. */
    force_play?: boolean,
    /** A Wild Draw Four only when allowed; no challenges. */
    no_bluffing?: boolean,
    /** A Wild Draw Four at any time; no challenges. */
    no_challenges?: boolean,
    /** Cards dealt to each player, 1–20. */
    hand_size?: number | null,
    /** Cards for being caught without "UNO", 0–20; 0 switches the race off. */
    uno_penalty?: number | null,
    /** Cards for suggesting a play, 0–20; 0 switches it off. */
    suggestion_penalty?: number | null };

/** Which attack may be answered by which (house rule `stacking`). */
export type Stacking = "off" | "same" | "any";

/** What one Customizable card carries. */
export type CustomCard = CustomRule | number | null;

/** What is written on a Customizable card. */
export type CustomRule = {
    /** A short name. */
    title: string,
    /** The rule in words. */
    text?: string,
    /** What the card does, in order. Without effects the rule is left to the players' honor. */
    effects?: Array<Effect> };

/** One thing a Customizable card does. */
export type Effect =
  | { "do": "draw", who: Who, count: number }
  | { "do": "draw_until_color", who: Who, color: UntilColor }
  | { "do": "discard_all", who: Who, match: Matching }
  | { "do": "level", who: Who, to: number }
  | { "do": "discard_down", who: Who, to: number }
  | { "do": "draw_more", who: NextPlayer, count: number }
  | { "do": "extra_turn" }
  | { "do": "skip" }
  | { "do": "reverse" }
  | { "do": "reveal", who: Who }
  | { "do": "perform", prompt: string, success: Array<Effect>, failure: Array<Effect> }
  | { "do": "dare", who: NextPlayer, prompt: string, refuse: Array<Effect> }
  | { "do": "banner", who: Who, text: string, until: Until };

/** Who is affected, in order of play, starting after the player of the card. */
export type Who = "next" | "self" | "others" | "all";

/** The only valid `who` for an effect that always concerns the next player. */
export type NextPlayer = "next";

/** The color that ends a [`Effect::DrawUntilColor`]. */
export type UntilColor = "red" | "yellow" | "green" | "blue" | "called";

/** Which cards a [`Effect::DiscardAll`] takes. */
export type Matching = "wild" | "action" | "number" | "red" | "yellow" | "green" | "blue";

/** How long a banner stays up. */
export type Until = "uno" | "next_turn";

/** What was wrong with an action or with rules, as JSON: a word for it, and what the sentence about it needs. */
export type Why =
  | { "type": "no_such_seat", players: number }
  | { "type": "not_your_turn", seat: number }
  | { "type": "already_voted" }
  | { "type": "wrong_phase", what: Deed, obstacle: Obstacle }
  | { "type": "not_in_hand", card: CardName }
  | { "type": "does_not_match", card: CardName, top: CardName, color: ColorName | null }
  | { "type": "does_not_match_color", card: CardName, top: CardName, color: ColorName }
  | { "type": "no_answer", card: CardName, top: CardName }
  | { "type": "not_the_drawn_card", card: CardName }
  | { "type": "color_required", card: CardName }
  | { "type": "color_on_colored", card: CardName }
  | { "type": "color_on_shuffle_hands" }
  | { "type": "discard_without_olaf", card: CardName }
  | { "type": "bad_olaf_discard" }
  | { "type": "wrong_discard_count", count: number, given: number }
  | { "type": "swap_out_of_place" }
  | { "type": "swap_missing" }
  | { "type": "swap_with_self" }
  | { "type": "swap_with_nobody", players: number }
  | { "type": "must_play" }
  | { "type": "must_play_drawn" }
  | { "type": "bluff_not_allowed", color: ColorName }
  | { "type": "wild_in_hand" }
  | { "type": "not_liable", seat: number }
  | { "type": "catching_oneself" }
  | { "type": "nothing_to_call" }
  | { "type": "uno_leaves", left: number }
  | { "type": "no_suggestion_penalty" }
  | { "type": "gone_out", seat: number }
  | { "type": "penalty_after_end" }
  | { "type": "over" }
  | { "type": "exclude_each_other" }
  | { "type": "bad_target", most: number }
  | { "type": "too_few_cards", players: number, hand_size: number, deck: number }
  | { "type": "no_title" }
  | { "type": "long_title", most: number }
  | { "type": "long_text", most: number }
  | { "type": "too_many_effects", most: number };

/** What somebody tried to do at the wrong moment. */
export type Deed = "play" | "draw" | "keep" | "call_color" | "take" | "challenge" | "block" | "discard" | "vote" | "answer_dare";

/** What prevents it. */
export type Obstacle = "turn" | "drawn_card" | "color_to_call" | "color_after_mixing" | "attack" | "attack_on_going_out" | "block_instead" | "discards" | "votes" | "dare" | "no_wild_draw_four" | "no_bluffing" | "no_challenges" | "last_card" | "no_blocker";

/** Everything that determines the cards of one round. */
export type FairDeal = {
    /** The table's part. */
    secret: Secret,
    /** The attempt it was dealt in: 2 if somebody did not open their part in the first. */
    attempt?: number,
    /** The players' parts, by seat; `None` for seats that added nothing, such as those of bots. */
    entropy: Array<Entropy | null>,
    /** The seats that pledged a part and did not open it, in this attempt or the one before. */
    withheld?: Array<number>,
    /** Whether a player's own device dealt, before the match went on at a table with others: whose device it is could choose
    * the secret. */
    device?: boolean };

/** What the table keeps secret until the round is over. */
export type Secret = string;

/** What the table publishes before anybody pledges a part. */
export type Commitment = string;

/** What a player publishes before anybody opens a part. */
export type Pledge = string;

/** A player's part of the seed: secret until everybody's pledge is published. */
export type Entropy = string;
