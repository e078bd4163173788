"""What programs get to see of backups, erasures and imports, without where the files lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes.app.shapes import Json, time_shape
from hermes.counted import many
from hermes.memory.backup.manifest import Manifest
from hermes.memory.backup.restore import Restored
from hermes.memory.backup.shelf import Backup
from hermes.memory.erase.plan import Plan
from hermes.memory.erase.prove import Proof
from hermes.memory.portable.report import Report

if TYPE_CHECKING:
    from hermes.app.erase import Erased


def backup_shape(backup: Backup) -> Json:
    return {
        "name": backup.name,
        "created_at": time_shape(backup.created_at),
        "bytes": backup.size,
        "label": backup.label,
    }


def check_shape(name: str, manifest: Manifest) -> Json:
    rows = sum(manifest.counts.values())
    held = f"{many(len(manifest.entries), 'file')}, {many(rows, 'row')}"
    told = f"sound: {held}, schema {manifest.schema}"
    return {"name": name, "sound": True, "message": told, "counts": dict(manifest.counts)}


def restored_shape(restored: Restored) -> Json:
    counts = dict(restored.manifest.counts) if restored.manifest else {}
    counts |= {"messages": restored.messages} if counts else {}
    return {"left_out": dict(restored.left_out), "counts": counts}


def plan_shape(plan: Plan) -> Json:
    """What an erasure would take; nothing was erased."""
    return {
        "planned": plan.counts(),
        "erased": {},
        "files": [],
        "backups": [],
        "purged": False,
        "seed_holds_it": False,
        "proof": None,
    }


def erased_shape(plan: Plan, erased: Erased, proof: Proof | None) -> Json:
    return {
        "planned": plan.counts(),
        "erased": dict(erased.counts),
        "files": list(erased.files),
        "backups": [backup.name for backup in erased.backups],
        "purged": erased.is_purged,
        "seed_holds_it": erased.seed_holds_it,
        "proof": None if proof is None else proof_shape(proof),
    }


def proof_shape(proof: Proof) -> Json:
    return {
        "clean": proof.is_clean,
        "found": list(proof.found),
        "texts": proof.texts,
        "cells": proof.cells,
        "pages": proof.pages,
        "files": len(proof.files),
        "unsearched": [{"name": name, "reason": reason} for name, reason in proof.unsearched],
    }


def report_shape(report: Report) -> Json:
    return {"sections": report.counts(), "warnings": list(report.warnings)}
