//! Lots: draws that a printed seed makes again (猜先, 抽签; 13.4, appendix 2, the amateur event).

use super::order_table::even;

/// A source of lots. The same seed gives the same lots, on every machine and for ever (SplitMix64).
///
/// ```
/// use qijian::event::Lots;
/// let mut lots = Lots::new(2012);
/// let drawn = lots.shuffled(5);
/// assert_eq!(drawn, Lots::new(2012).shuffled(5));
/// ```
#[derive(Clone, Debug)]
pub struct Lots {
    state: u64,
}

impl Lots {
    /// The lots of `seed`.
    pub fn new(seed: u64) -> Lots {
        Lots { state: seed }
    }

    /// The lots of `seed` for one purpose, such as one round: other purposes draw independently of it.
    pub fn for_purpose(seed: u64, purpose: &str) -> Lots {
        // FNV-1a, stable across versions of the compiler.
        let hash = purpose.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        let mut lots = Lots { state: seed ^ hash };
        lots.state = lots.draw();
        lots
    }

    /// 64 random bits.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `limit` (0 if that is 0), every one as likely as the others.
    pub fn below(&mut self, limit: u64) -> u64 {
        if limit == 0 {
            return 0;
        }
        // What lies past the last whole multiple would favour small numbers.
        let last = u64::MAX - u64::MAX % limit;
        loop {
            let bits = self.draw();
            if bits < last {
                return bits % limit;
            }
        }
    }

    /// The numbers below `n` in drawn order.
    pub fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for last in (1..n).rev() {
            let other = self.below(last as u64 + 1) as usize;
            order.swap(last, other);
        }
        order
    }
}

/// A card of the amateur event: a number on red or black, or the king, who has a bye.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Card {
    /// A number of the red suit: Red.
    Red(u32),
    /// The same number of the black suit: his opponent.
    Black(u32),
    /// The king: a bye.
    King,
}

/// The cards that `entrants` draw: two sets from 1 up and, for an odd number, a king (R130, R131).
///
/// ```
/// use qijian::event::{Card, cards};
/// let deck = cards(13);
/// assert_eq!(deck.len(), 13);
/// assert!(deck.contains(&Card::Red(6)) && deck.contains(&Card::Black(6)) && deck.contains(&Card::King));
/// ```
pub fn cards(entrants: u32) -> Vec<Card> {
    let pairs = entrants / 2;
    let mut deck: Vec<Card> =
        (1..=pairs).flat_map(|number| [Card::Red(number), Card::Black(number)]).collect();
    if even(entrants) != entrants {
        deck.push(Card::King);
    }
    deck
}

#[cfg(test)]
mod tests {
    use super::*;

    // The first numbers of SplitMix64 from seed 1234567, as its author's program prints them.
    #[test]
    fn the_generator_is_splitmix64() {
        let mut lots = Lots::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| lots.draw()).collect();
        assert_eq!(
            drawn,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn lots_are_even_and_purposes_independent() {
        let mut lots = Lots::for_purpose(1, "round 1");
        let mut counts = [0; 6];
        for _ in 0..60_000 {
            counts[lots.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        assert_ne!(Lots::for_purpose(1, "a").draw(), Lots::for_purpose(1, "b").draw());
        let mut order = lots.shuffled(50);
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
        assert_eq!(lots.below(0), 0);
    }

    #[test]
    fn cards_of_13_7_4_and_2() {
        let kings = |n| cards(n).iter().filter(|card| **card == Card::King).count();
        assert_eq!([13, 7, 4, 2].map(kings), [1, 1, 0, 0]);
        assert_eq!([13, 7, 4, 2].map(|n| cards(n).len()), [13, 7, 4, 2]);
    }
}
