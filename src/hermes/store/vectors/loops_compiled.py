"""The loops of a search as compiled code; other threads of Python run meanwhile."""

import ctypes
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hermes.store.vectors.coding import Floats, Places, Probe
from hermes.store.vectors.loops import BLOCK, Rows

LIBRARY = Path(__file__).with_name("_loops.so")
VERSION = 1  # of what is called; a library that was left behind by another is not used


class Variant(IntEnum):
    """For which processors the loops are compiled; as in `loops.c`."""

    PLAIN = 0
    AVX2 = 1
    AVX512 = 2


class _Question(ctypes.Structure):
    _fields_ = [
        ("signs", ctypes.c_void_p),
        ("mask", ctypes.c_void_p),
        ("low_by", ctypes.c_void_p),
        ("high_by", ctypes.c_void_p),
        ("words", ctypes.c_int32),
        ("half", ctypes.c_int32),
        ("start", ctypes.c_float),
        ("step", ctypes.c_float),
        ("unit", ctypes.c_float),
        ("middle", ctypes.c_float),
        ("base", ctypes.c_float),
    ]


class _Rows(ctypes.Structure):
    _fields_ = [
        ("signs", ctypes.c_void_p),
        ("levels", ctypes.c_void_p),
        ("scales", ctypes.c_void_p),
        ("bases", ctypes.c_void_p),
        ("block", ctypes.c_int64),
    ]


@dataclass(frozen=True, slots=True)
class CompiledLoops:
    """`Loops` by a library, as one of its variants."""

    library: ctypes.CDLL
    variant: Variant

    @property
    def name(self) -> str:
        return f"compiled code ({self.variant.name.lower()})"

    def ask(self, probe: Probe) -> "CompiledAsked":
        question = _Question(
            *(each.ctypes.data for each in _arrays(probe)),
            len(probe.signs),
            len(probe.low_by),
            probe.start,
            probe.step,
            probe.unit,
            probe.middle,
            probe.base,
        )
        return CompiledAsked(
            self.library, self.variant, probe, ctypes.addressof(question), question
        )


@dataclass(frozen=True, slots=True)
class CompiledAsked:
    """`AskedLoops`; the probe is kept, for the question points into it."""

    library: ctypes.CDLL
    variant: int
    probe: Probe
    at: int
    question: _Question

    def weigh(self, rows: Rows, first: int, found: Floats) -> None:
        of = _Rows(*rows.addresses, BLOCK)
        self.library.hermes_weigh(
            ctypes.byref(of), self.at, first, len(found), found.ctypes.data, self.variant
        )

    def weigh_rows(self, rows: Rows, places: Places, found: Floats) -> None:
        self._run(self.library.hermes_weigh_rows, rows, places, found)

    def estimate(self, rows: Rows, places: Places, found: Floats) -> None:
        self._run(self.library.hermes_estimate, rows, places, found)

    def _run(self, loop: Any, rows: Rows, places: Places, found: Floats) -> None:
        of, places = _Rows(*rows.addresses, BLOCK), np.ascontiguousarray(places, np.int64)
        loop(
            ctypes.byref(of),
            self.at,
            places.ctypes.data,
            len(places),
            found.ctypes.data,
            self.variant,
        )


def _arrays(probe: Probe) -> tuple[npt.NDArray[Any], ...]:
    return probe.signs, probe.telling.mask, probe.low_by, probe.high_by


def find_compiled(path: Path = LIBRARY, variant: Variant | None = None) -> CompiledLoops | None:
    """The library, if there is one that runs here and is of this version."""
    try:
        library = ctypes.CDLL(str(path))
        found = library.hermes_loops_version()
    except (OSError, AttributeError):  # none was built, or for another machine
        return None
    if found != VERSION:
        return None
    one, many, number = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32
    library.hermes_weigh.argtypes = [one, one, many, many, one, number]
    library.hermes_weigh_rows.argtypes = [one, one, one, many, one, number]
    library.hermes_estimate.argtypes = [one, one, one, many, one, number]
    for loop in (library.hermes_weigh, library.hermes_weigh_rows, library.hermes_estimate):
        loop.restype = None
    best = library.hermes_best_variant()
    if best < Variant.PLAIN:
        return None
    return CompiledLoops(library, Variant(best) if variant is None else min(variant, Variant(best)))
