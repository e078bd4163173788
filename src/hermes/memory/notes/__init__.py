"""MEMORY.md and USER.md: small notebooks that both the agent and the person write in."""

from hermes.memory.notes.change import Action, Change, NotesFull, Operation, apply_operations
from hermes.memory.notes.files import change_notes, load_notes, project_user
from hermes.memory.notes.page import Note, parse_notes, visible_text
from hermes.memory.notes.request import MemoryRequest, parse_request
from hermes.memory.notes.snapshot import render_snapshot

__all__ = [
    "Action",
    "Change",
    "MemoryRequest",
    "Note",
    "NotesFull",
    "Operation",
    "apply_operations",
    "change_notes",
    "load_notes",
    "parse_notes",
    "parse_request",
    "project_user",
    "render_snapshot",
    "visible_text",
]
