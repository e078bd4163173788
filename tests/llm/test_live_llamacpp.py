"""Both adapters, once, with a real small model: llama.cpp speaks both their protocols."""

import asyncio
from collections.abc import Iterator
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
from real_model import WHY_SKIPPED, is_there, serving

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not is_there(), reason=WHY_SKIPPED)]
QUESTION = ChatMessage(Role.USER, "What is the capital of France? One word.")
REQUEST = ModelRequest((QUESTION,), max_tokens=32, temperature=0.0)
CITY: dict[str, object] = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 20}},
    "required": ["city"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as url:
        yield url


def settings_for(provider: str, url: str) -> ModelSettings:
    return ModelSettings(provider=provider, model="any", base_url=url, api_key="none-needed")


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


@pytest.mark.parametrize("provider", ["llamacpp", "anthropic"])
def test_a_real_model_streams_its_answer_and_counts_it(address: str, provider: str) -> None:
    heard, reply = asyncio.run(stream(settings_for(provider, address), REQUEST))
    assert heard == reply.text
    assert "Paris" in heard
    assert reply.usage.output_tokens > 0


def test_a_real_model_keeps_to_a_schema(address: str) -> None:
    shaped = replace(REQUEST, json_schema=JsonSchema("capital", CITY))
    _, reply = asyncio.run(stream(settings_for("llamacpp", address), shaped))
    assert isinstance(parse_json_object(reply)["city"], str)


@pytest.mark.parametrize("provider", ["llamacpp", "anthropic"])
def test_the_probe_finds_a_real_model_well(address: str, provider: str) -> None:
    result = asyncio.run(probe(settings_for(provider, address), within_s=60))
    assert result.ok, result
