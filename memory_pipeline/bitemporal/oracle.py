"""The rules of `resolution` in plain Python: the oracle that tests hold the database against."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory_pipeline.bitemporal.resolution import (
    EARLIEST,
    LATEST,
    Rectangle,
    Segment,
    StatementId,
    Stmt,
)


@dataclass
class _Piece:
    """A piece of the base; without an atom it is "none", and then `object_key` is what ended."""

    start: datetime
    end: datetime
    atom: Stmt | None = None
    object_key: bytes | None = None
    rank: int = 0
    supersedes: Stmt | None = None
    restart: bool = False
    supports: tuple[Stmt, ...] = ()
    against: tuple[Stmt, ...] = ()

    def holds(self, object_key: bytes | None) -> bool:
        return self.atom is not None and self.object_key == object_key


@dataclass(eq=False)
class _Stay:
    atom: Stmt
    start: datetime
    end: datetime
    rank: int
    supports: tuple[Stmt, ...] = ()
    against: tuple[Stmt, ...] = ()

    def anew(self) -> list[Stmt]:
        """The supports that say again what was erased."""
        return [s for s in self.supports if self.atom.erased and not s.erased]

    def speaker(self, at: datetime) -> Stmt:
        """Whose words answer at a moment of the stay."""
        return next((s for s in self.anew() if s.start <= at), self.atom)


@dataclass
class _Answer:
    atom: Stmt
    start: datetime
    end: datetime
    supersedes: Stmt | None
    supports: set[Stmt]
    contradicted_by: set[Stmt]


def timeline(stmts: Iterable[Stmt]) -> list[Segment]:
    """What holds when, by these statements; "none" has no segment."""
    ordered = sorted(stmts, key=lambda stmt: stmt.told_order)
    standing, disputes = _take_back(ordered)
    line = _Line(disputes)
    for stmt in standing:
        line.tell(stmt)
    return line.segments()


def known(stmts: Iterable[Stmt], known_at: datetime) -> list[Stmt]:
    """The statements told by `known_at`."""
    return [stmt for stmt in stmts if stmt.told <= known_at]


def answer(segments: Iterable[Segment], valid_at: datetime) -> Segment | None:
    """The segment that holds at `valid_at`."""
    for segment in segments:
        if (segment.valid_from or EARLIEST) <= valid_at < (segment.valid_to or LATEST):
            return segment
    return None


def rectangles(stmts: Iterable[Stmt]) -> list[Rectangle]:
    """The timeline as known from each telling on, equal neighbours joined."""
    stmts = list(stmts)
    moments = sorted({stmt.told for stmt in stmts})
    lines = [timeline(known(stmts, moment)) for moment in moments]
    found: list[Rectangle] = []
    for at, line in enumerate(lines):
        for segment in line:
            if at and segment in lines[at - 1]:
                continue
            until = next(
                (later for later in range(at, len(lines)) if segment not in lines[later]),
                len(lines),
            )
            found.append(
                Rectangle(
                    segment,
                    _open(moments[at], EARLIEST),
                    moments[until] if until < len(lines) else None,
                )
            )
    return found


def _open(moment: datetime, bound: datetime) -> datetime | None:
    return None if moment == bound else moment


def _take_back(ordered: Sequence[Stmt]) -> tuple[list[Stmt], dict[StatementId, list[Stmt]]]:
    """The statements that stand, in told order, and the closures that tried in vain, by atom id."""
    atoms = {stmt.id: stmt for stmt in ordered if stmt.type == "atom"}
    taken: set[StatementId] = set()
    disputes: dict[StatementId, list[Stmt]] = {}

    def take(atom: Stmt, by: Stmt) -> bool:
        if atom.rank > by.rank:
            disputes.setdefault(atom.id, []).append(by)
            return False
        taken.add(atom.id)
        return True

    for closure in ordered:
        if closure.type == "closure" and closure.action != "ended":
            meant = _meant(closure, list(atoms.values()))
            gone = [atom for atom in meant if take(atom, closure)]
            if closure.action == "corrected" and gone:
                _hand_on(closure, min(gone, key=lambda a: (a.start, a.told_order)), atoms)

    standing = [atoms[s.id] if s.type == "atom" else s for s in ordered if s.id not in taken]
    for stmt in standing:
        if stmt.denies or (stmt.action == "ended" and stmt.object_key is not None):
            for plan in _called_off(stmt, standing):
                take(plan, stmt)
    return [stmt for stmt in standing if stmt.id not in taken], disputes


def _meant(closure: Stmt, atoms: Sequence[Stmt]) -> list[Stmt]:
    meant = [
        atom
        for atom in atoms
        if atom.message < closure.message
        and atom.polarity == closure.polarity
        and closure.object_key in (None, atom.object_key)
        and closure.planned_start in (None, atom.valid_from)
    ]
    if closure.action == "cancelled" and closure.planned_start is None:
        plans = [atom for atom in meant if atom.is_plan]
        since = min([closure.told, max((plan.start for plan in plans), default=EARLIEST)])
        meant = [plan for plan in plans if plan.start >= since]
    return meant


def _hand_on(closure: Stmt, wrong: Stmt, atoms: dict[StatementId, Stmt]) -> None:
    for atom in list(atoms.values()):
        if (
            atom.message == closure.message
            and atom.affirms
            and atom.start_inferred
            and atom.holds_when_told
            and atom.valid_to is None
            and atom.object_key != wrong.object_key
        ):
            if wrong.is_undated_past:
                atoms[atom.id] = replace(
                    atom,
                    valid_from=None,
                    valid_to=wrong.valid_to or wrong.told_at,
                    start_inferred=True,
                    holds_when_told=False,
                )
            else:
                atoms[atom.id] = replace(
                    atom, valid_from=wrong.valid_from, valid_to=wrong.valid_to, start_inferred=False
                )


def _called_off(stmt: Stmt, standing: Sequence[Stmt]) -> list[Stmt]:
    at, until = (stmt.start, stmt.end) if stmt.denies else (_ended_at(stmt), LATEST)
    if at is None:
        return []
    said = [s for s in standing if s.says(stmt.object_key) and s.told_order < stmt.told_order]
    is_first = not any(s.start < at for s in said)

    def is_meant(plan: Stmt) -> bool:
        if stmt.planned_start is not None:
            return plan.start == stmt.planned_start
        return is_first or plan.start == at

    return [s for s in said if s.is_plan and at <= s.start and s.end <= until and is_meant(s)]


def _ended_at(closure: Stmt) -> datetime | None:
    return closure.ended_at or closure.told_at


class _Line:
    """The two layers while statements are told to them."""

    def __init__(self, disputes: dict[StatementId, list[Stmt]]) -> None:
        self.base = [_Piece(EARLIEST, LATEST)]
        self.stays: list[_Stay] = []
        self.disputes = disputes

    def tell(self, stmt: Stmt) -> None:
        if stmt.affirms:
            self._affirm(stmt)
        elif stmt.denies:
            if stmt.valid_to is not None:
                self._deny_within(stmt)
            elif self._holding(stmt.start) == stmt.object_key:
                self._end(stmt, stmt.object_key, stmt.start)
        elif stmt.action == "ended" and (at := _ended_at(stmt)) is not None:
            value = stmt.object_key
            if value is None:
                value = self._holding(at, just_before=True)
            if value is not None:
                self._end(stmt, value, at)
                self._end_begun(stmt, value, at)

    def _affirm(self, stmt: Stmt) -> None:
        if stmt.is_undated_past:
            self._fill(replace(stmt, valid_from=None), min(stmt.end, stmt.told))
            return
        if stmt.valid_to is not None and not stmt.is_past:
            if stmt.start < stmt.end:
                self.stays.append(_Stay(stmt, stmt.start, stmt.end, stmt.rank))
            return
        start = stmt.start
        if stmt.is_past:
            end = min(self._next_change(stmt.object_key, start), stmt.told)
        elif stmt.start_inferred and self._restate(stmt):
            return
        else:
            after = max(start, stmt.told) if stmt.holds_when_told else start
            end = self._next_change(stmt.object_key, after)
        self._write(stmt, start, end, restarts=not stmt.start_inferred)

    def _fill(self, stmt: Stmt, end: datetime) -> None:
        """A past value told without its dates: a support before `end`, or the first gap there."""
        value = stmt.object_key
        before = [piece for piece in self.base if piece.start < end]
        stays = [stay for stay in self.stays if stay.start < min(stay.end, end)]
        said = [stay for stay in stays if stay.atom.object_key == value]
        if said or any(piece.holds(value) for piece in before):
            for stay in said:
                stay.supports += (stmt,)
            if before[-1].holds(value):
                self._split(end)
            for piece in self.base:
                if piece.end <= end and piece.holds(value):
                    self._say_again(stmt, piece)
            return
        gap = next((piece for piece in before if piece.atom is None), None)
        if gap is None or gap.object_key == value:
            return
        outranked = [s.start for s in stays if s.end > gap.start and s.rank < stmt.rank]
        end = min([end, self._next_change(value, gap.start), *outranked])
        self._write(stmt, gap.start, end, restarts=False)

    def _restate(self, stmt: Stmt) -> bool:
        """Add a support where the value holds already; False where it holds nowhere at its start."""
        found = False
        for stay in self.stays:
            if stay.start <= stmt.start < stay.end and stay.atom.object_key == stmt.object_key:
                found = True
                stay.rank = max(stay.rank, stmt.rank)
                stay.supports += (stmt,)
        run = self._run(stmt.object_key, stmt.start)
        if run:
            self._write(stmt, stmt.start, run[-1].end, restarts=False)
        return found or bool(run)

    def _run(self, object_key: bytes | None, at: datetime) -> list[_Piece]:
        """The pieces of the base from that containing `at` to the end of its run of the value."""
        run: list[_Piece] = []
        for piece in self.base:
            if piece.end <= at:
                continue
            if not piece.holds(object_key) or (run and piece.restart):
                break
            run.append(piece)
        return run

    def _next_change(self, object_key: bytes | None, after: datetime) -> datetime:
        for before, piece in itertools.pairwise(self.base):
            if piece.start <= after:
                continue
            if piece.atom is None:
                ended_before = before.atom is None and before.object_key == object_key
                is_change = piece.object_key == object_key and not ended_before
            else:
                is_change = piece.restart or not before.holds(piece.object_key)
            if is_change:
                return piece.start
        return LATEST

    def _split(self, at: datetime) -> None:
        for index, piece in enumerate(self.base):
            if piece.start < at < piece.end:
                self.base[index : index + 1] = [
                    replace(piece, end=at),
                    replace(piece, start=at, restart=False),
                ]
                return

    def _write(self, stmt: Stmt, start: datetime, end: datetime, *, restarts: bool) -> None:
        if start >= end:
            return
        within = next(piece for piece in self.base if piece.start <= start < piece.end)
        restarts = restarts and within.start < start and within.holds(stmt.object_key)
        self._split(start)
        self._split(end)
        for piece in self.base:
            if piece.end <= start or end <= piece.start:
                continue
            if piece.atom and piece.object_key == stmt.object_key:
                self._say_again(stmt, piece)
                piece.rank = max(piece.rank, stmt.rank)
                piece.restart |= restarts and piece.start == start
            elif piece.atom is None or piece.rank <= stmt.rank:
                piece.supersedes, piece.atom = piece.atom, stmt
                piece.object_key, piece.rank, piece.restart = stmt.object_key, stmt.rank, False
                piece.supports, piece.against = (), ()
            else:
                piece.against += (stmt,)

    @staticmethod
    def _say_again(stmt: Stmt, piece: _Piece) -> None:
        if piece.atom and piece.atom.erased and not stmt.erased:
            piece.supersedes, piece.atom = piece.atom, stmt
        else:
            piece.supports += (stmt,)

    def _end(self, by: Stmt, value: bytes | None, at: datetime) -> None:
        for stay in self.stays:
            if stay.atom.object_key == value and stay.start <= at < stay.end:
                if stay.rank > by.rank:
                    stay.against += (by,)
                else:
                    stay.end = at
        run = self._run(value, at)
        if run:
            end = run[-1].end
            self._split(at)
            for piece in self.base:
                if at <= piece.start and piece.end <= end:
                    self._end_piece(by, piece)

    def _deny_within(self, denial: Stmt) -> None:
        value, start, end = denial.object_key, denial.start, denial.end
        if start >= end:
            return
        for stay in list(self.stays):
            touched = max(start, stay.start) < min(end, stay.end)
            if stay.atom.object_key != value or not touched:
                continue
            if stay.rank > denial.rank:
                stay.against += (denial,)
                continue
            if end < stay.end:
                self.stays.insert(self.stays.index(stay) + 1, replace(stay, start=end))
            stay.end = max(start, stay.start)
        for at in (start, end):
            if any(p.holds(value) and p.start < at < p.end for p in self.base):
                self._split(at)
        for piece in self.base:
            if start <= piece.start and piece.end <= end and piece.holds(value):
                self._end_piece(denial, piece)

    def _end_piece(self, by: Stmt, piece: _Piece) -> None:
        if piece.rank > by.rank:
            piece.against += (by,)
        else:
            piece.atom, piece.supersedes, piece.rank, piece.restart = None, None, 0, False
            piece.supports, piece.against = (), ()

    def _end_begun(self, by: Stmt, value: bytes, at: datetime) -> None:
        """Rule 3, last sentence: the value held nowhere before its end."""
        pieces = [piece for piece in self.base if piece.holds(value)]
        stays = [s for s in self.stays if s.atom.object_key == value and s.start < s.end]
        if any(p.start < at for p in pieces) or any(s.start < at for s in stays):
            return
        for piece in pieces:
            if at < piece.start <= by.told:
                self._end_piece(by, piece)
        for stay in stays:
            if at < stay.start <= by.told:
                if stay.rank > by.rank:
                    stay.against += (by,)
                else:
                    stay.end = stay.start

    def _holding(self, at: datetime, *, just_before: bool = False) -> bytes | None:
        """The value that answers at a moment, or on the stretch that ends there."""
        edges = [edge for edge in self._edges() if edge < at or (edge == at and not just_before)]
        if not edges:
            return None
        found = self._answer(edges[-1], LATEST)
        return found.atom.object_key if found else None

    def _edges(self) -> list[datetime]:
        edges = {piece.start for piece in self.base}
        for stay in self.stays:
            said = {s.start for s in stay.anew() if stay.start < s.start < stay.end}
            edges |= {stay.start, stay.end} | said
        return sorted(edges - {LATEST})

    def _answer(self, start: datetime, end: datetime) -> _Answer | None:
        """What answers on [start, end), a stretch within which nothing changes."""
        base = next(piece for piece in self.base if piece.start <= start < piece.end)
        below: _Answer | None = None
        if base.atom:
            below = _Answer(
                base.atom, start, end, base.supersedes, set(base.supports), set(base.against)
            )
        above: _Answer | None = None
        rank = 0
        for stay in self.stays:
            if not stay.start <= start < stay.end:
                continue
            speaker = stay.speaker(start)
            others = set(stay.supports) - {speaker}
            same = above is not None and above.atom.object_key == speaker.object_key
            if above is not None and same and (speaker.erased or not above.atom.erased):
                above.supports |= {speaker, *others}
                above.contradicted_by |= set(stay.against)
                rank = max(rank, stay.rank)
            elif above is None or same or stay.rank >= rank:
                replaced = above.atom if above else None
                if speaker is not stay.atom:
                    replaced = stay.atom
                above = _Answer(speaker, start, end, replaced, others, set(stay.against))
                rank = max(rank, stay.rank) if same else stay.rank
            else:
                above.contradicted_by.add(speaker)
        found = self._over(above, rank, below, base)
        if found:
            found.contradicted_by |= set(self.disputes.get(found.atom.id, ()))
        return found

    @staticmethod
    def _over(
        above: _Answer | None, rank: int, below: _Answer | None, base: _Piece
    ) -> _Answer | None:
        if above is None or below is None:
            return above or below
        if above.atom.object_key == below.atom.object_key:
            first, second = above, below
            if above.atom.erased and not below.atom.erased:
                first, second = below, above
            first.supports |= {second.atom, *second.supports}
            first.contradicted_by |= second.contradicted_by
            return first
        if base.rank > rank:
            below.contradicted_by.add(above.atom)
            return below
        return above

    def segments(self) -> list[Segment]:
        edges = [*self._edges(), LATEST]
        found = [self._answer(a, b) for a, b in itertools.pairwise(edges)]
        joined: list[_Answer] = []
        for piece in found:
            if piece is None:
                continue
            last = joined[-1] if joined else None
            if (
                last is None
                or last.end != piece.start
                or last.atom.object_key != piece.atom.object_key
                or last.atom.erased != piece.atom.erased
            ):
                joined.append(piece)
                continue
            last.end = piece.end
            last.supersedes = last.supersedes or piece.supersedes
            last.supports |= {piece.atom, *piece.supports}
            last.contradicted_by |= piece.contradicted_by
        return [_segment(piece) for piece in joined]


def _segment(piece: _Answer) -> Segment:
    def ids(stmts: set[Stmt]) -> tuple[StatementId, ...]:
        return tuple(s.id for s in sorted(stmts, key=lambda s: s.told_order))

    return Segment(
        valid_from=_open(piece.start, EARLIEST),
        valid_to=_open(piece.end, LATEST),
        atom_id=piece.atom.id,
        object_key=piece.atom.object_key,
        supersedes=piece.supersedes.id if piece.supersedes else None,
        supports=ids({s for s in piece.supports if s.id != piece.atom.id}),
        contradicted_by=ids(piece.contradicted_by),
        erased=piece.atom.erased,
    )
