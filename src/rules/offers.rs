//! Offers of a draw and their answers (提和, articles 9.1.3 and 23.1; R020, R049, R098).

use crate::board::Side;

use super::annotation::{Annotation, Event, Reply};

/// What is to be said of one offer or answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// An offer as it should be.
    Proper,
    /// An offer by a side that has offered last: a foul (9.1.3, 23.1).
    Repeated {
        /// The ply of the offer before.
        before: u32,
    },
    /// An offer that was not made behind the own move (23.1).
    OutOfPlace,
    /// A refusal.
    Refused,
    /// An agreement: the game is drawn (4.2.2).
    Agreed,
    /// An answer to no offer, or to one that a move has already refused.
    NothingToAnswer,
}

/// One offer or answer with what is to be said of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged<'e> {
    /// The entry.
    pub entry: &'e Annotation,
    /// What is to be said of it.
    pub outcome: Outcome,
}

/// Judges the offers and answers of a game, given in order. `mover` says who made a ply, `last` is the last ply; with
/// `alternate` a side waits for an offer of the other before it offers again.
pub fn judge<'e>(
    entries: impl Iterator<Item = &'e Annotation>,
    mover: impl Fn(u32) -> Option<Side>,
    last: u32,
    alternate: bool,
) -> Vec<Judged<'e>> {
    let mut found = Vec::new();
    let mut offered: Option<(u32, Side)> = None;
    // An offer that waits for its answer.
    let mut open: Option<(u32, Side)> = None;
    // Whether the last offer has been refused: another one behind the same ply is then not the same.
    let mut refused = false;
    for entry in entries {
        let Some(side) = entry.side else { continue };
        let outcome = match entry.event {
            Event::Offer => {
                let outcome = match offered {
                    Some((before, other))
                        if alternate && other == side && (before < entry.ply || refused) =>
                    {
                        Outcome::Repeated { before }
                    }
                    _ if mover(entry.ply) != Some(side) => Outcome::OutOfPlace,
                    _ => Outcome::Proper,
                };
                offered = Some((entry.ply, side));
                (open, refused) = (offered, false);
                outcome
            }
            Event::Reply(reply) => {
                // An answer may stand behind the move that the answering side goes on with; once that move is made, only a
                // refusal is left, unless the game ends there.
                let answers = open.filter(|(ply, other)| {
                    *other != side
                        && (entry.ply == *ply
                            || (entry.ply == ply + 1
                                && (reply == Reply::Refuse || entry.ply == last)))
                });
                match (answers, reply) {
                    (None, _) => Outcome::NothingToAnswer,
                    (Some(_), Reply::Refuse) => {
                        (open, refused) = (None, true);
                        Outcome::Refused
                    }
                    (Some(_), Reply::Accept) => {
                        open = None;
                        Outcome::Agreed
                    }
                }
            }
            _ => continue,
        };
        found.push(Judged { entry, outcome });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Span;

    fn entry(ply: u32, side: Side, event: Event) -> Annotation {
        Annotation { ply, side: Some(side), exact: true, event, sheet: 0, span: Span::default() }
    }

    fn outcomes(entries: &[Annotation], alternate: bool) -> Vec<Outcome> {
        let mover =
            |ply: u32| (ply > 0).then_some(if ply % 2 == 1 { Side::Red } else { Side::Black });
        judge(entries.iter(), mover, 40, alternate).iter().map(|judged| judged.outcome).collect()
    }

    use Side::{Black, Red};

    // 23.1: in turn, never twice running.
    #[test]
    fn offers_take_turns() {
        let offers = |list: &[(u32, Side)]| {
            let entries: Vec<_> =
                list.iter().map(|(ply, side)| entry(*ply, *side, Event::Offer)).collect();
            entries
        };
        let in_turn = offers(&[(1, Red), (4, Black), (7, Red)]);
        assert_eq!(outcomes(&in_turn, true), [Outcome::Proper; 3]);
        let twice = offers(&[(1, Red), (9, Red), (12, Black), (15, Red)]);
        assert_eq!(
            outcomes(&twice, true),
            [Outcome::Proper, Outcome::Repeated { before: 1 }, Outcome::Proper, Outcome::Proper]
        );
        assert_eq!(outcomes(&twice, false), [Outcome::Proper; 4]);
        // Red may offer only behind a move of Red.
        assert_eq!(outcomes(&offers(&[(2, Red)]), true), [Outcome::OutOfPlace]);
        assert_eq!(outcomes(&offers(&[(0, Red)]), true), [Outcome::OutOfPlace]);
    }

    /// 9.1.3: an offer that was refused is not repeated, whether a move stands between or not.
    #[test]
    fn what_was_refused_is_not_offered_again() {
        let offer = || entry(5, Red, Event::Offer);
        let refused = entry(5, Black, Event::Reply(Reply::Refuse));
        assert_eq!(
            outcomes(&[offer(), refused, offer()], true),
            [Outcome::Proper, Outcome::Refused, Outcome::Repeated { before: 5 }]
        );
    }

    #[test]
    fn answers() {
        let offer = entry(5, Red, Event::Offer);
        let reply = |ply, side, reply| entry(ply, side, Event::Reply(reply));
        let case = |second: Annotation| outcomes(&[offer.clone(), second], true)[1];
        assert_eq!(case(reply(5, Black, Reply::Refuse)), Outcome::Refused);
        assert_eq!(case(reply(6, Black, Reply::Refuse)), Outcome::Refused);
        assert_eq!(case(reply(5, Black, Reply::Accept)), Outcome::Agreed);
        // The move has refused already.
        assert_eq!(case(reply(6, Black, Reply::Accept)), Outcome::NothingToAnswer);
        assert_eq!(case(reply(8, Black, Reply::Refuse)), Outcome::NothingToAnswer);
        assert_eq!(case(reply(5, Red, Reply::Accept)), Outcome::NothingToAnswer);
        let late = [entry(39, Red, Event::Offer), reply(40, Black, Reply::Accept)];
        assert_eq!(outcomes(&late, true)[1], Outcome::Agreed);
        assert_eq!(outcomes(&[reply(4, Black, Reply::Refuse)], true), [Outcome::NothingToAnswer]);
    }
}
