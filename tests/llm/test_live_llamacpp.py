"""Once, end to end, with a real small model behind llama.cpp.

Set HERMES_TEST_LLAMACPP_URL to a running `llama-server`, or have `llama-server` installed and set
HERMES_TEST_GGUF to the file of a small instruction-tuned model. Otherwise this says it was skipped.
"""

import asyncio
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from hermes.llm.base import (
    ChatMessage,
    Finished,
    JsonSchema,
    ModelReply,
    ModelRequest,
    ModelSettings,
    TextDelta,
)
from hermes.llm.catalog import open_model
from hermes.llm.probe import probe
from hermes.llm.structured import parse_json_object
from hermes.types import Role

URL = os.environ.get("HERMES_TEST_LLAMACPP_URL", "")
GGUF = os.environ.get("HERMES_TEST_GGUF", "")
BINARY = shutil.which("llama-server")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not URL and not (BINARY and GGUF),
        reason="NOT TESTED WITH A REAL MODEL: set HERMES_TEST_LLAMACPP_URL, or HERMES_TEST_GGUF"
        " beside an installed llama-server",
    ),
]


@contextmanager
def running_server() -> Iterator[str]:
    if URL:
        yield URL
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(BINARY), "-m", GGUF, "--port", str(port), "--jinja", "-c", "2048"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


async def wait_until_ready(settings: ModelSettings) -> None:
    async with asyncio.timeout(120):
        while not (result := await probe(settings, within_s=60)).ok:
            assert result.reason in {"no connection", "server error"}, result
            await asyncio.sleep(0.2)


async def stream(settings: ModelSettings, request: ModelRequest) -> tuple[str, ModelReply]:
    model = open_model(settings)
    heard = ""
    try:
        async for event in model.stream(request):
            if isinstance(event, TextDelta):
                heard += event.text
            elif isinstance(event, Finished):
                return heard, event.reply
    finally:
        await model.close()
    raise AssertionError("the stream ended without its last event")


def test_a_real_model_answers_streams_and_keeps_to_a_schema() -> None:
    async def run() -> None:
        with running_server() as url:
            settings = ModelSettings(provider="llamacpp", model="any", base_url=url)
            await wait_until_ready(settings)
            question = ChatMessage(Role.USER, "What is the capital of France? One word.")
            request = ModelRequest((question,), max_tokens=64, temperature=0.0)
            heard, reply = await stream(settings, request)
            assert heard == reply.text != ""
            assert reply.usage.output_tokens > 0
            schema: dict[str, object] = {
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
                "additionalProperties": False,
            }
            shaped = replace(request, json_schema=JsonSchema("capital", schema))
            _, reply = await stream(settings, shaped)
            assert isinstance(parse_json_object(reply)["city"], str)

    asyncio.run(run())
