"""A copy that was cut short is known, goes on, and is begun anew once the memory has changed."""

from pathlib import Path

import pytest

from hermes.app import App, open_app
from hermes.app.facts import NewFact
from hermes.config.paths import read_home
from hermes.errors import Conflict
from postgres_server import as_url, new_database


class Cut(Exception):
    pass


@pytest.fixture(params=["sqlite", "postgres"])
def target(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    if request.param == "sqlite":
        return f"sqlite:{tmp_path / 'copy.db'}"
    return as_url(new_database(empty=True))


def opened(home: Path) -> App:
    environ = {"HERMES_HOME": str(home)}
    return open_app(read_home(environ).profile("default"), environ)


def cut_at(step: str, app: App, target: str) -> None:
    def advance(name: str, _: int) -> None:
        if name == step:
            raise Cut

    with pytest.raises(Cut):
        app.db.copy("sqlite:", target, advance)


def copy(app: App, target: str, *, anew: bool = False) -> int:
    proofs = app.db.copy("sqlite:", target, lambda _, __: None, anew=anew)
    return sum(proof.count for proof in proofs)


def levels(app: App) -> set[str]:
    return {found.level for found in app.health.doctor() if found.part == "copy"}


@pytest.mark.parametrize("step", ["keeping", "proving"])
def test_it_is_named_and_goes_on(tmp_path: Path, target: str, step: str) -> None:
    with opened(tmp_path / "home") as app:
        app.facts.add(NewFact("The staging port is 8081"))
        cut_at(step, app, target)
        cut = app.db.find_cut_short()
        assert cut is not None and "hermes_test:" not in cut.target
        assert levels(app) == {"warning"}
        assert copy(app, target) > 0
        assert app.db.find_cut_short() is None
        assert levels(app) == set()


def test_after_a_change_it_is_begun_anew(tmp_path: Path, target: str) -> None:
    with opened(tmp_path / "home") as app:
        app.facts.add(NewFact("The staging port is 8081"))
        with pytest.raises(Conflict, match="No copy to this store was cut short"):
            copy(app, target, anew=True)
        cut_at("proving", app, target)
        app.facts.add(NewFact("The canary port is 9999"))
        with pytest.raises(Conflict, match="changed since") as refused:
            copy(app, target)
        assert "--anew" in refused.value.hint
        count = copy(app, target, anew=True)
        assert count == app.db.count("sqlite:") == app.db.count(target)
        assert app.db.find_cut_short() is None
