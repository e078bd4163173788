"""Which raw episodes are summarised together: one conversation, one task, one topic, one time.

A cluster never crosses a session: sessions are shown, put away and erased as one, and belong to one
person.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from hermes.clock import HOUR_MS
from hermes.memory.compress.dense import content_words
from hermes.store.text import render_calls
from hermes.types import Episode, Message, Session

GAP_MS = 12 * HOUR_MS
FEW_MESSAGES = 12  # so many stay together whatever the pause…
SOME_MESSAGES = 40  # …and so many whatever the topic
MOST_MESSAGES = 150
MOST_CHARS = 60_000
SAME_TOPIC = 0.06  # share of an episode's words that the episodes before it must hold
TOPIC_EPISODES = 4


@dataclass(frozen=True)
class Cluster:
    """Raw episodes of one session, in order."""

    session: Session
    episodes: tuple[Episode, ...]

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        found = [message for episode in self.episodes for message in episode.messages]
        return tuple(sorted(found, key=lambda message: message.id))

    @property
    def chars(self) -> int:
        return sum(len(m.text) + len(render_calls(m.calls)) for m in self.messages)

    @property
    def title(self) -> str:
        """What it is about, as far as somebody said so."""
        return self.episodes[0].task or self.session.title


def find_clusters(
    session: Session, episodes: Sequence[Episode], *, before_at: int, upto: int
) -> Iterator[Cluster]:
    """Clusters of what is old enough and was read for facts (`upto` is the last message read)."""
    group: list[Episode] = []
    for episode in episodes:
        if not _is_ripe(episode, before_at, upto):
            if group:
                yield Cluster(session, tuple(group))
            group = []
            continue
        if group and not _belongs(group, episode):
            yield Cluster(session, tuple(group))
            group = []
        group.append(episode)
    if group:
        yield Cluster(session, tuple(group))


def _is_ripe(episode: Episode, before_at: int, upto: int) -> bool:
    said = episode.messages
    return bool(said) and all(each.at < before_at and each.id <= upto for each in said)


def _belongs(group: Sequence[Episode], episode: Episode) -> bool:
    messages = sum(len(each.messages) for each in group)
    chars = sum(len(said.text) for each in group for said in each.messages)
    if messages + len(episode.messages) > MOST_MESSAGES or chars > MOST_CHARS:
        return False
    if episode.task != group[-1].task:
        return False
    if messages < FEW_MESSAGES:
        return True
    if episode.at - group[-1].messages[-1].at > GAP_MS:
        return False
    return messages < SOME_MESSAGES or _shares_topic(group, episode)


def _shares_topic(group: Sequence[Episode], episode: Episode) -> bool:
    words = _words(episode)
    before = frozenset[str]().union(*(_words(each) for each in group[-TOPIC_EPISODES:]))
    return not words or len(words & before) >= SAME_TOPIC * len(words)


def _words(episode: Episode) -> frozenset[str]:
    return content_words(" ".join(message.text[:2_000] for message in episode.messages))
