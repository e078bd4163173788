"""Everything the OpenAPI document allows, and much it does not, against a live server: no 5xx.

Schemathesis writes the requests from the document, Hypothesis chooses what is in them.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import response_schema_conformance

from doors import Address, open_doors, turn

AnyOperation = APIOperation[Any, Any, Any, Any]
EXAMPLES = 4
ENDLESS = "/v1/changes"  # a stream that ends when the client has enough
SLOW_S = 120
FUZZING = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)


@pytest.fixture
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    with open_doors(tmp_path_factory.mktemp("fuzz") / "home") as opened:
        fill(opened)
        yield opened


def fill(address: Address) -> None:
    """Something of each kind, so that answers have something in them."""
    address.ask("POST", "/v1/turns", turn("We paddle on the Elbe.", "kayak-trip"))
    address.ask("POST", "/v1/facts", {"text": "User lives in Lisbon"})
    address.ask("POST", "/v1/facts", {"text": "Atlas uses PostgreSQL"})
    note = {"operations": [{"action": "add", "content": "From a page"}], "origin": "web"}
    address.ask("POST", "/v1/notes/memory", note)


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode), ids=str)
def test_no_request_breaks_it(address: Address, mode: GenerationMode) -> None:
    document = address.ask("GET", "/v1/openapi.json").json()
    schema = schemathesis.openapi.from_dict(document).exclude(path=ENDLESS)
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) > 60
    for operation in operations:
        attack(operation, mode, address)
    assert address.ask("GET", "/v1/events/verify").json()["sound"]


def attack(operation: AnyOperation, mode: GenerationMode, address: Address) -> None:
    """Send an operation what Hypothesis makes of its description."""
    headers = {"authorization": f"Bearer {address.token}"}

    @FUZZING
    @given(operation.as_strategy(generation_mode=mode))
    def send(case: Case[Any]) -> None:
        answer = case.call(base_url=address.url, headers=headers, timeout=SLOW_S)
        assert answer.status_code < 500, (case.as_curl_command(), answer.content)
        if answer.status_code >= 400:
            assert set(answer.json()) == {"error", "message", "hint"}, case.as_curl_command()
        else:
            case.validate_response(answer, checks=[response_schema_conformance])

    with suppress(Unsatisfiable):  # there is no wrong way to ask for what takes no argument
        send()
