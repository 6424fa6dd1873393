//! Linear evaluation of actions: how good a play looks, as a weighted sum of simple features.
//!
//! The weights of [`hard`](crate::Level::Hard) were fitted to the outcomes of rounds played on from millions
//! of positions, see docs/bots.md. Features are indexes into a table of weights, so an appraisal is a dozen additions.

use unum_rules::{Card, CardSet, Color, Face, Hand, Phase, SEATS, Seat, Sight};

use crate::memory::{LARGEST, USUAL_BLUFFS, power, powers};

/// Beliefs about other hands.
pub trait Insight {
    /// The probability that each other seat holds each color.
    fn colors(&self, sight: &Sight<'_>) -> [[f32; 4]; SEATS];

    /// The probability that the seat can follow with one of these cards.
    fn follows(&self, sight: &Sight<'_>, seat: Seat, cards: CardSet) -> f32;

    /// How many of these cards are unseen.
    fn unseen(&self, sight: &Sight<'_>, cards: CardSet) -> u32;

    /// The color that seat called last and has not played since.
    fn called(&self, seat: Seat) -> Option<Color>;

    /// How often the seat takes a Wild Draw Four without a challenge, relative to the average.
    fn trust(&self, _seat: Seat) -> f32 {
        1.0
    }

    /// The probability that the Wild Draw Four this seat faces was a bluff.
    fn suspicion(&self, sight: &Sight<'_>) -> f32;
}

/// The probability that a Wild Draw Four was a bluff, given the probability that its player holds the color and their
/// bluffing rate. An honest one is not always played either.
#[inline]
pub(crate) fn bluff_odds(holds_color: f32, bluffs: f32) -> f32 {
    const PLAYED_IF_HONEST: f32 = 0.7;
    let bluff = holds_color * bluffs;
    let honest = (1.0 - holds_color) * PLAYED_IF_HONEST;
    bluff / (bluff + honest).max(f32::MIN_POSITIVE)
}

/// Knows only how many cards everybody holds.
#[derive(Clone, Copy, Debug)]
pub struct Blind;

impl Insight for Blind {
    #[inline]
    fn colors(&self, sight: &Sight<'_>) -> [[f32; 4]; SEATS] {
        let unseen = (sight.rules().deck().len() - sight.hand().len()).max(1) as f32;
        let others = Color::ALL.map(|color| 1.0 - self.unseen(sight, CardSet::color(color)) as f32 / unseen);
        let mut holds = [[0.0; 4]; SEATS];
        for seat in (0..sight.players()).filter(|seat| *seat != sight.seat()) {
            holds[seat as usize] = powers(others, sight.hand_size(seat) as u8).map(|none| 1.0 - none);
        }
        holds
    }

    #[inline]
    fn follows(&self, sight: &Sight<'_>, seat: Seat, cards: CardSet) -> f32 {
        let deck = sight.rules().deck();
        let unseen = deck.len() - sight.hand().len();
        let fitting = deck.as_hand().count_in(cards) - sight.hand().count_in(cards);
        let share = fitting as f32 / unseen.max(1) as f32;
        1.0 - power(1.0 - share, sight.hand_size(seat) as u8)
    }

    #[inline]
    fn unseen(&self, sight: &Sight<'_>, cards: CardSet) -> u32 {
        sight.rules().deck().as_hand().count_in(cards) - sight.hand().count_in(cards)
    }

    #[inline]
    fn called(&self, _seat: Seat) -> Option<Color> {
        None
    }

    #[inline]
    fn suspicion(&self, sight: &Sight<'_>) -> f32 {
        let Phase::Respond { by, .. } = sight.phase() else { return 0.0 };
        let holds = 1.0 - power(0.77, sight.hand_size(by) as u8);
        bluff_odds(holds, USUAL_BLUFFS)
    }
}

/// A choice in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Play this card, with this color if it is a wild that calls one.
    Play(Card, Option<Color>),
    /// Draw instead, or keep what was drawn.
    Pass,
}

/// Kinds of card that are judged alike.
const KINDS: usize = 11;
const W4_BLUFF: usize = 6;

fn kind(card: Card) -> usize {
    match card.face() {
        Face::Number(_) => 0,
        Face::Skip => 1,
        Face::Reverse => 2,
        Face::DrawTwo => 3,
        Face::Wild => 4,
        Face::WildDrawFour => 5,
        Face::Olaf => 7,
        Face::Flitterific => 8,
        Face::ShuffleHands => 9,
        Face::Customizable(_) => 10,
    }
}

/// Sizes of other hands that are judged alike: 1, 2, 3, 4–5, 6 and more.
const SIZES: usize = 5;

#[inline]
fn size(cards: usize) -> usize {
    const PLACE: [u8; 7] = [0, 0, 1, 2, 3, 3, 4];
    PLACE[cards.min(6)] as usize
}

/// Sizes of one's own hand: 0 and 1, 2, 3 … 7 and more.
const OWN: usize = 7;

#[inline]
fn own_size(cards: usize) -> usize {
    cards.clamp(1, OWN) - 1
}

/// Cards that keep the next player from playing.
const ATTACKS: CardSet = CardSet::ACTIONS.or(CardSet::of(Card::WILD_DRAW_FOUR));
/// Everything but wilds.
const COLORED: CardSet = CardSet::ACTIONS.or(CardSet::NUMBERS);
/// The probability, by hand size, that some card changes the color: by its face, or as a wild.
static ELSE_FITS: [f32; LARGEST + 1] = {
    const BY_ONE: f32 = 0.11;
    let mut table = [0.0; LARGEST + 1];
    let mut size = 0;
    while size <= LARGEST {
        table[size] = 1.0 - power(1.0 - BY_ONE, size as u8);
        size += 1;
    }
    table
};

/// Where the features of each sort begin in the table of weights.
const KIND_NEXT_OWN: usize = 0;
const KIND_FOLLOWER: usize = KIND_NEXT_OWN + KINDS * SIZES * OWN;
const KIND_DANGER: usize = KIND_FOLLOWER + KINDS * SIZES;
const COLOR_LEFT: usize = KIND_DANGER + KINDS * SIZES;
const FACE_LEFT: usize = COLOR_LEFT + 5 * OWN;
const NUMBER: usize = FACE_LEFT + 3 * OWN;
const FOLLOWS: usize = NUMBER + OWN;
const GO_ON: usize = FOLLOWS + SIZES;
const COLORS_LEFT: usize = GO_ON + 3 * OWN;
const WILDS_LEFT: usize = COLORS_LEFT + 5 * OWN;
const CALLED: usize = WILDS_LEFT + 4 * OWN;
const FACE_UNSEEN: usize = CALLED + SIZES;
const COLOR_UNSEEN: usize = FACE_UNSEEN + 3 * 3;
const THREAT: usize = COLOR_UNSEEN + 3 * 3;
const HOLDERS: usize = THREAT + 2 * 2;
const SECOND: usize = HOLDERS + 3 * 3;
const SHAPE: usize = SECOND + SIZES;
const PASS: usize = SHAPE + 3 * OWN * 4 * 5 * 5;
const PASS_WILDS: usize = PASS + 4 * SIZES * OWN;
const PASS_COLORS: usize = PASS_WILDS + 4 * OWN;
const KEEP: usize = PASS_COLORS + 5 * OWN;
const KEEP_OWN: usize = KEEP + KINDS * SIZES;
const GOES_ON: usize = KEEP_OWN + KINDS * OWN;
const REACH: usize = GOES_ON + 2 * 2 * OWN;
const STAYS: usize = REACH + 2 * OWN;
const ATTACKS_LEFT: usize = STAYS + 3 * 3;
const PASS_REACH: usize = ATTACKS_LEFT + 4 * OWN;
const FREE_FOUR: usize = PASS_REACH + 2 * OWN;
const FREE_FOUR_DANGER: usize = FREE_FOUR + SIZES * OWN;
/// Number of weights.
pub const WEIGHTS: usize = FREE_FOUR_DANGER + SIZES;

/// Table sizes with weights of their own: two, three, four and five players, six and seven, and more.
pub const CROWDS: usize = 6;

/// The class of a table.
#[inline]
pub fn crowd(players: u8) -> usize {
    match players {
        0..=5 => usize::from(players.saturating_sub(2)),
        6 | 7 => 4,
        _ => 5,
    }
}

/// Common-sense weights: attack a player who is about to go out, stay with your longest color, get rid of high numbers
/// first, save wilds for when nothing else fits.
pub fn sensible_weights() -> [[f32; WEIGHTS]; CROWDS] {
    let mut weights = [0.0; WEIGHTS];
    for kind in 0..KINDS {
        for next in 0..SIZES {
            let pressing = next < 2;
            let worth = match kind {
                1..=3 if pressing => 0.3,
                1..=3 => 0.05,
                0 => 0.0,
                5 if pressing => 0.1,
                _ => -0.3,
            };
            let first = KIND_NEXT_OWN + (kind * SIZES + next) * OWN;
            weights[first..first + OWN].fill(worth);
        }
    }
    for cards in 0..5 {
        weights[COLOR_LEFT + cards * OWN..][..OWN].fill(0.02 * cards as f32);
    }
    weights[NUMBER..NUMBER + OWN].fill(0.03);
    weights[PASS..GOES_ON].fill(-1.0);
    [weights; CROWDS]
}

/// What a play leaves in the hand, in the classes of the weight tables.
#[derive(Clone, Copy)]
struct Kept {
    /// How many cards.
    own: usize,
    wilds: usize,
    /// Of the color that is played or called.
    of_color: usize,
    /// The color and the cards together.
    company: usize,
}

/// The hand and the opponents, examined once for all choices.
pub struct Appraisal<'a, I> {
    sight: &'a Sight<'a>,
    insight: &'a I,
    hand: Hand,
    by_color: [u8; 4],
    wilds: u8,
    next: Seat,
    /// The smallest other hand.
    danger: usize,
    bluffs: bool,
    /// Whether a Wild Draw Four can be played while holding the color, without a penalty.
    free: bool,
    /// The unseen cards of each color.
    unseen: [u8; 4],
    /// The probability that each seat holds each color.
    holds: [[f32; 4]; SEATS],
    /// For each color, the share of opponents who hold it.
    holders: [f32; 4],
    /// The probability that each color, once played, is still in force when the turn comes back.
    stays: [f32; 4],
}

impl<'a, I: Insight> Appraisal<'a, I> {
    /// Looks at the table.
    #[inline]
    pub fn new(sight: &'a Sight<'a>, insight: &'a I) -> Appraisal<'a, I> {
        let hand = *sight.hand();
        let (would_bluff, challenges) = (sight.would_bluff(), sight.rules().challenges());
        let holds = insight.colors(sight);
        let (holders, stays) = spread(sight, &holds);
        Appraisal {
            sight,
            insight,
            hand,
            by_color: Color::ALL.map(|color| hand.count_in(CardSet::color(color)) as u8),
            wilds: hand.count_in(CardSet::WILDS) as u8,
            next: sight.next(sight.seat()),
            danger: size(sight.smallest_other_hand()),
            bluffs: would_bluff && challenges,
            free: would_bluff && !challenges,
            unseen: Color::ALL.map(|color| insight.unseen(sight, CardSet::color(color)) as u8),
            holds,
            holders,
            stays,
        }
    }

    /// Adds up the weights of a choice. All features are inlined here to keep the sum in a register.
    #[inline(never)]
    pub fn score(&self, weights: &[f32; WEIGHTS], choice: Choice) -> f32 {
        let mut score = 0.0;
        self.features(choice, &mut |place, value| score += weights[place] * value);
        score
    }

    /// Hands every feature of a choice, with its size, to `visit`.
    #[inline(always)]
    pub fn features(&self, choice: Choice, visit: &mut impl FnMut(usize, f32)) {
        match choice {
            Choice::Play(card, color) => self.features_of_play(card, color, visit),
            Choice::Pass => self.features_of_pass(visit),
        }
    }

    #[inline(always)]
    fn features_of_play(&self, card: Card, color: Option<Color>, visit: &mut impl FnMut(usize, f32)) {
        let own = own_size(self.hand.len() - 1);
        let kind = if card == Card::WILD_DRAW_FOUR && self.bluffs { W4_BLUFF } else { kind(card) };
        let follower = self.follower(card);
        let next_size = size(self.sight.hand_size(self.next));
        let follower_size = size(self.sight.hand_size(follower));
        visit(KIND_NEXT_OWN + (kind * SIZES + next_size) * OWN + own, 1.0);
        visit(KIND_FOLLOWER + kind * SIZES + follower_size, 1.0);
        visit(KIND_DANGER + kind * SIZES + self.danger, 1.0);
        if card == Card::WILD_DRAW_FOUR && self.free {
            visit(FREE_FOUR + next_size * OWN + own, 1.0);
            visit(FREE_FOUR_DANGER + self.danger, 1.0);
        }
        if let Face::Number(number) = card.face() {
            visit(NUMBER + own, f32::from(number) / 10.0);
        }
        // A color can be called without playing a wild.
        let wilds = self.wilds.saturating_sub(u8::from(card.is_wild()));
        visit(WILDS_LEFT + wilds.min(3) as usize * OWN + own, 1.0);
        let Some(color) = card.color().or(color) else { return };
        let of_color = self.by_color[color as usize] - u8::from(!card.is_wild());
        let company = of_color.min(2) as usize * 3 + (own / 2).min(2);
        let kept = Kept { own, wilds: wilds.min(3) as usize, of_color: of_color.min(4) as usize, company };
        self.features_of_hand(card, color, kept, visit);
        self.features_of_color(card, color, kept, visit);
        self.features_of_turns(card, color, kept, visit);
    }

    /// Features of the hand that the play leaves.
    #[inline(always)]
    fn features_of_hand(&self, card: Card, color: Color, kept: Kept, visit: &mut impl FnMut(usize, f32)) {
        let Kept { own, wilds, of_color, .. } = kept;
        visit(COLOR_LEFT + of_color * OWN + own, 1.0);
        let mut colors = self.by_color;
        if let Some(printed) = card.color() {
            colors[printed as usize] -= 1;
            let same = self.hand.count_in(CardSet::same_face(card)) - 1;
            visit(FACE_LEFT + same.min(2) as usize * OWN + own, 1.0);
        }
        let colors = colors.iter().filter(|count| **count > 0).count();
        visit(COLORS_LEFT + colors * OWN + own, 1.0);
        let shape = ((own * 4 + wilds) * 5 + of_color) * 5 + colors;
        visit(SHAPE + self.danger.min(2) * (OWN * 4 * 5 * 5) + shape, 1.0);
        // Whether the color will still be there when the turn comes back.
        visit(COLOR_UNSEEN + kept.company, f32::from(self.unseen[color as usize]) / 16.0);
    }

    /// The probability that the color stays, and what can be played next in either case.
    #[inline(always)]
    fn features_of_color(&self, card: Card, color: Color, kept: Kept, visit: &mut impl FnMut(usize, f32)) {
        let Kept { own, wilds, company, .. } = kept;
        let stays = self.stays[color as usize];
        if self.sight.players() > 2 {
            visit(HOLDERS + company, self.holders[color as usize]);
        }
        visit(STAYS + company, stays);
        let armed = usize::from(wilds > 0);
        let rest = self.hand.kinds_without(card);
        let (there, elsewhere) = self.reach(rest, color);
        let goes_on = stays * there + (1.0 - stays) * elsewhere;
        visit(GOES_ON + (usize::from(self.danger < 2) * 2 + armed) * OWN + own, goes_on);
        visit(REACH + armed * OWN + own, there + elsewhere);
        let attacks = self.hand.count_in(ATTACKS) as usize - usize::from(ATTACKS.contains(card));
        visit(ATTACKS_LEFT + attacks.min(3) * OWN + own, 1.0);
        if !card.is_wild() {
            let elsewhere = CardSet::same_face(card).minus(CardSet::color(color));
            let unseen = self.insight.unseen(self.sight, elsewhere);
            visit(FACE_UNSEEN + company, unseen as f32 / 4.0);
        }
    }

    /// What the next players can do about it.
    #[inline(always)]
    fn features_of_turns(&self, card: Card, color: Color, kept: Kept, visit: &mut impl FnMut(usize, f32)) {
        let (follower, matching) = (self.follower(card), CardSet::matching(card, color));
        if follower == self.sight.seat() {
            let rest = self.hand.kinds_without(card).and(matching);
            let go_on = if rest.is_empty() { 0 } else { 1 + usize::from(!rest.minus(CardSet::WILDS).is_empty()) };
            visit(GO_ON + go_on * OWN + kept.own, 1.0);
        } else {
            let follower_size = size(self.sight.hand_size(follower));
            visit(FOLLOWS + follower_size, self.insight.follows(self.sight, follower, matching));
            if self.insight.called(follower) == Some(color) {
                visit(CALLED + follower_size, 1.0);
            }
            self.features_of_second(card, follower, color, visit);
        }
        if self.danger < 2 {
            self.features_of_threats(follower, matching, visit);
        }
    }

    /// Whether the player after the next one has the color, if it lasts until then.
    #[inline(always)]
    fn features_of_second(&self, card: Card, follower: Seat, color: Color, visit: &mut impl FnMut(usize, f32)) {
        let direction = self.sight.direction();
        let direction = if card.face() == Face::Reverse { direction.reversed() } else { direction };
        let second = direction.next(follower, self.sight.players());
        if second != self.sight.seat() {
            let place = SECOND + size(self.sight.hand_size(second));
            visit(place, self.holds[second as usize][color as usize]);
        }
    }

    /// The share of the unseen cards of a color, and of all other colors, on which some of these cards can be played
    /// without a wild.
    #[inline]
    fn reach(&self, cards: CardSet, color: Color) -> (f32, f32) {
        let (reach, of_color) = (cards.reach(), CardSet::color(color));
        let share =
            |of: CardSet, all: u8| self.insight.unseen(self.sight, of.and(reach)) as f32 / f32::from(all.max(1));
        let there = self.unseen[color as usize];
        let elsewhere = self.unseen.iter().sum::<u8>() - there;
        let share_there = if cards.and(of_color).is_empty() { share(of_color, there) } else { 1.0 };
        (share_there, share(COLORED.minus(of_color), elsewhere))
    }

    /// Whether players who are about to go out could follow, if the color lasts until their turn.
    #[inline(always)]
    fn features_of_threats(&self, follower: Seat, matching: CardSet, visit: &mut impl FnMut(usize, f32)) {
        for seat in (0..self.sight.players()).filter(|seat| *seat != follower && *seat != self.sight.seat()) {
            let cards = self.sight.hand_size(seat);
            if cards <= 2 {
                let skipped = usize::from(seat == self.next);
                let colored = matching.minus(CardSet::WILDS);
                visit(THREAT + skipped * 2 + cards.saturating_sub(1), self.insight.follows(self.sight, seat, colored));
            }
        }
    }

    #[inline(always)]
    fn features_of_pass(&self, visit: &mut impl FnMut(usize, f32)) {
        let own = own_size(self.hand.len());
        if let Some(drawn) = self.sight.drawn() {
            let kind = kind(drawn.kinds().first().unwrap_or(Card::WILD));
            visit(KEEP + kind * SIZES + self.danger, 1.0);
            visit(KEEP_OWN + kind * OWN + own, 1.0);
            return;
        }
        let playable = self.sight.playable();
        let colored = playable.minus(CardSet::WILDS).len().min(2) as usize;
        let choices = if playable.is_empty() { 0 } else { colored + 1 };
        visit(PASS + (choices * SIZES + self.danger) * OWN + own, 1.0);
        visit(PASS_WILDS + self.wilds.min(3) as usize * OWN + own, 1.0);
        let colors = self.by_color.iter().filter(|count| **count > 0).count();
        visit(PASS_COLORS + colors * OWN + own, 1.0);
        if let Some(color) = self.sight.color() {
            let (there, elsewhere) = self.reach(self.hand.kinds(), color);
            visit(PASS_REACH + own, there);
            visit(PASS_REACH + OWN + own, elsewhere);
        }
    }

    /// Who usually moves after this card.
    #[inline]
    fn follower(&self, card: Card) -> Seat {
        let players = self.sight.players();
        match card.face() {
            Face::Reverse if self.sight.rules().house().reverse_skips_with_two && players == 2 => self.sight.seat(),
            Face::Reverse => self.sight.direction().reversed().next(self.sight.seat(), players),
            Face::Skip | Face::DrawTwo | Face::WildDrawFour => self.sight.next(self.next),
            _ => self.next,
        }
    }
}

/// For each color, the share of opponents who hold it, and the probability that it lasts until the turn comes back.
#[inline]
fn spread(sight: &Sight<'_>, holds: &[[f32; 4]; SEATS]) -> ([f32; 4], [f32; 4]) {
    let (mut holders, mut stays) = ([0.0; 4], [1.0; 4]);
    for seat in (0..sight.players()).filter(|seat| *seat != sight.seat()) {
        // A player with another card that fits plays it half of the time if they hold the color, and always if not.
        let else_fits = ELSE_FITS[sight.hand_size(seat).min(LARGEST)];
        for (color, holds) in holds[seat as usize].into_iter().enumerate() {
            holders[color] += holds;
            stays[color] *= 1.0 - else_fits * (1.0 - 0.5 * holds);
        }
    }
    (holders.map(|holders| holders / f32::from(sight.players() - 1)), stays)
}
