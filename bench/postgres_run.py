"""Runs `hermes bench postgres` against a server of its own, from the wheel, flushing to disk.

.venv/bin/python bench/postgres_run.py [EPISODES] [writers|ingest|recall|seen …]
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from hermes.bench.postgres import (
    Place,
    measure_ingest,
    measure_recall,
    measure_visibility,
    measure_writers,
)
from postgres_server import new_cluster, wheel_bin


def main(episodes: int, parts: list[str]) -> None:
    cluster = new_cluster(wheel_bin(), ("shared_buffers=256MB", "max_wal_size=2GB"))
    place = Place(cluster.address)
    with tempfile.TemporaryDirectory() as folder:
        made = {
            "writers": lambda: measure_writers(place),
            "seen": lambda: measure_visibility(place),
            "ingest": lambda: measure_ingest(place, episodes // 5),
            "recall": lambda: measure_recall(Path(folder), place, episodes),
        }
        for part in parts or list(made):
            figure = made[part]()
            mark = "ok  " if figure.met else "MISS"
            value = f"{figure.value:,.2f} {figure.unit}"
            print(f"{mark} {figure.name}: {value} (target {figure.target})\n     {figure.note}")
            sys.stdout.flush()
    cluster.remove()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, sys.argv[2:])
