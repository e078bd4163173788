"""What speaks for a message: one column a feature, computed for all candidates at once.

Each column means the same in any bank: nearness counts in steps of its own scatter, words by
how rare they are, everything else lies between -½ and 1. None is a share of the best candidate's:
such a share says less, the more there is to stand out from (docs/recall-fitting.md). `fuse` weighs
them.
"""

import numpy as np

from hermes.memory.recall import cues, windows
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.outline import (
    NOWHERE,
    Floats,
    Outline,
    Positions,
    rising_with_back,
)
from hermes.memory.recall.task import Subject
from hermes.memory.recall.words import Words
from hermes.types import Role

# In the order of the columns. Those from `FIRST_TEXT` on need the message's text.
FEATURES = (
    "near",  # the message means what the question means
    "near_before",  # so does the message before it…
    "near_after",  # …the one after it…
    "near_around",  # …and those two places away
    "near_session",  # the best of its session
    "near_best",  # the best of itself, the message before and the one after
    "held",  # the question's words that it holds, by how rare each is
    "held_around",  # those that it and two messages before and after it hold
    "held_session",  # those that its whole session holds
    "held_rarest",  # the rarest one that it holds
    "speaker",  # said by whom the question names
    "role",  # said by the user, or by the assistant where the question asks for that
    "time",  # said in, or soon after, a time the question names
    "answers",  # follows a question that means what this one means
    "answers_held",  # follows a question that holds words of this one which it does not
    "tells_time",  # asked when or how long, tells a time
    "gives_number",  # asked how many, gives a number
    "substance",  # says more than a few words
)
CUE_COLUMNS = {"when": "tells_time", "how_long": "tells_time", "how_many": "gives_number"}
BY_WORD = np.float32(3)  # how much more words count where they are looked up, not asked with
NEAR = slice(0, FEATURES.index("held"))
HELD = slice(FEATURES.index("held"), FEATURES.index("speaker"))
FIRST_TEXT = FEATURES.index("answers")
AROUND = 5  # a message, the one before it, the one after it, and those two places away
ROLES = tuple(Role)


def outline_features(evidence: Evidence, places: Positions) -> Floats:
    """Every column that needs no text; those that do are left at 0."""
    outline = evidence.outline
    around = _around(outline, places)
    columns = np.zeros((len(FEATURES), len(places)), np.float32)
    sessions = _Sessions(outline.take("sessions", places).astype(np.int64))
    columns[NEAR] = _nearness(evidence, around, sessions)
    columns[HELD] = _holding(evidence.words, around, sessions)
    if evidence.task.is_lookup:
        columns[HELD] *= BY_WORD
    columns[FEATURES.index("speaker")] = _speaker(evidence, places)
    columns[FEATURES.index("role")] = _role(evidence, places)
    at = outline.take("at", places).astype(np.int64)
    columns[FEATURES.index("time")] = windows.fit(evidence.task.spans, at, evidence.oldest_at)
    return columns.T


def add_text_features(
    columns: Floats,
    evidence: Evidence,
    texts: list[str],
    *,
    texts_before: list[str],
    held_before: Floats,
) -> None:
    """Fill in the columns that need the texts of the messages and of those before them.

    `held_before` are the words of the question that only the message before holds.
    """
    asked = cues.asks(texts_before)
    columns[:, FIRST_TEXT] = asked * columns[:, FEATURES.index("near_before")]
    columns[:, FIRST_TEXT + 1] = asked * held_before
    if (kind := CUE_COLUMNS.get(evidence.task.cue)) is not None:
        columns[:, FEATURES.index(kind)] = cues.could_answer(evidence.task.cue, texts)
    columns[:, FEATURES.index("substance")] = cues.substance(texts)


def _around(outline: Outline, places: Positions) -> Positions:
    """Each message, then those before, after, two before and two after, one after the other."""
    before, after = outline.neighbours(places, -1), outline.neighbours(places, 1)
    further = outline.neighbours(before, -1), outline.neighbours(after, 1)
    return np.concatenate([places, before, after, *further])


class _Sessions:
    """Whose candidates belong together."""

    def __init__(self, codes: Positions) -> None:
        self.codes = codes
        known, self._members = rising_with_back(codes)
        self._count = len(known)

    def best(self, scores: Floats) -> Floats:
        """The best score of each candidate's session."""
        best = np.full(self._count, -np.inf, np.float32)
        np.maximum.at(best, self._members, scores)
        return best[self._members]


def _nearness(evidence: Evidence, around: Positions, sessions: _Sessions) -> Floats:
    count = len(around) // AROUND
    if evidence.meaning is None:
        return np.zeros((NEAR.stop, count), np.float32)
    own, before, after, second, last = evidence.meaning.of(around).reshape(AROUND, count)
    best = np.maximum(own, np.maximum(before, after))
    return np.stack([own, before, after, (second + last) / 2, sessions.best(own), best])


def _holding(words: Words, around: Positions, sessions: _Sessions) -> Floats:
    count = len(around) // AROUND
    if not words.terms or not count:
        return np.zeros((HELD.stop - HELD.start, count), np.float32)
    present = words.presence(around).reshape(-1, AROUND, count)
    own, anywhere = present[:, 0].astype(np.float32), present.any(axis=1).astype(np.float32)
    rarest = (words.gains[:, None] * own).max(axis=0)
    whole = words.held_by_session(sessions.codes)
    return np.stack([words.gains @ own, words.gains @ anywhere, whole, rarest])


def _speaker(evidence: Evidence, places: Positions) -> Floats:
    """½ where one of those named speaks, -½ where another does, 0 where nobody is named."""
    if not len(evidence.named):
        return np.zeros(len(places), np.float32)
    speakers = evidence.outline.take("speakers", places)
    said = np.isin(speakers, evidence.named).astype(np.float32) - np.float32(0.5)
    return np.where(speakers == NOWHERE, np.float32(0), said)


def _role(evidence: Evidence, places: Positions) -> Floats:
    """½ for the role that likely holds the answer, -½ for others; half as much on a mere guess."""
    roles = evidence.outline.take("roles", places)
    if len(evidence.named) or not len(roles) or (roles == roles[0]).all():
        return np.zeros(len(places), np.float32)
    subject = evidence.task.subject
    wanted = Role.ASSISTANT if subject is Subject.ASSISTANT else Role.USER
    sure = np.float32(0.5 if subject is Subject.ANYONE else 1.0)
    said: Floats = (roles == ROLES.index(wanted)).astype(np.float32) - np.float32(0.5)
    return sure * said
