"""What a question means beside what messages mean: cosines, on a scale of their model and bank.

Embedding models differ in where unrelated texts lie (0.78 here, 0.1 elsewhere) and in how far they
scatter. So a cosine counts as steps of that scatter above what the question has with the average
message of its bank, and the same number means the same whichever model made it.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hermes.memory.recall.outline import NOWHERE, Floats, Positions


class Vectors(Protocol):
    """The vectors of one bank's messages, by place in its outline, compared with one question."""

    @property
    def centre(self) -> float:
        """The question's cosine with the average of the bank."""

    @property
    def scatter(self) -> float:
        """How far cosines scatter: one step of nearness."""

    def nearest(self, limit: int) -> tuple[Positions, Floats]:
        """The places of the nearest messages and their cosines, best first."""

    def cosines(self, places: Positions) -> Floats:
        """The cosine with each message, NaN where it has no vector yet."""

    def nearest_part(self, place: int) -> int:
        """Which of the vectors of a message is the nearest, counted from 0."""


@dataclass(frozen=True, slots=True)
class Meaning:
    vectors: Vectors

    def nearest(self, limit: int) -> tuple[Positions, Floats]:
        places, cosines = self.vectors.nearest(limit)
        return places, self.scale(cosines)

    def of(self, places: Positions) -> Floats:
        """How near each place is; 0, the average, where there is no message or no vector yet."""
        found = np.zeros(len(places), np.float32)
        real = places != NOWHERE
        scaled = self.scale(self.vectors.cosines(places[real]))
        scaled[np.isnan(scaled)] = 0
        found[real] = scaled
        return found

    def nearest_part(self, place: int) -> int:
        return self.vectors.nearest_part(place)

    def scale(self, cosines: Floats) -> Floats:
        """Cosines as steps of their scatter above the question's own average in the bank."""
        centre, scatter = np.float32(self.vectors.centre), np.float32(self.vectors.scatter)
        scaled: Floats = (cosines - centre) / scatter
        return scaled
