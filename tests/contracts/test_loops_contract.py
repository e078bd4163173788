"""What the loops of a search promise, compiled for any processor or in numpy: the same results."""

import shutil
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from hermes.store.vectors.coding import Codes, Coding, Floats, Places, Probe
from hermes.store.vectors.loops import BLOCK, AskedLoops, Loops, Rows, get_loops
from hermes.store.vectors.loops_compiled import LIBRARY, Variant, find_compiled
from hermes.store.vectors.loops_numpy import NumpyLoops

ROOT = Path(__file__).parents[2]
HAS_COMPILER = any(map(shutil.which, ("cc", "gcc", "clang")))


def all_loops() -> list[Loops]:
    """Numpy, and each variant that this machine can run."""
    found: list[Loops] = [NumpyLoops()]
    if (best := find_compiled()) is not None:
        variants = (find_compiled(variant=variant) for variant in Variant)
        found += [each for each in variants if each is not None and each.variant <= best.variant]
    return found


@pytest.fixture(params=all_loops(), ids=lambda loops: loops.name)
def loops(request: pytest.FixtureRequest) -> Loops:
    kind: Loops = request.param
    return kind


def unit(rows: Floats) -> Floats:
    scaled: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def vectors(count: int, dimensions: int, seed: int = 0) -> Floats:
    made = np.random.default_rng(seed).standard_normal((count, dimensions), dtype=np.float32)
    return unit(made + np.float32(0.5))


def lay_out(coding: Coding, codes: Codes) -> Rows:
    count = len(codes.scales)
    room = -(-count // BLOCK)
    signs = np.zeros((room, coding.sign_words, BLOCK), dtype=np.uint64)
    for row in range(count):
        signs[row // BLOCK, :, row % BLOCK] = codes.signs[row]
    return Rows(signs, codes.levels, codes.scales, codes.bases)


def by_hand(coding: Coding, codes: Codes, probe: Probe) -> tuple[list[float], list[float]]:
    """What weighing and estimating give, a row at a time and a dimension at a time."""
    weighed, estimated = [], []
    for row in range(len(codes.scales)):
        differing = int(
            np.bitwise_count((codes.signs[row] ^ probe.signs) & probe.telling.mask).sum()
        )
        scale, base = float(codes.scales[row]), float(codes.bases[row])
        weighed.append((probe.start + probe.step * differing) * scale + base)
        low, high = codes.levels[row] & 15, codes.levels[row] >> 4
        along = sum(
            int(weight) * int(level)
            for weight, level in zip([*probe.low_by, *probe.high_by], [*low, *high], strict=True)
        )
        estimated.append((along * probe.unit - probe.middle) * scale + base + probe.base)
    return weighed, estimated


def passed_over(asked: AskedLoops, rows: Rows, count: int) -> list[float]:
    into = np.empty(count, np.float32)
    asked.weigh(rows, 0, into)
    found: list[float] = into.tolist()
    return found


def picked(way: Callable[[Rows, Places, Floats], None], rows: Rows, places: Places) -> list[float]:
    into = np.empty(len(places), np.float32)
    way(rows, places, into)
    found: list[float] = into.tolist()
    return found


def compile_with_hook(source: Path, library: Path, *, search: str | None = None) -> str:
    """What the installation does, and what it says was in the way."""
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    hook = module_from_spec(spec)
    spec.loader.exec_module(hook)
    told: str = hook.compile_loops(source, library, search=search)
    return told


@pytest.mark.parametrize("dimensions", [8, 384, 1000, 1536])
def test_rows_are_weighed_and_estimated_as_by_hand(loops: Loops, dimensions: int) -> None:
    rows = vectors(70, dimensions)
    coding = Coding(rows.mean(axis=0), seed=3)
    codes = coding.encode(rows)
    probe = coding.probe(vectors(1, dimensions, seed=8)[0])
    asked, laid = loops.ask(probe), lay_out(coding, codes)
    weighed, estimated = by_hand(coding, codes, probe)
    found = np.empty(70, np.float32)
    asked.weigh(laid, 0, found)
    assert found == pytest.approx(weighed, abs=1e-6)
    asked.estimate(laid, np.arange(70), found)
    assert found == pytest.approx(estimated, abs=1e-6)
    assert found == pytest.approx(rows @ vectors(1, dimensions, seed=8)[0], abs=0.06)


@pytest.mark.parametrize("count", [1, 63, 64, 65, BLOCK, BLOCK + 1, 2 * BLOCK + 77])
def test_every_way_gives_the_same(loops: Loops, count: int) -> None:
    rows = vectors(count, 128, seed=count)
    coding = Coding(rows.mean(axis=0), seed=4)
    laid = lay_out(coding, coding.encode(rows))
    places = np.flatnonzero(np.random.default_rng(1).random(count) < 0.3)
    for seed in range(3):
        probe = coding.probe(vectors(1, 128, seed=seed)[0])
        ours, theirs = loops.ask(probe), NumpyLoops().ask(probe)
        assert passed_over(ours, laid, count) == passed_over(theirs, laid, count)
        assert picked(ours.weigh_rows, laid, places) == picked(theirs.weigh_rows, laid, places)
        assert picked(ours.estimate, laid, places) == pytest.approx(
            picked(theirs.estimate, laid, places), abs=1e-6
        )


def test_a_row_weighs_the_same_picked_and_passed_over(loops: Loops) -> None:
    rows = vectors(2 * BLOCK, 64)
    coding = Coding(rows.mean(axis=0), seed=5)
    laid = lay_out(coding, coding.encode(rows))
    asked = loops.ask(coding.probe(vectors(1, 64, seed=2)[0]))
    second = np.empty(BLOCK, np.float32)
    asked.weigh(laid, BLOCK, second)
    some = picked(asked.weigh_rows, laid, np.array([BLOCK, BLOCK + 7, 2 * BLOCK - 1]))
    assert some == second[[0, 7, BLOCK - 1]].tolist()


def test_nothing_to_pick_is_no_fault(loops: Loops) -> None:
    rows = vectors(5, 64)
    coding = Coding(rows.mean(axis=0), seed=5)
    asked, laid = loops.ask(coding.probe(rows[0])), lay_out(coding, coding.encode(rows))
    none = np.empty(0, np.int64)
    assert picked(asked.weigh_rows, laid, none) == picked(asked.estimate, laid, none) == []


def test_a_vector_of_the_mean_itself_is_asked_without_a_fault(loops: Loops) -> None:
    rows = vectors(5, 64)
    coding = Coding(rows.mean(axis=0), seed=5)
    asked, laid = loops.ask(coding.probe(coding.mean)), lay_out(coding, coding.encode(rows))
    expected = (rows @ coding.mean).tolist()
    assert picked(asked.estimate, laid, np.arange(5)) == pytest.approx(expected, abs=0.02)


@pytest.mark.skipif(not HAS_COMPILER, reason="no C compiler here")
def test_where_there_is_a_compiler_they_are_compiled_with_hermes() -> None:
    assert LIBRARY.exists(), "`make setup` compiles it"
    assert get_loops().name.startswith("compiled")


@pytest.mark.parametrize("left", ["", "not a library"])
def test_what_is_no_library_is_passed_over(tmp_path: Path, left: str) -> None:
    library = tmp_path / "_loops.so"
    assert find_compiled(library) is None
    library.write_text(left)
    assert find_compiled(library) is None


@pytest.mark.skipif(not HAS_COMPILER, reason="no C compiler here")
def test_a_library_of_another_version_is_passed_over(tmp_path: Path) -> None:
    source = tmp_path / "loops.c"
    source.write_text("int hermes_loops_version(void) { return 0; }\n")
    assert compile_with_hook(source, tmp_path / "_loops.so") == ""
    assert find_compiled(tmp_path / "_loops.so") is None


@pytest.mark.skipif(not HAS_COMPILER, reason="no C compiler here")
def test_what_cannot_be_compiled_is_told_and_leaves_no_library(tmp_path: Path) -> None:
    source, library = tmp_path / "loops.c", tmp_path / "_loops.so"
    source.write_text("this is no C\n")
    library.write_text("of an earlier version")
    assert "failed" in compile_with_hook(source, library)
    assert not library.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["loops.c"]


def test_without_a_compiler_that_is_told(tmp_path: Path) -> None:
    told = compile_with_hook(tmp_path / "loops.c", tmp_path / "_loops.so", search=str(tmp_path))
    assert told == "there is no C compiler."


def test_a_folder_that_may_not_be_written_to_stops_no_installation() -> None:
    assert compile_with_hook(ROOT / "loops.c", Path("/proc/_loops.so")) != ""


@pytest.mark.skipif(not HAS_COMPILER, reason="no C compiler here")
def test_what_cc_says_is_run_with_its_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "loops.c"
    source.write_text("int hermes_loops_version(void) { return GIVEN; }\n")
    monkeypatch.setenv("CC", "cc -DGIVEN=0")
    assert compile_with_hook(source, tmp_path / "_loops.so") == ""
