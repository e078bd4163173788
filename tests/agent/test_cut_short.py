"""A reply that comes to its limit says which one, and is not asked for in vain again."""

from pathlib import Path

from talking import opened, talk_with

from hermes.agent.events import End, Noted
from hermes.app import App
from hermes.llm.base import Finish, ModelReply, Usage


def test_an_answer_cut_before_it_began_names_its_limit_and_is_not_paid_for_twice(app: App) -> None:
    used = Usage(input_tokens=100, output_tokens=4_096)
    cut = ModelReply("", finish=Finish.LENGTH, usage=used)
    talk = talk_with(app, [cut, "never asked for"])
    outcome = talk.say("write a long file")
    assert outcome.end is End.FAILED
    assert outcome.error is not None
    assert "4,096 tokens an answer (model.maxTokens)" in outcome.error.message
    assert "`hermes config set model.maxTokens 16384`" in outcome.error.hint
    assert "another model" not in outcome.error.hint
    assert len(talk.model.requests) == 1
    assert outcome.usage == used, "what was paid for is told"


def test_a_limit_that_comes_of_the_window_names_both(tmp_path: Path) -> None:
    settings = {"model_contextTokens": "8192", "model_provider": "openai", "model_model": "m"}
    with opened(tmp_path / "small", **settings) as app:
        outcome = talk_with(app, [ModelReply("", finish=Finish.LENGTH)]).say("write it")
    assert outcome.error is not None
    assert "limit of 2,048 tokens" in outcome.error.message
    assert "model.maxTokens 8192 model.contextTokens 32768" in outcome.error.hint


def test_an_answer_cut_in_its_midst_says_what_to_raise(app: App) -> None:
    talk = talk_with(app, [ModelReply("I will write", finish=Finish.LENGTH)])
    assert talk.say("write it").end is End.CUT
    [told] = [event.text for event in talk.events if isinstance(event, Noted)]
    assert "model.maxTokens" in told
