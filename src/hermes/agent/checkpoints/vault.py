"""Checkpoints: taken around every step that changes files, listed, compared and rolled back."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path

from hermes.agent.checkpoints.blobs import Blobs
from hermes.agent.checkpoints.log import Change, Checkpoint, Log, Scope
from hermes.agent.checkpoints.tree import Limits, Tree, look_at, look_below, mark_of
from hermes.agent.checkpoints.undo import File, Outcome, Undone, plan_undo
from hermes.clock import Clock
from hermes.config.files import locked, make_private_dir
from hermes.errors import NotFound, Refused
from hermes.tools.places import open_folder
from hermes.tools.writing import replace_file

KEEP = 200
"""How many checkpoints stay; the oldest beyond them are dropped when a new one is taken."""
LONGEST_STEP_MS = 86_400_000


class Checkpoints:
    """The checkpoints of one profile. Several processes may take them side by side."""

    def __init__(
        self,
        folder: Path,
        clock: Clock,
        closed: tuple[Path, ...] = (),
        limits: Limits | None = None,
    ) -> None:
        """`closed` folders (the home of Hermes) are neither kept nor ever written back to."""
        make_private_dir(folder)
        self._limits = limits or Limits()
        self._closed = frozenset(str(each.resolve()) for each in closed)
        self._folder = folder
        self._clock = clock
        self._log = Log(folder)
        self._blobs = Blobs(folder / "blobs")
        self._known: dict[str, Tree] = {}

    @contextmanager
    def around(self, scope: Scope, *, why: str, session_id: str = "") -> Iterator[None]:
        """Keep what `scope` holds before the block, and note what it changed, even if it fails.

        Nothing is noted where nothing changed.
        """
        with self._alone():
            before = self._look(scope)
            opened = self._open(scope, before, why=why, session_id=session_id)
            began_ns = self._log.saved_at_ns(opened.number)
        self._blobs.flush()  # others need not wait for the disk; the step must
        try:
            yield
        finally:
            with self._alone():
                self._seal(opened, scope, before, began_ns)
            self._blobs.flush()

    def list_recent(self, limit: int = 20) -> list[Checkpoint]:
        """The newest checkpoints, newest first."""
        return [self._log.get(number) for number in reversed(self._log.numbers()[-limit:])]

    def diff(self, number: int, file: str | None = None) -> str:
        """What rolling back to before `number` would change, as a unified diff."""
        return "".join(_render(undone) for undone in self._plan(number, file))

    def rollback(self, number: int, file: str | None = None) -> list[Undone]:
        """Put files back to what they were before checkpoint `number`; what became of each.

        The rollback is itself a checkpoint, so it can be taken back too.
        """
        plans = self._plan(number, file)
        paths = tuple(Path(plan.path) for plan in plans if plan.outcome.is_change)
        if not paths:
            return plans
        with self.around(Scope(Path("/"), paths), why=f"rollback to before {number}"):
            return [_carry_out(plan) if plan.outcome.is_change else plan for plan in plans]

    def _plan(self, number: int, file: str | None) -> list[Undone]:
        self._log.get(number)
        by_path: dict[str, list[Change]] = {}
        for checkpoint in self._log.list_from(number):
            for change in checkpoint.changes:
                by_path.setdefault(change.path, []).insert(0, change)
        chosen = [
            path
            for path in by_path
            if not self._is_closed(path) and (file is None or _is_named(path, file))
        ]
        if file is not None and not chosen:
            raise NotFound(
                f"no checkpoint from {number} on changed {file}",
                f"Files it did change: {', '.join(list(by_path)[:5]) or 'none'}.",
            )
        most = self._limits.total_bytes
        plans = [plan_undo(p, _read(Path(p), most), by_path[p], self._blobs) for p in chosen]
        return [_check_way(plan) if plan.outcome.is_change else plan for plan in plans]

    def _is_closed(self, path: str) -> bool:
        return any(Path(path).is_relative_to(folder) for folder in self._closed)

    def _look(self, scope: Scope) -> Tree:
        if scope.files:
            return look_at(scope.files, self._blobs)
        root = str(scope.root)
        self._known[root] = look_below(
            scope.root,
            self._blobs,
            self._known.get(root),
            closed=self._closed,
            limits=self._limits,
        )
        return self._known[root]

    def _open(self, scope: Scope, before: Tree, *, why: str, session_id: str) -> Checkpoint:
        """Note the before, so that a process that dies in the block still leaves a way back.

        Unsealed, every file of the scope counts as deleted by the step until the after is known;
        rolling such a checkpoint back brings back what is missing and leaves the rest alone.
        """
        kept_first = sorted(before.files.items(), key=lambda each: not each[1].kept.digest)
        noted = kept_first[: self._limits.files]
        opened = Checkpoint(
            number=self._log.next_number(),
            at=self._clock.now(),
            session_id=session_id,
            why=why,
            root=str(scope.root),
            changes=tuple(Change(path, seen.kept, None) for path, seen in noted),
            is_sealed=False,
            is_partial=before.is_partial,
        )
        self._log.save(opened)
        self._drop_oldest()  # not before: what was just kept is in use from here on
        return opened

    def _seal(self, opened: Checkpoint, scope: Scope, before: Tree, began_ns: int) -> None:
        after = self._look(scope)
        paths = sorted({*before.files, *after.files})
        found = (_find_change(path, before, after) for path in paths)
        moved = _Moved(before, after, began_ns)
        changes = tuple(change for change in found if change and not moved.has(change))
        if not changes:
            self._log.remove(opened.number)
            return
        self._log.save(
            Checkpoint(
                number=opened.number,
                at=opened.at,
                session_id=opened.session_id,
                why=opened.why,
                root=opened.root,
                changes=changes,
                is_partial=before.is_partial or after.is_partial,
            )
        )

    def _alone(self) -> AbstractContextManager[None]:
        """What is kept and not yet in the log is nobody's: no other process may drop it then."""
        return locked(self._folder / ".lock")

    def _drop_oldest(self) -> None:
        old = [n for n in self._log.numbers()[:-KEEP] if not self._is_under_way(n)]
        for number in old:
            self._log.remove(number)
        if old:
            self._blobs.keep_only(self._in_use())

    def _is_under_way(self, number: int) -> bool:
        """Whether a step may still be going on, in this process or another."""
        checkpoint = self._log.get(number)
        return not checkpoint.is_sealed and checkpoint.at > self._clock.now() - LONGEST_STEP_MS

    def _in_use(self) -> Iterator[str]:
        for checkpoint in self._log.list_from(0):
            for change in checkpoint.changes:
                yield from (kept.digest for kept in (change.before, change.after) if kept)
        for tree in self._known.values():
            yield from (seen.kept.digest for seen in tree.files.values())


@dataclass(frozen=True, slots=True)
class _Moved:
    """What a step did not make: it came with a folder that nobody looked into where it lay before.

    The number of a folder that is gone may be given to a new one; what lies in that is no older
    than the step.
    """

    before: Tree
    after: Tree
    began_ns: int

    def has(self, change: Change) -> bool:
        seen = self.after.files.get(change.path)
        if change.before is not None or seen is None or seen.mtime_ns >= self.began_ns:
            return False
        above = Path(change.path).parents
        return bool(self.before.passed) and any(_inode(p) in self.before.passed for p in above)


def _inode(path: Path) -> int:
    try:
        return path.lstat().st_ino
    except OSError:
        return 0


def _find_change(path: str, before: Tree, after: Tree) -> Change | None:
    """What a step did to a file; nothing is said of one that a look may have missed."""
    was, now = before.files.get(path), after.files.get(path)
    if was and now:
        return Change(path, was.kept, now.kept) if now.is_other_than(was) else None
    if now:
        return Change(path, None, now.kept) if before.is_known_absent(path) else None
    return Change(path, before.find(path), None) if _is_gone(path) else None


def _is_gone(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def _is_named(path: str, file: str) -> bool:
    return path == file or Path(path).match(file) or path == str(Path(file).resolve())


def _read(path: Path, most_bytes: int) -> File:
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return File(None)
    except OSError:
        return File(None, is_read=False)
    unread = File(None, stat.S_IMODE(status.st_mode), mark_of(status), is_read=False)
    if not stat.S_ISREG(status.st_mode) or status.st_size > most_bytes:
        return unread
    try:
        return replace(unread, content=path.read_bytes(), is_read=True)
    except OSError:
        return unread


def _check_way(plan: Undone) -> Undone:
    """The plan, unless there is no way to its file any more."""
    try:
        os.close(open_folder(Path(plan.path).parent))
    except Refused:
        return replace(plan, outcome=Outcome.BARRED)
    except OSError:
        return plan  # a folder that is gone is made again
    return plan


def _carry_out(plan: Undone) -> Undone:
    """Do as planned; one file that cannot be put back keeps no other from it."""
    try:
        _restore(Path(plan.path), plan.then)
    except Refused:
        return replace(plan, outcome=Outcome.BARRED)
    except OSError:
        return replace(plan, outcome=Outcome.FAILED)
    return plan


def _restore(path: Path, file: File) -> None:
    if file.content is not None:
        return replace_file(path, file.content, file.mode)
    folder = open_folder(path.parent)
    try:
        return os.unlink(path.name, dir_fd=folder)
    except FileNotFoundError:
        return None
    finally:
        os.close(folder)


def _render(undone: Undone) -> str:
    """The diff of one file, headed by why it is not put back where it is not."""
    head = f"--- {undone.path}\n{undone.outcome}\n" if undone.outcome.is_failure else ""
    return head + _render_diff(undone)


def _render_diff(undone: Undone) -> str:
    now, then = (_text_lines(file.content) for file in (undone.now, undone.then))
    if now is None or then is None:
        return f"--- {undone.path}\nbinary content differs\n" if undone.now != undone.then else ""
    lines = unified_diff(now, then, undone.path, f"{undone.path} (rolled back)")
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def _text_lines(content: bytes | None) -> Sequence[str] | None:
    try:
        return (content or b"").decode().splitlines(keepends=True)
    except UnicodeDecodeError:
        return None
