"""What speaks for a message: one column a feature, computed for all candidates at once.

Each column means the same in any bank: nearness counts in steps of its space's scatter, word scores
are shares of the best one, less where that holds little of what was asked, everything else lies
between -½ and 1. `fuse` weighs them.
"""

import numpy as np

from hermes.memory.recall import cues, windows
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.outline import NOWHERE, Floats, Positions
from hermes.memory.recall.task import Subject
from hermes.memory.recall.words import Words, saturation
from hermes.types import Role

# In the order of the columns. Those from `FIRST_TEXT` on need the message's text.
FEATURES = (
    "near",  # the message means what the question means
    "near_before",  # so does the message before it…
    "near_after",  # …the one after it…
    "near_around",  # …and those two places away
    "near_session",  # the best of its session
    "held",  # it holds the question's rare words
    "held_pair",  # it and the message before it, taken as one
    "held_session",  # its whole session, taken as one
    "held_session_best",  # the best message of its session
    "covered",  # share of the question's words, by weight, that it and its neighbours hold
    "speaker",  # said by whom the question names
    "role",  # said by the user, or by the assistant where the question asks for that
    "time",  # said in, or soon after, a time the question names
    "answers",  # follows a question that means what this one means
    "answers_held",  # follows a question that holds this one's words
    "tells_time",  # asked when or how long, tells a time
    "gives_number",  # asked how many, gives a number
    "substance",  # says more than a few words
)
CUE_COLUMNS = {"when": "tells_time", "how_long": "tells_time", "how_many": "gives_number"}
BY_WORD = np.float32(1.5)  # how much more words count where they are looked up, not asked with
FIRST_TEXT = FEATURES.index("answers")
ROLES = tuple(Role)


def outline_features(evidence: Evidence, places: Positions) -> Floats:
    """Every column that needs no text; those that do are left at 0."""
    outline = evidence.outline
    before, after = outline.neighbours(places, -1), outline.neighbours(places, 1)
    columns = np.zeros((len(FEATURES), len(places)), np.float32)
    sessions = _Sessions(outline.take("sessions", places).astype(np.int64))
    columns[0:5] = _nearness(evidence, places, before, after, sessions=sessions)
    columns[5:10] = _holding(evidence.words, places, before, after, sessions=sessions)
    if evidence.task.is_lookup:
        columns[5:9] *= BY_WORD
    columns[10] = _speaker(evidence, places)
    columns[11] = _role(evidence, places)
    at = outline.take("at", places).astype(np.int64)
    columns[12] = windows.fit(evidence.task.spans, at, evidence.oldest_at)
    return columns.T


def add_text_features(
    columns: Floats, evidence: Evidence, texts: list[str], texts_before: list[str]
) -> None:
    """Fill in the columns that need the texts of the messages and of those before them."""
    asked = cues.asks(texts_before)
    columns[:, FIRST_TEXT] = asked * columns[:, FEATURES.index("near_before")]
    held_before = columns[:, FEATURES.index("held_pair")] - columns[:, FEATURES.index("held")]
    columns[:, FIRST_TEXT + 1] = asked * np.maximum(held_before, 0)
    if (kind := CUE_COLUMNS.get(evidence.task.cue)) is not None:
        columns[:, FEATURES.index(kind)] = cues.could_answer(evidence.task.cue, texts)
    columns[:, FEATURES.index("substance")] = cues.substance(texts)


class _Sessions:
    """Whose candidates belong together."""

    def __init__(self, codes: Positions) -> None:
        self.codes = codes
        known, self._members = np.unique(codes, return_inverse=True)
        self._count = len(known)

    def best(self, scores: Floats) -> Floats:
        """The best score of each candidate's session."""
        best = np.full(self._count, -np.inf, np.float32)
        np.maximum.at(best, self._members, scores)
        return best[self._members]


def _nearness(
    evidence: Evidence,
    places: Positions,
    before: Positions,
    after: Positions,
    *,
    sessions: _Sessions,
) -> Floats:
    if evidence.meaning is None:
        return np.zeros((5, len(places)), np.float32)
    outline = evidence.outline
    two_before, two_after = outline.neighbours(before, -1), outline.neighbours(after, 1)
    everywhere = np.concatenate([places, before, after, two_before, two_after])
    own, previous, following, second, last = evidence.meaning.of(everywhere).reshape(5, -1)
    return np.stack([own, previous, following, (second + last) / 2, sessions.best(own)])


def _holding(
    words: Words,
    places: Positions,
    before: Positions,
    after: Positions,
    *,
    sessions: _Sessions,
) -> Floats:
    count = len(places)
    if not words.terms or not count:
        return np.zeros((5, count), np.float32)
    outline = words.outline
    everywhere = np.concatenate([places, before, after])
    real = everywhere != NOWHERE
    present = (words.presence(everywhere) & real).astype(np.float32).reshape(-1, 3, count)
    sizes = (outline.relative_sizes(everywhere) * real).reshape(3, count)
    own = words.weights @ saturation(present[:, 0], sizes[0])
    pair = words.weights @ saturation(present[:, 0] + present[:, 1], (sizes[0] + sizes[1]) / 2)
    whole = words.session_scores(sessions.codes)
    asked = np.float32(words.asked_weight)
    covered = words.weights @ present.max(axis=1) / asked
    telling = np.sqrt((words.weights @ present[:, 0]).max() / asked)
    shares = (_share(each) * telling for each in (own, pair, whole, sessions.best(own)))
    return np.stack([*shares, covered])


def _share(scores: Floats) -> Floats:
    """Of the best; how much the best holds of the question is another matter (`telling`).

    Where no message holds more than a word or two of a question, words tell little: without that
    every log of other words than the question's was ranked by chance.
    """
    shared: Floats = scores / np.float32(max(1e-6, float(scores.max())))
    return shared


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
