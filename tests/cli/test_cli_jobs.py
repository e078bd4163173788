"""`hermes jobs`, `log` and `service` as a person calls them."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Hermes
from hermes.app import App, open_app
from hermes.app.owners import daemon_owner
from hermes.config.paths import ProfilePaths
from hermes.server.service import describe_service, quote_systemd
from hermes.store.base.jobs import Job, JobState, Lease
from hermes.store.sqlite.connection import Database, connect
from hermes.types import EventKind


def add_job(app: App, kind: str = "vacuum", key: str = "") -> int:
    now = app.clock.now()
    return app.store.write(lambda tx: tx.jobs.add(kind, key, now=now))


def kill_job(app: App, number: int) -> None:
    now = app.clock.now()
    job = app.store.write(lambda tx: tx.jobs.claim(["vacuum"], Lease("t", now, 1_000)))
    assert job is not None
    assert job.id == number
    app.store.write(lambda tx: tx.jobs.fail(job, "disk\nfull", now=now, retry_at=None))


def test_jobs_are_listed_shown_retried_and_cancelled(paths: ProfilePaths, hermes: Hermes) -> None:
    with open_app(paths, {}) as app:
        number = add_job(app)
        kill_job(app, number)
        waiting = add_job(app, "extract", "s1")
    listed = json.loads(hermes("jobs", "list", "--json").out)
    assert [(job["id"], job["state"]) for job in listed] == [(waiting, "waiting"), (number, "dead")]
    only = json.loads(hermes("jobs", "list", "--state", "dead", "--json").out)
    assert [job["id"] for job in only] == [number]
    shown = hermes("jobs", "show", str(number))
    assert "disk full" in shown.out
    assert hermes("jobs", "retry", str(number)).code == 0
    assert json.loads(hermes("jobs", "show", str(number), "--json").out)["state"] == "waiting"
    assert hermes("jobs", "cancel", str(number)).out == f"job {number} is cancelled\n"
    again = hermes("jobs", "cancel", str(number))
    assert again.code == 1
    assert "cancelled" in again.err


def test_a_list_that_is_cut_says_how_many_more_there_are(
    paths: ProfilePaths, hermes: Hermes
) -> None:
    with open_app(paths, {}) as app:
        for n in range(5):
            add_job(app, "extract", f"s{n}")
        add_job(app)
    cut = hermes("jobs", "list", "--limit", "4")
    assert "… and 2 more: --limit 6 shows all" in cut.err
    cut = hermes("jobs", "list", "--limit", "4", "--kind", "extract", "--state", "waiting")
    assert "… and 1 more: --limit 5 shows all" in cut.err
    assert "more" not in hermes("jobs", "list", "--limit", "6").err
    assert "more" not in hermes("jobs", "list", "--state", "dead").err


def test_stopping_where_none_runs_is_no_error(paths: ProfilePaths, hermes: Hermes) -> None:
    done = hermes("stop")
    assert done.code == 0
    assert done.out == f"No daemon serves profile {paths.name}. There is nothing to stop.\n"
    assert json.loads(hermes("stop", "--json").out) == {"ended": None}


def claim(app: App, owner: str) -> Job:
    now = app.clock.now()
    job = app.store.write(lambda tx: tx.jobs.claim(["vacuum"], Lease(owner, now, 60_000)))
    assert job is not None
    return job


def dead_pid() -> int:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


@pytest.mark.parametrize("worker", ["daemon", "command"])
def test_a_job_whose_worker_was_killed_is_shown_as_lapsed(
    paths: ProfilePaths, hermes: Hermes, worker: str
) -> None:
    command = f"run@{socket.gethostname()}:{dead_pid()}"
    with open_app(paths, {}) as app:
        number = add_job(app)
        claim(app, daemon_owner() if worker == "daemon" else command)
    (listed,) = json.loads(hermes("jobs", "list", "--json").out)
    assert (listed["state"], listed["lapsed"]) == ("running", True)
    assert "lapsed" in hermes("jobs", "list").out
    assert "1 to do, 1 cut short" in hermes("status").out
    assert "1 cut short" in hermes("doctor").out
    assert hermes("jobs", "cancel", str(number)).out == f"job {number} is cancelled\n"


def test_what_a_killed_worker_left_is_worked_off_without_waiting(
    paths: ProfilePaths, hermes: Hermes
) -> None:
    with open_app(paths, {}) as app:
        number = add_job(app)
        claim(app, daemon_owner())
    ran = hermes("--set", "memory.embeddings.provider=none", "jobs", "run")
    assert f"job {number} vacuum done" in ran.out


def test_a_job_that_runs_elsewhere_is_not_lapsed(paths: ProfilePaths, hermes: Hermes) -> None:
    with open_app(paths, {}) as app:
        add_job(app)
        claim(app, "daemon@another-machine")
    (listed,) = json.loads(hermes("jobs", "list", "--json").out)
    assert (listed["state"], listed["lapsed"]) == ("running", False)


def test_a_job_that_is_not_there(hermes: Hermes) -> None:
    for verb in ("show", "retry", "cancel"):
        outcome = hermes("jobs", verb, "99")
        assert outcome.code == 1
        assert "no job 99" in outcome.err
    assert hermes("jobs", "list", "--state", "lost").code == 2


def test_running_what_is_due_says_what_came_of_it(paths: ProfilePaths, hermes: Hermes) -> None:
    with open_app(paths, {}) as app:
        add_job(app)
    ran = hermes("--set", "memory.embeddings.provider=none", "jobs", "run")
    assert ran.code == 0
    assert "vacuum done" in ran.out
    again = hermes("--set", "memory.embeddings.provider=none", "jobs", "run")
    assert (again.code, again.err) == (0, "nothing is due\n")


def test_the_daemon_status_says_what_there_is_to_do(paths: ProfilePaths) -> None:
    with open_app(paths, {}) as app:
        number = add_job(app)
        kill_job(app, number)
        add_job(app)
        status = app.daemon.status()
    assert status.running is None
    assert (status.unfinished, status.dead) == (1, 1)
    assert status.oldest_at is not None
    assert status.last is not None
    assert (status.last.id, status.last.state) == (number, JobState.DEAD)


def test_the_log_is_shown_and_verified(paths: ProfilePaths, hermes: Hermes) -> None:
    with open_app(paths, {}) as app:
        app.events.record(EventKind.DECISION, "chose SQLite", details={"why": "embedded"})
        app.events.record(EventKind.RESULT, "it works", ref="session:s1")
        key = app.key
    shown = hermes("log")
    assert [line.split("\t")[0] for line in shown.out.splitlines()[1:]] == ["2", "1"]
    decided = json.loads(hermes("log", "--kind", "decision", "--json").out)
    assert [event["details"] for event in decided] == [{"why": "embedded"}]
    about = json.loads(hermes("log", "--ref", "session:s1", "--json").out)
    assert [event["id"] for event in about] == [2]
    assert hermes("log", "--kind", "gossip").code == 2
    assert hermes("log", "verify").out == "2 events, all as they were written\n"
    assert key is not None
    connection = connect(Database(paths.database, key.secret), writable=True)
    connection.execute("DROP TRIGGER events_unchanged")
    connection.execute("UPDATE events SET summary = 'chose MongoDB' WHERE id = 1")
    connection.close()
    altered = hermes("log", "verify")
    assert altered.code == 1
    assert "event 1" in altered.out
    assert json.loads(hermes("log", "verify", "--json").out)["first_bad"] == 1


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_service_file_holds_the_command_whatever_is_in_it(
    paths: ProfilePaths, tmp_path: Path, platform: str
) -> None:
    command = ["/opt/my hermes/bin/python", "-m", "hermes", "--set", 'a=100% "$HOME" & <b>']
    service = describe_service(paths, command, {"HOME": str(tmp_path)}, platform)
    assert service.path.is_relative_to(tmp_path)
    if platform == "darwin":
        import plistlib

        assert plistlib.loads(service.text.encode())["ProgramArguments"] == command
    else:
        line = next(line for line in service.text.splitlines() if line.startswith("ExecStart="))
        assert line == "ExecStart=" + " ".join(map(quote_systemd, command))
        assert quote_systemd(command[-1]) == '"a=100%% \\"$$HOME\\" & <b>"'


def test_profiles_have_services_of_their_own(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    names = [
        json.loads(hermes(*argv, "service", "show", "--platform", "linux", "--json").out)["path"]
        for argv in ((), ("-p", "work"))
    ]
    assert [Path(name).name for name in names] == ["hermes.service", "hermes-work.service"]


def test_doctor_and_status_tell_of_jobs_that_gave_up(paths: ProfilePaths, hermes: Hermes) -> None:
    with open_app(paths, {}) as app:
        kill_job(app, add_job(app))
    found = json.loads(hermes("doctor", "--json").out)
    assert [f["level"] for f in found if f["part"] in ("jobs", "log")] == ["warning", "ok"]
    status = json.loads(hermes("status", "--json").out)["daemon"]
    assert (status["running"], status["jobs"]["dead"]) == (False, 1)
    assert "1 gave up" in hermes("status").out
