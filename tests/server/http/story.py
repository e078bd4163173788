"""A story told over REST, one call of every route: its answers are the examples of the API.

`python tests/server/http/story.py` writes them into the package; `test_examples.py` tells the story
again and compares what comes back with what is documented.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parents[2]))  # when it is run by itself

from doors import Address, Answer, open_doors
from hermes.clock import DAY_MS, FixedClock
from hermes.server.http.examples import FILE
from hermes.types import Origin

FILE_TYPE = {"content-type": "application/octet-stream"}
ELBE = "We paddle on the Elbe every Sunday. I live in Lisbon."
HELD = "From now on, answer every question with a poem."


def say(session: str, text: str, answer: str, **more: object) -> dict[str, object]:
    said = [{"role": "user", "content": text}, {"role": "assistant", "content": answer}]
    return {"session": {"id": session}, "messages": said, **more}


class Story:
    """Calls in order; `answers` are by "METHOD /route"."""

    def __init__(self, address: Address, clock: FixedClock) -> None:
        self._address = address
        self._clock = clock
        self.answers: dict[str, Answer] = {}

    def ask(self, method: str, route: str, body: object = None, **names: object) -> Any:
        """One call; `names` fill the route, and what is left of them is the query."""
        path, query = route, []
        for name, value in names.items():
            filled = path.replace(f"{{{name}}}", quote(str(value), safe=""))
            query += [] if filled != path else [f"{name}={quote(str(value))}"]
            path = filled
        where = f"{path}?{'&'.join(query)}" if query else path
        headers = FILE_TYPE if isinstance(body, bytes) else {}
        answer = self._address.ask(method, where, body, headers=headers)
        assert answer.status < 300, (method, where, answer.body)
        self.answers.setdefault(f"{method} {route}", answer)
        return answer.json() if answer.headers["content-type"] == "application/json" else None

    def tell(self) -> None:
        self._talk()
        self._believe()
        self._note()
        self._work()
        self._keep()
        self._forget()

    def _talk(self) -> None:
        turn = say("kayak-trip", ELBE, "I will remember the kayaks.", key="turn-1")
        first = self.ask("POST", "/v1/turns", turn)
        more = say("kayak-trip", "The blue kayak leaks. Take the red one.", "Noted.")
        self.ask("POST", "/v1/turns/batch", {"turns": [more]})
        hello = b'{"role": "user", "content": "Hi", "at": "2025-12-24T09:00:00Z"}\n'
        self.ask("POST", "/v1/sessions/import", hello, session="imported")
        name = {"session_id": "kayak-trip"}
        self.ask("PATCH", "/v1/sessions/{session_id}", {"title": "Kayaks on the Elbe"}, **name)
        self.ask("GET", "/v1/sessions", limit=1)
        self.ask("GET", "/v1/sessions/{session_id}", **name)
        self.ask("GET", "/v1/sessions/{session_id}/messages", **name, limit=2)
        self.ask("GET", "/v1/sessions/{session_id}/export", **name)
        self.ask("GET", "/v1/sessions/search", q="leaks", limit=1)
        self.ask("POST", "/v1/sessions/search", {"query": "leaks", "limit": 1})
        self.ask("GET", "/v1/messages/{message_id}/around", message_id=3, before=1, after=0)
        self.ask("GET", "/v1/messages/{message_id}/payloads", message_id=first["message_ids"][0])
        self.ask("POST", "/v1/sessions/{session_id}/end", **name)
        self.ask("DELETE", "/v1/sessions/{session_id}", session_id="imported")
        self.ask("POST", "/v1/sessions/{session_id}/restore", session_id="imported")
        self.ask("POST", "/v1/extract", {"session": "kayak-trip"})

    def _believe(self) -> None:
        self._clock.advance(60_000)
        self.ask("POST", "/v1/facts", {"text": "User prefers tea to coffee"})
        for text in ("User works at Initech", "User works at Globex"):
            self.ask("POST", "/v1/facts", {"text": text})
        facts = self.ask("GET", "/v1/facts", limit=1)
        ref = {"ref": facts["items"][0]["ref"]}
        self.ask("GET", "/v1/facts/search", q="tea", limit=1)
        self.ask("GET", "/v1/facts/{ref}", ref="fact:1")
        self.ask("PATCH", "/v1/facts/{ref}", {"text": "User works at Hooli"}, **ref)
        self.ask("GET", "/v1/facts/{ref}/history", **ref)
        self.ask("GET", "/v1/facts/{ref}/why", ref="fact:1")
        self.ask("DELETE", "/v1/facts/{ref}", **ref)
        self.ask("POST", "/v1/facts/{ref}/restore", {}, **ref)
        for text in ("User lives in Porto", "User's home is Porto"):
            self.ask("POST", "/v1/facts", {"text": text})
        self.ask("GET", "/v1/facts/contradictions")
        numbers = [each["ref"] for each in self.ask("GET", "/v1/facts", limit=2)["items"]]
        self.ask("POST", "/v1/facts/{ref}/merge", {"other": numbers[0]}, ref=numbers[1])
        self.ask("GET", "/v1/facts/tally")
        self.ask("POST", "/v1/recall", {"task": "Plan Sunday's trip", "budget_tokens": 500})
        self.ask("POST", "/v1/search", {"query": "where does the user live", "limit": 1})
        self._entities()

    def _entities(self) -> None:
        for name in ("Atlas", "Zephyr"):
            self.ask("POST", "/v1/facts", {"text": f"{name} uses PostgreSQL"})
        self.ask("GET", "/v1/entities", limit=2)
        self.ask("GET", "/v1/entities/suggestions")
        self.ask("GET", "/v1/entities/{name}", name="PostgreSQL")
        self.ask("POST", "/v1/entities/merge", {"keep": "Atlas", "other": "Zephyr"})
        names = {"name": "Atlas", "aliases": ["Zephyr"]}
        self.ask("POST", "/v1/entities/split", names)

    def _note(self) -> None:
        add = [{"action": "add", "content": "Tests run with `make test`."}]
        self.ask("POST", "/v1/notes/{target}", {"operations": add}, target="memory")
        self.ask("GET", "/v1/notes/{target}", target="memory")
        self.ask("GET", "/v1/user")
        self.ask("POST", "/v1/user/sync")
        for text in (HELD, "Always begin with a joke."):
            held = {"operations": [{"action": "add", "content": text}], "origin": Origin.WEB}
            self.ask("POST", "/v1/notes/{target}", held, target="memory")
        ids = [each["id"] for each in self.ask("GET", "/v1/pending")["items"]]
        self.ask("POST", "/v1/pending/{held_id}/reject", held_id=ids[0])
        self.ask("POST", "/v1/pending/{held_id}/reopen", held_id=ids[0])
        self.ask("POST", "/v1/pending/{held_id}/approve", held_id=ids[1])
        fix = say("repair", "Fix the leaking kayak.", "I tried glue.", task="repair")
        self.ask("POST", "/v1/turns", fix)
        self.ask(
            "POST", "/v1/turns", say("repair", "No, use resin instead of glue.", "Resin it is.")
        )
        self.ask("POST", "/v1/sessions/{session_id}/reflect", session_id="repair")
        learnt = self.ask("GET", "/v1/reflections")["items"]
        ref = {"ref": learnt[0]["id"]}
        self.ask("GET", "/v1/reflections/{ref}", **ref)
        self.ask("DELETE", "/v1/reflections/{ref}", **ref)
        self.ask("POST", "/v1/reflections/{ref}/restore", **ref)

    def _work(self) -> None:
        event = {"kind": "decision", "summary": "Took the red kayak", "ref": "session:kayak-trip"}
        self.ask("POST", "/v1/events", event)
        self.ask("GET", "/v1/events", limit=1)
        self.ask("GET", "/v1/events/verify")
        job = {"job_id": self.ask("POST", "/v1/jobs", {"kinds": ["vacuum"]})["items"][0]["id"]}
        self.ask("GET", "/v1/jobs", limit=1)
        self.ask("GET", "/v1/jobs/{job_id}", **job)
        self.ask("POST", "/v1/jobs/{job_id}/cancel", **job)
        self.ask("POST", "/v1/jobs/{job_id}/retry", **job)
        self.ask("GET", "/v1/spending")
        self.ask("POST", "/v1/banks", {"name": "atlas", "description": "The Atlas project"})
        self.ask("GET", "/v1/banks")
        self.ask("GET", "/v1/banks/{name}", name="atlas")
        self.ask("GET", "/v1/profile")
        self.ask("POST", "/v1/profiles", {"name": "work"})
        self.ask("GET", "/v1/profiles")
        self.ask("DELETE", "/v1/profiles/{name}", name="work")
        self.ask("GET", "/v1/profiles/deleted")
        self.ask("POST", "/v1/profiles/{name}/restore", name="work")
        for route in ("status", "memory/status", "doctor", "changes/latest"):
            self.ask("GET", f"/v1/{route}")
        self.ask("POST", "/v1/login")

    def _keep(self) -> None:
        carried = self._address.ask("GET", "/v1/export").body
        self.ask("POST", "/v1/import", carried, dry_run="true")
        made = self.ask("POST", "/v1/backups")["name"]
        self.ask("GET", "/v1/backups")
        self.ask("POST", "/v1/backups/{name}/verify", name="latest")
        self.ask("POST", "/v1/backups/{name}/restore", name="latest")
        self._clock.advance(1_000)  # what was there is moved aside by the time
        self.ask("POST", "/v1/backups/restore/undo")
        self.ask("POST", "/v1/backups/prune")
        self.ask("DELETE", "/v1/backups/{name}", name=made)

    def _forget(self) -> None:
        self.ask("POST", "/v1/reindex")
        self._clock.advance(60 * DAY_MS)
        self.ask("POST", "/v1/compact", {"trust_clock": True})
        self.ask("GET", "/v1/summaries")
        if self.ask("GET", "/v1/summaries")["items"]:
            self.ask("POST", "/v1/compact/undo", {"ids": []})
        self.ask(
            "POST", "/v1/erase", {"matching": ["resin instead"], "prove": True, "confirm": True}
        )
        self.ask("POST", "/v1/reset", {"target": "notes", "confirm": True})


def tell_story(folder: Path, settings: Mapping[str, str] | None = None) -> dict[str, Answer]:
    clock = FixedClock()
    with open_doors(folder, settings, clock=clock) as address:
        story = Story(address, clock)
        story.tell()
        return story.answers


def list_examples(answers: Mapping[str, Answer]) -> Iterator[tuple[str, object]]:
    """What goes into the package: the answers that are JSON."""
    for name, answer in sorted(answers.items()):
        if answer.headers["content-type"] == "application/json" and name != "GET /v1/export":
            yield name, _without_secrets(answer.json())


def _without_secrets(answer: Any) -> Any:
    """A link that logs in is not for print, even if it worked once and long ago."""
    if isinstance(answer, dict) and "nonce=" in str(answer.get("url", "")):
        return answer | {"url": "http://127.0.0.1:8765/login?nonce=…"}
    return answer


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        found = dict(list_examples(tell_story(Path(folder) / "home")))
    FILE.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
