"""A value told anew takes the place of the old where one excludes the other, and only there."""

import pytest

from hermes.memory.facts.restatement import is_told_anew


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Invoices go to Petra", "Invoices go to Samir from now on"),
        ("The Wi-Fi password is bluewhale", "The Wi-Fi password is greenturtle now"),
        ("User uses tabs for indentation", "User now uses spaces for indentation"),
        ("User's son goes to Oakfield primary school", "User's son goes to Hillside school"),
        ("User gets up at 6", "User gets up at 7 these days"),
    ],
)
def test_another_value_in_the_same_place(old: str, new: str) -> None:
    assert is_told_anew(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User likes tea", "User likes coffee now"),
        ("User is tired", "User is happy now"),
        ("User's team deploys with Argo to staging", "User's team deploys with Flux to prod now"),
        ("User's team has an office in Berlin", "User's team has an office in Paris now"),
        ("Invoices go to Petra", "Parcels go to Samir now"),
        ("Invoices go to Petra", "Invoices go to Petra now"),
    ],
)
def test_what_may_hold_beside_the_other(old: str, new: str) -> None:
    assert not is_told_anew(old, new)
