"""What every store promises of the books: lines add up, days and profiles stay apart."""

from dataclasses import replace

from hermes.store.base import SpendingLine, Store

LINE = SpendingLine("2026-01-05", "default", "lightModel", "m", 1, 100, 20, 40, 0.25)


def add(store: Store, *lines: SpendingLine) -> None:
    for line in lines:
        store.write(lambda tx, line=line: tx.spending.add(line))  # type: ignore[misc]


def lines(store: Store, since: str = "2026-01-05", until: str = "2026-01-05") -> list[SpendingLine]:
    return store.read(lambda tx: tx.spending.list("default", since, until))


def test_a_line_is_kept_and_the_next_call_adds_to_it(any_store: Store) -> None:
    add(any_store, LINE)
    assert lines(any_store) == [LINE]
    add(any_store, replace(LINE, guessed=True))
    assert lines(any_store) == [replace(LINE, calls=2, input_tokens=200, output_tokens=40,
                                        cached_tokens=80, usd=0.5, guessed=True)]  # fmt: skip


def test_a_guess_in_the_sum_stays_a_guess(any_store: Store) -> None:
    add(any_store, replace(LINE, guessed=True), LINE)
    assert lines(any_store)[0].guessed


def test_models_roles_days_and_profiles_are_apart(any_store: Store) -> None:
    other = [
        replace(LINE, model="n"),
        replace(LINE, role="model"),
        replace(LINE, day="2026-01-06"),
    ]
    add(any_store, LINE, *other, replace(LINE, profile="work"))
    assert lines(any_store) == [LINE, other[0], other[1]]
    assert lines(any_store, "2026-01-01", "2026-01-31") == [LINE, *other]
    assert lines(any_store, "2026-01-06", "2026-01-06") == [other[2]]
    assert lines(any_store, "2025-01-01", "2025-12-31") == []
