"""The README: short, its example runs, and what it points to is there."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_example_runs_as_it_stands(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(example.splitlines()) <= 11
    script = tmp_path / "example.py"
    script.write_text(example)
    done = subprocess.run(
        [sys.executable, script], check=False, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "We moved Atlas to PostgreSQL 16" in done.stdout
    assert done.stdout.count("<recalled") >= 1
    assert "surely" not in done.stdout  # it is the answer
    assert (tmp_path / "my-memory" / "memory.db").exists()


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 150


def test_every_page_is_linked_and_every_link_leads_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    linked = set()
    for page in pages:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
            place = (page.parent / target).resolve()
            assert place.exists(), f"{page.name} points to {target}"
            linked.add(place)
    lost = {page.resolve() for page in pages} - linked - {ROOT / "README.md"}
    assert not {page.name for page in lost}, "no page links to them; see docs/index.md"
