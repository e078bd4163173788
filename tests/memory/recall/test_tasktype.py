"""The type of a task, against examples labelled by hand.

`FIRST` was written with the table, `SECOND` after the table was fixed.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.recall.tasktype import TABLE, infer_task_type

FIRST = """
research | Find out which vector databases support filtered search and compare them
research | Research the history of the Panama Canal and give me sources
research | What are the pros and cons of SQLite versus PostgreSQL for embedded use?
research | Look into alternatives to Stripe for EU payments
research | Recherchiere, welche Wärmepumpen gefördert werden
research | Do a literature survey on retrieval augmented generation
writing | Write a blog post about our new pricing
writing | Draft a cover letter for the backend position at Acme
writing | Summarize this article in three sentences
writing | Proofread the following paragraph and fix the grammar
writing | Schreib einen kurzen Text über unseren Hund
writing | Rédige un résumé du rapport annuel
coding | Implement a function that parses ISO dates in Python
coding | Refactor the user module into smaller classes
coding | Add unit tests for the payment endpoint
coding | Write a Python script that renames all files in a folder
coding | Implementiere einen CLI-Befehl für den Export
debugging | The tests fail with a TypeError, why does this happen?
debugging | Fix the crash when the config file is missing
debugging | I get a stack trace from the worker: KeyError 'id'
debugging | Login is broken since the last release, find the root cause
debugging | Warum bekomme ich diesen Fehler beim Start?
monitoring | Monitor the site and alert me when it goes down
monitoring | Keep an eye on the price of the GPU and let me know when it drops
monitoring | Check every morning whether there are new posts on the feed
monitoring | Überwache den Server und melde Ausfälle
planning | Plan a three day trip to Lisbon in May
planning | Break down the migration into milestones and schedule them
planning | Organize my week: three meetings, gym, and the dentist
planning | Make a roadmap for the next quarter
planning | Planifie mon voyage à Rome
communication | Reply to Anna's email and say I will be late
communication | Send a message to the team on Slack about the outage
communication | Write an email to my landlord about the heating
communication | Antworte Herrn Meier, dass der Termin passt
communication | Invite Tom and Sue to dinner
data | Load sales.csv and plot revenue by month
data | Compute the average order value per customer from the dataset
data | Clean the data in this spreadsheet and make a pivot table
data | Show the correlation between price and rating as a chart
data | 用这份数据做一个统计图表
operations | Deploy the new version to production and restart the workers
operations | Set up nginx with an SSL certificate on the server
operations | Upgrade the Kubernetes cluster and roll back if pods crash
chat | Hi, how are you today?
chat | Thanks, that was great!
chat | What was the name of my sister's dog?
chat | Tell me a joke
chat | I went hiking yesterday and it was lovely
chat | Where did I leave my keys?
"""
SECOND = """
research | Compare the three leading CRM tools for small agencies
research | Find recent papers on sparse attention and tell me what they conclude
research | Investigate why bees are declining in Europe
research | What's the difference between a Roth IRA and a traditional one?
research | Give me an overview of the heat pump market in Denmark
research | Vergleiche die Handytarife von drei Anbietern
writing | Write a short poem for my grandmother's 80th birthday
writing | Rewrite this paragraph so that it sounds friendlier
writing | Draft the release notes for version 2
writing | Translate the contract into Spanish
writing | Turn these bullet points into an essay
writing | Escribe un artículo sobre la energía solar
coding | Implement pagination for the orders endpoint
coding | Create a React component for the login form
coding | Write a regex that matches IBANs
coding | Port this module from JavaScript to Rust
coding | Add type hints to the parser package
coding | Programmiere eine Funktion, die Primzahlen berechnet
debugging | My app crashes as soon as I open the settings page
debugging | Why does this query return duplicate rows? Something is wrong
debugging | Help me debug a memory leak in the worker
debugging | The build is failing with ModuleNotFoundError
debugging | The printer stopped working, can you troubleshoot it?
debugging | J'ai une erreur au démarrage du serveur
monitoring | Watch the status page and notify me about any outage
monitoring | Track the flight prices to Tokyo every day
monitoring | Alert me if CPU usage exceeds 90 percent
monitoring | Let me know when the new iPhone is back in stock
monitoring | Monitor our competitors' pricing pages for changes
planning | Help me plan my sister's surprise party
planning | Create a study schedule for the exam in June
planning | What are the next steps to launch the beta? Make a timeline
planning | Put together an itinerary for a week in Japan
planning | Prioritize my to-do list for tomorrow
planning | Organiza mi semana de trabajo
communication | Send Peter a quick note that the shipment has arrived
communication | Respond to the customer complaint politely
communication | Email the board the latest numbers
communication | Thank Maria for the flowers on WhatsApp
communication | Forward the invoice to accounting and ask them to pay it
communication | Réponds à ce message de Julie
data | Make a histogram of the response times in results.csv
data | What's the median salary by department in this spreadsheet?
data | Join the two tables and count the orders per country
data | Visualize the trend of monthly signups
data | Find outliers in the sensor dataset
operations | Install Docker on the new VM and configure the firewall
operations | Roll back the staging deployment
operations | Renew the TLS certificate and restart the proxy
operations | Back up the database before the upgrade
chat | Good morning! Did you sleep well?
chat | Who is my dentist again?
chat | I just had the best pizza of my life
chat | When is my mother's birthday?
chat | That's funny, thank you
chat | Do you remember what I told you about Lisbon?
"""


def list_examples(block: str) -> list[tuple[str, str]]:
    pairs = [line.split(" | ", 1) for line in block.splitlines() if line]
    return [(label, text) for label, text in pairs]


def share_right(block: str) -> tuple[float, list[str]]:
    examples = list_examples(block)
    wrong = [
        f"{label} <- {infer_task_type(text)}: {text}"
        for label, text in examples
        if infer_task_type(text).name != label
    ]
    return 1 - len(wrong) / len(examples), wrong


@pytest.mark.parametrize("block", [FIRST, SECOND])
def test_nine_of_ten_are_right(block: str) -> None:
    share, wrong = share_right(block)
    assert share >= 0.9, "\n".join(wrong)


def test_nothing_said_is_chat() -> None:
    assert infer_task_type("") == infer_task_type("hm, well")
    assert infer_task_type("").name == "chat"
    assert infer_task_type("").score == 0.0


def test_score_grows_with_the_evidence() -> None:
    weak = infer_task_type("the email about the roadmap and the dataset")
    strong = infer_task_type("Reply to the email and forward the message to the client")
    assert strong.score > weak.score


def test_learnt_types_take_part() -> None:
    learnt = {"gardening": ["prune", "compost*", "raised bed"]}
    assert infer_task_type("Prune the roses", learnt).name == "gardening"
    assert infer_task_type("Where to put the raised bed with composting worms?", learnt).name == (
        "gardening"
    )
    assert infer_task_type("Implement a parser function", learnt).name == "coding"
    assert infer_task_type("Prune the roses").name == "chat"


def test_what_is_pasted_does_not_decide() -> None:
    pasted = "Traceback: error, crash, bug\n" * 2000
    assert infer_task_type("Summarize this: " + pasted).name == "writing"
    assert infer_task_type("What is this?\n" + pasted).name == "debugging"


@given(st.text(), st.dictionaries(st.text(max_size=8), st.lists(st.text(max_size=8)), max_size=3))
def test_any_text_has_a_type(text: str, learnt: dict[str, list[str]]) -> None:
    found = infer_task_type(text, learnt)
    assert found.name in {*TABLE, *learnt, "chat"}
    assert 0 <= found.score <= 1
