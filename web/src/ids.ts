// What the Rust side names and people read: the page has a text for all of it in every language.
// Made from the rule book and the codes by `cargo xtask types`: do not edit.
// `english` is a fingerprint of the English text: another one means that the translations are out of date.

/** The sections of the rule book. */
export const SECTIONS = ["D", "S", "T", "A", "W", "F", "O", "H", "C", "U", "G", "P", "X", "House"] as const;
/** The fingerprint of their titles. */
export const SECTIONS_ENGLISH = '3f0e30b4';

/** Every rule: how many rulings it has, which editions play it differently, and which other rules it names. */
export const RULES = {
  D1: { rulings: 3, differences: ["modern"], refers: [], english: '54171982' },
  D2: { rulings: 2, differences: [], refers: [], english: 'dedf9c71' },
  D3: { rulings: 1, differences: [], refers: [], english: '5ad3b2c8' },
  S1: { rulings: 0, differences: [], refers: [], english: 'bc0bfbb9' },
  S2: { rulings: 1, differences: ["modern"], refers: ["S1"], english: '19be8754' },
  S3: { rulings: 0, differences: ["modern"], refers: ["S2"], english: '0303b8dd' },
  S4: { rulings: 0, differences: ["modern"], refers: ["S2"], english: 'e3132d14' },
  S5: { rulings: 1, differences: ["fairies", "frozen", "custom", "modern"], refers: ["S2"], english: 'cfb83c77' },
  S6: { rulings: 1, differences: ["modern"], refers: ["S2"], english: 'f7a06ebe' },
  S7: { rulings: 1, differences: ["fairies", "modern"], refers: ["S2"], english: 'a993b455' },
  S8: { rulings: 1, differences: [], refers: [], english: 'b09a3c6e' },
  T1: { rulings: 0, differences: [], refers: ["W2"], english: 'd6d978b7' },
  T2: { rulings: 1, differences: [], refers: [], english: '02e061e2' },
  T3: { rulings: 0, differences: [], refers: ["T1"], english: 'fe34d939' },
  T4: { rulings: 2, differences: [], refers: [], english: 'c6b5bfec' },
  T5: { rulings: 1, differences: ["fairies"], refers: ["P5"], english: '8e881ca8' },
  A1: { rulings: 0, differences: ["fairies"], refers: ["F1"], english: '7239b0a1' },
  A2: { rulings: 1, differences: [], refers: [], english: 'e59c1518' },
  A3: { rulings: 0, differences: [], refers: [], english: '72d8a442' },
  A4: { rulings: 0, differences: ["frozen"], refers: [], english: 'f225ca67' },
  W1: { rulings: 0, differences: ["fairies"], refers: ["F1", "W4"], english: 'd5516350' },
  W2: { rulings: 2, differences: ["modern"], refers: [], english: 'db32a2f4' },
  W3: { rulings: 0, differences: [], refers: ["W2"], english: 'b9f4a87a' },
  W4: { rulings: 2, differences: [], refers: [], english: '8b2b24c0' },
  W5: { rulings: 1, differences: [], refers: [], english: '97a1adc3' },
  W6: { rulings: 0, differences: [], refers: [], english: '31dc48a1' },
  W7: { rulings: 2, differences: [], refers: [], english: '08e7bc59' },
  W8: { rulings: 1, differences: [], refers: ["G2"], english: 'e6947a9f' },
  W9: { rulings: 0, differences: [], refers: ["T2", "W2"], english: '3a08d202' },
  F1: { rulings: 1, differences: [], refers: [], english: '6ddc65c2' },
  F2: { rulings: 0, differences: [], refers: [], english: '5023ee98' },
  F3: { rulings: 2, differences: [], refers: [], english: '8aad4997' },
  F4: { rulings: 1, differences: [], refers: [], english: '961d5f5e' },
  O1: { rulings: 1, differences: [], refers: [], english: 'fde1fded' },
  O2: { rulings: 1, differences: [], refers: [], english: '61c65fcb' },
  O3: { rulings: 0, differences: [], refers: ["U1"], english: 'c6bc2b69' },
  H1: { rulings: 0, differences: [], refers: [], english: '9cdfe8d1' },
  H2: { rulings: 1, differences: [], refers: [], english: 'd09ee09c' },
  H3: { rulings: 2, differences: [], refers: [], english: 'c3d98391' },
  C1: { rulings: 0, differences: [], refers: [], english: 'e79c75ac' },
  C2: { rulings: 0, differences: [], refers: [], english: '731d3ade' },
  C3: { rulings: 1, differences: [], refers: [], english: '1238561a' },
  C4: { rulings: 1, differences: [], refers: [], english: '71349c11' },
  C5: { rulings: 1, differences: [], refers: ["C4"], english: 'beecafb9' },
  U1: { rulings: 1, differences: [], refers: [], english: '993d3625' },
  U2: { rulings: 0, differences: [], refers: [], english: '3b1e908a' },
  U3: { rulings: 5, differences: [], refers: [], english: 'e1d8126b' },
  U4: { rulings: 0, differences: [], refers: [], english: '1885910e' },
  U5: { rulings: 1, differences: [], refers: [], english: 'b91e5baa' },
  G1: { rulings: 0, differences: [], refers: [], english: '26ea4a0c' },
  G2: { rulings: 1, differences: ["fairies"], refers: ["F4"], english: 'e2db34fe' },
  P1: { rulings: 2, differences: ["fairies", "frozen", "custom"], refers: [], english: 'c1fe51ff' },
  P2: { rulings: 0, differences: ["modern"], refers: ["P4"], english: '35e7d2eb' },
  P3: { rulings: 1, differences: ["modern"], refers: ["P2"], english: '65628868' },
  P4: { rulings: 0, differences: ["modern"], refers: [], english: '4d3748c9' },
  P5: { rulings: 1, differences: [], refers: ["D3", "P2", "P3", "P4", "T5"], english: '7aaa4bac' },
  X1: { rulings: 0, differences: [], refers: [], english: 'be626e18' },
  reverse_skips_with_two: { rulings: 0, differences: ["modern"], refers: ["S3"], english: '2838092f' },
  stacking: { rulings: 0, differences: ["fairies"], refers: ["F4", "W2"], english: 'e39377b7' },
  seven_zero: { rulings: 0, differences: [], refers: [], english: 'e19382a1' },
  jump_in: { rulings: 0, differences: [], refers: ["U3"], english: 'bab61de9' },
  draw_to_match: { rulings: 0, differences: [], refers: [], english: 'c2b5711e' },
  force_play: { rulings: 0, differences: [], refers: ["W2"], english: '02e69bcf' },
  no_bluffing: { rulings: 1, differences: [], refers: ["W2"], english: '5a3aa34a' },
  no_challenges: { rulings: 0, differences: [], refers: [], english: 'c2367590' },
  hand_size: { rulings: 0, differences: [], refers: [], english: 'fc38dbb7' },
  uno_penalty: { rulings: 0, differences: [], refers: ["U2"], english: '844e62bc' },
  suggestion_penalty: { rulings: 0, differences: [], refers: ["X1"], english: '5c92ac08' },
} as const;

/** Every edition: how many points are special about it, and how many are rulings. */
export const EDITIONS = {
  original: { rulings: 0, differences: 3, refers: ["U3", "X1"], english: '4dc25d3d' },
  fairies: { rulings: 0, differences: 6, refers: ["F1", "F2", "F3", "F4", "P1", "S5", "S7"], english: '833909ed' },
  frozen: { rulings: 0, differences: 5, refers: ["A4", "O1", "O2", "O3", "P1", "S5"], english: 'fc8290c6' },
  custom: { rulings: 1, differences: 6, refers: ["C1", "C2", "C5", "H1", "H2", "P1", "S5"], english: '760d71ba' },
  modern: { rulings: 1, differences: 6, refers: ["D1", "P2", "P3", "P4", "S2", "S3", "S4", "S5", "S6", "W2", "W7"], english: '4f1e6426' },
} as const;

/** The starters of Customizable cards: how many texts their effects have. */
export const STARTERS = [
  { texts: 0, english: '0449bcdd' },
  { texts: 0, english: '70b051cc' },
  { texts: 0, english: '466c77ed' },
  { texts: 0, english: 'd6483af2' },
  { texts: 0, english: 'b748b932' },
  { texts: 0, english: 'abc76b07' },
  { texts: 0, english: 'd7a1135c' },
  { texts: 1, english: '8f837d7f' },
  { texts: 1, english: '276833c0' },
  { texts: 1, english: '0c2b32c5' },
] as const;

/** What can be wrong with an action or with rules. */
export const REASONS = ["no_such_seat", "not_your_turn", "already_voted", "wrong_phase", "not_in_hand", "does_not_match", "does_not_match_color", "no_answer", "not_the_drawn_card", "color_required", "color_on_colored", "color_on_shuffle_hands", "discard_without_olaf", "bad_olaf_discard", "wrong_discard_count", "swap_out_of_place", "swap_missing", "swap_with_self", "swap_with_nobody", "must_play", "must_play_drawn", "bluff_not_allowed", "wild_in_hand", "not_liable", "catching_oneself", "nothing_to_call", "uno_leaves", "no_suggestion_penalty", "gone_out", "penalty_after_end", "over", "exclude_each_other", "bad_target", "too_few_cards", "no_title", "long_title", "long_text", "too_many_effects"] as const;
/** What can come at the wrong moment. */
export const DEEDS = ["play", "draw", "keep", "call_color", "take", "challenge", "block", "discard", "vote", "answer_dare"] as const;
/** What can stand in its way. */
export const OBSTACLES = ["turn", "drawn_card", "color_to_call", "color_after_mixing", "attack", "attack_on_going_out", "block_instead", "discards", "votes", "dare", "no_wild_draw_four", "no_bluffing", "no_challenges", "last_card", "no_blocker"] as const;

/** Codes of the game. */
export const GAME_CODES = ["bad_request", "bad_rules", "bad_position", "bad_seat", "not_your_turn", "wrong_phase", "not_in_hand", "does_not_match", "not_the_drawn_card", "color_required", "no_such_color", "bad_discard", "bad_swap", "must_play", "bluff_not_allowed", "not_liable", "nothing_to_call", "over"] as const;
/** Codes of the table. */
export const TABLE_CODES = ["not_host", "not_seated", "wrong_stage", "stale", "no_chair", "already_seated", "not_accepted", "not_ready", "old_agreement", "too_few", "no_such_person", "no_such_seat", "kicked", "locked", "bad_settings", "bad_name", "bad_text", "chat_off", "no_spectators", "full", "nothing_to_judge", "no_more_accusations", "accusations_off", "closed", "not_here", "bad_part", "no_part", "too_soon", "not_in_lesson", "no_hints"] as const;
/** Codes of the server. */
export const SERVER_CODES = ["stopping", "replaced", "storage", "slow", "flood", "too_long", "not_text", "not_utf8", "protocol", "no_hello", "bad_hello", "bad_version", "no_guest", "no_table", "too_many", "silent", "dismissed", "crashed", "signed_out", "too_fast", "foreign_origin", "wrong_host", "not_found", "method_not_allowed", "too_slow", "not_json", "upgrade_required", "damaged", "quota", "no_room", "moved", "newer", "banned", "muted"] as const;

/** How well bots play, weakest first. */
export const LEVELS = ["random", "easy", "normal", "hard", "expert"] as const;
/** What somebody can be reported for. */
export const REPORT_KINDS = ["abuse", "name", "spam", "cheating", "other"] as const;
/** What a game against bots begins with. */
export const USUAL = { edition: 'original', level: 'normal', players: 4, preset: 'official' } as const;
/** The version of the protocol. */
export const VERSION = 1;
/** Characters of a table's code. */
export const CODE_LENGTH = 9;
/** How many of them are shown together. */
export const CODE_GROUP = 3;
/** Characters of older codes. */
export const LONG_CODE_LENGTH = 16;
/** The letters of codes. */
export const CODE_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** What is meant by letters that look like those. */
export const CODE_LOOKALIKES: Record<string, string> = { o: '0', i: '1', l: '1' };
/** What a code looks like. */
export const EXAMPLE_CODE = 'k3m9pqx7t';
/** The longest message a client may send, in bytes. */
export const MAX_MESSAGE = 4096;
