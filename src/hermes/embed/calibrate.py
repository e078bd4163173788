"""From a cosine to a relevance between 0 and 1 that means the same for every model.

Models differ in where the cosines of unrelated texts lie (0.77 for the bundled one, near 0 for
others) and in how far they scatter. Measured in scatters above that centre they are alike, so one
curve serves all: fitted on LoCoMo's conversations 0-4, where a question's own evidence lies 2.0
scatters above the centre, with both classes weighing the same. On conversations 5-9 the same fit
gives a slope of 1.9 and a middle of 0.94. Nothing here knows a store or a model's inside.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

SLOPE = 2.1
MIDDLE = 1.0  # scatters above the centre, where a text is as likely related as not
LEAST_SCATTER = 1e-4
_TO_DEVIATION = 1.4826  # the median deviation of a normal variable is this part of its standard one


@dataclass(frozen=True, slots=True)
class Scale:
    """Where the cosines of unrelated texts lie in a space, and how far they scatter."""

    centre: float
    scatter: float

    def relevance(self, cosine: float) -> float:
        """Between 0 and 1; half where a text is as likely related to the question as not."""
        steps = (cosine - self.centre) / max(self.scatter, LEAST_SCATTER)
        return 1.0 / (1.0 + math.exp(min(700.0, -SLOPE * (steps - MIDDLE))))

    def cosine(self, relevance: float) -> float:
        """The cosine that has a relevance: what `minRelevanceScore` asks for in this space."""
        bounded = min(max(relevance, 1e-9), 1 - 1e-9)
        steps = MIDDLE + math.log(bounded / (1 - bounded)) / SLOPE
        return self.centre + steps * max(self.scatter, LEAST_SCATTER)


BUNDLED = Scale(0.772, 0.0334)  # questions against unrelated turns, LoCoMo, e5-small-int8


def measure_scale(cosines: Sequence[float]) -> Scale:
    """The scale of a space, from cosines of questions, or of pairs, taken at random.

    The median is used because a few of them will be related after all.
    """
    if not cosines:
        return BUNDLED
    centre = median(cosines)
    deviation = median(abs(each - centre) for each in cosines)
    return Scale(centre, max(LEAST_SCATTER, _TO_DEVIATION * deviation))
