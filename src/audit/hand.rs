//! One sheet as the search sees it: its cells, and the ways in which they may tell a move.

use crate::{
    board::{Move, Position},
    notation::{Dialect, Reading},
    record::{NodeId, Record, Written},
    replay::{
        self, Game,
        slip::{CELL, EXCHANGE, NEXT_OMISSION, OMISSION, REPEAT, SURPLUS, Slips},
    },
};

/// The most plies that a remark may say to be missing.
const MOST_MISSING: u32 = 300;

/// The cells of one sheet.
pub(super) struct Hand<'a> {
    pub(super) cells: Vec<Held<'a>>,
    dialect: Option<Dialect>,
    /// The writer has kept digits and pieces of the sides apart.
    strict: bool,
}

/// One cell.
pub(super) struct Held<'a> {
    /// Its node; `None` for a ply that a remark says to be missing.
    pub(super) node: Option<NodeId>,
    pub(super) written: Written<'a>,
    slips: Slips<'a>,
    /// The round numbers leave room for plies before it.
    room: bool,
}

/// How far a sheet has been read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Cursor {
    /// The first cell not yet reached.
    next: u32,
    /// Cells before it that are still to be read, as their order was wrong.
    queue: [u32; 3],
    queued: u8,
    /// The last ply is not in the sheet.
    lacking: bool,
}

/// How a sheet tells a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Told {
    /// The cell says it.
    Says(u32),
    /// The cell says another thing.
    Differs(u32),
    /// The cell is marked as not recorded.
    Marked(u32),
    /// It is left out.
    Lacks,
    /// The sheet has ended before.
    Ended,
}

/// One way in which a sheet tells a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) told: Told,
    pub(super) then: Cursor,
    pub(super) cost: i32,
}

/// What the next cells of a sheet say on a position.
pub(super) struct Heads {
    cursor: Cursor,
    /// The cell to be read next.
    pub(super) head: Option<u32>,
    pub(super) marked: bool,
    /// What it says.
    pub(super) moves: Vec<Move>,
    /// What the two behind it say, where they may come first.
    later: [Vec<Move>; 2],
}

impl Heads {
    /// Whether one of the cells looked at says `mv`.
    pub(super) fn says(&self, mv: Move) -> bool {
        self.moves.contains(&mv) || self.later.iter().any(|later| later.contains(&mv))
    }
}

impl<'a> Hand<'a> {
    /// The main line of `record`, whose replay is `game`.
    pub(super) fn of(record: &Record<'a>, game: &Game) -> Hand<'a> {
        let tree = &record.tree;
        let mut cells = Vec::new();
        let mut round: Option<u32> = None;
        let held = |node, written, room| {
            let slips = Slips::of(written, game.dialect);
            Held { node, written, slips, room }
        };
        let comments = tree.comments_by_node();
        let blanks = |id: NodeId, cells: &mut Vec<Held<'a>>| {
            let said = comments.of(id).map(|comment| comment.missing());
            for _ in 0..said.sum::<u32>().min(MOST_MISSING) {
                cells.push(held(None, Written::Omitted, false));
            }
        };
        blanks(NodeId::ROOT, &mut cells);
        for id in tree.main_line() {
            let node = tree.node(id);
            let jump = |before: u32| node.number.is_some_and(|number| number > before + 1);
            let room = round.is_some_and(jump);
            round = node.number.or(round);
            cells.push(held(Some(id), node.written, room));
            blanks(id, &mut cells);
        }
        let foreign = |finding: &crate::finding::Finding| {
            let names = finding.data.get("deviations").and_then(|names| names.as_array());
            names.is_some_and(|names| names.iter().any(|name| name == "digits" || name == "glyph"))
        };
        let strict = !game.findings.iter().any(foreign);
        Hand { cells, dialect: game.dialect, strict }
    }

    /// Takes away the cells behind the first `plies`.
    pub(super) fn end_at(&mut self, plies: usize) -> Vec<Held<'a>> {
        self.cells.split_off(plies.min(self.cells.len()))
    }

    /// What `cell` says on `position`.
    fn read(&self, cell: u32, position: &Position) -> Vec<Move> {
        let written = &self.cells[cell as usize].written;
        match replay::read(written, self.dialect, position) {
            Reading::Move { deviations, .. } | Reading::Ambiguous { deviations, .. }
                if self.strict && deviations.is_foreign() =>
            {
                Vec::new()
            }
            Reading::Move { mv, .. } => vec![mv],
            Reading::Ambiguous { moves, .. } => moves,
            Reading::Illegal { .. } | Reading::Unknown { .. } => Vec::new(),
        }
    }

    fn is_marked(&self, cell: u32) -> bool {
        self.cells[cell as usize].written == Written::Omitted
    }

    /// What stands next.
    pub(super) fn heads(&self, cursor: Cursor, position: &Position) -> Heads {
        let head = match cursor.queued {
            0 => (self.cells.len() > cursor.next as usize).then_some(cursor.next),
            _ => Some(cursor.queue[0]),
        };
        let marked = head.is_some_and(|cell| self.is_marked(cell));
        let moves = match head {
            Some(cell) if !marked => self.read(cell, position),
            _ => Vec::new(),
        };
        Heads { cursor, head, marked, moves, later: [Vec::new(), Vec::new()] }
    }

    /// How many blanks follow each other from the head on.
    pub(super) fn blanks(&self, heads: &Heads) -> usize {
        let from = heads.head.map_or(self.cells.len(), |head| head as usize);
        let blank = |held: &&Held<'_>| held.written == Written::Omitted;
        self.cells[from..].iter().take_while(blank).count()
    }

    /// Looks at the two cells behind the head too.
    pub(super) fn look_ahead(&self, heads: &mut Heads, position: &Position) {
        if heads.cursor.queued > 0 || heads.marked {
            return;
        }
        for (distance, later) in (1..).zip(&mut heads.later) {
            let cell = heads.cursor.next + distance;
            let end = self.cells.len() <= cell as usize;
            if end || self.is_marked(cell) {
                return;
            }
            *later = self.read(cell, position);
        }
    }

    /// Every way in which the sheet may tell `mv`, a legal move of `position`.
    pub(super) fn ways(&self, heads: &Heads, mv: Move, position: &Position) -> Vec<Way> {
        let cursor = heads.cursor;
        let Some(head) = heads.head else {
            return vec![Way { told: Told::Ended, then: cursor, cost: 0 }];
        };
        let mut ways = Vec::new();
        let mut add = |told, then, cost| ways.push(Way { told, then, cost });
        let held = &self.cells[head as usize];
        if heads.marked {
            add(Told::Marked(head), cursor.past_head(), 0);
        } else if heads.moves.contains(&mv) {
            add(Told::Says(head), cursor.past_head(), 0);
        } else {
            add(Told::Differs(head), cursor.past_head(), held.slips.cost(mv, position));
        }
        let lack = match (held.room, cursor.lacking) {
            (true, _) => NEXT_OMISSION / 2,
            (false, true) => NEXT_OMISSION,
            (false, false) => OMISSION,
        };
        add(Told::Lacks, Cursor { lacking: true, ..cursor }, lack);
        if heads.later[0].contains(&mv) {
            add(Told::Says(head + 1), cursor.out_of_order(&[head], 2), EXCHANGE);
            add(Told::Says(head + 1), cursor.past(1), self.surplus(head, 1));
        }
        if heads.later[1].contains(&mv) {
            add(Told::Says(head + 2), cursor.out_of_order(&[head + 1, head], 3), EXCHANGE);
            if self.cells.len() > head as usize + 3 && !self.is_marked(head + 3) {
                let order = [head + 3, head, head + 1];
                add(Told::Says(head + 2), cursor.out_of_order(&order, 4), EXCHANGE);
            }
            add(Told::Says(head + 2), cursor.past(2), self.surplus(head, 2));
        }
        ways
    }

    /// What it costs that `count` cells from `head` on tell nothing: little where they repeat those before.
    fn surplus(&self, head: u32, count: u32) -> i32 {
        match self.repeats(head, count) {
            true => REPEAT,
            false => SURPLUS + CELL * count as i32,
        }
    }

    /// Whether `count` cells from `head` on repeat those before.
    pub(super) fn repeats(&self, head: u32, count: u32) -> bool {
        let text = |cell: u32| self.cells[cell as usize].written;
        let twice =
            |of: u32| head >= of && (head..head + count).all(|cell| text(cell) == text(cell - of));
        twice(2) || twice(count)
    }

    /// Cells used up at `cursor`.
    pub(super) fn used(&self, cursor: Cursor) -> usize {
        cursor.next as usize - usize::from(cursor.queued)
    }
}

impl Cursor {
    /// Behind the head.
    fn past_head(mut self) -> Cursor {
        self.lacking = false;
        match self.queued {
            0 => self.next += 1,
            _ => {
                self.queue.rotate_left(1);
                self.queue[2] = 0;
                self.queued -= 1;
            }
        }
        self
    }

    /// Behind `surplus` cells and the one after them.
    fn past(self, surplus: u32) -> Cursor {
        Cursor { next: self.next + surplus + 1, lacking: false, ..self }
    }

    /// Behind `used` cells of which `waiting` are still to be read.
    fn out_of_order(self, waiting: &[u32], used: u32) -> Cursor {
        let mut queue = [0; 3];
        queue[..waiting.len()].copy_from_slice(waiting);
        Cursor { next: self.next + used, queue, queued: waiting.len() as u8, lacking: false }
    }
}
