"""Times in other languages, in the notation of `test_when_english`."""

import pytest
from when_rows import NOW, check_row, list_rows

from hermes.memory.recall.when import find_times
from hermes.memory.recall.when.languages import LANGUAGES, Language

ROWS = """
[gestern] | 2023-06-13 .. 2023-06-14 | day past
Was habe ich [gestern Abend] gesagt? | 2023-06-13T17:00 .. 2023-06-14 | hour past
[vorgestern] | 2023-06-12 .. 2023-06-13 | day past
[bis morgen] | 2023-06-14T15:30 .. 2023-06-16 | day future
[letzte Woche] | 2023-06-05 .. 2023-06-12 | week past
[nächsten Freitag] | 2023-06-16 .. 2023-06-17 | day future
[vor zwei Wochen] | 2023-05-28 .. 2023-06-04 | week past
[in drei Tagen] | 2023-06-17 .. 2023-06-18 | day future
[im März] | 2023-03-01 .. 2023-04-01 | month any
[im März 2023] | 2023-03-01 .. 2023-04-01 | month any
am [7. Mai 2023] | 2023-05-07 .. 2023-05-08 | day any
[7. Mai] | 2023-05-07 .. 2023-05-08 | day any
[seit Montag] | 2023-06-12 .. 2023-06-14T15:30 | day past
[bis Freitag] | 1900-01-01 .. 2023-06-10 | day past
[letzten Sommer] | 2022-06-01 .. 2022-09-01 | season past
[hier] | 2023-06-13 .. 2023-06-14 | day past
Où étais-je [hier] ? | 2023-06-13 .. 2023-06-14 | day past
la [semaine dernière] | 2023-06-05 .. 2023-06-12 | week past
le [mois prochain] | 2023-07-01 .. 2023-08-01 | month future
[il y a trois jours] | 2023-06-11 .. 2023-06-12 | day past
[dans deux semaines] | 2023-06-25 .. 2023-07-02 | week future
[en mars] | 2023-03-01 .. 2023-04-01 | month any
le [7 mai 2023] | 2023-05-07 .. 2023-05-08 | day any
[mardi dernier] | 2023-06-13 .. 2023-06-14 | day past
l'[année dernière] | 2022-01-01 .. 2023-01-01 | year past
l'[an dernier] | 2022-01-01 .. 2023-01-01 | year past
l'[été dernier] | 2022-06-01 .. 2022-09-01 | season past
[aujourd'hui] | 2023-06-14 .. 2023-06-15 | day any
[ayer] | 2023-06-13 .. 2023-06-14 | day past
la [semana pasada] | 2023-06-05 .. 2023-06-12 | week past
el [mes que viene] | 2023-07-01 .. 2023-08-01 | month future
[hace dos semanas] | 2023-05-28 .. 2023-06-04 | week past
el [martes pasado] | 2023-06-13 .. 2023-06-14 | day past
[7 de mayo de 2023] | 2023-05-07 .. 2023-05-08 | day any
[en mayo] | 2023-05-01 .. 2023-06-01 | month any
[esta mañana] | 2023-06-14T05:00 .. 2023-06-14T12:00 | hour any
[mañana] | 2023-06-15 .. 2023-06-16 | day future
[ontem] | 2023-06-13 .. 2023-06-14 | day past
a [semana passada] | 2023-06-05 .. 2023-06-12 | week past
[há dois dias] | 2023-06-12 .. 2023-06-13 | day past
[dois dias atrás] | 2023-06-12 .. 2023-06-13 | day past
na [terça passada] | 2023-06-13 .. 2023-06-14 | day past
[segunda-feira] | 2023-06-12 .. 2023-06-13 | day any
[em março] | 2023-03-01 .. 2023-04-01 | month any
[вчера] | 2023-06-13 .. 2023-06-14 | day past
что я говорил [вчера вечером]? | 2023-06-13T17:00 .. 2023-06-14 | hour past
на [прошлой неделе] | 2023-06-05 .. 2023-06-12 | week past
[завтра] | 2023-06-15 .. 2023-06-16 | day future
[два дня назад] | 2023-06-12 .. 2023-06-13 | day past
[в марте] | 2023-03-01 .. 2023-04-01 | month any
[7 мая 2023] | 2023-05-07 .. 2023-05-08 | day any
[dün] ne dedim | 2023-06-13 .. 2023-06-14 | day past
[bugün] | 2023-06-14 .. 2023-06-15 | day any
[geçen hafta] | 2023-06-05 .. 2023-06-12 | week past
[iki hafta önce] | 2023-05-28 .. 2023-06-04 | week past
[دیروز] | 2023-06-13 .. 2023-06-14 | day past
[فردا] | 2023-06-15 .. 2023-06-16 | day future
[هفته گذشته] | 2023-06-05 .. 2023-06-12 | week past
[سه روز پیش] | 2023-06-11 .. 2023-06-12 | day past
[ieri] | 2023-06-13 .. 2023-06-14 | day past
la [settimana scorsa] | 2023-06-05 .. 2023-06-12 | week past
[due settimane fa] | 2023-05-28 .. 2023-06-04 | week past
[tra tre giorni] | 2023-06-17 .. 2023-06-18 | day future
il [7 maggio 2023] | 2023-05-07 .. 2023-05-08 | day any
[martedì scorso] | 2023-06-13 .. 2023-06-14 | day past
[quest'anno] | 2023-01-01 .. 2024-01-01 | year any
[昨天]我去了哪里 | 2023-06-13 .. 2023-06-14 | day past
[上周二] | 2023-06-06 .. 2023-06-07 | day past
[上个月]我们说了什么 | 2023-05-01 .. 2023-06-01 | month past
[三天前] | 2023-06-11 .. 2023-06-12 | day past
[两周前] | 2023-05-28 .. 2023-06-04 | week past
[十二个月前] | 2022-06-01 .. 2022-07-01 | month past
[2023年5月7日] | 2023-05-07 .. 2023-05-08 | day any
[5月7日] | 2023-05-07 .. 2023-05-08 | day any
[2023年] | 2023-01-01 .. 2024-01-01 | year any
[去年] | 2022-01-01 .. 2023-01-01 | year past
[先週の火曜日] | 2023-06-06 .. 2023-06-07 | day past
[先週] | 2023-06-05 .. 2023-06-12 | week past
[昨日]何を食べた? | 2023-06-13 .. 2023-06-14 | day past
[3日前] | 2023-06-11 .. 2023-06-12 | day past
[二週間前] | 2023-05-28 .. 2023-06-04 | week past
[2か月前] | 2023-04-01 .. 2023-05-01 | month past
[明後日] | 2023-06-16 .. 2023-06-17 | day future
[来月] | 2023-07-01 .. 2023-08-01 | month future
[下周末] | 2023-06-24 .. 2023-06-26 | weekend future
[今年] | 2023-01-01 .. 2024-01-01 | year any
[星期三] | 2023-06-07 .. 2023-06-08 | day any
[火曜日] | 2023-06-13 .. 2023-06-14 | day any
[il y a un an] | 2022-01-01 .. 2023-01-01 | year past
[dans un an] | 2024-01-01 .. 2025-01-01 | year future
[mars 2023] | 2023-03-01 .. 2023-04-01 | month any
[entro venerdì] | 2023-06-14T15:30 .. 2023-06-17 | day future
[desde el lunes] | 2023-06-12 .. 2023-06-14T15:30 | day past
[hasta mayo] | 1900-01-01 .. 2023-06-01 | month past
[esta semana] | 2023-06-12 .. 2023-06-19 | week any
[diesen Monat] | 2023-06-01 .. 2023-07-01 | month any
[ce week-end] | 2023-06-17 .. 2023-06-19 | weekend any
[In Weihnachten 2022] | 2022-12-25 .. 2022-12-26 | day any
[à Noël] | 2022-12-25 .. 2022-12-26 | day any
[im Sommer 2022] | 2022-06-01 .. 2022-09-01 | season any
[en verano] | 2023-06-01 .. 2023-09-01 | season any
no [próximo mês] | 2023-07-01 .. 2023-08-01 | month future
[去年5月] | 2022-05-01 .. 2022-06-01 | month past
[来年の3月7日] | 2024-03-07 .. 2024-03-08 | day future
[depuis la semaine dernière] | 2023-06-05 .. 2023-06-14T15:30 | week past
[seit dem 7. Mai] | 2023-05-07 .. 2023-06-14T15:30 | day past
"""

NO_TIME = """
guten Morgen zusammen
Ich wohne hier
por la mañana
mission to Mars
from Mars
due to June being ill
Marco told a Marco
estate planning in estate
"""
FIELDS = ("months", "weekdays", "seasons", "numbers")


@pytest.mark.parametrize("row", list_rows(ROWS))
def test_time_is_read(row: str) -> None:
    check_row(row)


@pytest.mark.parametrize("text", list_rows(NO_TIME))
def test_false_friend_is_left_alone(text: str) -> None:
    assert find_times(text, NOW) == ()


@pytest.mark.parametrize("field", FIELDS)
def test_languages_do_not_clash(field: str) -> None:
    meanings: dict[str, int] = {}
    for language in LANGUAGES:
        for place, group in enumerate(getattr(language, field).split()):
            for name in group.split("|"):
                assert meanings.setdefault(name, place) == place, name


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each.months])
def test_tables_are_whole(language: Language) -> None:
    sizes = [len(getattr(language, field).split()) for field in FIELDS]
    assert sizes == [12, 7, 4, 12]
