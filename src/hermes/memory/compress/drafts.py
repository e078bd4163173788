"""A cluster's summary, proved: written, asked what the raw episodes answer, mended, judged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from hermes.clock import DAY_MS
from hermes.memory.compress.clusters import Cluster
from hermes.memory.compress.extract import extract_lines, make_parts
from hermes.memory.compress.proof import Probe, Proof, make_probes, mend, prove
from hermes.memory.compress.worth import UNKNOWN, Vocabulary
from hermes.store.base import FactFilter, Store, Tx
from hermes.store.base.summaries import SummaryPart
from hermes.types import Fact

MENDINGS = 2


@dataclass(frozen=True, slots=True)
class Policy:
    """When episodes are old, how long the way back stays open, and how much is done in one run."""

    after_ms: int = 30 * DAY_MS
    grace_ms: int = 30 * DAY_MS
    most_clusters: int = 500
    least_share: float = 0.97
    worth_it: float = 0.9  # longer than this share of the raw text, it must at least save rows


USUAL = Policy()


class Summariser(Protocol):
    """Writes the parts of a summary, knowing what is often said; may wait for a model."""

    @property
    def author(self) -> str: ...

    def write(
        self, cluster: Cluster, vocabulary: Vocabulary = UNKNOWN
    ) -> tuple[SummaryPart, ...]: ...


class ExtractiveSummariser:
    """Needs no model: sentences go, words go, nothing is reworded."""

    author = "extractive"

    def write(self, cluster: Cluster, vocabulary: Vocabulary = UNKNOWN) -> tuple[SummaryPart, ...]:
        lines = extract_lines(cluster.messages, vocabulary)
        return make_parts(lines, cluster.messages, cluster.title) if lines else ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A cluster, the summary that may take its place, and whether that is proved."""

    cluster: Cluster
    parts: tuple[SummaryPart, ...]
    proof: Proof
    author: str
    refusal: str = ""

    @property
    def chars(self) -> int:
        return sum(len(part.text) for part in self.parts)


def draft_summary(
    store: Store,
    cluster: Cluster,
    summariser: Summariser,
    policy: Policy = USUAL,
    vocabulary: Vocabulary = UNKNOWN,
) -> Draft:
    """A cluster's summary, mended where the proof found something missing."""
    parts = summariser.write(cluster, vocabulary)
    if not parts:
        return Draft(cluster, (), Proof(0, ()), summariser.author, "nothing in it tells anything")
    prove_it = partial(_proved, cluster=cluster, parts=parts, by=summariser.author, policy=policy)
    return store.read(prove_it)


def _proved(
    tx: Tx, *, cluster: Cluster, parts: tuple[SummaryPart, ...], by: str, policy: Policy
) -> Draft:
    tokens = tx.texts.tokens
    probes = make_probes(cluster.messages, _facts_of(tx, cluster), tokens)
    parts, proof = prove_and_mend(probes, parts, tokens)
    draft = Draft(cluster, parts, proof, by)
    return replace(draft, refusal=_refusal(draft, policy))


def prove_and_mend(
    probes: Sequence[Probe], parts: tuple[SummaryPart, ...], tokens: Callable[[str], list[str]]
) -> tuple[tuple[SummaryPart, ...], Proof]:
    proof = prove(probes, parts, tokens)
    for _ in range(MENDINGS):
        if not proof.missed:
            break
        parts = mend(parts, proof.missed, tokens)
        proof = prove(probes, parts, tokens)
    return parts, proof


def _refusal(draft: Draft, policy: Policy) -> str:
    proof, raw = draft.proof, draft.cluster.chars
    if not proof.probes:
        return "nothing could be asked that would prove the summary"
    if proof.share < policy.least_share:
        return f"only {proof.found} of {proof.probes} probes were found"
    if draft.chars >= raw or len(draft.parts) >= len(draft.cluster.messages):
        return "the summary is no shorter"
    saves_rows = 2 * len(draft.parts) <= len(draft.cluster.messages)  # and as many vectors
    if draft.chars > policy.worth_it * raw and not saves_rows:
        return f"the summary is only {1 - draft.chars / raw:.0%} shorter"
    return ""


def _facts_of(tx: Tx, cluster: Cluster) -> list[Fact]:
    found: dict[int, Fact] = {}
    for message in cluster.messages:
        for fact in tx.facts.list(FactFilter(message_id=message.id), 100):
            found[fact.id] = fact
    return list(found.values())
