"""The people, projects, places and products that memories mention, under all their names."""

from hermes.memory.entities.gazetteer import Gazetteer, Hit, find_entities
from hermes.memory.entities.mentions import Mention, find_mentions, name_mentions
from hermes.memory.entities.names import alias_key, tokens, without_title

__all__ = [
    "Gazetteer",
    "Hit",
    "Mention",
    "alias_key",
    "find_entities",
    "find_mentions",
    "name_mentions",
    "tokens",
    "without_title",
]
