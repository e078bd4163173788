"""What is exported is what was kept, and what import reads."""

import json
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.exporting import render_content
from hermes.memory.payloads import render_marker
from hermes.memory.transcript import parse_message
from hermes.types import Payload

LINES = st.lists(st.text("ab [],c", min_size=1, max_size=12), min_size=1, max_size=4)
PAYLOADS = st.lists(
    st.builds(
        Payload,
        st.sampled_from(["image/png", "application/pdf"]),
        st.binary(min_size=1, max_size=9),
    ),
    max_size=3,
)


@given(LINES, PAYLOADS)
def test_parts_give_back_text_and_payloads(lines: list[str], payloads: list[Payload]) -> None:
    text = "\n".join([*lines, *(render_marker(p) for p in payloads)])
    content = render_content(text, payloads)
    said = parse_message({"role": "user", "content": json.loads(json.dumps(content))})
    assert said.text == text
    assert said.payloads == tuple(payloads)


def _urls(content: object) -> Iterator[str]:
    for part in content if isinstance(content, list) else ():
        if "image_url" in part:
            yield part["image_url"]["url"]


def test_a_marker_inside_a_line_becomes_a_data_url_there() -> None:
    payload = Payload("image/png", b"x" * 100)
    content = render_content(f"see {render_marker(payload)} here", [payload])
    assert not list(_urls(content))
    assert isinstance(content, list) and content[0]["text"].startswith("see data:image/png;base64,")
    assert content[0]["text"].endswith(" here")


def test_a_payload_nobody_mentions_is_not_lost() -> None:
    payload = Payload("image/png", b"x")
    assert list(_urls(render_content("look", [payload]))) == ["data:image/png;base64,eA=="]
