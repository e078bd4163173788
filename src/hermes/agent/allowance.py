"""What the person allowed beforehand: by a setting, by a list, by "always".

Wraps another approver: what the rules settle is not asked again.
"""

from collections.abc import Callable, Iterable

from hermes.agent.approval import AllowAll, Answer, Approver, DenyAll
from hermes.tools.base import Question


class Rules:
    """The rules allowed so far; `keep` makes one last beyond this session."""

    def __init__(
        self, rules: Iterable[str] = (), keep: Callable[[str], None] | None = None
    ) -> None:
        self._rules = dict.fromkeys(rules)
        self._keep = keep

    def all(self) -> tuple[str, ...]:
        return tuple(self._rules)

    def add(self, rule: str) -> None:
        """Allow what `rule` says from now on."""
        if rule and rule not in self._rules:
            self._rules[rule] = None
            if self._keep is not None:
                self._keep(rule)


class Listed:
    """Asks only what no rule settles, and remembers an "always"."""

    def __init__(self, rules: Rules, inner: Approver) -> None:
        self._rules = rules
        self._inner = inner

    async def ask(self, question: Question) -> Answer:
        if question.rule and question.rule in self._rules.all():
            return Answer.ONCE
        answer = await self._inner.ask(question)
        if answer is Answer.ALWAYS:
            self._rules.add(question.rule)
        return answer


def choose_approver(setting: str, asking: Approver, rules: Rules) -> Approver:
    """The approver for `terminal.approval`: `ask`, `allow` or `deny`."""
    if setting == "allow":
        return AllowAll()
    return Listed(rules, DenyAll() if setting == "deny" else asking)
