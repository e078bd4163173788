"""Every Python example of the pages on the library and the agent runs, against a real server."""

import re
from pathlib import Path

import pytest

from hermes.testing import Say, ScriptedServer

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for page in ("library.md", "agent.md"):
        blocks = BLOCK.findall((DOCS / page).read_text("utf-8"))
        found += [(f"{page} {number}", block) for number, block in enumerate(blocks, 1)]
    return found


def test_there_are_examples() -> None:
    assert len(examples()) >= 5


@pytest.mark.parametrize(("name", "code"), examples(), ids=[name for name, _ in examples()])
def test_an_example_runs(
    name: str,
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("HERMES_HOME", "HERMES_PROFILE"):
        monkeypatch.delenv(variable, raising=False)
    with ScriptedServer(lambda received: Say("Tea, of course.")) as server:
        exec(compile(code, name, "exec"), {"BASE_URL": server.base_url, "__name__": "example"})  # noqa: S102
    said = capsys.readouterr().out
    expected = {
        "library.md 1": "bluefin",
        "library.md 2": "Tea, of course.",
        "library.md 3": "Tea, of course.",
        "library.md 4": "Take an umbrella.",
        "library.md 5": "Oolong.\n3 requests",
        "agent.md 1": "1.0",
    }
    assert expected[name] in said
