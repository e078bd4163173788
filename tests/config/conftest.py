"""A home of its own for every test."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.config.paths import Home, ProfilePaths, ensure_layout


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home((tmp_path / "home").resolve())


@pytest.fixture
def paths(home: Home) -> ProfilePaths:
    paths = home.profile("default")
    ensure_layout(paths)
    return paths


@pytest.fixture
def write(paths: ProfilePaths) -> Callable[[str], None]:
    """Puts a text into config.json."""

    def write_config(text: str) -> None:
        paths.config_file.write_bytes(text.encode())

    return write_config
