"""Everything the OpenAPI document allows, and much it does not, against a live server: no 5xx.

Schemathesis writes the requests from the document, Hypothesis chooses what is in them.
"""

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import response_schema_conformance

from doors import Address, open_doors, turn

EXAMPLES = 12
ENDLESS = "/v1/changes"  # a stream that ends when the client has enough


@pytest.fixture(scope="module")
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


@pytest.fixture(scope="module")
def schema(address: Address) -> schemathesis.BaseSchema:
    document = address.ask("GET", "/v1/openapi.json").json()
    loaded = schemathesis.openapi.from_dict(document)
    loaded.config.update(base_url=address.url)
    return loaded.exclude(path=ENDLESS)


fuzzed = schemathesis.pytest.from_fixture("schema")


@pytest.mark.slow
@fuzzed.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
def test_no_request_breaks_it(case: Case, address: Address) -> None:
    answer = case.call(headers={"authorization": f"Bearer {address.token}"}, timeout=30)
    assert answer.status_code < 500, (case.as_curl_command(), answer.content)
    if answer.status_code >= 400:
        assert set(answer.json()) == {"error", "message", "hint"}
    else:
        case.validate_response(answer, checks=[response_schema_conformance])
