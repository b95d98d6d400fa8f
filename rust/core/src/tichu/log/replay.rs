//! Replays the events of a logged round by the rules.
//!
//! A log does not say who takes a trick: its owner "passes" on their turn, or is out of cards and is skipped. It also
//! knows rounds without a wish, which the rules of the engine do not.

use super::super::cards::{ACE, Cards, LOWEST};
use super::super::classify::classify;
use super::super::combinations::{ALL, Combination, Kind};
use super::super::hand::{Hand, Wish};
use super::super::round::{self, LEAD, NOBODY, Phase, Round};
use super::Code;
use super::parse::{Block, Event};

/// The moves of an encoded history: two bits of the seat below the number of the move.
mod verb {
    pub(super) const PASS: u8 = 0;
    /// Followed by the number of cards and their indices in the deck.
    pub(super) const PLAY: u8 = 1;
    pub(super) const TAKE: u8 = 2;
    /// Followed by the value.
    pub(super) const WISH: u8 = 3;
    pub(super) const TICHU: u8 = 4;
    /// Followed by the recipient.
    pub(super) const DRAGON: u8 = 5;
}

/// A round that is replayed.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    pub(super) round: Round,
    /// The moves so far.
    pub(super) history: Vec<u8>,
    pub(super) deviations: Vec<(Code, u32)>,
    /// The number of bombs that each seat has laid.
    pub(super) bombs: [u8; 4],
    /// The trick's combination if its phoenix has the lower of two meanings.
    low: Option<Combination>,
    /// Whether the dragon's trick has just been given away, so that its owner may still "pass".
    given: bool,
    /// Whether a bomb of the next leader is thrown on the trick of a seat without cards, instead of being led.
    throws: bool,
    /// Whether that made a difference.
    ambiguous: bool,
}

/// Replays a round; if a bomb can be understood in two ways, the logged score decides.
pub(super) fn replay(block: &Block<'_>) -> Replay {
    let led = run(block, false);
    if led.ambiguous && led.deviations.iter().any(|&(code, _)| code == Code::ScoreMismatch) {
        let thrown = run(block, true);
        if thrown.deviations.len() < led.deviations.len() {
            return thrown;
        }
    }
    led
}

fn run(block: &Block<'_>, throws: bool) -> Replay {
    let mut replay = Replay::new(block, throws);
    for &(event, line) in &block.events {
        if let Err(code) = replay.play(event, line) {
            replay.note(code, line);
            replay.check_score(block, false);
            return replay;
        }
    }
    replay.close(block.end);
    let over = replay.round.phase == Phase::Over;
    if !over {
        replay.note(Code::RoundFailed, block.end);
    }
    replay.check_score(block, over);
    replay
}

impl Replay {
    fn new(block: &Block<'_>, throws: bool) -> Self {
        let [one, two, three, four] = block.first;
        let [a, b, c, d] = std::array::from_fn(|seat| block.hands[seat].minus(block.first[seat]));
        let mut round = Round::deal([one, two, three, four, a, b, c, d]);
        for seat in 0..4 {
            round.decide(seat, if block.grand[round::at(seat)] { 2 } else { 0 });
        }
        for seat in 0..4 {
            for gift in block.gifts[round::at(seat)] {
                round.give(seat, Cards::at(gift.into()));
            }
        }
        let history = Vec::with_capacity(160);
        let (deviations, bombs) = (Vec::new(), [0; 4]);
        let mut replay = Self { round, history, deviations, bombs, low: None, given: false, throws, ambiguous: false };
        for &(seat, line) in &block.small {
            replay.call(seat, line);
        }
        replay
    }

    /// Returns whether a team has won doubly.
    pub(super) fn is_double(&self) -> bool {
        self.round.phase == Phase::Over && self.round.loser == NOBODY
    }

    fn note(&mut self, code: Code, line: u32) {
        self.deviations.push((code, line));
    }

    fn record(&mut self, seat: u8, verb: u8, operand: Option<u8>) {
        self.history.push(verb << 2 | seat);
        self.history.extend(operand);
    }

    /// Plays an event.
    ///
    /// # Errors
    /// The event is impossible, so that the replay cannot go on.
    fn play(&mut self, event: Event, line: u32) -> Result<(), Code> {
        match event {
            Event::Lay(seat, cards) => return self.lay(seat, cards, line),
            Event::Pass(seat) => return self.pass(seat, line),
            Event::Tichu(seat) => self.call(seat, line),
            Event::Dragon(seat) => self.give_dragon(seat, line),
            Event::Wish(value) if self.round.phase == Phase::Wish => {
                self.record(self.round.turn, verb::WISH, Some(value));
                self.round.make_wish(self.round.turn, value);
            }
            Event::Wish(_) => self.note(Code::WishMisplaced, line),
        }
        Ok(())
    }

    fn call(&mut self, seat: u8, line: u32) {
        if self.round.callers >> seat & 1 == 1 {
            self.record(seat, verb::TICHU, None);
            self.round.call(seat);
        } else if self.round.calls[round::at(seat)] != 1 {
            self.note(Code::LateCall, line);
        }
        // Otherwise the player has called before, and clicked again.
    }

    /// Returns whether the last card has been laid.
    fn is_decided(&self) -> bool {
        self.round.phase == Phase::Over || self.round.loser != NOBODY
    }

    fn combination_on_top(&self) -> Combination {
        ALL[usize::from(self.round.top)]
    }

    /// Returns whether the turn has come back to the trick's owner.
    fn is_won(&self) -> bool {
        self.round.phase == Phase::Play && self.round.top != LEAD && self.round.turn == self.round.owner
    }

    /// Goes on without a wish, which logs leave out.
    fn skip_wish(&mut self) {
        if self.round.phase == Phase::Wish {
            self.round.make_wish(self.round.turn, 0);
        }
    }

    fn take(&mut self) {
        self.record(self.round.owner, verb::TAKE, None);
        self.round.take(self.round.owner);
    }

    fn give_dragon(&mut self, recipient: u8, line: u32) {
        let owner = self.round.owner;
        if self.round.phase != Phase::Dragon {
            // After a double win nothing is given away, but some logs say to whom it would have gone.
            if !self.is_double() {
                self.note(Code::DragonMisplaced, line);
            }
            return;
        }
        if owner % 2 == recipient % 2 {
            self.note(Code::DragonToTeam, line);
        }
        self.record(owner, verb::DRAGON, Some(recipient));
        self.round.give_dragon(owner, recipient);
        self.given = true;
    }

    fn keep_dragon(&mut self, line: u32) {
        let owner = self.round.owner;
        self.note(Code::DragonKept, line);
        self.record(owner, verb::DRAGON, Some(owner));
        self.round.give_dragon(owner, owner);
    }

    fn lay(&mut self, seat: u8, cards: Cards, line: u32) -> Result<(), Code> {
        self.skip_wish();
        if self.is_decided() {
            self.note(Code::HistoryTooLong, line);
            return Ok(());
        }
        let hand = self.round.hand(seat);
        if !hand.contains(cards) {
            return Err(Code::NotHeld);
        }
        let combination = classify(cards).filter(|found| found.kind != Kind::Pass).ok_or(Code::NoCombination)?;
        self.clear(seat, combination, line)?;
        self.check(seat, cards, combination, line)?;
        self.record(seat, verb::PLAY, Some(cards.len() as u8));
        self.history.extend(cards.iter().map(|card| card.mask().trailing_zeros() as u8));
        self.bombs[round::at(seat)] += u8::from(combination.kind == Kind::Bomb);
        self.round.lay(seat, cards, combination.place());
        self.low = lower_meaning(cards, combination);
        self.given = false;
        Ok(())
    }

    /// Takes the trick if its owner has won it and is skipped, because they have no cards or have kept the dragon.
    fn clear(&mut self, seat: u8, combination: Combination, line: u32) -> Result<(), Code> {
        let throws = combination.kind == Kind::Bomb && combination.beats(self.combination_on_top());
        let owner = self.round.owner;
        if self.round.phase == Phase::Dragon {
            if !throws {
                self.keep_dragon(line);
            }
        } else if self.is_won() {
            let is_out = self.round.hand(owner).is_empty();
            let leads_next = is_out && seat == round::next(self.round.alive, owner);
            self.ambiguous |= throws && leads_next;
            if leads_next && !(throws && self.throws) {
                self.take();
            } else if !throws {
                return Err(Code::NotOnTurn);
            }
        }
        Ok(())
    }

    /// Checks that a combination may be laid.
    fn check(&mut self, seat: u8, cards: Cards, combination: Combination, line: u32) -> Result<(), Code> {
        let top = self.combination_on_top();
        let leads = self.round.top == LEAD;
        if self.round.awaited >> seat & 1 == 0 {
            let fits = self.round.may_bomb(seat) && combination.kind == Kind::Bomb && combination.beats(top);
            return if fits { Ok(()) } else { Err(Code::NotOnTurn) };
        }
        if !leads && !combination.beats(top) {
            if !self.low.is_some_and(|low| combination.beats(low)) {
                return Err(Code::TooLow);
            }
            self.note(Code::PhoenixLow, line);
        }
        let wish = self.wish();
        if combination.kind != Kind::Bomb && !wish.is_fulfilled_by(cards) {
            self.check_wish(seat, wish, line);
        }
        Ok(())
    }

    fn wish(&self) -> Wish {
        Wish::new(self.round.wish.into()).unwrap_or_default()
    }

    fn check_wish(&mut self, seat: u8, wish: Wish, line: u32) {
        if self.round.wish != 0 && Hand::of(self.round.hand(seat)).must_fulfil(self.combination_on_top(), wish) {
            self.note(Code::WishIgnored, line);
        }
    }

    fn pass(&mut self, seat: u8, line: u32) -> Result<(), Code> {
        self.skip_wish();
        // Passes after the end of the round are noise.
        if self.is_decided() {
            return Ok(());
        }
        if self.round.phase == Phase::Dragon {
            return if seat == self.round.owner { Ok(()) } else { Err(Code::NotOnTurn) };
        }
        if self.is_won() {
            if seat != self.round.owner {
                return Err(Code::NotOnTurn);
            }
            self.take();
            return Ok(());
        }
        if seat != self.round.turn {
            return Err(Code::NotOnTurn);
        }
        if self.round.top == LEAD {
            return if std::mem::take(&mut self.given) { Ok(()) } else { Err(Code::LeaderPassed) };
        }
        self.check_wish(seat, self.wish(), line);
        self.record(seat, verb::PASS, None);
        self.round.pass(seat);
        Ok(())
    }

    /// Ends a round whose dragon has not been given away.
    fn close(&mut self, line: u32) {
        if self.round.phase == Phase::Dragon && self.round.loser != NOBODY {
            self.keep_dragon(line);
        }
    }

    fn check_score(&mut self, block: &Block<'_>, over: bool) {
        if !is_possible(self.round.calls, block.score) {
            self.note(Code::ScoreImpossible, block.end);
        } else if over && self.round.score().is_none_or(|score| score.map(i32::from) != block.score) {
            self.note(Code::ScoreMismatch, block.end);
        }
    }
}

/// Returns the lower of two combinations that cards with the phoenix form, if there are two.
fn lower_meaning(cards: Cards, combination: Combination) -> Option<Combination> {
    if !cards.contains(Cards::PHOENIX) {
        return None;
    }
    let Combination { kind, length, rank } = combination;
    let natural = |value| cards.count(value) > 0;
    match kind {
        // The phoenix stands above all others, and there is room for it below them.
        Kind::Street if !natural(rank) && rank - length >= LOWEST => {
            Some(Combination { rank: rank - 1, ..combination })
        }
        // Two pairs and the phoenix.
        Kind::FullHouse if (LOWEST..=ACE).all(|value| cards.count(value) < 3) => {
            (LOWEST..rank).find(|&value| natural(value)).map(|rank| Combination { rank, ..combination })
        }
        _ => None,
    }
}

/// Returns whether a round with these calls can have this score.
fn is_possible(calls: [u8; 4], score: [i32; 2]) -> bool {
    (0..4).any(|winner| {
        let mut base = score;
        for (seat, &call) in calls.iter().enumerate() {
            base[seat % 2] -= if seat == winner { 100 } else { -100 } * i32::from(call);
        }
        let mut double = [0; 2];
        double[winner % 2] = 200;
        base == double || base[0] + base[1] == 100 && base.iter().all(|&points| points >= -25 && points % 5 == 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_possible_with_its_calls_only() {
        assert!(is_possible([0; 4], [200, 0]) && is_possible([0; 4], [-25, 125]) && is_possible([0; 4], [45, 55]));
        assert!(!is_possible([0; 4], [145, 55]) && is_possible([1, 0, 0, 0], [145, 55]));
        assert!(is_possible([2, 0, 0, 0], [-155, 55]) && !is_possible([0; 4], [-30, 130]));
        assert!(!is_possible([0; 4], [48, 52]) && !is_possible([1, 0, 0, 0], [250, 0]));
    }

    #[test]
    fn a_phoenix_has_a_lower_meaning_at_the_end_of_a_street_and_between_two_pairs() {
        let lower = |text: &str| {
            let cards: Cards = text.parse().expect("cards");
            lower_meaning(cards, classify(cards).expect("a combination")).map(|found| found.rank)
        };
        assert_eq!(lower("Ph S6 G5 G4 G3"), Some(6));
        assert_eq!(lower("Ph S5 G4 G3 G2"), None);
        assert_eq!(lower("Ph S7 G5 G4 G3"), None);
        assert_eq!(lower("Ph SA GK GD GB"), None);
        assert_eq!(lower("Ph SA GA S3 G3"), Some(3));
        assert_eq!(lower("Ph SA S3 G3 B3"), None);
    }
}
