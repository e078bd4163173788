"""The house style as limits: sizes, names, edges, and what starting Hermes may load.

A line of an allow-list says why; one that is no longer needed must go.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "hermes"
MAX_FUNCTION_LINES = 50
MAX_FILE_LINES = 400
MAX_CLASS_LINES = 250
MAX_PARAMETERS = 7
VAGUE_NOUNS = {"manager", "helper", "helpers", "util", "utils", "common", "misc", "data", "info"}
VAGUE_VERBS = {"handle", "process", "manage"}
HEAVY = {"numpy", "apsw", "onnxruntime", "httpx2", "pydantic", "fastapi", "starlette", "uvicorn"}

LARGE: dict[str, str] = {}
BROAD_EXCEPT = {
    "agent/calls.py": "the tool-call boundary: what a tool raises is that call's failure",
    "app/background.py": "a worker's loop: the next piece of work needs the thread alive",
    "jobs/worker.py": "the worker's loop: what a job raises is that job's failure",
    "memory/backup/archive.py": "a thread's error is carried over to the thread that waits for it",
    "memory/recall/threads.py": "a thread's error is carried over to whoever waits for its result",
    "server/http/changes.py": "the poller's loop: who listens waits for the next try",
    "server/http/deferral.py": "whatever keeps routes from loading is told by readiness",
    "store/postgres/writer.py": "as on SQLite: an error belongs to whoever asked for the change",
    "store/sqlite/writer.py": "the writer's loop: an error belongs to whoever asked for the change",
}
MANY_PARAMETERS = {
    "cli/fact.py": "an option of a command is a parameter of its function",
    "cli/transfer.py": "an option of a command is a parameter of its function",
}
VAGUELY_NAMED = {
    "tools/html.py": "handle_… override methods of the standard library",
    "testing/server.py": "handle_error overrides a method of the standard library",
    "server/http/deferral.py": "handle overrides a method of the framework",
}

FILES = sorted(SOURCE.rglob("*.py"))
Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(file: Path) -> str:
    return file.relative_to(SOURCE).as_posix()


TREES = {name_of(file): ast.parse(file.read_text("utf-8")) for file in FILES}


def nodes(kind: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    for name, tree in TREES.items():
        yield from ((name, node) for node in ast.walk(tree) if isinstance(node, kind))


def functions() -> Iterator[tuple[str, Function]]:
    for kind in (ast.FunctionDef, ast.AsyncFunctionDef):
        for name, node in nodes(kind):
            assert isinstance(node, Function)
            yield name, node


def lines_of(node: ast.AST) -> int:
    return (getattr(node, "end_lineno", 0) or 0) - getattr(node, "lineno", 0) + 1


def parameters_of(node: Function) -> int:
    given = node.args
    count = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
    first = [arg.arg for arg in (*given.posonlyargs, *given.args)][:1]
    return count - (first in (["self"], ["cls"]))


def assert_allowed(found: dict[str, list[str]], allowed: dict[str, str]) -> None:
    """Nothing beyond the allow-list, and nothing on it that is not found any more."""
    unexpected = [line for file, lines in found.items() if file not in allowed for line in lines]
    assert not unexpected, "\n".join(unexpected)
    stale = sorted(set(allowed) - set(found))
    assert not stale, f"no longer needed in the allow-list: {', '.join(stale)}"
    assert all(allowed.values()), "each line of an allow-list says why"


def gather(pairs: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for file, line in pairs:
        found.setdefault(file, []).append(f"{file}: {line}")
    return found


def test_there_is_something_to_look_at() -> None:
    assert len(FILES) > 100
    assert sum(1 for _ in functions()) > 1000


def test_sizes() -> None:
    def too_large() -> Iterator[tuple[str, str]]:
        for file in FILES:
            size = len(file.read_text("utf-8").splitlines())
            if size > MAX_FILE_LINES:
                yield name_of(file), f"{size} lines in a file, at most {MAX_FILE_LINES}"
        for name, function in functions():
            size = lines_of(function)
            if size > MAX_FUNCTION_LINES:
                yield name, f"{function.name} has {size} lines, at most {MAX_FUNCTION_LINES}"
        for name, node in nodes(ast.ClassDef):
            if lines_of(node) > MAX_CLASS_LINES:
                called = getattr(node, "name", "")
                yield name, f"{called} has {lines_of(node)} lines, at most {MAX_CLASS_LINES}"

    assert_allowed(gather(too_large()), LARGE)


def test_few_parameters() -> None:
    found = gather(
        (name, f"{node.name} takes {parameters_of(node)} parameters, at most {MAX_PARAMETERS}")
        for name, node in functions()
        if parameters_of(node) > MAX_PARAMETERS
    )
    assert_allowed(found, MANY_PARAMETERS)


def is_vague(name: str) -> bool:
    """Whether a name ends in a noun, or begins with a verb, that would suit anything."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)]
    return bool(words) and (words[-1] in VAGUE_NOUNS or words[0] in VAGUE_VERBS)


def test_names_say_something() -> None:
    """A module, class or function is not called what anything could be called."""

    def vague() -> Iterator[tuple[str, str]]:
        for name in TREES:
            for part in Path(name).with_suffix("").parts:
                if is_vague(part):
                    yield name, f"a module called {part}"
        for name, node in (*nodes(ast.ClassDef), *functions()):
            called = getattr(node, "name", "")
            if is_vague(called):
                yield name, f"{called} (line {getattr(node, 'lineno', 0)})"

    assert_allowed(gather(vague()), VAGUELY_NAMED)
    assert all(map(is_vague, ("SessionManager", "text_utils", "_handle", "process_turn", "Info")))
    assert not any(map(is_vague, ("parse_data_url", "Document", "processes", "undo")))


def is_broad(node: ast.ExceptHandler) -> bool:
    caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    names = {getattr(kind, "id", None) for kind in caught}
    return node.type is None or bool(names & {"Exception", "BaseException"})


def gives_up(node: ast.ExceptHandler) -> bool:
    """Whether the error goes on after some tidying: `except BaseException: …; raise`."""
    last = node.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_broad_excepts_stand_only_at_the_edges() -> None:
    def broad() -> Iterator[tuple[str, str]]:
        for name, node in nodes(ast.ExceptHandler):
            assert isinstance(node, ast.ExceptHandler)
            if is_broad(node) and not gives_up(node):
                yield name, f"a broad except in line {node.lineno}"

    assert_allowed(gather(broad()), BROAD_EXCEPT)


def test_nothing_prints() -> None:
    def prints() -> Iterator[tuple[str, str]]:
        for name, node in nodes(ast.Call):
            assert isinstance(node, ast.Call)
            if getattr(node.func, "id", "") == "print":
                yield name, f"print in line {node.lineno}"

    assert_allowed(gather(prints()), {})


@pytest.mark.parametrize("name", TREES)
def test_every_module_says_why_it_exists(name: str) -> None:
    assert ast.get_docstring(TREES[name]), f"{name} has no docstring"


def test_help_loads_nothing_heavy() -> None:
    script = """
import sys
from hermes.cli.main import main
code = main(["--help"], {})
loaded = {name.partition(".")[0] for name in sys.modules}
sys.stderr.write(" ".join(sorted(loaded)))
sys.exit(code)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "Usage" in done.stdout
    loaded = set(done.stderr.split())
    assert "typer" in loaded
    assert not loaded & HEAVY


def test_the_allow_list_is_enforced() -> None:
    """Guards the tests above: an unneeded entry and an unlisted finding both fail."""
    with pytest.raises(AssertionError, match="no longer needed"):
        assert_allowed({}, {"gone.py": "once"})
    with pytest.raises(AssertionError, match=r"new\.py"):
        assert_allowed({"new.py": ["new.py: too long"]}, {})


def test_a_commit_is_checked_as_make_check_does() -> None:
    root = SOURCE.parents[1]
    recipe = re.search(r"^check:.*\n((?:\t.*\n)+)", (root / "Makefile").read_text(), re.MULTILINE)
    assert recipe is not None
    commands = [line.strip().replace("$(BIN)", ".venv/bin") for line in recipe[1].splitlines()]
    hooks = re.findall(r"entry: (.+)", (root / ".pre-commit-config.yaml").read_text())
    assert hooks == commands
