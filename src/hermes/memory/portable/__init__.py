"""Export and import: all of a memory as one JSON file, the same from every store.

`docs/export.md` describes the file, `docs/export.schema.json` is generated from `records`.
"""
