"""The plain words of time in German, French, Spanish, Portuguese, Italian and Russian, and a few of
Turkish and Persian, as tables.

Everything is folded: lower case, no accents. Names are separated by spaces; `|` separates names of
the same thing, `_` stands for a space inside a name. To add a language, add a table.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """One language's words.

    `days` maps words to days from today, `parts` to a day and a part of it. `last`, `this` and
    `next` stand before or after what they tell of; `ago` and `ahead` before a count and a unit,
    `ago_after` after them. `months`, `weekdays` (Monday first), `seasons` (spring first) and
    `numbers` are in order. `in_month` are the prepositions that make a month of a bare name.
    `told_ahead` and `told_past` are words that say whether a sentence tells of what is to come or
    of what was, those only that no other language has for something else.
    """

    days: dict[str, int]
    parts: dict[str, tuple[int, str]]
    units: dict[str, str]
    last: str
    this: str
    next: str
    months: str
    weekdays: str
    seasons: str
    numbers: str
    ago: str = ""
    ago_after: str = ""
    ahead: str = ""
    in_month: str = ""
    told_ahead: str = ""
    told_past: str = ""


GERMAN = Language(
    days={"vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "ubermorgen": 2},
    parts={
        "heute fruh": (0, "morning"),
        "heute morgen": (0, "morning"),
        "heute nachmittag": (0, "afternoon"),
        "heute abend": (0, "evening"),
        "heute nacht": (0, "night"),
        "gestern morgen": (-1, "morning"),
        "gestern abend": (-1, "evening"),
        "letzte nacht": (-1, "night"),
        "morgen fruh": (1, "morning"),
        "morgen abend": (1, "evening"),
    },
    units={
        "minute": "minute minuten",
        "hour": "stunde stunden",
        "day": "tag tage tagen",
        "week": "woche wochen",
        "weekend": "wochenende wochenenden",
        "month": "monat monate monaten monats",
        "quarter": "quartal quartale quartalen",
        "year": "jahr jahre jahren jahres",
    },
    last="letzte letzten letzter letztes vergangene vergangenen vergangenes vorige vorigen voriges",
    this="diese diesen dieser dieses diesem",
    next="nachste nachsten nachster nachstes kommende kommenden kommendes",
    months="januar|janner februar marz|maerz april mai juni juli august september oktober november"
    " dezember",
    weekdays="montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
    seasons="fruhling|fruhjahr sommer herbst winter",
    numbers="ein|eine|einem|einer|einen zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    ago="vor",
    ahead="in",
    in_month="im",
    told_ahead="werde wirst wird werden geplant plane planen vorhabe vorhaben steht_an ansteht"
    " anstehen anstehende fallig termine fristen muss mussen nachste nachsten nachster nachstes"
    " kommende kommenden",
    told_past="waren hatte hatten wurde wurden gesagt gemacht gesprochen besprochen passiert"
    " getan erzahlt geschah sagte gewesen gegessen gekauft getroffen gesehen gegangen gelesen"
    " geschrieben gelernt erledigt letzte letzten letzter letztes",
)
FRENCH = Language(
    days={"avant-hier": -2, "hier": -1, "aujourd'hui": 0, "demain": 1, "apres-demain": 2},
    parts={
        "ce matin": (0, "morning"),
        "cet apres-midi": (0, "afternoon"),
        "ce soir": (0, "evening"),
        "cette nuit": (0, "night"),
        "hier matin": (-1, "morning"),
        "hier soir": (-1, "evening"),
        "demain matin": (1, "morning"),
        "demain soir": (1, "evening"),
    },
    units={
        "minute": "minute minutes",
        "hour": "heure heures",
        "day": "jour jours",
        "week": "semaine semaines",
        "weekend": "week-end week-ends weekend weekends",
        "month": "mois",
        "quarter": "trimestre trimestres",
        "year": "an ans annee annees",
    },
    last="dernier derniere passe passee",
    this="ce cet cette",
    next="prochain prochaine",
    months="janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    weekdays="lundi mardi mercredi jeudi vendredi samedi dimanche",
    seasons="printemps ete automne hiver",
    numbers="un|une deux trois quatre cinq six sept huit neuf dix onze douze",
    ago="il_y_a",
    ahead="dans d'ici",
    in_month="en au_mois_de",
    told_ahead="prevu prevue prevus prevues vais allons vont vas-tu ferai ferons aurai aurons"
    " dois devons a_venir prochain prochaine",
    told_past="etait etais etions etaient avait avais avions avaient ai-je ai_dit ai_fait avons_dit"
    " avons_fait avons_parle a_dit s'est_passe dernier derniere",
)
SPANISH = Language(
    days={
        "anteayer": -2,
        "antes de ayer": -2,
        "ayer": -1,
        "hoy": 0,
        "manana": 1,
        "pasado manana": 2,
    },
    parts={
        "esta manana": (0, "morning"),
        "esta tarde": (0, "afternoon"),
        "esta noche": (0, "night"),
        "anoche": (-1, "night"),
        "ayer por la manana": (-1, "morning"),
        "ayer por la tarde": (-1, "afternoon"),
        "ayer por la noche": (-1, "night"),
    },
    units={
        "minute": "minuto minutos",
        "hour": "hora horas",
        "day": "dia dias",
        "week": "semana semanas",
        "weekend": "fin_de_semana fines_de_semana",
        "month": "mes meses",
        "quarter": "trimestre trimestres",
        "year": "ano anos",
    },
    last="pasado pasada",
    this="este esta",
    next="proximo proxima que_viene",
    months="enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre"
    " noviembre diciembre",
    weekdays="lunes martes miercoles jueves viernes sabado domingo",
    seasons="primavera verano otono invierno",
    numbers="un|una dos tres cuatro cinco seis siete ocho nueve diez once doce",
    ago="hace",
    ahead="en dentro_de",
    in_month="en",
    told_ahead="voy vamos_a habra tengo tenemos tendre tendremos haremos planeado planeada"
    " pendiente previsto prevista proximo proxima que_viene",
    told_past="dije dijo dijimos hice hizo hicimos fue fueron estaba estaban paso habia tuve"
    " tuvo hablamos pasado pasada",
)
PORTUGUESE = Language(
    days={
        "anteontem": -2,
        "antes de ontem": -2,
        "ontem": -1,
        "hoje": 0,
        "amanha": 1,
        "depois de amanha": 2,
    },
    parts={
        "hoje de manha": (0, "morning"),
        "hoje a noite": (0, "night"),
        "ontem a noite": (-1, "night"),
        "ontem de manha": (-1, "morning"),
        "amanha de manha": (1, "morning"),
    },
    units={
        "minute": "minuto minutos",
        "hour": "hora horas",
        "day": "dia dias",
        "week": "semana semanas",
        "weekend": "fim_de_semana fins_de_semana",
        "month": "mes meses",
        "quarter": "trimestre trimestres",
        "year": "ano anos",
    },
    last="passado passada",
    this="este esta neste nesta",
    next="proximo proxima que_vem",
    months="janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro"
    " dezembro",
    weekdays="segunda-feira|segunda terca-feira|terca quarta-feira|quarta quinta-feira|quinta"
    " sexta-feira|sexta sabado domingo",
    seasons="primavera verao outono inverno",
    numbers="um|uma dois|duas tres quatro cinco seis sete oito nove dez onze doze",
    ago="ha faz",
    ago_after="atras",
    ahead="em daqui_a",
    in_month="em",
    told_ahead="vou vamos vao havera tenho temos terei teremos farei faremos planejado planejada"
    " marcado marcada proximo proxima que_vem",
    told_past="disse dissemos disseste fiz fizemos foi foram estava estavam aconteceu tinha"
    " tive falei falamos passado passada",
)
ITALIAN = Language(
    days={"l'altro ieri": -2, "ieri": -1, "oggi": 0, "domani": 1, "dopodomani": 2},
    parts={
        "stamattina": (0, "morning"),
        "questa mattina": (0, "morning"),
        "stasera": (0, "evening"),
        "questa sera": (0, "evening"),
        "stanotte": (0, "night"),
        "ieri mattina": (-1, "morning"),
        "ieri sera": (-1, "evening"),
        "domani mattina": (1, "morning"),
        "domani sera": (1, "evening"),
    },
    units={
        "minute": "minuto minuti",
        "hour": "ora ore",
        "day": "giorno giorni",
        "week": "settimana settimane",
        "weekend": "fine_settimana weekend",
        "month": "mese mesi",
        "quarter": "trimestre trimestri",
        "year": "anno anni",
    },
    last="scorso scorsa passato passata",
    this="questo questa quest'",
    next="prossimo prossima",
    months="gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre"
    " dicembre",
    weekdays="lunedi martedi mercoledi giovedi venerdi sabato domenica",
    seasons="primavera estate autunno inverno",
    numbers="un|uno|una due tre quattro cinque sei sette otto nove dieci undici dodici",
    ago_after="fa",
    ahead="tra fra",
    in_month="a in nel",
    told_ahead="saro saranno faro faremo avro avremo devo dobbiamo in_programma in_arrivo"
    " prossimo prossima",
    told_past="ho_detto ho_fatto abbiamo_detto abbiamo_fatto abbiamo_parlato ha_detto ha_fatto"
    " erano aveva avevo avevamo successo scorso scorsa",
)
RUSSIAN = Language(
    days={"позавчера": -2, "вчера": -1, "сегодня": 0, "завтра": 1, "послезавтра": 2},
    parts={
        "сегодня утром": (0, "morning"),
        "сегодня вечером": (0, "evening"),
        "вчера утром": (-1, "morning"),
        "вчера вечером": (-1, "evening"),
        "завтра утром": (1, "morning"),
        "завтра вечером": (1, "evening"),
    },
    units={
        "minute": "минуту минуты минут",
        "hour": "час часа часов",
        "day": "день дня дней",
        "week": "неделю неделе недели недель неделя",
        "month": "месяц месяце месяца месяцев",
        "quarter": "квартал квартале квартала",
        "year": "год году года лет",
    },
    last="прошлый прошлая прошлой прошлую прошлом прошлого прошлым прошлое",
    this="этот эта этой эту этом этого это",
    next="следующий следующая следующей следующую следующем следующее будущей будущем",
    months="январь|января|январе февраль|февраля|феврале март|марта|марте апрель|апреля|апреле"
    " май|мая|мае июнь|июня|июне июль|июля|июле август|августа|августе"
    " сентябрь|сентября|сентябре октябрь|октября|октябре ноябрь|ноября|ноябре"
    " декабрь|декабря|декабре",
    weekdays="понедельник вторник среду|среда четверг пятницу|пятница субботу|суббота воскресенье",
    seasons="весной|весна летом|лето осенью|осень зимой|зима",
    numbers="один|одну|одна два|две три четыре пять шесть семь восемь девять десять"
    " одиннадцать двенадцать",
    ago_after="назад",
    ahead="через",
    in_month="в",
    told_ahead="буду будет будем будут будешь планирую планируем планы запланировано предстоит"
    " должен должна должны нужно надо",
    told_past="был была было были делал делала делали сделал сделала сделали сказал сказала"
    " говорил говорила говорили обсуждали произошло случилось купил купила ходил ходила ездил"
    " ездила",
)
TURKISH = Language(
    days={"evvelsi gun": -2, "dun": -1, "bugun": 0, "yarin": 1},
    parts={"bu sabah": (0, "morning"), "bu aksam": (0, "evening")},
    units={
        "day": "gun",
        "week": "hafta",
        "month": "ay",
        "year": "yil sene",
    },
    last="gecen",
    this="bu",
    next="gelecek onumuzdeki",
    months="",
    weekdays="",
    seasons="",
    numbers="bir iki uc dort bes alti yedi sekiz dokuz",
    ago_after="once",
)
PERSIAN = Language(
    days={"پریروز": -2, "دیروز": -1, "ديروز": -1, "امروز": 0, "فردا": 1, "پس فردا": 2},
    parts={"امشب": (0, "night"), "دیشب": (-1, "night")},
    units={
        "day": "روز",
        "week": "هفته",
        "month": "ماه",
        "year": "سال",
    },
    last="گذشته پیش قبل",
    this="این",
    next="آینده بعد",
    months="",
    weekdays="",
    seasons="",
    numbers="یک دو سه چهار پنج شش هفت هشت نه ده",
    ago_after="پیش قبل",
)
LANGUAGES = (GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, RUSSIAN, TURKISH, PERSIAN)
