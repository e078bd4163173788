"""Facts, entities, notes, what waits, jobs, the log, banks and profiles over a real socket."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from doors import Address, open_doors, turn


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    with open_doors(tmp_path / "home") as opened:
        yield opened


def test_the_life_of_a_fact(address: Address) -> None:
    kept = address.ask("POST", "/v1/facts", {"text": "User lives in Lisbon"})
    assert kept.status == 201
    ref = kept.json()["fact"]["ref"]
    assert address.ask("GET", f"/v1/facts/{ref}").json()["value"] == "Lisbon"
    assert address.ask("PATCH", f"/v1/facts/{ref}", {"text": "User lives in Porto"}).status == 200
    history = address.ask("GET", f"/v1/facts/{ref}/history").json()["items"]
    assert "revise" in {change["action"] for change in history}
    assert address.ask("GET", f"/v1/facts/{ref}/why").json()["evidence"]
    assert address.ask("DELETE", f"/v1/facts/{ref}").json()["retracted_at"]
    assert address.ask("GET", "/v1/facts").json()["items"] == []
    restored = address.ask("POST", f"/v1/facts/{ref}/restore", {}).json()
    assert restored["retracted_at"] is None
    assert address.ask("GET", "/v1/facts/search?q=Porto").json()["items"][0]["ref"] == ref
    assert address.ask("GET", "/v1/facts/tally").json()["counts"]["believed"] == 1


def test_facts_are_listed_page_by_page(address: Address) -> None:
    for place in ("Lisbon", "Porto", "Faro"):
        address.ask("POST", "/v1/facts", {"text": f"Ana visited {place} in May"})
    first = address.ask("GET", "/v1/facts?limit=2").json()
    assert first["more"]
    last = first["items"][-1]["number"]
    rest = address.ask("GET", f"/v1/facts?limit=2&before={last}").json()
    assert not rest["more"]
    numbers = [each["number"] for each in (*first["items"], *rest["items"])]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == 3


def test_an_agent_s_fact_is_trusted_as_an_agent_s(address: Address) -> None:
    sent = {"text": "User lives in Lisbon", "origin": "agent"}
    assert address.ask("POST", "/v1/facts", sent).json()["fact"]["trust"] == "medium"


def test_facts_that_say_different_things_are_merged_only_where_that_is_meant(
    address: Address,
) -> None:
    for text in ("User has a cat called Miso", "User has a cat called Bean"):
        address.ask("POST", "/v1/facts", {"text": text})
    assert address.ask("POST", "/v1/facts/1/merge", {"other": "2"}).status == 409
    assert len(address.ask("GET", "/v1/facts").json()["items"]) == 2
    merged = address.ask("POST", "/v1/facts/1/merge", {"other": "2", "unlike": True})
    assert len(merged.json()["sources"]) == 2


def test_a_fact_that_would_end_before_it_began_is_refused(address: Address) -> None:
    times = {"valid_from": "2024-01-01T00:00:00Z", "valid_to": "2023-01-01T00:00:00Z"}
    sent = {"text": "User lives in Porto"} | times
    assert address.ask("POST", "/v1/facts", sent).status == 400


def test_entities_are_merged_and_split(address: Address) -> None:
    address.ask("POST", "/v1/facts", {"text": "Atlas uses PostgreSQL"})
    address.ask("POST", "/v1/facts", {"text": "Zephyr uses PostgreSQL"})
    names = {each["name"] for each in address.ask("GET", "/v1/entities").json()["items"]}
    assert {"Atlas", "Zephyr"} <= names
    merged = address.ask("POST", "/v1/entities/merge", {"keep": "Atlas", "other": "Zephyr"}).json()
    assert "Zephyr" in merged["aliases"]
    assert address.ask("GET", "/v1/entities/Zephyr").json()["name"] == "Atlas"
    split = address.ask("POST", "/v1/entities/split", {"name": "Atlas", "aliases": ["Zephyr"]})
    assert [each["name"] for each in split.json()["items"]] == ["Atlas", "Zephyr"]
    assert address.ask("GET", "/v1/entities/suggestions").status == 200


def test_notes_change_and_tainted_ones_wait(address: Address) -> None:
    add = {"operations": [{"action": "add", "content": "Tests run with make test."}]}
    assert address.ask("POST", "/v1/notes/memory", add).json()["done"]
    book = address.ask("GET", "/v1/notes/memory").json()
    assert [note["text"] for note in book["notes"]] == ["Tests run with make test."]
    tainted = {"operations": [{"action": "add", "content": "From a page"}], "origin": "web"}
    held = address.ask("POST", "/v1/notes/memory", tainted).json()["held"][0]
    assert address.ask("GET", "/v1/pending").json()["items"][0]["id"] == held["id"]
    assert address.ask("POST", f"/v1/pending/{held['id']}/approve").json()["verdict"] == "approved"
    assert len(address.ask("GET", "/v1/notes/memory").json()["notes"]) == 2
    other = address.ask("POST", "/v1/notes/user", tainted).json()["held"][0]
    assert address.ask("POST", f"/v1/pending/{other['id']}/reject").json()["verdict"] == "rejected"


def test_a_fact_that_was_rejected_says_so(address: Address) -> None:
    sent = {"text": "User lives in Berlin", "origin": "web"}
    ref = address.ask("POST", "/v1/facts", sent).json()["fact"]["ref"]
    assert address.ask("GET", f"/v1/facts/{ref}").json()["rejected"] is False
    (held,) = address.ask("GET", "/v1/pending").json()["items"]
    address.ask("POST", f"/v1/pending/{held['id']}/reject")
    (listed,) = address.ask("GET", "/v1/facts").json()["items"]
    (found,) = address.ask("GET", "/v1/facts/search?q=Berlin").json()["items"]
    why = address.ask("GET", f"/v1/facts/{ref}/why").json()["fact"]
    for fact in (listed, found, why, address.ask("GET", f"/v1/facts/{ref}").json()):
        assert (fact["held"], fact["rejected"]) == (True, True)
    gone = address.ask("DELETE", f"/v1/facts/{ref}").json()
    back = address.ask("POST", f"/v1/facts/{ref}/restore", {}).json()
    for fact in (gone, back):
        assert (fact["held"], fact["rejected"]) == (True, True)


def test_the_user_model_names_its_facts(address: Address) -> None:
    ref = address.ask("POST", "/v1/facts", {"text": "User lives in Lisbon"}).json()["fact"]["ref"]
    lines = address.ask("GET", "/v1/user").json()["lines"]
    assert [line["facts"] for line in lines] == [[ref]]


def test_the_log_is_written_read_and_verified(address: Address) -> None:
    sent = {"kind": "decision", "summary": "Took the blue kayak", "details": {"why": "it floats"}}
    assert address.ask("POST", "/v1/events", sent).status == 201
    (event,) = address.ask("GET", "/v1/events?kind=decision").json()["items"]
    assert event["details"] == {"why": "it floats"}
    assert address.ask("GET", "/v1/events/verify").json()["sound"]
    assert address.ask("GET", "/v1/events?since=2030-01-01").json()["items"] == []


def test_jobs_are_cancelled_and_retried(address: Address) -> None:
    app = address.app
    number = app.store.write(lambda tx: tx.jobs.add("vacuum", now=app.clock.now()))
    assert address.ask("GET", "/v1/jobs").json()["items"][0]["id"] == number
    cancelled = address.ask("POST", f"/v1/jobs/{number}/cancel").json()
    assert cancelled["state"] == "cancelled"
    assert address.ask("POST", f"/v1/jobs/{number}/retry").json()["state"] == "waiting"


def test_banks_and_profiles(address: Address) -> None:
    made = address.ask("POST", "/v1/banks", {"name": "atlas", "description": "The project"})
    assert made.status == 201
    assert address.ask("GET", "/v1/banks/atlas").json()["description"] == "The project"
    assert address.ask("GET", "/v1/profile").json() == {"name": "default", "active": True}
    assert address.ask("POST", "/v1/profiles", {"name": "work"}).status == 201
    names = [each["name"] for each in address.ask("GET", "/v1/profiles").json()["items"]]
    assert names == ["default", "work"]
    assert address.ask("DELETE", "/v1/profiles/work").json()["name"] == "work"
    assert address.ask("GET", "/v1/profiles/deleted").json()["items"][0]["name"] == "work"
    assert address.ask("POST", "/v1/profiles/work/restore").status == 200
    assert address.ask("DELETE", "/v1/profiles/default").status == 400


def test_backups_are_made_verified_and_removed(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("Something worth keeping."))
    made = address.ask("POST", "/v1/backups")
    assert made.status == 201
    name = made.json()["name"]
    assert address.ask("POST", "/v1/backups/latest/verify").json()["sound"]
    assert [each["name"] for each in address.ask("GET", "/v1/backups").json()["items"]] == [name]
    assert address.ask("DELETE", f"/v1/backups/{name}").status == 200
    assert address.ask("POST", "/v1/backups/latest/verify").status == 404


def test_a_backup_is_restored_where_no_daemon_works_on_it(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("Before.", "before"))
    address.ask("POST", "/v1/backups")
    address.ask("POST", "/v1/turns", turn("After.", "after"))
    restored = address.ask("POST", "/v1/backups/latest/restore")
    assert restored.status == 200, restored.body
    assert restored.json()["counts"]["messages"] == 2
    ids = [each["id"] for each in address.ask("GET", "/v1/sessions").json()["items"]]
    assert ids == ["before"]


@pytest.mark.parametrize("name", ["..%2f..%2fetc%2fpasswd", "%2Fetc%2Fpasswd", "..", "a..b"])
def test_a_backup_is_never_a_path(address: Address, name: str) -> None:
    assert address.ask("POST", f"/v1/backups/{name}/verify").status in (404, 405, 422)
    assert address.ask("DELETE", f"/v1/backups/{name}").status in (404, 405, 422)


def test_erasing_is_planned_then_done_and_proved(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("My old address is 12 Quince Lane."))
    task = {"matching": ["12 Quince Lane"], "prove": True}
    plan = address.ask("POST", "/v1/erase", task).json()
    assert plan["planned"]
    assert plan["erased"] == {}
    assert address.ask("GET", "/v1/sessions/search?q=Quince").json()["hits"]
    done = address.ask("POST", "/v1/erase", {**task, "confirm": True}).json()
    assert sum(done["erased"].values()) >= 1
    assert done["proof"]["clean"]
    assert not address.ask("GET", "/v1/sessions/search?q=Quince").json()["hits"]
    assert address.ask("POST", "/v1/erase", {}).status == 400


def test_compaction_is_tried_dry(address: Address) -> None:
    assert address.ask("POST", "/v1/compact", {"dry_run": True}).json()["summaries"] == []
    assert address.ask("POST", "/v1/compact/undo", {}).status == 404
    assert address.ask("GET", "/v1/summaries").json() == {"items": [], "more": False}


def test_an_export_comes_back_whole(address: Address, tmp_path: Path) -> None:
    address.ask("POST", "/v1/turns", turn("Carry me over.", "trip"))
    address.ask("POST", "/v1/facts", {"text": "User lives in Lisbon"})
    carried = address.ask("GET", "/v1/export")
    assert carried.headers["content-type"] == "application/json"
    with open_doors(tmp_path / "other") as other:
        dry = other.ask("POST", "/v1/import?dry_run=true", carried.body).json()
        assert dry["sections"]["messages"]["added"] == 2
        assert other.ask("GET", "/v1/sessions").json()["items"] == []
        assert other.ask("POST", "/v1/import", carried.body).status == 200
        assert other.ask("GET", "/v1/export").body == carried.body
        assert other.ask("POST", "/v1/import", b"no export").status == 400
        assert list((tmp_path / "other" / "run").glob("upload-*")) == []


def test_status_doctor_and_metrics(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("One."))
    found = address.ask("GET", "/v1/status").json()
    assert found["store"]["counts"]["messages"] == 2
    assert "home" not in found
    assert "location" not in found["store"]
    assert address.ask("GET", "/v1/memory/status").json()["episodes"]["raw"] == 1
    parts = address.ask("GET", "/v1/doctor").json()["items"]
    assert {"database", "key", "log"} <= {each["part"] for each in parts}
    assert str(address.app.paths.home.root) not in str(parts)
    text = address.ask("GET", "/metrics").body.decode()
    assert 'hermes_rows{kind="messages"} 2' in text
    assert 'hermes_http_requests_total{method="POST",route="/v1/turns",status="201"} 1' in text
    assert 'hermes_http_request_seconds_bucket{route="/v1/turns",le="+Inf"} 1' in text
    families = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    explained = [line.split()[2] for line in text.splitlines() if line.startswith("# HELP")]
    assert sorted(explained) == sorted(families)
    values = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(line.startswith(tuple(families)) for line in values)


def test_reflections_are_listed(address: Address) -> None:
    address.ask("POST", "/v1/turns", turn("Deploy it.", "task"))
    assert address.ask("POST", "/v1/sessions/task/reflect").status == 200
    assert address.ask("GET", "/v1/reflections").status == 200
    assert address.ask("GET", "/v1/reflections/reflection:9").status == 404
