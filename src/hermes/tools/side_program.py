"""Work on other people's text that may never end, as a program of its own: it can be stopped."""

import asyncio
import sys
from collections.abc import Mapping


async def run_aside(
    program: str, asked: bytes, environ: Mapping[str, str], *, timeout_s: float
) -> tuple[bytes, int]:
    """What a file of Python writes when it is given `asked`, and its exit code.

    `TimeoutError` where it takes longer; it does not outlive this call, however that ends. It sees
    the standard library alone, and nothing of the folder it is started in, which may be anybody's.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-X",
        "utf8",
        program,
        cwd="/",
        env=dict(environ),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        found, _ = await asyncio.wait_for(process.communicate(asked), timeout_s)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return found, process.returncode or 0
