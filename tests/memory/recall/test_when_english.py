"""English times, one a line: the text with its time in brackets, its meaning, grain, direction.

Asked on Wednesday 14 June 2023 at 15:30 UTC. Times at midnight are written as dates.
"""

import pytest
from when_rows import NOW, check_row, list_rows

from hermes.memory.recall.when import find_times

ROWS = """
[2023-05-07] | 2023-05-07 .. 2023-05-08 | day any
[2023-05-07T10:30:00Z] | 2023-05-07T10:30 .. 2023-05-07T10:31 | minute any
[2023-05-07 10:30] | 2023-05-07T10:30 .. 2023-05-07T10:31 | minute any
[7 May 2023] | 2023-05-07 .. 2023-05-08 | day any
[May 7th, 2023] | 2023-05-07 .. 2023-05-08 | day any
[05/07/2023] | 2023-05-07 .. 2023-05-08 | day any
[25/07/2023] | 2023-07-25 .. 2023-07-26 | day any
[07.05.2023] | 2023-05-07 .. 2023-05-08 | day any
[May 7] | 2023-05-07 .. 2023-05-08 | day any
[in March] | 2023-03-01 .. 2023-04-01 | month any
[in March 2023] | 2023-03-01 .. 2023-04-01 | month any
[mid-June] | 2023-06-11 .. 2023-06-21 | month any
[early 2022] | 2022-01-01 .. 2022-05-01 | year any
[late 2022] | 2022-09-01 .. 2023-01-01 | year any
[summer 2023] | 2023-06-01 .. 2023-09-01 | season any
[last spring] | 2023-03-01 .. 2023-06-01 | season past
[Q2 2026] | 2026-04-01 .. 2026-07-01 | quarter any
[in Q2] | 2023-04-01 .. 2023-07-01 | quarter any
what happened [in 2022] | 2022-01-01 .. 2023-01-01 | year any
[2022] | 2022-01-01 .. 2023-01-01 | year any
[the 90s] | 1990-01-01 .. 2000-01-01 | year any
[in the late 90s] | 1996-09-01 .. 2000-01-01 | year any
[today] | 2023-06-14 .. 2023-06-15 | day any
[yesterday] | 2023-06-13 .. 2023-06-14 | day past
[tonight] | 2023-06-14T18:00 .. 2023-06-15T06:00 | hour any
[this morning] | 2023-06-14T05:00 .. 2023-06-14T12:00 | hour any
the [day before yesterday] | 2023-06-12 .. 2023-06-13 | day past
the [day after tomorrow] | 2023-06-16 .. 2023-06-17 | day future
[tomorrow] | 2023-06-15 .. 2023-06-16 | day future
[last Tuesday] | 2023-06-13 .. 2023-06-14 | day past
[next Friday] | 2023-06-16 .. 2023-06-17 | day future
[this weekend] | 2023-06-17 .. 2023-06-19 | weekend any
[two weekends ago] | 2023-06-03 .. 2023-06-05 | weekend past
[three Tuesdays ago] | 2023-05-30 .. 2023-05-31 | day past
[a couple of weeks ago] | 2023-05-24 .. 2023-06-08 | week past
[a few days ago] | 2023-06-09 .. 2023-06-13 | day past
[in two weeks] | 2023-06-25 .. 2023-07-02 | week future
[within the last month] | 2023-05-14 .. 2023-06-14T15:30 | month past
[past 10 days] | 2023-06-04 .. 2023-06-14T15:30 | day past
[since Monday] | 2023-06-12 .. 2023-06-14T15:30 | day past
[before June] | 1900-01-01 .. 2023-06-01 | month past
[after last Tuesday] | 2023-06-14 .. 2023-06-14T15:30 | day past
[between 3 and 9 May] | 2023-05-03 .. 2023-05-10 | day any
[between May 3 and 9] | 2023-05-03 .. 2023-05-10 | day any
[from May to July] | 2023-05-01 .. 2023-08-01 | month any
[from November to February] | 2022-11-01 .. 2023-03-01 | month any
[between March and June 2021] | 2021-03-01 .. 2021-07-01 | month any
[on the first of May] | 2023-05-01 .. 2023-05-02 | day any
the [twenty-third of April] | 2023-04-23 .. 2023-04-24 | day any
the [thirty first of May, 2022] | 2022-05-31 .. 2022-06-01 | day any
[on May first] | 2023-05-01 .. 2023-05-02 | day any
[May first] is a holiday | 2023-05-01 .. 2023-05-02 | day any
our trip, [May third through May ninth] | 2023-05-03 .. 2023-05-10 | day any
[In May] third parties sued | 2023-05-01 .. 2023-06-01 | month any
[May twenty-second, 2021] | 2021-05-22 .. 2021-05-23 | day any
we met [on the first] | 2023-06-01 .. 2023-06-02 | day any
[on the thirty-first]. | 2023-05-31 .. 2023-06-01 | day any
rent is [due on the first] | 2023-07-01 .. 2023-07-02 | day future
the [fifth of last month] | 2023-05-05 .. 2023-05-06 | day any
[Friday the thirteenth] | 2023-01-13 .. 2023-01-14 | day any
[from the first to the third of May] | 2023-05-01 .. 2023-05-04 | day any
[two or three weeks ago] | 2023-05-21 .. 2023-06-04 | week past
[2-3 weeks ago] | 2023-05-21 .. 2023-06-04 | week past
[2 to 3 days ago] | 2023-06-11 .. 2023-06-13 | day past
[a week or two ago] | 2023-05-28 .. 2023-06-11 | week past
[a month or so ago] | 2023-04-01 .. 2023-06-01 | month past
cut from five to [three days ago] | 2023-06-11 .. 2023-06-12 | day past
[in two or three weeks] | 2023-06-25 .. 2023-07-09 | week future
[in the last two to three weeks] | 2023-05-24 .. 2023-06-14T15:30 | week past
[less than a week ago] | 2023-06-07 .. 2023-06-14T15:30 | week past
[more than a year ago] | 1900-01-01 .. 2022-06-14 | year past
a little [over a year ago] | 2022-01-01 .. 2023-01-01 | year past
[a week on Tuesday] | 2023-06-27 .. 2023-06-28 | day future
see you [a week on Tuesday morning] | 2023-06-27T05:00 .. 2023-06-27T12:00 | hour future
I spent two weeks [on Sunday] school | 2023-06-11 .. 2023-06-12 | day any
two weeks [on Sunday] school will do | 2023-06-11 .. 2023-06-12 | day any
I worked a week [on Saturday] | 2023-06-10 .. 2023-06-11 | day any
away for a week [on Tuesday] | 2023-06-13 .. 2023-06-14 | day any
[on Tuesday week] | 2023-06-27 .. 2023-06-28 | day future
[Monday] week numbers | 2023-06-12 .. 2023-06-13 | day any
[two weeks from Monday] | 2023-07-03 .. 2023-07-04 | day future
[a week from tomorrow] | 2023-06-22 .. 2023-06-23 | day future
a contract, 6 months [from 3 August] | 2022-08-03 .. 2022-08-04 | day any
[a month from Friday] | 2023-07-16 .. 2023-07-17 | day future
away for two weeks [from Monday] | 2023-06-12 .. 2023-06-13 | day any
away two weeks [from Monday to Friday] | 2023-06-12 .. 2023-06-17 | day any
the [following Monday] | 2023-06-12 .. 2023-06-13 | day any
[this day last year] | 2022-06-14 .. 2022-06-15 | day past
[March before last] | 2022-03-01 .. 2022-04-01 | month past
[year to date] | 2023-01-01 .. 2023-06-14T15:30 | year past
[YTD] | 2023-01-01 .. 2023-06-14T15:30 | year past
[in '22] | 2022-01-01 .. 2023-01-01 | year any
[in 5/2022] | 2022-05-01 .. 2022-06-01 | month any
[in mid-2022] | 2022-05-01 .. 2022-09-01 | year any
[in the mid-2010s] | 2013-05-01 .. 2016-09-01 | year any
the [early nineties] | 1990-01-01 .. 1993-05-01 | year any
[between 2pm and 4pm yesterday] | 2023-06-13T14:00 .. 2023-06-13T16:00 | hour past
[yesterday between 2pm and 4pm] | 2023-06-13T14:00 .. 2023-06-13T16:00 | hour past
[between 9am and 11am on Monday] | 2023-06-12T09:00 .. 2023-06-12T11:00 | hour any
[at half past three yesterday] | 2023-06-13T15:30 .. 2023-06-13T15:31 | minute past
we met [half past two on Friday] | 2023-06-09T14:30 .. 2023-06-09T14:31 | minute any
be there [at half past three] Ann said | 2023-06-14T15:30 .. 2023-06-14T15:31 | minute any
a [half past three pm] train | 2023-06-14T15:30 .. 2023-06-14T15:31 | minute any
[on Sunday at a quarter to ten am] | 2023-06-11T09:45 .. 2023-06-11T09:46 | minute any
choir [on Thursday], half past seven | 2023-06-08 .. 2023-06-09 | day any
[on first May] | 2023-05-01 .. 2023-05-02 | day any
the next [in June.] Second: the offer | 2023-06-01 .. 2023-07-01 | month any
what was I up to [last week] | 2023-06-05 .. 2023-06-12 | week past
what have Nora and Tom been up to [this week] | 2023-06-12 .. 2023-06-19 | week any
it was open [up to last Friday] | 1900-01-01 .. 2023-06-10 | day past
[this time last year] | 2022-05-30 .. 2022-06-30 | day past
the [night before last] | 2023-06-12T18:00 .. 2023-06-13T06:00 | hour past
[a week last Tuesday] | 2023-06-06 .. 2023-06-07 | day past
[a week ago yesterday] | 2023-06-06 .. 2023-06-07 | day past
[a month ago today] | 2023-05-14 .. 2023-05-15 | day past
[three weeks ago on Thursday] | 2023-05-25 .. 2023-05-26 | day past
[three Mondays back] | 2023-05-29 .. 2023-05-30 | day past
[the last three Mondays] | 2023-05-29 .. 2023-06-13 | day past
[two summers ago] | 2021-06-01 .. 2021-09-01 | season past
the [winter before last] | 2021-12-01 .. 2022-03-01 | season past
[two Christmases ago] | 2021-12-25 .. 2021-12-26 | day past
the [Christmas before last] | 2021-12-25 .. 2021-12-26 | day past
[over Christmas] | 2022-12-24 .. 2022-12-28 | day any
[over the Easter weekend] | 2023-04-07 .. 2023-04-11 | day any
[in the Christmas holidays] | 2022-12-22 .. 2023-01-03 | day any
[between Christmas and New Year] | 2022-12-25 .. 2023-01-02 | day any
[around New Year] | 2022-12-31 .. 2023-01-03 | day any
the [turn of the year] | 2022-12-27 .. 2023-01-06 | day any
[in the run-up to Easter] | 2023-03-19 .. 2023-04-09 | day any
[at the end of the first quarter] | 2023-03-01 .. 2023-04-01 | quarter any
[in H1] | 2023-01-01 .. 2023-07-01 | year any
[calendar week 12] | 2023-03-20 .. 2023-03-27 | week any
the [week starting 8 May] | 2023-05-08 .. 2023-05-15 | week any
the [3rd to the 9th of May] | 2023-05-03 .. 2023-05-10 | day any
[some weeks ago] | 2023-05-03 .. 2023-06-01 | week past
[last week] | 2023-06-05 .. 2023-06-12 | week past
[last month] | 2023-05-01 .. 2023-06-01 | month past
[last year] | 2022-01-01 .. 2023-01-01 | year past
[last quarter] | 2023-01-01 .. 2023-04-01 | quarter past
the [week of May 8] | 2023-05-08 .. 2023-05-15 | week any
the [first week of August] | 2022-08-01 .. 2022-08-08 | week any
[end of the month] | 2023-06-21 .. 2023-07-01 | month any
[EOD] | 2023-06-14T16:00 .. 2023-06-15 | hour any
[by EOW] | 2023-06-14T15:30 .. 2023-06-19 | week future
[by Friday] | 2023-06-14T15:30 .. 2023-06-17 | day future
[Christmas 2022] | 2022-12-25 .. 2022-12-26 | day any
[New Year's Eve] | 2022-12-31 .. 2023-01-01 | day any
[Easter] | 2023-04-09 .. 2023-04-10 | day any
[Thanksgiving] | 2022-11-24 .. 2022-11-25 | day any
[halloween] | 2022-10-31 .. 2022-11-01 | day any
[at 3pm] | 2023-06-14T15:00 .. 2023-06-14T16:00 | hour any
[tomorrow at 3pm] | 2023-06-15T15:00 .. 2023-06-15T16:00 | hour future
[3pm tomorrow] | 2023-06-15T15:00 .. 2023-06-15T16:00 | hour future
[Tuesday evening] | 2023-06-13T17:00 .. 2023-06-14 | hour any
[a year and a half ago] | 2021-11-01 .. 2022-02-01 | quarter past
[ten years ago] | 2013-01-01 .. 2014-01-01 | year past
[twenty-one days ago] | 2023-05-24 .. 2023-05-25 | day past
[ninety days ago] | 2023-03-16 .. 2023-03-17 | day past
[a hundred days ago] | 2023-03-06 .. 2023-03-07 | day past
[in 10 minutes] the bus leaves | 2023-06-14T15:39 .. 2023-06-14T15:40 | minute future
[on the 3rd] | 2023-06-03 .. 2023-06-04 | day any
[due on the 30th] | 2023-06-30 .. 2023-07-01 | day future
[deadline: June 30] | 2023-06-30 .. 2023-07-01 | day future
[over the weekend] | 2023-06-10 .. 2023-06-12 | weekend any
the [last Friday of next month] | 2023-07-28 .. 2023-07-29 | day future
the [second Tuesday in May] | 2023-05-09 .. 2023-05-10 | day any
[from 2 to 4pm] | 2023-06-14T14:00 .. 2023-06-14T16:00 | hour any
[last Christmas] | 2022-12-25 .. 2022-12-26 | day past
[next Easter] | 2024-03-31 .. 2024-04-01 | day future
[May 3-9, 2021] | 2021-05-03 .. 2021-05-10 | day any
[3-9 May] | 2023-05-03 .. 2023-05-10 | day any
[2019-2021] | 2019-01-01 .. 2022-01-01 | year any
[2020 to 2022] | 2020-01-01 .. 2023-01-01 | year any
[for the last 3 years] | 2020-06-14 .. 2023-06-14T15:30 | year past
I've had them [for 3 years now] | 2020-06-14 .. 2023-06-14T15:30 | year past
playing [for about four months now] | 2023-02-14 .. 2023-06-14T15:30 | month past
I met them [on the 11th] after my trip | 2023-06-11 .. 2023-06-12 | day any
[the other day] | 2023-06-04 .. 2023-06-14 | day past
[week before last] | 2023-05-29 .. 2023-06-05 | week past
[two days before yesterday] | 2023-06-11 .. 2023-06-12 | day past
the [weekend before 7 May 2023] | 2023-04-29 .. 2023-05-01 | weekend any
[two weeks before Easter] | 2023-03-23 .. 2023-03-30 | week any
[EOD Friday] | 2023-06-09T16:00 .. 2023-06-10 | hour any
[Monday to Wednesday] | 2023-06-12 .. 2023-06-15 | day any
[at 10:30 on May 7] | 2023-05-07T10:30 .. 2023-05-07T10:31 | minute any
[on 5/7] | 2023-05-07 .. 2023-05-08 | day any
What did I do [on Tuesday, May 7]? | 2019-05-07 .. 2019-05-08 | day any
the meeting [on Sunday, 7 May 2023 at 4:05 pm] | 2023-05-07T16:05 .. 2023-05-07T16:06 | minute any
[on 7 May at noon] | 2023-05-07T12:00 .. 2023-05-07T12:01 | minute any
[1:56 pm on 8 May, 2023] | 2023-05-08T13:56 .. 2023-05-08T13:57 | minute any
the sprint [from 2023-05-01 to 2023-05-14] | 2023-05-01 .. 2023-05-15 | day any
[early May] | 2023-05-01 .. 2023-05-11 | month any
[late last year] | 2022-09-01 .. 2023-01-01 | year past
[beginning of next month] | 2023-07-01 .. 2023-07-11 | month future
[end of June] | 2023-06-21 .. 2023-07-01 | month any
[by the end of the week] | 2023-06-14T15:30 .. 2023-06-19 | week future
the [middle of summer] | 2023-07-01 .. 2023-08-01 | season any
[first half of 2023] | 2023-01-01 .. 2023-07-01 | year any
[second half of May] | 2023-05-16 .. 2023-06-01 | month any
[H1 2024] | 2024-01-01 .. 2024-07-01 | year any
[in the third quarter of 2022] | 2022-07-01 .. 2022-10-01 | quarter any
the [last week of August 2022] | 2022-08-25 .. 2022-09-01 | week any
the [first weekend of May] | 2023-05-06 .. 2023-05-08 | weekend any
[last day of the year] | 2023-12-31 .. 2024-01-01 | day any
the [first Monday of September 2023] | 2023-09-04 .. 2023-09-05 | day any
[second week of next month] | 2023-07-08 .. 2023-07-15 | week future
[Tuesday last week] | 2023-06-06 .. 2023-06-07 | day past
[next week Monday] | 2023-06-19 .. 2023-06-20 | day future
[Thursday of this week] | 2023-06-15 .. 2023-06-16 | day any
[two Fridays ago] | 2023-06-02 .. 2023-06-03 | day past
[a Tuesday ago] | 2023-06-13 .. 2023-06-14 | day past
the [Tuesday before last] | 2023-06-06 .. 2023-06-07 | day past
[weekend before last] | 2023-06-03 .. 2023-06-05 | weekend past
[year before last] | 2021-01-01 .. 2022-01-01 | year past
the [month after next] | 2023-08-01 .. 2023-09-01 | month future
[this past weekend] | 2023-06-10 .. 2023-06-12 | weekend past
[this coming Monday] | 2023-06-19 .. 2023-06-20 | day future
[last night] | 2023-06-13T18:00 .. 2023-06-14T06:00 | hour past
[yesterday morning] | 2023-06-13T05:00 .. 2023-06-13T12:00 | hour past
[tomorrow night] | 2023-06-15T18:00 .. 2023-06-16T06:00 | hour future
[this year] | 2023-01-01 .. 2024-01-01 | year any
[this quarter] | 2023-04-01 .. 2023-07-01 | quarter any
[next decade] | 2030-01-01 .. 2040-01-01 | year future
[last May] | 2023-05-01 .. 2023-06-01 | month past
[next May] | 2024-05-01 .. 2024-06-01 | month future
[this August] | 2023-08-01 .. 2023-09-01 | month any
[last winter] | 2022-12-01 .. 2023-03-01 | season past
[this winter] | 2023-12-01 .. 2024-03-01 | season any
[next summer] | 2024-06-01 .. 2024-09-01 | season future
[in the summer] | 2023-06-01 .. 2023-09-01 | season any
[in the fall] | 2022-09-01 .. 2022-12-01 | season any
[over the summer of 2021] | 2021-06-01 .. 2021-09-01 | season any
[spring '22] | 2022-03-01 .. 2022-06-01 | season any
[in half an hour] | 2023-06-14T15:45 .. 2023-06-14T16:15 | hour future
[half a year ago] | 2022-11-01 .. 2023-02-01 | quarter past
[two and a half years ago] | 2020-11-01 .. 2021-02-01 | quarter past
[in a year and a half] | 2024-11-01 .. 2025-02-01 | quarter future
[3 hours ago] | 2023-06-14T12:00 .. 2023-06-14T13:00 | hour past
[30 seconds ago] | 2023-06-14T15:29 .. 2023-06-14T15:30 | minute past
[a second ago] | 2023-06-14T15:29 .. 2023-06-14T15:30 | minute past
[5 min ago] | 2023-06-14T15:24 .. 2023-06-14T15:25 | minute past
[several months ago] | 2022-10-01 .. 2023-04-01 | month past
[a few years back] | 2018-01-01 .. 2022-01-01 | year past
[one fortnight ago] | 2023-05-28 .. 2023-06-04 | week past
[two weeks from now] | 2023-06-25 .. 2023-07-02 | week future
[three days from today] | 2023-06-17 .. 2023-06-18 | day future
[within two weeks] | 2023-06-14T15:30 .. 2023-06-29 | week future
[in the next 10 days] | 2023-06-14T15:30 .. 2023-06-25 | day future
[the next few months] | 2023-06-14T15:30 .. 2023-11-15 | month future
[over the past couple of months] | 2023-03-14 .. 2023-06-14T15:30 | month past
[during the last quarter] | 2023-01-01 .. 2023-04-01 | quarter past
[the past week] | 2023-06-07 .. 2023-06-14T15:30 | week past
[the last two decades] | 2003-06-14 .. 2023-06-14T15:30 | year past
[since last week] | 2023-06-05 .. 2023-06-14T15:30 | week past
[since 2019] | 2019-01-01 .. 2023-06-14T15:30 | year past
[ever since March 2020] | 2020-03-01 .. 2023-06-14T15:30 | month past
[after 2019] | 2020-01-01 .. 2023-06-14T15:30 | year past
[after May 7] | 2023-05-08 .. 2023-06-14T15:30 | day past
[before yesterday] | 1900-01-01 .. 2023-06-13 | day past
[before 3pm] | 2023-06-14 .. 2023-06-14T15:00 | hour any
[after noon] | 2023-06-14T12:00 .. 2023-06-15 | minute any
[until Friday] | 1900-01-01 .. 2023-06-10 | day past
[until 2030] | 2023-06-14T15:30 .. 2031-01-01 | year future
[by June 2019] | 1900-01-01 .. 2019-07-01 | month past
[no later than 30 June 2024] | 2023-06-14T15:30 .. 2024-07-01 | day future
[due next Friday] | 2023-06-16 .. 2023-06-17 | day future
[due in two weeks] | 2023-06-25 .. 2023-07-02 | week future
[due: 2024-06-30] | 2024-06-30 .. 2024-07-01 | day future
[between 2019 and 2021] | 2019-01-01 .. 2022-01-01 | year any
[between Monday and Thursday] | 2023-06-12 .. 2023-06-16 | day any
[from 3 to 9 May 2022] | 2022-05-03 .. 2022-05-10 | day any
[May 3 to June 9] | 2023-05-03 .. 2023-06-10 | day any
[Dec 20 - Jan 5] | 2022-12-20 .. 2023-01-06 | day any
[May 30 – June 2, 2022] | 2022-05-30 .. 2022-06-03 | day any
[on the 31st] | 2023-05-31 .. 2023-06-01 | day any
[Jan 6, 2021] | 2021-01-06 .. 2021-01-07 | day any
[6 Jan. 2021] | 2021-01-06 .. 2021-01-07 | day any
[7th of May] | 2023-05-07 .. 2023-05-08 | day any
[May the 4th] | 2023-05-04 .. 2023-05-05 | day any
the [4th of July] | 2022-07-04 .. 2022-07-05 | day any
[Sept 11 2001] | 2001-09-11 .. 2001-09-12 | day any
[31/12/2022] | 2022-12-31 .. 2023-01-01 | day any
[12.31.2022] | 2022-12-31 .. 2023-01-01 | day any
[1.2.2023] | 2023-02-01 .. 2023-02-02 | day any
[5/7/23] | 2023-05-07 .. 2023-05-08 | day any
[29 February] | 2020-02-29 .. 2020-03-01 | day any
[2023/05/07] | 2023-05-07 .. 2023-05-08 | day any
[2023-W19] | 2023-05-08 .. 2023-05-15 | week any
[2023-05] | 2023-05-01 .. 2023-06-01 | month any
[2023Q3] | 2023-07-01 .. 2023-10-01 | quarter any
the [1980s] | 1980-01-01 .. 1990-01-01 | year any
[the eighties] | 1980-01-01 .. 1990-01-01 | year any
[mid-90s] | 1993-05-01 .. 1996-09-01 | year any
[the '60s] | 1960-01-01 .. 1970-01-01 | year any
back [in 1999] | 1999-01-01 .. 2000-01-01 | year any
my [2022] goals | 2022-01-01 .. 2023-01-01 | year any
class [of 2024] | 2024-01-01 .. 2025-01-01 | year any
[circa 1950] | 1950-01-01 .. 1951-01-01 | year any
[around 2015] | 2015-01-01 .. 2016-01-01 | year any
[around May 7] | 2023-05-06 .. 2023-05-09 | day any
[at 3:30] | 2023-06-14T15:30 .. 2023-06-14T15:31 | minute any
[at 15:45] | 2023-06-14T15:45 .. 2023-06-14T15:46 | minute any
[8am] | 2023-06-14T08:00 .. 2023-06-14T09:00 | hour any
[8 a.m.] | 2023-06-14T08:00 .. 2023-06-14T09:00 | hour any
[at 12am] | 2023-06-14 .. 2023-06-14T01:00 | hour any
[at 12pm] | 2023-06-14T12:00 .. 2023-06-14T13:00 | hour any
[9 o'clock] | 2023-06-14T09:00 .. 2023-06-14T10:00 | hour any
[9-5pm] | 2023-06-14T09:00 .. 2023-06-14T17:00 | hour any
[from 9am to 5pm] | 2023-06-14T09:00 .. 2023-06-14T17:00 | hour any
[8:30-10am] | 2023-06-14T08:30 .. 2023-06-14T10:00 | hour any
[3pm on Friday] | 2023-06-09T15:00 .. 2023-06-09T16:00 | hour any
[EOD tomorrow] | 2023-06-15T16:00 .. 2023-06-16 | hour future
[EOM] | 2023-06-21 .. 2023-07-01 | month any
[end of day] | 2023-06-14T16:00 .. 2023-06-15 | hour any
[end of today] | 2023-06-14T16:00 .. 2023-06-15 | hour any
[close of business] | 2023-06-14T16:00 .. 2023-06-15 | hour any
[COB Friday] | 2023-06-09T16:00 .. 2023-06-10 | hour any
[Mon, June 5th] | 2023-06-05 .. 2023-06-06 | day any
[in the last month] | 2023-05-14 .. 2023-06-14T15:30 | month past
[after 3pm] | 2023-06-14T15:00 .. 2023-06-15 | hour any
[close of business Friday] | 2023-06-09T16:00 .. 2023-06-10 | hour any
[by COB] | 2023-06-14T15:30 .. 2023-06-15 | hour future
"""

NO_TIME = """
February 30
Feb 29, 2023
I may go
I march on
a second thought
spring boot
fall back
python 3.12
2048 tokens
room 2019
every Tuesday
happy new year to you all
some weeks are like that
the first quarter was slow to read
summers back home
on the 3rd floor
John 3:16
1/2 cup
in 1/2
in the morning
13/13/2023
2023-13-01
in his 20s
about 2000 people
in 2000 steps
costs 2022 dollars
#2023
$2023
v2023.1
2023.1
10,2023
chapter 2020
3:30
25:00
at 25:00
I may go to the store
you may 10 times
She may 7 be late
people march for peace
the march on Washington
We march on the capital
wait a second
on second thought
I want seconds
spring boot app
in spring boot we wire beans
fall back to the default
fall in love
the fall of Rome
python 3.12 is out
version 2.0.1
10.0.0.1
a 2048 token window
flight 2022
port 2000
he sat on the sun deck
we wed happily
mon ami
dec 5 to hex
the first time
last one standing
next to the door
next question
this one
for two weeks
two weeks of work
a day in the life
day job
weekly report
every Monday
each summer
Mondays
April said hello
June is my friend
ask August about it
may
march
second
min
hour by hour
24/7
1/2 cup of sugar
50/50
9/10 people
3-4 people
call 2023-4567
ISBN 2019-20-1
0.2023
2023x
IPv6
in 30s
he is in his thirties
the past
the future
once upon a time
before and after
since you asked
by the way
at last
from now on
between us
in a while
until then
$20 20
Route 66
404 error
in my early twenties
on the second floor
on the first and the second try
I may first ask
half of it
a second third attempt
she is on her third
roof first may be cheaper
May third parties see the data?
May second hand parts be used?
May first aid kits expire?
May first and second graders come?
at half past nine
April second to none
August first in line
I ran half past six miles
I gave a quarter to three kids
COVID-19
top 10
week by week
half a cup
good day
day and night
night owl
tree day
year
the end of the road
early bird
late fee
mid range
end of story
start of the project
estate planning
an early riser
"""


@pytest.mark.parametrize("row", list_rows(ROWS))
def test_time_is_read(row: str) -> None:
    check_row(row)


@pytest.mark.parametrize("text", list_rows(NO_TIME))
def test_false_friend_is_left_alone(text: str) -> None:
    assert find_times(text, NOW) == ()
