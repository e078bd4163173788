"""Once, end to end, the agent with a real small model behind llama.cpp.

Set HERMES_TEST_LLAMACPP_URL to a running `llama-server` with tools (`--jinja`). Otherwise this says
that it was skipped.
"""

import asyncio
import os
from pathlib import Path

import pytest
from talking import opened, texts_of

from hermes.agent.events import End
from hermes.types import Role

URL = os.environ.get("HERMES_TEST_LLAMACPP_URL", "")


@pytest.mark.slow
@pytest.mark.skipif(
    not URL, reason="THE AGENT WAS NOT TESTED WITH A REAL MODEL: set HERMES_TEST_LLAMACPP_URL"
)
def test_a_real_small_model_answers_and_is_remembered(tmp_path: Path) -> None:
    settings = {"model_provider": "llamacpp", "model_model": "any", "model_baseUrl": URL}
    with opened(tmp_path, **settings) as app:
        chat = app.agent.open_chat()
        outcome = asyncio.run(chat.say("My name is Ana. Say hello to me by name."))
        assert outcome.end is End.DONE
        assert "Ana" in outcome.text
        assert texts_of(app, chat.thread.id, Role.ASSISTANT)[-1] == outcome.text
