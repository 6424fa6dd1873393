//! Luck and play over many games: what is stored of each game, and their figures together.

use unum_protocol::Level;
use unum_protocol::review::{
    Figure, GameFigures, Measured, Opponents, Review, Season, SeasonMoment, SeasonPick, SeasonSize, SeasonStretch,
    SeatFigures,
};
use unum_rules::{Seat, order};

use crate::level::standing;

/// Points of the error rate over time, at most.
const STRETCHES: usize = 20;
/// Moments listed, of the best and of the worst.
const PICKS: usize = 3;
/// Standard errors in a 95 % interval.
const REACH: f64 = 1.96;

/// What a season stores of a game.
pub fn figures(review: &Review) -> GameFigures {
    GameFigures { seats: (0..review.players).map(|seat| seat_figures(review, seat)).collect() }
}

fn seat_figures(review: &Review, seat: Seat) -> SeatFigures {
    let place = usize::from(seat);
    let accounts = || review.rounds.iter().map(|round| &round.seats[place]);
    let own = || review.decisions.iter().filter(|one| one.spot.seat == seat && one.counts);
    let both = |values: &mut dyn Iterator<Item = f64>| {
        let [sum, squares] = values.fold([0.0, 0.0], |[sum, squares], value| [sum + value, squares + value * value]);
        [Figure(sum), Figure(squares)]
    };
    let whole = &review.seats[place];
    let strokes = review.rounds.iter().flat_map(|round| &round.strokes);
    let best = strokes.map(|stroke| SeasonMoment { number: stroke.number, change: stroke.luck[place] });
    let worst = own().filter(|one| one.marked).map(|one| SeasonMoment { number: one.spot.number, change: one.error });
    let by_change = |a: &SeasonMoment, b: &SeasonMoment| a.change.0.total_cmp(&b.change.0);
    SeatFigures {
        rounds: review.rounds.len() as u32,
        won: both(&mut accounts().map(|account| account.result.0)),
        adjusted: both(&mut accounts().map(|account| account.adjusted.0)),
        luck: [whole.luck, Figure(accounts().map(|account| account.spread.0.powi(2)).sum())],
        decisions: whole.decisions,
        lost: both(&mut own().map(|one| one.error.0)),
        challenges: [whole.challenges_right, whole.challenges_wrong],
        bluffs: [whole.bluffs, whole.bluffs_caught],
        unos: [whole.unos_forgotten, whole.unos_caught],
        best: best.filter(|moment| moment.change.0 > 0.0).max_by(by_change),
        worst: worst.max_by(by_change),
    }
}

/// A game of a season.
#[derive(Clone, Debug)]
pub struct SeasonGame {
    /// Its name.
    pub game: String,
    /// When it ended, in milliseconds since 1970.
    pub ended: u64,
    /// The number of players.
    pub players: u8,
    /// The others.
    pub against: Opponents,
    /// The player's own figures.
    pub figures: SeatFigures,
}

impl SeasonGame {
    /// A game from one seat's side, with the levels of its bots by seat; `None` if there is no such seat.
    pub fn of(
        (game, ended): (String, u64),
        all: &GameFigures,
        levels: &[Option<Level>],
        seat: Seat,
    ) -> Option<SeasonGame> {
        let figures = *all.seats.get(usize::from(seat))?;
        let (players, against) = (all.seats.len() as u8, Opponents::of(levels, seat));
        Some(SeasonGame { game, ended, players, against, figures })
    }
}

/// The figures of many games, given in any order.
pub fn season(mut games: Vec<SeasonGame>, on: bool) -> Season {
    order::sort_by_key(&mut games, |game| game.ended);
    let mut sizes: Vec<(u8, Opponents)> = games.iter().map(|game| (game.players, game.against)).collect();
    order::sort(&mut sizes);
    sizes.dedup();
    let of_size = |size: (u8, Opponents)| games.iter().filter(move |game| (game.players, game.against) == size);
    let all = sum(games.iter());
    let stretch = games.len().div_ceil(STRETCHES).max(1);
    Season {
        on,
        games: games.len() as u32,
        rounds: all.rounds,
        luck: all.luck[0],
        luck_spread: Figure(all.luck[1].0.max(0.0).sqrt()),
        sizes: sizes.into_iter().map(|one| size(one, &sum(of_size(one)))).collect(),
        over_time: games.chunks(stretch).map(stretch_of).collect(),
        challenges: all.challenges,
        bluffs: all.bluffs,
        unos: all.unos,
        best: picks(&games, |figures| figures.best),
        worst: picks(&games, |figures| figures.worst),
    }
}

fn picks(games: &[SeasonGame], which: fn(&SeatFigures) -> Option<SeasonMoment>) -> Vec<SeasonPick> {
    let pick = |game: &SeasonGame| Some(SeasonPick { moment: which(&game.figures)?, game: game.game.clone() });
    let mut all: Vec<SeasonPick> = games.iter().filter_map(pick).collect();
    order::sort_by(&mut all, |a, b| b.moment.change.0.total_cmp(&a.moment.change.0));
    all.truncate(PICKS);
    all
}

fn sum<'a>(games: impl Iterator<Item = &'a SeasonGame>) -> SeatFigures {
    let pair = |a: [Figure; 2], b: [Figure; 2]| [Figure(a[0].0 + b[0].0), Figure(a[1].0 + b[1].0)];
    let count = |a: [u32; 2], b: [u32; 2]| [a[0] + b[0], a[1] + b[1]];
    games.fold(SeatFigures::default(), |all, game| {
        let one = &game.figures;
        SeatFigures {
            rounds: all.rounds + one.rounds,
            won: pair(all.won, one.won),
            adjusted: pair(all.adjusted, one.adjusted),
            luck: pair(all.luck, one.luck),
            decisions: all.decisions + one.decisions,
            lost: pair(all.lost, one.lost),
            challenges: count(all.challenges, one.challenges),
            bluffs: count(all.bluffs, one.bluffs),
            unos: count(all.unos, one.unos),
            best: None,
            worst: None,
        }
    })
}

fn size((players, against): (u8, Opponents), all: &SeatFigures) -> SeasonSize {
    let rate = error_rate(all);
    SeasonSize {
        players,
        against,
        rounds: all.rounds,
        won: measured(all.won, all.rounds, 1.0),
        adjusted: measured(all.adjusted, all.rounds, 1.0),
        decisions: all.decisions,
        error_rate: rate,
        standing: rate.and_then(|rate| standing(players, rate.mean.0, rate.margin?.0 / REACH)),
    }
}

fn stretch_of(games: &[SeasonGame]) -> SeasonStretch {
    let all = sum(games.iter());
    SeasonStretch {
        until: games.last().map_or(0, |game| game.ended),
        games: games.len() as u32,
        error_rate: error_rate(&all),
        luck: Figure(all.luck[0].0 / f64::from(all.rounds.max(1))),
    }
}

fn error_rate(all: &SeatFigures) -> Option<Measured> {
    (all.decisions > 0).then(|| measured(all.lost, all.decisions, 1_000.0))
}

/// A mean with its interval, from a sum and a sum of squares.
fn measured([sum, squares]: [Figure; 2], count: u32, unit: f64) -> Measured {
    let count = f64::from(count);
    let mean = sum.0 / count.max(1.0);
    let margin = (count > 1.0).then(|| {
        let variance = ((squares.0 - count * mean * mean) / (count - 1.0)).max(0.0);
        Figure(unit * REACH * (variance / count).sqrt())
    });
    Measured { mean: Figure(unit * mean), margin }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u64, players: u8, won: f64, luck: f64) -> SeasonGame {
        let figures = SeatFigures {
            rounds: 1,
            won: [Figure(won), Figure(won * won)],
            adjusted: [Figure(won - luck), Figure((won - luck).powi(2))],
            luck: [Figure(luck), Figure(0.09)],
            decisions: 10,
            lost: [Figure(0.05), Figure(0.000_5)],
            challenges: [1, 0],
            worst: Some(SeasonMoment { number: 5, change: Figure(0.01 * number as f64) }),
            ..SeatFigures::default()
        };
        let level = if number.is_multiple_of(3) { Level::Easy } else { Level::Hard };
        let levels: Vec<_> = (0..players).map(|seat| (seat > 0).then_some(level)).collect();
        let all = GameFigures { seats: vec![figures; players.into()] };
        SeasonGame::of((number.to_string(), number), &all, &levels, 0).unwrap()
    }

    #[test]
    fn a_season_adds_up_and_tells_how_sure_it_is() {
        let mut games: Vec<SeasonGame> =
            (0..60).map(|number| game(number, 2, f64::from(number % 2 == 0), 0.0)).collect();
        games.push(game(60, 4, 1.0, 0.5));
        games.reverse();
        let season = season(games, true);
        assert_eq!((season.games, season.rounds, season.challenges), (61, 61, [61, 0]));
        assert!((season.luck.0 - 0.5).abs() < 1e-9 && (season.luck_spread.0 - (61.0_f64 * 0.09).sqrt()).abs() < 1e-9);
        let [easy, hard] = [Level::Easy, Level::Hard].map(|level| Opponents::Bots { level });
        let sizes: Vec<_> = season.sizes.iter().map(|size| (size.players, size.against, size.rounds)).collect();
        assert_eq!(sizes, [(2, easy, 20), (2, hard, 40), (4, easy, 1)]);
        let two = &season.sizes[1];
        assert!((two.won.mean.0 - 0.5).abs() < 1e-9);
        assert!((two.won.margin.unwrap().0 - 1.96 * (0.25 * 40.0 / 39.0 / 40.0_f64).sqrt()).abs() < 1e-9);
        assert!((two.error_rate.unwrap().mean.0 - 5.0).abs() < 1e-9 && two.standing.is_some());
        assert_eq!(season.sizes[2].won.margin, None, "one round says nothing about the spread");
        assert_eq!(season.worst.iter().map(|pick| pick.game.as_str()).collect::<Vec<_>>(), ["60", "59", "58"]);
        assert!(season.over_time.len() <= STRETCHES && season.over_time.is_sorted_by_key(|stretch| stretch.until));
        assert_eq!(season.over_time.iter().map(|stretch| stretch.games).sum::<u32>(), 61);
    }

    #[test]
    fn opponents_are_bots_of_one_level_or_several_or_people() {
        let (easy, hard) = (Some(Level::Easy), Some(Level::Hard));
        let of = |levels: &[Option<Level>]| Opponents::of(levels, 0);
        assert_eq!(of(&[None, hard, hard]), Opponents::Bots { level: Level::Hard });
        assert_eq!(Opponents::of(&[easy, hard, easy], 1), Opponents::Bots { level: Level::Easy });
        assert_eq!(of(&[None, hard, easy, hard]), Opponents::Mixed);
        for with_people in [&[None, None][..], &[None, hard, None], &[None, None, hard], &[None, easy, hard, None]] {
            assert_eq!(of(with_people), Opponents::People);
        }
        assert_eq!(of(&[]), Opponents::Unknown);
    }

    #[test]
    fn no_games_are_a_season_too() {
        let season = season(Vec::new(), false);
        assert_eq!((season.games, season.on, season.sizes.len(), season.over_time.len()), (0, false, 0, 0));
    }
}
