"""Export and import by the real command line, over everything a memory can hold."""

import gzip
import json
from pathlib import Path

import jsonschema
import pytest
import zstandard

from conftest import Hermes, Outcome
from hermes.app import App, open_app
from hermes.cli.main import main
from hermes.config.paths import Home
from hermes.memory.portable.records import export_schema
from hermes.store.base import Tx
from hermes.store.base.facts import FactChange, FactFilter
from hermes.types import (
    Entity,
    EntityKind,
    EventKind,
    Fact,
    FactKind,
    FactSource,
    Payload,
    Reflection,
    Role,
    ToolCall,
    Turn,
    Utterance,
)
from talk import going_on, turn

Imported = dict[str, dict[str, dict[str, int]]]
SCHEMA = Path(__file__).parents[2] / "docs" / "export.schema.json"


def fill(app: App) -> None:
    """Something of every kind."""
    said = Utterance(
        Role.ASSISTANT,
        "see the picture",
        calls=(ToolCall("c1", "look", '{"at": "ü"}'),),
        payloads=(Payload("image/png", bytes(range(256)) * 20_000), Payload("text/plain", b"hi")),
    )
    app.conversations.record([turn("The launch is on Friday 🚀", "Noted", key="k1")])
    app.conversations.record([going_on(turn("and at noon"))])
    app.conversations.record([Turn(turn("x", session="s2", bank="work").session, (said,), "look")])
    app.conversations.record([turn("gone soon", session="s3")])
    app.conversations.delete("s3")
    app.store.write(_add_facts)
    app.store.write(_add_reflections)
    app.events.record(EventKind.DECISION, "Chose Friday", details={"why": ["noon"]}, ref="fact:1")
    line = app.events.record(EventKind.TASK, "Said something private")
    app.store.write(lambda tx: tx.events.erase([line.id], at=line.at))
    app.paths.memory_note.write_text("- likes tea\n")
    app.paths.seed_file.write_text("My own words\n")


def _add_facts(tx: Tx) -> None:
    tx.banks.describe("work", "What is done for money")
    named = tx.entities.add(
        Entity(0, "default", "Launch", EntityKind.PROJECT), [("launch", "Launch")], 1
    )
    other = tx.entities.add(Entity(0, "default", "Start"), [("start", "Start")], 1)
    merged = Entity(other.id, "default", "Start", merged_into=named.id)
    tx.entities.save(merged, [("start", "Start")])
    tx.entities.mention_in_message(1, [(named.id, "launch")])
    for n, text in enumerate(("The launch is on Friday", "The launch is on Monday", "Noon it is")):
        fact, number = tx.facts.reserve()
        source = FactSource("The launch is on Friday", 1, 1, "s1", 5, 0, 10)
        given = Fact(fact, number, "default", text, FactKind.DEADLINE, n, sources=(source,))
        tx.facts.add(given, subject_key="launch")
    tx.facts.save(
        Fact(2, 2, "default", "The launch is on Monday", FactKind.DEADLINE, 1, superseded_by=1),
        subject_key="launch",
    )
    tx.facts.record_change(
        FactChange(
            0, 2, 7, "supersede", "user", "said so", {"superseded_by": None}, {"superseded_by": 1}
        )
    )
    tx.facts.add_contradiction(1, 3, 9)
    tx.entities.mention_in_fact(1, [(named.id, "launch")])


def _add_reflections(tx: Tx) -> None:
    kept = Reflection(0, "default", "coding", "Run the tests first", successes=1, session_id="s1")
    tx.reflections.add(kept, lesson_key="run tests first")
    gone = Reflection(0, "default", "coding", "Guess", failures=1, held=True)
    number = tx.reflections.add(gone, lesson_key="guess").id
    tx.reflections.delete(number, at=5)
    tx.reflections.mark("s1", 2)


def _home(folder: Path, name: str) -> Home:
    return Home((folder / name).resolve())


def _run(home: Home, *argv: str, capsys: pytest.CaptureFixture[str]) -> Outcome:
    capsys.readouterr()
    code = main(argv, {"HERMES_HOME": str(home.root)})
    captured = capsys.readouterr()
    return Outcome(code, captured.out, captured.err)


def _export(home: Home, file: Path, capsys: pytest.CaptureFixture[str], *more: str) -> bytes:
    done = _run(home, "memory", "export", "-o", str(file), "--yes", *more, capsys=capsys)
    assert done.code == 0, done.err
    return file.read_bytes()


def _import(
    home: Home, file: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> dict[str, dict[str, dict[str, int]]]:
    done = _run(home, "memory", "import", str(file), "--json", *more, capsys=capsys)
    assert done.code == 0, done.err
    report: Imported = json.loads(done.out)
    return report


@pytest.fixture
def exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    home = _home(tmp_path, "first")
    with open_app(home.profile("default"), {}) as app:
        fill(app)
    file = tmp_path / "memory.json"
    _export(home, file, capsys)
    return file


def test_export_import_export_gives_the_same_bytes(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = _home(tmp_path, "second")
    _import(second, exported, capsys)
    assert _export(second, tmp_path / "again.json", capsys) == exported.read_bytes()
    with open_app(second.profile("default"), {}) as app:
        assert all(finding.level == "ok" for finding in app.store.check())
        assert app.events.verify().is_sound
        assert app.conversations.search("launch").hits
        assert app.conversations.record([turn("later")])[0].message_ids == (6,)
        fact = app.store.read(lambda tx: tx.facts.find(2))
        assert fact is not None
        assert fact.superseded_by == 1
        assert app.memory.backlog() > 0


@pytest.mark.parametrize("end", [".gz", ".zst"])
def test_a_packed_file_is_the_same(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str
) -> None:
    packed = tmp_path / f"memory.json{end}"
    _export(_home(tmp_path, "first"), packed, capsys)
    raw = packed.read_bytes()
    plain = gzip.decompress(raw) if end == ".gz" else zstandard.decompress(raw, 1 << 26)
    assert plain == exported.read_bytes()
    second = _home(tmp_path, "second")
    _import(second, packed, capsys)
    assert _export(second, tmp_path / "again.json", capsys) == exported.read_bytes()


def test_an_export_is_what_the_schema_says(exported: Path) -> None:
    schema = json.loads(SCHEMA.read_text())
    assert schema == export_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(exported.read_text())
    jsonschema.validate(document, schema)
    filled = {key for key, value in document.items() if value}
    assert set(schema["properties"]) - filled <= {"bank", "held_writes", "summaries"}


def test_importing_twice_adds_nothing(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = _home(tmp_path, "second")
    _import(second, exported, capsys)
    report = _import(second, exported, capsys)["sections"]
    assert all(set(found) == {"same"} for found in report.values()), report
    assert _export(second, tmp_path / "again.json", capsys) == exported.read_bytes()


def test_a_memory_in_use_takes_it_in_under_new_numbers(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = _home(tmp_path, "second")
    with open_app(second.profile("default"), {}) as app:
        app.conversations.record([turn("I was here first", "Yes", session="mine")])
        app.store.write(lambda tx: tx.facts.reserve())
        app.paths.memory_note.write_text("- likes coffee\n")
    report = _import(second, exported, capsys)["sections"]
    assert report["messages"] == {"added": 5}
    assert report["facts"] == {"added": 3}
    again = _import(second, exported, capsys)["sections"]
    assert all(set(found) <= {"same"} for found in again.values()), again
    with open_app(second.profile("default"), {}) as app:
        found = app.store.read(lambda tx: tx.facts.list(FactFilter(), 10))
        facts = {fact.text: fact for fact in found}
        friday, monday = facts["The launch is on Friday"], facts["The launch is on Monday"]
        assert monday.superseded_by == friday.id
        assert friday.entities == ("Launch",)
        told = app.conversations.page("s1").messages
        assert told[0].text == "The launch is on Friday 🚀"
        assert friday.sources[0].message_id == told[0].id
        assert len({message.episode_id for message in told}) == 1
        assert app.events.verify().is_sound
        assert all(finding.level == "ok" for finding in app.store.check())
        assert app.paths.memory_note.read_text() == "- likes coffee\n- likes tea\n"
        payloads = app.conversations.list_payloads(app.conversations.page("s2").messages[0].id)
        assert len(payloads[0].content) == 256 * 20_000


def test_a_session_that_went_on_gets_only_what_is_new(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = _home(tmp_path, "first"), _home(tmp_path, "second")
    _import(second, exported, capsys)
    with open_app(first.profile("default"), {}) as app:
        app.conversations.record([turn("one more thing", "what?")])
    newer = tmp_path / "newer.json"
    _export(first, newer, capsys)
    report = _import(second, newer, capsys)["sections"]
    assert report["messages"]["added"] == 2
    assert report["sessions"] == {"changed": 1, "same": 2}
    with open_app(second.profile("default"), {}) as app:
        told = [message.text for message in app.conversations.page("s1").messages]
    assert told[-2:] == ["one more thing", "what?"]


def test_a_dry_run_says_what_would_be_and_changes_nothing(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = _home(tmp_path, "second")
    dry = _import(second, exported, capsys, "--dry-run")["sections"]
    with open_app(second.profile("default"), {}) as app:
        assert app.store.status().counts["messages"] == 0
        assert not app.paths.memory_note.exists()
    assert _import(second, exported, capsys)["sections"] == dry


def test_what_was_erased_is_not_brought_in_again(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = _home(tmp_path, "second")
    _import(second, exported, capsys)
    done = _run(second, "memory", "erase", "message:1", "session:s2", "--yes", capsys=capsys)
    assert done.code == 0, done.err
    rehearsed = _import(second, exported, capsys, "--dry-run")["sections"]
    report = _import(second, exported, capsys)["sections"]
    assert rehearsed == report
    assert report["messages"]["erased"] == 2
    assert report["sessions"]["erased"] == 1
    assert report["facts"]["erased"] >= 1
    assert "added" not in report["messages"]
    with open_app(second.profile("default"), {}) as app:
        assert not app.conversations.search("Friday").hits


def test_a_dry_run_counts_entities_that_went_with_what_was_erased(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, file = _home(tmp_path, "named"), tmp_path / "named.json"
    with open_app(home.profile("default"), {}) as app:
        app.conversations.record([turn("I work at Quixotech in Oslo", session="s1")])
        list(app.facts.extract())
    _export(home, file, capsys)
    assert _run(home, "memory", "erase", "session:s1", "--yes", capsys=capsys).code == 0
    rehearsed = _import(home, file, capsys, "--dry-run")["sections"]
    assert rehearsed["entities"]["erased"] >= 1
    assert "added" not in rehearsed["entities"]
    assert rehearsed == _import(home, file, capsys)["sections"]


def test_an_import_that_fails_leaves_nothing(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(exported.read_text())
    document["facts"][-1]["bank"] = "nowhere"
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(document))
    second = _home(tmp_path, "second")
    done = _run(second, "memory", "import", str(broken), capsys=capsys)
    assert done.code == 2
    assert "nowhere" in done.err
    with open_app(second.profile("default"), {}) as app:
        assert app.store.status().counts["messages"] == 0
        assert [bank.name for bank in app.conversations.list_banks()] == ["default"]
    assert not list((second.root / "run").glob("import-*"))


def test_what_is_staged_is_for_its_owner_alone(exported: Path, tmp_path: Path) -> None:
    modes: set[int] = set()
    with open_app(_home(tmp_path, "second").profile("default"), {}) as app:

        def look(_: str, __: int) -> None:
            modes.update(f.stat().st_mode & 0o777 for f in app.paths.run.glob("import-*"))

        app.portable.import_from(exported, advance=look)
        assert not list(app.paths.run.glob("import-*"))
    assert modes == {0o600}


def test_any_layout_of_the_same_json_is_read(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pretty = tmp_path / "pretty.json"
    pretty.write_text(json.dumps(json.loads(exported.read_text()), indent=3))
    second = _home(tmp_path, "second")
    _import(second, pretty, capsys)
    assert _export(second, tmp_path / "again.json", capsys) == exported.read_bytes()


def test_one_bank_alone(exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "work.json"
    content = _export(_home(tmp_path, "first"), file, capsys, "--bank", "work")
    document = json.loads(content)
    assert [session["id"] for session in document["sessions"]] == ["s2"]
    assert document["notes"] == document["events"] == document["facts"] == []
    assert len({blob["sha256"] for blob in document["blobs"]}) == 2
    second = _home(tmp_path, "second")
    _import(second, file, capsys)
    assert _export(second, tmp_path / "again.json", capsys, "--bank", "work") == content


def test_a_doubtful_file_is_trusted_little(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = _home(tmp_path, "second")
    _import(second, exported, capsys, "--untrusted")
    document = json.loads(_export(second, tmp_path / "again.json", capsys))
    assert {message["trust"] for message in document["messages"]} == {"low"}
    assert {fact["origin"] for fact in document["facts"]} == {"import"}


def test_an_unfinished_import_goes_on(
    hermes: Hermes, exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from hermes.memory.portable.carry import digest_stream
    from hermes.memory.portable.reading import read_export

    second = _home(tmp_path, "second")
    with exported.open("rb") as stream:
        name = f"import-{digest_stream(stream)[:16]}"
        stream.seek(0)
        staged = [item for item in read_export(stream) if isinstance(item, tuple)][:7]
    with open_app(second.profile("default"), {}) as app:
        stage = app.store.open_stage(app.paths.run / f"{name}.db")
        stage.add(staged)
        stage.close()
    _import(second, exported, capsys)
    assert _export(second, tmp_path / "again.json", capsys) == exported.read_bytes()
    assert not list((second.root / "run").glob("import-*"))


def test_an_import_into_a_memory_in_use_says_how_far_back_one_could_go(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = _home(tmp_path, "second")
    argv = ("memory", "import", str(exported))
    first = _run(second, *argv, capsys=capsys)
    assert (first.code, "restoring a backup" in first.err) == (0, False)  # it was empty
    again = _run(second, *argv, capsys=capsys)
    assert "undone only by restoring a backup made before it. There is none yet." in again.err
    assert "`hermes backup now`" in again.err
    assert _run(second, "backup", "now", capsys=capsys).code == 0
    assert "The last backup is of 20" in _run(second, *argv, capsys=capsys).err
    assert "restoring a backup" not in _run(second, *argv, "--dry-run", capsys=capsys).err
