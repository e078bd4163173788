"""Writing the config file: under a lock, checked first, replaced whole or not at all."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from hermes.config.edit import set_value, unset_value
from hermes.config.files import locked, write_atomic
from hermes.config.keys import Annotation, find_annotation, is_optional, is_text, parse_text
from hermes.config.load import check_document, file_place, read_document, read_env
from hermes.config.paths import ProfilePaths, ensure_layout
from hermes.config.problems import HINT, Problem, raise_problems, unknown_key
from hermes.config.references import list_references
from hermes.config.text import Document, Json, Path, parse_document
from hermes.errors import Conflict, UserError

TOGETHER = "Keys that need each other are set at once: hermes config set KEY VALUE KEY VALUE"


@dataclass(frozen=True, slots=True)
class Change:
    """A key and the text it is to be set to."""

    key: str
    text: str


def save_changes(
    paths: ProfilePaths, environ: Mapping[str, str], changes: tuple[Change, ...]
) -> None:
    """Set keys in the config file; all of them, or none if the result would be wrong."""
    parsed = [(parse_key(c.key), parse_setting(c)) for c in changes]

    def edit(document: Document) -> Document:
        for path, value in parsed:
            _refuse_dropping(document, path, value)
            document = set_value(document, path, value)
        _refuse_wrong(document, _variables(paths, environ), [path for path, _ in parsed])
        return document

    _rewrite(paths, edit)


def _refuse_dropping(document: Document, path: Path, value: Json) -> None:
    """A section that is set whole must name what it holds already: nothing goes unsaid."""
    root = document.root
    held = root.find(path) if root is not None else None
    if held is None or not isinstance(value, dict):
        return
    lost = [
        ".".join((*path, *below)) for below in _leaves(held.to_json()) if not _has(value, below)
    ]
    if lost:
        raise UserError(
            f"That would drop what is set now: {', '.join(lost)}",
            f"Set single keys, e.g. `hermes config set {lost[0]} VALUE`; "
            f"`hermes config unset {'.'.join(path)}` drops the section.",
        )


def _leaves(value: Json) -> Iterator[Path]:
    """The keys below a section, down to where there are no more."""
    if not isinstance(value, dict):
        yield ()
        return
    for key, item in value.items():
        yield from ((key, *below) for below in _leaves(item))


def _has(value: Json, path: Path) -> bool:
    for part in path:
        if not isinstance(value, dict) or part not in value:
            return False
        value = value[part]
    return True


def _refuse_wrong(document: Document, variables: Mapping[str, str], changed: list[Path]) -> None:
    """Raise for what is wrong; only what was wrong before the change has a line to name."""

    def place(path: Path) -> str:
        new = any(path[: len(p)] == p for p in changed)
        return "" if new else file_place(document, path)

    problems = check_document(document, variables, place)
    raise_problems(problems, f"{HINT} {TOGETHER}" if any(p.where for p in problems) else "")


def remove_setting(paths: ProfilePaths, environ: Mapping[str, str], key: str) -> None:
    """Take a key out of the config file, wrong ones too; refuses to make the rest wrong."""

    def edit(document: Document) -> Document:
        shorter = unset_value(document, tuple(key.split(".")))
        variables = _variables(paths, environ)
        known = {problem.message for problem in check_document(document, variables)}
        after = check_document(shorter, variables)
        raise_problems([p for p in after if p.message not in known])
        return shorter

    _rewrite(paths, edit)


def replace_config(
    paths: ProfilePaths, environ: Mapping[str, str], text: str, *, instead_of: str
) -> None:
    """Replace the file by a text edited by hand, if it still holds what the edit began with."""

    def edit(document: Document) -> Document:
        if document.text != instead_of:
            raise Conflict(
                f"{paths.config_file} was changed while it was being edited",
                "Look at both versions and run `hermes config edit` again.",
            )
        return check_text(paths, environ, text)

    _rewrite(paths, edit)


def check_text(paths: ProfilePaths, environ: Mapping[str, str], text: str) -> Document:
    """A text read as a config file; raises for all that is wrong with it."""
    document = parse_document(text, str(paths.config_file))
    raise_problems(check_document(document, _variables(paths, environ)))
    return document


def parse_key(key: str) -> Path:
    """A dotted key that exists."""
    path = tuple(key.split("."))
    if find_annotation(path) is None:
        raise_problems([Problem("", unknown_key(path))])
    return path


def parse_setting(change: Change) -> Json:
    """The text of a change as the value its key asks for."""
    path = parse_key(change.key)
    annotation: Annotation = find_annotation(path)
    if any(list_references(change.text)) and not is_text(annotation):
        return change.text
    if any("\ud800" <= character <= "\udfff" for character in change.text):
        raise UserError(f"the value for {change.key} is not valid text", "Give it as UTF-8.")
    if change.text == "null" and is_optional(annotation):
        return None
    return parse_text(annotation, change.text)


def _rewrite(paths: ProfilePaths, edit: Callable[[Document], Document]) -> None:
    ensure_layout(paths)
    with locked(paths.run / "config.lock"):
        document = edit(read_document(paths))
        write_atomic(paths.config_file, document.text)


def _variables(paths: ProfilePaths, environ: Mapping[str, str]) -> dict[str, str]:
    return {**environ, **read_env(paths)[0]}
