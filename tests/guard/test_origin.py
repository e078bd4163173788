"""Trust comes from the column, falls when text is passed on, and decides what may be written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.guard.origin import (
    STANDING,
    Decision,
    Target,
    decide_write,
    inherit,
    is_tainted,
    lowest,
    trust_of,
)
from hermes.types import Origin, Trust

trusts = st.sampled_from(Trust)


@pytest.mark.parametrize(
    ("origin", "trust"),
    [
        (Origin.USER, Trust.HIGH),
        (Origin.AGENT, Trust.MEDIUM),
        (Origin.TOOL, Trust.LOW),
        (Origin.IMPORT, Trust.LOW),
        (Origin.WEB, Trust.NONE),
    ],
)
def test_trust_follows_origin(origin: Origin, trust: Trust) -> None:
    assert trust_of(origin) is trust


def test_every_origin_has_a_trust() -> None:
    assert {trust_of(origin) for origin in Origin} == set(Trust)


def test_what_comes_from_nothing_is_worth_nothing() -> None:
    assert lowest([]) is Trust.NONE


@given(st.lists(trusts, min_size=1))
def test_lowest_is_one_of_them_and_above_none_of_them(given_trusts: list[Trust]) -> None:
    answer = lowest(given_trusts)
    assert answer in given_trusts
    assert all(answer <= trust for trust in given_trusts)


@given(st.sampled_from(Origin), st.lists(trusts))
def test_trust_never_rises_by_being_passed_on(origin: Origin, sources: list[Trust]) -> None:
    answer = inherit(origin, sources)
    assert answer <= trust_of(origin)
    assert all(answer <= trust for trust in sources)


def test_an_agent_that_read_a_page_is_trusted_as_far_as_the_page() -> None:
    assert inherit(Origin.AGENT, [Trust.HIGH, Trust.NONE]) is Trust.NONE
    assert inherit(Origin.AGENT, []) is Trust.MEDIUM


@pytest.mark.parametrize("target", sorted(STANDING))
@pytest.mark.parametrize("origin", [Origin.TOOL, Origin.IMPORT, Origin.WEB])
def test_tainted_text_waits_before_it_stands_in_the_prompt(target: Target, origin: Origin) -> None:
    assert is_tainted(trust_of(origin))
    assert decide_write(target, trust_of(origin)) is Decision.HOLD


@pytest.mark.parametrize("target", sorted(STANDING))
@pytest.mark.parametrize("origin", [Origin.USER, Origin.AGENT])
def test_the_person_and_their_agent_write_unless_it_is_near_certain(
    target: Target, origin: Origin
) -> None:
    assert decide_write(target, trust_of(origin)) is Decision.ALLOW
    assert decide_write(target, trust_of(origin), is_suspect=True) is Decision.HOLD


@given(st.sampled_from([Target.EPISODES, Target.FACTS]), trusts, st.booleans())
def test_what_is_only_recalled_as_data_is_always_kept(
    target: Target, trust: Trust, is_suspect: bool
) -> None:
    assert decide_write(target, trust, is_suspect=is_suspect) is Decision.ALLOW
