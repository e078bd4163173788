"""Once, end to end, the agent with a real small model behind llama.cpp."""

import asyncio
from pathlib import Path

import pytest
from talking import opened, texts_of

from hermes.agent.events import End
from hermes.types import Role
from real_model import WHY_SKIPPED, is_there, serving

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not is_there(), reason=WHY_SKIPPED)]


@pytest.mark.timeout(300)
def test_a_real_small_model_answers_and_is_remembered(tmp_path: Path) -> None:
    """What a model of this size says is not judged: that it was asked, heard and kept is."""
    with serving() as url:
        settings = {"model_provider": "llamacpp", "model_model": "any", "model_baseUrl": url}
        settings["model_maxTokens"] = "64"  # it may not find an end by itself
        with opened(tmp_path, **settings) as app:
            chat = app.agent.open_chat()
            outcome = asyncio.run(chat.say("My name is Ana. Say hello to me by name."))
            assert outcome.end in (End.DONE, End.CUT)
            assert outcome.text
            assert texts_of(app, chat.thread.id, Role.ASSISTANT)[-1] == outcome.text
