"""The real `hermes` program, run as a person or a script would run it, in a home of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERMES = Path(sys.executable).with_name("hermes")
TIMEOUT_S = 60


@dataclass(frozen=True)
class Program:
    """`hermes` with a home; nothing of the caller's own Hermes reaches it."""

    home: Path
    environ: Mapping[str, str] = field(default_factory=dict)

    def run(
        self, *argv: str | Path, stdin: str | bytes = b"", **environ: str
    ) -> subprocess.CompletedProcess[str]:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [HERMES, *map(str, argv)],
            check=False,
            input=given,
            capture_output=True,
            timeout=TIMEOUT_S,
            env=self.environment(**environ),
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    def environment(self, **environ: str) -> dict[str, str]:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("HERMES_")}
        return {**inherited, "HERMES_HOME": str(self.home), **self.environ, **environ}

    def ok(self, *argv: str | Path, stdin: str | bytes = b"") -> str:
        """What it prints, when it must succeed."""
        done = self.run(*argv, stdin=stdin)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, *argv: str | Path, stdin: str | bytes = b"") -> Any:
        """What it answers with --json."""
        return json.loads(self.ok(*argv, "--json", stdin=stdin))


def message(role: str, content: object, **more: object) -> str:
    """A line of a JSONL file."""
    return json.dumps({"role": role, "content": content, **more}, ensure_ascii=False) + "\n"
