"""Readable logs are cleared where they lie: a daemon goes on writing to them."""

import logging
from pathlib import Path

from hermes.config.paths import Home
from hermes.memory.erase.files import clear_files
from hermes.memory.erase.tombs import ECHO, PHRASE, Graveyard, Marker
from hermes.store.base.erase import Tombstone


class CountingMarker(Marker):
    made = 0

    def _digest(self, *parts: str) -> bytes:
        self.made += 1
        return super()._digest(*parts)


def test_a_log_that_is_being_written_is_cleared_and_written_on(tmp_path: Path) -> None:
    paths = Home(tmp_path).profile("default")
    paths.logs.mkdir(parents=True)
    file = paths.logs / "hermes.log"
    handler = logging.FileHandler(file, encoding="utf-8")
    say = [logging.makeLogRecord({"msg": text}) for text in ("first", "Bluefinch, é", "last")]
    for record in say:
        handler.handle(record)
    assert clear_files(paths, lambda line: "Bluefinch" in line) == ["logs/hermes.log"]
    handler.handle(logging.makeLogRecord({"msg": "and on"}))
    handler.close()
    lines = [line.rstrip() for line in file.read_text("utf-8").splitlines()]
    assert lines == ["first", "[erased]", "last", "and on"]
    assert clear_files(paths, lambda line: "Bluefinch" in line) == []


def test_logs_that_are_turned_over_meanwhile_are_cleared_too(tmp_path: Path) -> None:
    paths = Home(tmp_path).profile("default")
    paths.logs.mkdir(parents=True)
    first, second, third = (paths.logs / f"hermes.log{end}" for end in ("", ".1", ".2"))
    first.write_text("a\nBluefinch one\n")
    second.write_text("Bluefinch two\n")

    def is_gone(line: str) -> bool:
        if not third.exists():
            second.rename(third)
            first.rename(second)
            first.write_text("Bluefinch three\n")
        return "Bluefinch" in line

    clear_files(paths, is_gone)
    assert not [file for file in paths.logs.iterdir() if "Bluefinch" in file.read_text()]
    assert third.exists()


def test_a_line_shorter_than_the_word_for_it_is_cleared_too(tmp_path: Path) -> None:
    paths = Home(tmp_path).profile("default")
    paths.logs.mkdir(parents=True)
    (paths.logs / "a.log").write_text("x\nno\ny")
    clear_files(paths, lambda line: line == "no")
    assert (paths.logs / "a.log").read_text() == "x\n[e\ny"


def test_what_a_log_says_over_and_over_is_hashed_once() -> None:
    marker = CountingMarker(b"secret")
    stones = [
        Tombstone(marker.phrase(("blue", "finch")), PHRASE, 1, 2),
        Tombstone(marker.echo(("a", "b", "c")), ECHO, 1, 3),
    ]
    yard = Graveyard(marker, stones)
    line = "INFO hermes.server answered GET /v1/recall with 200"
    assert not yard.has_echo([line])
    made = marker.made
    assert not any(yard.has_echo([line]) for _ in range(100))
    assert marker.made == made
    assert yard.has_echo([f"{line} of a blue finch"])
    assert yard.has_echo([f"{line} a b c"])
    assert not yard.has_echo([f"{line} a b c"], at=2)
    assert yard.has_echo([f"{line} a b c"], at=1)
