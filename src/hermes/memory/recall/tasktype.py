"""What type of task a text asks for, by a small table of telling words.

It serves the procedural pass, which brings up reflections and skills of the same type; a wrong
guess costs a little rank, so a table is enough. Types learnt later are given by the caller.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hermes.memory.recall.when.folding import fold

FALLBACK = "chat"
LEADING_WORDS = 4  # "Write a report on monitoring" is writing: what is asked stands first
LEADING_FACTOR = 2.0
THRESHOLD = 3.0  # less than one telling word is talk
# A question about what was: its first words name a subject, not a task.
ASKING = frozenset(
    "what when where who whose did was were do have has is are am wann wo wer".split()
)

# Per type: words by weight. `*` ends a stem, `_` joins a phrase; accents are folded.
TABLE: dict[str, dict[int, str]] = {
    "research": {
        3: "research* investigat* literature compare comparison* alternatives state_of_the_art"
        " survey find_out look_into look_up recherch* vergleich* compar* investiga* ricerc*"
        " pesquis* competitors market_analysis find_sources pros_and_cons difference_between"
        " what_is_the_best 调研 研究 比较 調査 調べ 比較",
        2: "sources paper papers study studies evidence overview options evaluate learn_about"
        " explore find_me quellen fuentes",
        1: "article articles read analyze information background market find which",
    },
    "writing": {
        3: "write draft* rewrite rephrase proofread essay blog summar* cover_letter poem edit"
        " copywriting press_release schreib* verfass* entwurf redig* ecri* redacta* escrib*"
        " scriv* resum* zusammenfass* newsletter 写 撰写 起草 書い 執筆 要約",
        2: "paragraph report text document docs documentation readme tone headline outline"
        " translate* caption script speech chapter translation ubersetz* tradu* changelog"
        " 翻译 翻訳 story article",
        1: "section wording sentence grammar title words style",
    },
    "coding": {
        3: "implement* refactor* code coding function unit_test unit_tests endpoint"
        " script_that programm* python typescript javascript rust golang regex implementier*"
        " codigo funcion fonction funzione componente add_support compile api_client 代码"
        " 编写代码 実装 コード",
        2: "method module library package repo repository pull_request merge commit branch git"
        " sql type_hints tests test frontend backend component cli parser migration"
        " algorithm java kotlin swift docker dockerfile react django flask fastapi variable"
        " loop app class classes program",
        1: "api build feature write add file support",
    },
    "debugging": {
        3: "debug* bug* traceback stack_trace stacktrace exception* segfault crash* broken"
        " fail fails failing failure error* why_does fix* doesn't_work not_working"
        " does_not_work regression flaky root_cause fehler* absturz* erreur* fallo* errore*"
        " erro reparar corrig* 报错 调试 修复 エラー バグ 直し",
        2: "hangs hang timeout deadlock leak* wrong_output reproduce stuck problem issue broke"
        " null undefined workaround bisect unexpected troubleshoot* problema 500",
        1: "why log logs test",
    },
    "monitoring": {
        3: "monitor* watch_for keep_an_eye alert* notify_me uptime check_every track uberwach*"
        " surveill* vigil* sorvegli* dashboard* health_check let_me_know_when let_me_know_if"
        " 监控 监测 監視 watch_the",
        2: "status every_hour every_day every_morning daily hourly threshold latency changes"
        " drops exceeds metrics prices new_posts periodically regularly feed outage",
        1: "check price when whenever latest watch",
    },
    "planning": {
        3: "plan plans planning planen geplant planea planeja roadmap schedul* itinerary"
        " milestone* agenda prioriti* organi* sprint to-do todo timeline calendar*"
        " break_down planifi* organis* pianific* planej* terminplan* zeitplan* 计划 安排"
        " 規划 规划 計画 予定",
        2: "next_steps goals goal steps deadline* trip budget week_ahead backlog estimate"
        " prepare prepar* strategy meal workout vacation book reserve remind* erinner* party",
        1: "week weekend tomorrow time tasks event before",
    },
    "communication": {
        3: "email e-mail reply respond message_to send tell_my tell_him tell_her tell_them"
        " slack* announce* invite invitation follow_up antwort* repond* respond* rispond*"
        " nachricht* correo mensaje courriel messaggio mensagem sende* envoie* envia* invia*"
        " text_my 邮件 回复 发送 メール 返信 送っ",
        2: "message letter_to thank apolog* tweet post_to linkedin customer complaint"
        " introduc* inform forward colleague boss team client whatsapp telegram dm notify"
        " meeting_request contact mail",
        1: "message team write say let_them_know call",
    },
    "data": {
        3: "csv dataset* dataframe spreadsheet excel pandas aggregate pivot* chart* plot*"
        " histogram statistic* correlat* visuali* query_the regression_model median"
        " analyse_the_data analyze_the_data clean_the_data daten* datos donnees dati dados"
        " 数据 统计 データ 集計 グラフ",
        2: "data table column* row rows average sum sql join parquet json rows_per count"
        " trend* outlier* sales_figures forecast number_of mean percent* tabelle tabla"
        " tableau tabella graph",
        1: "calculate compute numbers total group_by analyze analysis by_month how_many",
    },
    "operations": {
        3: "deploy* provision* rollback roll_back restart backup* back_up kubernetes k8s"
        " terraform ansible nginx systemd install* upgrade* configure dns ssl certificate*"
        " migrate staging bereitstell* desplieg* deploie* instal* aggiorna* 部署 安装"
        " デプロイ インストール",
        2: "cluster container* pod vm cloud aws gcp azure disk firewall ssh permissions"
        " release rotate scale set_up cron daemon config environment pipeline ci server*"
        " production",
        1: "set service host run update",
    },
}


@dataclass(frozen=True, slots=True)
class TaskType:
    """A type of task and, from 0 to 1, how clearly the text asks for it."""

    name: str
    score: float


Weights = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class _Terms:
    """Terms by how they are matched: each maps to the weight it gives to each type."""

    exact: Weights
    stems: Weights
    characters: Weights
    lengths: set[int]  # of the stems


def infer_task_type(text: str, learnt: Mapping[str, Iterable[str]] | None = None) -> TaskType:
    """The type of task a text asks for; `chat` where nothing tells.

    `learnt` gives more types, each with its telling terms in the notation of the table.
    """
    scores: dict[str, float] = {}
    folded = fold(text[:2000])  # a task is told at its start; what is pasted after it is not
    for terms in (_BUILT_IN, *([_index(_weigh(learnt))] if learnt else [])):
        for name, weight in _score(folded, terms).items():
            scores[name] = scores.get(name, 0.0) + weight
    name = max(scores, key=lambda each: scores[each], default=FALLBACK)
    if scores.get(name, 0.0) < THRESHOLD:
        return TaskType(FALLBACK, 0.0)
    best, total = scores[name], sum(scores.values())
    return TaskType(name, round(best / (total + THRESHOLD), 3))


def _weigh(learnt: Mapping[str, Iterable[str]]) -> dict[str, dict[int, str]]:
    joined = {name: ["_".join(term.split()) for term in terms] for name, terms in learnt.items()}
    return {name: {3: fold(" ".join(terms))} for name, terms in joined.items()}


def _index(table: dict[str, dict[int, str]]) -> _Terms:
    terms = _Terms({}, {}, {}, set())
    for name, weights in table.items():
        for weight, words in weights.items():
            for word in words.split():
                kind = _kind_of(word, terms)
                kind.setdefault(word.rstrip("*").replace("_", " "), {})[name] = weight
    terms.lengths.update(len(stem) for stem in terms.stems)
    return terms


def _kind_of(word: str, terms: _Terms) -> Weights:
    if not word.isascii():
        return terms.characters
    return terms.stems if word.endswith("*") else terms.exact


_BUILT_IN = _index(TABLE)
_WORD = re.compile(r"[a-z0-9]+(?:['-][a-z0-9]+)*")
_ERROR = re.compile(r"^\w+(?:error|exception)s?$")  # TypeError and its kin
_PASTED = re.compile(r":\s|\n")  # what follows is material more often than task
PASTED_FACTOR = 0.4
PHRASE_WORDS = 4


def _score(folded: str, terms: _Terms) -> dict[str, float]:
    """What the terms give to each type; a term counts once, at its best place."""
    best: dict[str, tuple[float, dict[str, float]]] = {}
    words = list(_WORD.finditer(folded))
    pasted = _PASTED.search(folded)
    end = pasted.start() if pasted else len(folded)
    texts = [_ERROR.sub("error", word[0]) for word in words]
    for place, word in enumerate(words):
        factor = PASTED_FACTOR if word.start() > end else _factor(texts, place)
        for term, weights in _matches(texts, place, terms):
            if factor > best.get(term, (0.0, {}))[0]:
                best[term] = factor, weights
    for term, weights in terms.characters.items():
        if term in folded:
            best[term] = 1.0, weights
    return _sum(best.values())


def _factor(words: list[str], place: int) -> float:
    return LEADING_FACTOR if place < LEADING_WORDS and words[0] not in ASKING else 1.0


def _matches(words: list[str], place: int, terms: _Terms) -> Iterator[tuple[str, dict[str, float]]]:
    word = words[place]
    for size in range(1, min(PHRASE_WORDS, len(words) - place) + 1):
        phrase = " ".join(words[place : place + size])
        if found := terms.exact.get(phrase):
            yield phrase, found
    for length in terms.lengths:
        if length <= len(word) and (found := terms.stems.get(word[:length])):
            yield word[:length], found


def _sum(matched: Iterable[tuple[float, dict[str, float]]]) -> dict[str, float]:
    scores: dict[str, float] = {}
    for factor, weights in matched:
        for name, weight in weights.items():
            scores[name] = scores.get(name, 0.0) + factor * weight
    return scores
