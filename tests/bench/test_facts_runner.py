"""The benchmark of facts runs the product's own path, and holds what the rules promise."""

from hermes.bench.facts.loader import Half
from hermes.bench.facts.runner import render_result, run_facts


def test_the_rules_meet_their_goals_on_the_development_half() -> None:
    result = run_facts(Half.DEV)
    assert result.is_met, render_result(result)
    assert result.score.supersession.wrong == 0
    shown = render_result(result)
    assert "| precision | 0.9" in shown or "| precision | 1.0" in shown
    assert f"{result.facts} facts" in shown
