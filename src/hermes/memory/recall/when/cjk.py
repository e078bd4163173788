"""Times in Chinese and Japanese, which are written without spaces: found anywhere in a text."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from hermes.memory.recall.when.frame import Frame
from hermes.memory.recall.when.numerals import any_of
from hermes.memory.recall.when.relative import bare_weekday, get_distant, get_unit, toward
from hermes.memory.recall.when.span import Period
from hermes.memory.recall.when.vocabulary import DAY_PARTS, Build

HAN = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
DAYS = {
    "大前天": -3,
    "前天": -2,
    "一昨日": -2,
    "おととい": -2,
    "昨天": -1,
    "昨日": -1,
    "きのう": -1,
    "今天": 0,
    "今日": 0,
    "きょう": 0,
    "明天": 1,
    "明日": 1,
    "あした": 1,
    "后天": 2,
    "後天": 2,
    "明後日": 2,
    "あさって": 2,
}
PARTS = {
    "今早": (0, "morning"),
    "今朝": (0, "morning"),
    "今晚": (0, "night"),
    "今晩": (0, "night"),
    "今夜": (0, "night"),
    "昨晚": (-1, "night"),
    "昨晩": (-1, "night"),
    "昨夜": (-1, "night"),
    "明早": (1, "morning"),
    "明晚": (1, "night"),
}
# Steps of a unit: the word, the unit, how many away.
STEPPED = {
    word: (unit, step)
    for unit, step, words in (
        ("week", -2, "上上周 上上週 先々週"),
        ("week", -1, "上周 上週 上星期 上个星期 上個星期 上礼拜 先週"),
        ("week", 0, "这周 這周 这週 這週 本周 本週 这个星期 這個星期 今週"),
        ("week", 1, "下周 下週 下星期 下个星期 下個星期 下礼拜 来週"),
        ("weekend", -1, "上周末 上週末 上个周末 上個週末 先週末"),
        ("weekend", 0, "这周末 這週末 这个周末 這個週末 本周末 今週末"),
        ("weekend", 1, "下周末 下週末 下个周末 下個週末 来週末"),
        ("month", -2, "上上个月 上上個月 先々月"),
        ("month", -1, "上月 上个月 上個月 先月"),
        ("month", 0, "本月 这个月 這個月 今月"),
        ("month", 1, "下月 下个月 下個月 来月"),
        ("quarter", -1, "上季度 上个季度 上個季度 前四半期"),
        ("quarter", 0, "本季度 这个季度 今四半期"),
        ("year", -2, "前年 一昨年 おととし"),
        ("year", -1, "去年 昨年"),
        ("year", 0, "今年"),
        ("year", 1, "明年 来年"),
    )
    for word in words.split()
}
UNITS = {
    name: unit
    for unit, names in {
        "minute": "分钟 分鐘 分",
        "hour": "小时 小時 个小时 個小時 時間",
        "day": "天 日",
        "week": "周 週 星期 个星期 個星期 周间 週間",
        "month": "个月 個月 か月 ヶ月 カ月 ヵ月",
        "year": "年",
    }.items()
    for name in names.split()
}
DIGITS = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {"两": 2, "兩": 2}
WEEKDAYS = {char: place for place, char in enumerate("一二三四五六")} | {"日": 6, "天": 6}
JAPANESE_WEEKDAYS = {char: place for place, char in enumerate("月火水木金土日")}

_NUMBER = r"(?P<count>\d{1,4}|[一二三四五六七八九两兩十]{1,3})"


def parse_number(text: str) -> int:
    """A number in digits or in characters up to 99."""
    if text[0].isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return int("".join(str(DIGITS[char]) for char in text))
    return (DIGITS[tens] if tens else 1) * 10 + (DIGITS[ones] if ones else 0)


def _day(match: re.Match[str], frame: Frame) -> Period:
    days = DAYS[match[0]]
    return toward(frame.day(frame.today + timedelta(days=days)), _sign(days))


def _part(match: re.Match[str], frame: Frame) -> Period:
    days, part = PARTS[match[0]]
    return toward(frame.hours(frame.today + timedelta(days=days), *DAY_PARTS[part]), days)


def _sign(step: int) -> int:
    return (step > 0) - (step < 0)


def _stepped(match: re.Match[str], frame: Frame) -> Period:
    unit, step = STEPPED[match["word"]]
    period = toward(get_unit(frame, unit, step), _sign(step))
    day = match["zh"] or match["ja"]
    if unit != "week" or day is None:
        return period
    weekday = WEEKDAYS[day] if match["zh"] else JAPANESE_WEEKDAYS[day]
    monday = frame.date_of(period.start_at)
    return toward(frame.day(monday + timedelta(days=weekday)), _sign(step))


def _counted(match: re.Match[str], frame: Frame) -> Period:
    sign = -1 if match["side"] == "前" else 1
    count = sign * parse_number(match["count"])
    return toward(get_distant(frame, UNITS[match["unit"]], count, count), sign)


def _date(match: re.Match[str], frame: Frame) -> Period:
    month, day = int(match["m"]), match["d"]

    def make(year: int) -> Period:
        return frame.day(date(year, month, int(day))) if day else frame.month(year, month)

    return make(int(match["y"])) if match["y"] else frame.nearest(make)


def _date_of_year(match: re.Match[str], frame: Frame) -> Period:
    """A month or day of last year, this one or the next."""
    _, step = STEPPED[match["word"]]
    year, month = frame.today.year + step, int(match["m"])
    if match["d"]:
        return toward(frame.day(date(year, month, int(match["d"]))), _sign(step))
    return toward(frame.month(year, month), _sign(step))


def _year(match: re.Match[str], frame: Frame) -> Period:
    return frame.years(int(match["y"]))


def _weekday(match: re.Match[str], frame: Frame) -> Period:
    day = match["zh"] or match["ja"]
    weekday = WEEKDAYS[day] if match["zh"] else JAPANESE_WEEKDAYS[day]
    return bare_weekday(frame, weekday)


RULES: tuple[tuple[re.Pattern[str], Build], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (r"(?:(?P<y>(?:19|20)\d\d)年)?(?P<m>\d\d?)月(?:(?P<d>\d\d?)[日号號])?", _date),
        (r"(?<!\d)(?P<y>(?:19|20)\d\d)年(?!\d)", _year),
        (
            r"(?P<word>前年|去年|昨年|今年|明年|来年)の?(?P<m>\d\d?)月(?:(?P<d>\d\d?)[日号號])?",
            _date_of_year,
        ),
        (any_of(PARTS), _part),
        (
            rf"(?P<word>{any_of(STEPPED)})(?:(?P<zh>[一二三四五六日天](?![月年日]))"
            r"|の?(?P<ja>[月火水木金土日])曜日?)?",
            _stepped,
        ),
        (any_of(DAYS), _day),
        (rf"{_NUMBER}(?P<unit>{any_of(UNITS)})(?:以|之)?(?P<side>[前后後])", _counted),
        (r"(?:星期|礼拜|周|週)(?P<zh>[一二三四五六日天])(?P<ja>(?!))?", _weekday),
        (r"(?P<zh>(?!))?(?P<ja>[月火水木金土日])曜日", _weekday),
    )
)


def find_han(text: str, frame: Frame) -> Iterator[tuple[int, int, Period]]:
    """Offsets and meaning of the times in a text, the longer of two that overlap."""
    if not HAN.search(text):
        return
    found = [
        (match.start(), match.end(), period)
        for pattern, build in RULES
        for match in pattern.finditer(text)
        if (period := _build(build, match, frame))
    ]
    end = 0
    for start, stop, period in sorted(found, key=lambda hit: (hit[0], -hit[1])):
        if start >= end:
            yield start, stop, period
            end = stop


def _build(build: Build, match: re.Match[str], frame: Frame) -> Period | None:
    try:
        return build(match, frame)
    except (ValueError, OverflowError, KeyError):
        return None  # a date that does not exist, or characters that are no number
