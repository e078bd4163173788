"""Long requests: a body goes to a file only its owner may read, which is gone afterwards."""

import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from starlette.requests import ClientDisconnect, Request

from hermes.config.files import FILE_MODE
from hermes.errors import UserError
from hermes.server.http.entry import Door


@asynccontextmanager
async def spooled(request: Request, door: Door) -> AsyncIterator[Path]:
    """The body of a request as a file, for as long as it is looked at."""
    file = door.app.paths.run / f"upload-{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    handle = os.open(file, flags, FILE_MODE)
    try:
        with os.fdopen(handle, "wb") as stream:
            try:
                async for chunk in request.stream():
                    if chunk:
                        await door.call(partial(stream.write, chunk))
            except ClientDisconnect as error:
                raise UserError("The upload was cut short.", "Send it again.") from error
        yield file
    finally:
        file.unlink(missing_ok=True)
