// Everything that travels between a client and a table (docs/protocol.md).
// Made from the Rust types by `cargo xtask types`: do not edit.

/** What a client sends. */
export type ClientMsg = ({ id: number } & Request) | ({ type: "hello" } & Hello) | { type: "ping" };

/** Which table, as whom, and from where on. */
export type Hello = {
    /** The client's [`VERSION`]. */
    version: number,
    /** The code of the table, as in its invite link. */
    table: string,
    /** The number of the last message the client has; it then gets the rest, if that is still at hand. */
    after?: number | null,
    /** The guest's token, for programs that cannot send it in a header. */
    token?: string | null };

/** What somebody wants. */
export type Request =
  | { "type": "sit" }
  | { "type": "stand" }
  | { "type": "leave" }
  | { "type": "settings",
    /** All of them. */
    settings: Settings }
  | { "type": "accept",
    /** The number of the agreement one has read. */
    agreement: number }
  | { "type": "ready",
    /** Or not after all. */
    ready: boolean,
    /** One's part in the next shuffle. */
    entropy?: Entropy | null }
  | { "type": "start",
    /** The host's part in the shuffle. */
    entropy?: Entropy | null }
  | { "type": "reopen" }
  | { "type": "add_bot",
    /** How well it plays. */
    level: Level }
  | { "type": "remove_bot",
    /** Which. */
    seat: number }
  | { "type": "kick",
    /** Whom. */
    person: number }
  | { "type": "pass_host",
    /** Whom. */
    person: number }
  | { "type": "rename",
    /** The new name. */
    name: string }
  | { "type": "act",
    /** What one does. */
    action: ActionForm,
    /** The number of moves ([`GameView::at`]) the player had seen: refused as stale if there were more since. */
    at?: number | null }
  | { "type": "autopilot",
    /** Which. */
    on: boolean }
  | { "type": "chat",
    /** What. */
    text: string }
  | { "type": "react",
    /** Which. */
    reaction: Reaction }
  | { "type": "mute",
    /** Whom. */
    person: number,
    /** Which. */
    muted: boolean }
  | { "type": "accuse",
    /** Whom. */
    seat: number }
  | { "type": "judge",
    /** Whether it is upheld. */
    yes: boolean };

/** What a client is sent. */
export type ServerMsg =
  | { "type": "welcome",
    /** The protocol's version. */
    version: number,
    /** The server's name and version. */
    server: string,
    /** The code of the table. */
    table: string,
    /** Who one is at this table. */
    you: number,
    /** The greatest request number that was carried out for this person. */
    last_id: number }
  | { "type": "snapshot",
    /** The number of the last change in it. */
    seq: number,
    /** Who sits where, what is agreed. */
    lobby: LobbyView,
    /** The game, once there is one. */
    game?: GameView,
    /** The last things said. */
    chat: Array<ChatLine> }
  | { "type": "update",
    /** Its number. */
    seq: number,
    /** The request it carries out, for whoever made it: this is the acknowledgement. */
    id?: number,
    /** What happened. */
    what: Happened,
    /** What happened in the game. */
    events?: Array<EventForm>,
    /** The lobby afterwards, if it changed. */
    lobby?: LobbyView,
    /** The game afterwards, if it changed. Of several updates sent at once, only the last carries it. */
    game?: GameView }
  | { "type": "presence",
    /** Everybody's state, by person. */
    people: Array<PersonView> }
  | { "type": "done",
    /** Which. */
    id: number }
  | { "type": "refused",
    /** Which; `None` when the message had no readable number. */
    id?: number,
    /** For programs. */
    code: string,
    /** For people: what was wrong, and what would be right. */
    message: string,
    /** The id of the rule behind it. */
    rule?: string,
    /** What the sentence says, as data, for whoever writes it in another language. */
    why?: Why }
  | { "type": "pong" }
  | { "type": "bye",
    /** Why, for programs. */
    code: string,
    /** Why, for people. */
    message: string,
    /** Whether it is worth coming back, and after how many milliseconds. */
    retry?: number };

/** What happened, as one viewer may know it. */
export type Happened =
  | { "type": "opened" }
  | { "type": "joined", person: number }
  | { "type": "sat", person: number, seat: number }
  | { "type": "stood", person: number }
  | { "type": "left", person: number }
  | { "type": "kicked", person: number }
  | { "type": "renamed", person: number, name: string }
  | { "type": "dressed", person: number }
  | { "type": "host_passed", person: number }
  | { "type": "settings_changed" }
  | { "type": "accepted", person: number }
  | { "type": "ready", person: number, ready: boolean }
  | { "type": "bot_added", seat: number, level: Level }
  | { "type": "bot_removed", seat: number }
  | { "type": "committed", commitment: Commitment }
  | { "type": "dealt", round: number }
  | { "type": "acted", seat: number, by: Hand }
  | { "type": "stood_in", seat: number, why: Away }
  | { "type": "came_back", seat: number }
  | { "type": "reopened" }
  | { "type": "chatted", person: number, text: string }
  | { "type": "reacted", person: number, reaction: Reaction }
  | { "type": "muted", person: number, muted: boolean }
  | { "type": "accused", person: number, seat: number }
  | { "type": "judged", person: number, yes: boolean }
  | { "type": "accusation_ended", seat: number, upheld: boolean }
  | { "type": "closed" }
  | { "type": "hidden" };

/** Who sits where and what is agreed, as one viewer may know it. */
export type LobbyView = {
    /** What the table is doing. */
    stage: Stage,
    /** What is agreed. */
    settings: Settings,
    /** The number of this agreement: other rules, another number. */
    agreement: number,
    /** Who decides. */
    host: number | null,
    /** The chairs, by seat. */
    chairs: Array<ChairView>,
    /** Everybody at the table. */
    people: Array<PersonView>,
    /** The accusation that is voted on. */
    accusation?: AccusationView,
    /** What the table is bound to for the next deal, before anybody adds entropy. */
    commitment: Commitment,
    /** The types of requests this viewer may make now. */
    may: Array<Request["type"]> };

/** What a table has agreed on. */
export type Settings = {
    /** What the table is called. */
    title: string,
    /** What is played. */
    rules: RulesSpec,
    /** How many may sit, 2–10. */
    seats: number,
    /** Whether the table is listed for all. */
    public: boolean,
    /** Whether people may look on. */
    spectators: boolean,
    /** Whether people may write. */
    chat: boolean,
    /** Seconds for a turn, 5–600; `None` for no limit (private tables only). */
    clock: number | null,
    /** How fast bots act. */
    pace: Pace };

/** How fast bots act. */
export type Pace = "instant" | "brisk" | "relaxed";

/** What a table is doing. */
export type Stage = "lobby" | "playing" | "scores" | "over" | "closed";

/** How somebody wants to look. Whoever does not know an id shows something of their own. */
export type Look = {
    /** The picture beside the name. */
    avatar?: string,
    /** The back of the cards. */
    back?: string };

/** A chair. */
export type ChairView = {
    /** Whose name is on it. */
    name: string,
    /** How they want to look. */
    look?: Look,
    /** The person; `None` for a bot. */
    person: number | null,
    /** The bot that sits there, or plays for the person at the moment. */
    bot: Level | null,
    /** Why it does. */
    away?: Away,
    /** Whether the rules are accepted. */
    accepted: boolean,
    /** Whether they are ready. */
    ready: boolean };

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
    /** Whether the viewer does not want to hear them. */
    muted: boolean };

/** An accusation by X1. */
export type AccusationView = {
    /** Who accuses. */
    by: number,
    /** Whom. */
    seat: number,
    /** Who has still to vote. */
    waiting: Array<number>,
    /** Milliseconds left to vote. */
    left: number };

/** The game as one viewer may know it. */
export type GameView = {
    /** The number of the round in the match, from 1. */
    round: number,
    /** How many moves there were in the round. */
    at: number,
    /** What one sees. */
    view: ViewForm,
    /** What one may do now; the optional `uno` is left out. */
    legal: Array<ChoiceForm>,
    /** The clock that runs. */
    clock?: ClockView,
    /** How the cards came about. */
    fair: FairView };

/** A clock. */
export type ClockView = {
    /** Milliseconds left. */
    left: number,
    /** Of so many. */
    of: number };

/** How the cards of a round came about. */
export type FairView = {
    /** What was published before the deal. */
    commitment: Commitment,
    /** All that decided the cards, once the round is over. */
    revealed?: FairDeal };

/** Something said. */
export type ChatLine = {
    /** The number of the change. */
    seq: number,
    /** Who. */
    person: number,
    /** What they were called then. */
    name: string,
    /** What. */
    text: string };

/** What can be said with one tap. */
export type Reaction = "hello" | "thanks" | "well_played" | "oops" | "laugh" | "wow" | "think" | "hurry" | "sorry" | "cheers";

/** Who moved a seat's cards. */
export type Hand = "person" | "bot" | "autopilot";

/** Why a bot plays for a person. */
export type Away = "asked" | "timed_out" | "disconnected" | "left";

/** An [`Action`] as JSON. */
export type ActionForm =
  | { "type": "play", card: CardName, color?: string | null, uno?: boolean, discard?: Array<CardName>, swap_with?: number | null }
  | { "type": "draw" }
  | { "type": "keep" }
  | { "type": "call_color", color?: string | null }
  | { "type": "take" }
  | { "type": "challenge" }
  | { "type": "block", color?: string | null, uno?: boolean }
  | { "type": "call_uno" }
  | { "type": "catch", seat: number }
  | { "type": "discard", cards: Array<CardName>, uno?: boolean }
  | { "type": "vote", yes: boolean }
  | { "type": "dare", accept: boolean };

/** An action, or a discard with too many choices to list. */
export type ChoiceForm = ActionForm | { type: "discard", count: number };

/** A [`View`] as JSON. */
export type ViewForm = { players: number, dealer: number, direction: Direction, phase: PhaseForm, top: CardName, color: ColorName | null, hand_sizes: Array<number>, hand?: Array<CardName>, shown: { [key in number]: Array<CardName> }, draw_count: number, discard_pile: Array<CardName>, liable: Array<number>, idle: number, draw_more: Array<DrawMoreForm>, face_up: Array<FaceUpForm>, banners: Array<BannerForm>, scores: Array<number>, result: ResultForm | null, winners: Array<number> | null };

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
    /** Another way of scoring than the sheet's. */
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
    /** Who draws keeps drawing until a card can be played. */
    draw_to_match?: boolean,
    /** Who can play must. */
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

/** Whom an effect concerns, in order of play, beginning after the player of the card. */
export type Who = "next" | "self" | "others" | "all";

/** The only answer to `who` where an effect is about the next player by nature. */
export type NextPlayer = "next";

/** The color that ends a [`Effect::DrawUntilColor`]. */
export type UntilColor = "red" | "yellow" | "green" | "blue" | "called";

/** Which cards a [`Effect::DiscardAll`] takes. */
export type Matching = "wild" | "action" | "number" | "red" | "yellow" | "green" | "blue";

/** How long a banner stays. */
export type Until = "uno" | "next_turn";

/** What was wrong with an action or with rules, as JSON: a word for it, and what the sentence about it needs. */
export type Why =
  | { "type": "no_such_seat", players: number }
  | { "type": "not_your_turn", seat: number }
  | { "type": "already_voted" }
  | { "type": "wrong_phase", what: Deed, obstacle: Obstacle }
  | { "type": "not_in_hand", card: CardName }
  | { "type": "does_not_match", card: CardName, top: CardName, color: ColorName | null }
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

/** What stands in the way of it. */
export type Obstacle = "turn" | "drawn_card" | "color_to_call" | "attack" | "attack_on_going_out" | "discards" | "votes" | "dare" | "no_wild_draw_four" | "no_bluffing" | "no_challenges" | "last_card" | "no_blocker";

/** All that decides the cards of one round. */
export type FairDeal = {
    /** The table's part. */
    secret: Secret,
    /** The players' parts, by seat; `None` for who added nothing, such as bots. */
    entropy: Array<Entropy | null> };

/** What the table keeps to itself until the round is over. */
export type Secret = string;

/** What the table publishes before anybody adds entropy. */
export type Commitment = string;

/** What a player adds. */
export type Entropy = string;

/** How well a bot plays. */
export type Level = "random" | "easy" | "normal" | "hard" | "expert";
