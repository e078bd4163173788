"""Which of two places may lie within the other: who lives in Berlin lives in Germany, too.

Only names that are widely known are listed; of two that are not, nothing is said here.
"""

import re
from functools import lru_cache

_PART = re.compile(r"\s*[,(/]\s*|\s+in\s+", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:the|a|an|somewhere|in|near|northern|southern|eastern|western|central|rural|small|"
    r"(?:north|south|east|west|middle|centre|center)(?= of)|of|town|village|city|area)\s+)+"
)


def _listed(names: str) -> frozenset[str]:
    return frozenset(name.strip() for name in names.replace("\n", " ").split(",") if name.strip())


_WIDE = _listed(
    """europe, asia, africa, north america, south america, latin america, central america, america,
    oceania, antarctica, scandinavia, eu, european union, middle east, balkans, baltics, caribbean,
    benelux, emea, apac, southeast asia"""
)
_COUNTRIES = _listed(
    """afghanistan, albania, algeria, andorra, angola, argentina, armenia, australia, austria,
    azerbaijan, bahamas, bahrain, bangladesh, barbados, belarus, belgium, belize, benin, bhutan,
    bolivia, bosnia, botswana, brazil, brunei, bulgaria, burkina faso, burundi, cambodia, cameroon,
    canada, chad, chile, china, colombia, congo, costa rica, croatia, cuba, cyprus, czechia,
    czech republic, denmark, djibouti, dominican republic, ecuador, egypt, el salvador, eritrea,
    estonia, ethiopia, fiji, finland, france, gabon, gambia, georgia, germany, ghana, greece,
    guatemala, guinea, guyana, haiti, honduras, hungary, iceland, india, indonesia, iran, iraq,
    ireland, israel, italy, ivory coast, jamaica, japan, jordan, kazakhstan, kenya, kosovo, kuwait,
    kyrgyzstan, laos, latvia, lebanon, lesotho, liberia, libya, liechtenstein, lithuania,
    luxembourg, madagascar, malawi, malaysia, maldives, mali, malta, mauritania, mauritius, mexico,
    moldova, monaco, mongolia, montenegro, morocco, mozambique, myanmar, namibia, nepal,
    netherlands, holland, new zealand, nicaragua, niger, nigeria, north macedonia, norway, oman,
    pakistan, palestine, panama, paraguay, peru, philippines, poland, portugal, qatar, romania,
    russia, rwanda, saudi arabia, senegal, serbia, seychelles, sierra leone, singapore, slovakia,
    slovenia, somalia, south africa, south korea, korea, spain, sri lanka, sudan, suriname, sweden,
    switzerland, syria, taiwan, tajikistan, tanzania, thailand, togo, tunisia, turkey, türkiye,
    turkmenistan, uganda, ukraine, united arab emirates, uae, united kingdom, uk, great britain,
    britain, united states, usa, us, uruguay, uzbekistan, venezuela, vietnam, yemen, zambia,
    zimbabwe"""
)
_REGIONS = _listed(
    """england, scotland, wales, northern ireland, cornwall, yorkshire, kent, sussex, bavaria,
    saxony, hesse, brandenburg, thuringia, lower saxony, baden-württemberg, catalonia, andalusia,
    basque country, galicia, tuscany, lombardy, sicily, sardinia, piedmont, brittany, normandy,
    provence, burgundy, corsica, flanders, wallonia, tyrol, styria, ticino, algarve, alentejo,
    bay area, silicon valley, new england, midwest, ontario, quebec, british columbia, alberta,
    queensland, victoria, new south wales, tasmania, alabama, alaska, arizona, arkansas, california,
    colorado, connecticut, delaware, florida, hawaii, idaho, illinois, indiana, iowa, kansas,
    kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota, mississippi, missouri,
    montana, nebraska, nevada, new hampshire, new jersey, new mexico, north carolina, north dakota,
    ohio, oklahoma, oregon, pennsylvania, rhode island, south carolina, south dakota, tennessee,
    texas, utah, vermont, virginia, west virginia, wisconsin, wyoming"""
)
_QUARTERS = {
    "berlin": _listed(
        "kreuzberg, neukölln, neukolln, mitte, prenzlauer berg, friedrichshain, charlottenburg, "
        "schöneberg, schoneberg, wedding, moabit, pankow, spandau, steglitz, tempelhof, köpenick"
    ),
    "hamburg": _listed("altona, eimsbüttel, st. pauli, ottensen, eppendorf, winterhude, barmbek"),
    "munich": _listed("schwabing, haidhausen, sendling, giesing, maxvorstadt"),
    "vienna": _listed("favoriten, leopoldstadt, ottakring, neubau, josefstadt"),
    "london": _listed(
        "camden, hackney, shoreditch, brixton, islington, peckham, greenwich, clapham, soho, "
        "croydon, lewisham, tottenham, walthamstow, dalston, notting hill, chelsea, hampstead"
    ),
    "new york": _listed(
        "brooklyn, manhattan, queens, bronx, staten island, harlem, williamsburg, soho, chelsea"
    ),
    "paris": _listed("montmartre, belleville, marais, bastille, montparnasse"),
    "lisbon": _listed("alfama, chiado, graça, belém, estrela"),
    "madrid": _listed("lavapiés, malasaña, chueca, chamberí, vallecas"),
    "barcelona": _listed("gràcia, gracia, raval, eixample, poblenou, sants"),
    "rome": _listed("trastevere, testaccio, prati, monti"),
    "amsterdam": _listed("jordaan, de pijp, noord"),
    "copenhagen": _listed("vesterbro, nørrebro, østerbro, amager, christianshavn"),
    "stockholm": _listed("södermalm, östermalm, kungsholmen"),
    "oslo": _listed("grünerløkka, frogner, majorstuen"),
    "istanbul": _listed("kadıköy, kadikoy, beşiktaş, besiktas, üsküdar, beyoğlu"),
    "tokyo": _listed("shibuya, shinjuku, setagaya, meguro"),
    "san francisco": _listed("mission district, soma, noe valley, haight"),
    "los angeles": _listed("hollywood, venice beach, silver lake, echo park"),
}
_LEVELS = (_WIDE, _COUNTRIES, _REGIONS)


def is_within(left: str, right: str) -> bool:
    """Whether one may be part of the other, as far as their names and levels tell.

    Of a place that names the one around it ("Porto, Portugal"), only that one counts: it is
    another than Germany.
    """
    mine, theirs = _parts(left), _parts(right)
    if not mine or not theirs:
        return False
    if set(mine) & set(theirs):
        return True
    return _is_around(mine[-1], theirs[-1]) or _is_around(theirs[-1], mine[-1])


def _is_around(wide: str, narrow: str) -> bool:
    if _level(wide) == len(_LEVELS):
        return narrow in _QUARTERS.get(wide, ())
    return _level(wide) < _level(narrow)


def _level(place: str) -> int:
    return next((n for n, names in enumerate(_LEVELS) if place in names), len(_LEVELS))


@lru_cache(1 << 12)
def _parts(place: str) -> tuple[str, ...]:
    """What a place is called and lies in, narrowest first: "Kreuzberg, Berlin"."""
    parts = (_LEAD.sub("", part.strip(" .)")) for part in _PART.split(place.casefold()))
    return tuple(part for part in parts if part)
