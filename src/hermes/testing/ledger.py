"""A ledger that lasts as long as its process."""

from collections.abc import Sequence

from hermes.llm.budget import Charge, Spent


class MemoryLedger:
    """Keeps charges in a list."""

    def __init__(self, charges: Sequence[Charge] = ()) -> None:
        self.charges = list(charges)

    def record_charge(self, charge: Charge) -> None:
        self.charges.append(charge)

    def get_spent(self, section: str, since: int, until: int) -> Spent:
        spent = Spent()
        for charge in self.charges:
            if charge.section == section and since <= charge.at < until:
                spent = spent.plus(charge)
        return spent
