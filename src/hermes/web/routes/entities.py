"""The graph of entities, and the page of one; choosing one narrows every other page to it."""

from hermes.web.asking import Answer, Ask, Page
from hermes.web.desk import Desk
from hermes.web.routes.search import frame_filter
from hermes.web.views.filters import read_filter
from hermes.web.views.network import draw_network, list_rows

MESSAGES = 6
# The two styles that force-graph writes into the page itself: allowed by what is in them.
GRAPH_STYLES = (
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",  # an empty one, before it is filled
    "sha256-jtRRMYY2VbEXuBKbHvqM1/fPT8vazFrEooXdvwUK4y8=",
    "sha256-9xjtvxMT1ApHlgn9ohbh2FNfvK5Tqtzy94BjfXBeMSY=",
)


def add_pages(desk: Desk) -> None:
    desk.get("/graph", show_graph)


def show_graph(ask: Ask) -> Answer:
    wanted, app = read_filter(ask), ask.app
    network = app.overview.network(wanted.bank)
    rows = list_rows(network)
    chosen = (
        app.entities.show(f"entity:{wanted.entity}", messages=MESSAGES) if wanted.entity else None
    )
    values = {
        "network": network,
        "drawn": draw_network(network),
        "rows": rows,
        "view": chosen,
        "summaries": app.compressing.find_among(chosen.messages) if chosen else {},
        "row": next((row for row in rows if row.entity.id == wanted.entity), None),
    }
    return Page("graph.html", values | frame_filter(ask, wanted), extra_styles=GRAPH_STYLES)
