"""A working folder with checkpoints, for tools that touch files."""

import asyncio
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from hermes.agent.checkpoints import Checkpoints, Scope
from hermes.clock import FixedClock
from hermes.tools.base import AnyTool, Question, ToolContext, ToolResult
from hermes.tools.desk import Desk


@dataclass(frozen=True, slots=True)
class Working:
    """Runs tools as the loop does, without a model."""

    folder: Path
    vault: Checkpoints
    home: Path
    allowed: tuple[str, ...] = ()
    progress: list[str] = field(default_factory=list)

    def context(self) -> ToolContext:
        def changing(root: Path, files: tuple[Path, ...], why: str) -> AbstractContextManager[None]:
            return self.vault.around(Scope(root, files), why=why)

        return ToolContext(
            desk=cast(Desk, None),
            session_id="s",
            bank="default",
            workdir=self.folder,
            changing=changing,
            forbidden=(self.home,),
            allowed=self.allowed,
            environ={"PATH": "/usr/bin:/bin", "API_TOKEN": "hush", "LANG": "C.UTF-8"},
            on_progress=self.progress.append,
        )

    def run(self, tool: AnyTool, **arguments: Any) -> ToolResult:
        args = tool.arguments.model_validate(arguments)
        return cast(ToolResult, asyncio.run(_await(tool.run(args, self.context()))))

    def asked(self, tool: AnyTool, **arguments: Any) -> Question | None:
        return tool.approval(tool.arguments.model_validate(arguments), self.context())


async def _await(awaitable: Any) -> Any:
    return await awaitable


def open_working(tmp_path: Path, *allowed: str) -> Working:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir(exist_ok=True)
    home.mkdir(exist_ok=True)
    vault = Checkpoints(home / "checkpoints", FixedClock())
    return Working(folder.resolve(), vault, home.resolve(), allowed)
