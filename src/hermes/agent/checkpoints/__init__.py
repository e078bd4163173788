"""Snapshots of files before they change, so that a change can be taken back."""

from hermes.agent.checkpoints.log import Checkpoint, Scope
from hermes.agent.checkpoints.tree import Limits
from hermes.agent.checkpoints.undo import Outcome, Undone
from hermes.agent.checkpoints.vault import Checkpoints

__all__ = ["Checkpoint", "Checkpoints", "Limits", "Outcome", "Scope", "Undone"]
