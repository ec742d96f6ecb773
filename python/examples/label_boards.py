# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Write a labelled data set of 4x4 boards to Parquet: exact distances and optimal first moves.

    python label_boards.py boards.parquet --count 1000000

Each of the `count` rows has a board of 16 numbers, a shortest solution, its length, and the first
moves of all shortest solutions. Boards are made by random walks, so most are easy. With
``--walk 0`` they are chosen uniformly from all solvable 4x4 boards, and most are hard. Boards are
made and labelled in parts of `part` boards, which bounds the memory.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import taquin


def labelled(count: int, walk: int, seed: int) -> pl.DataFrame:
    """Return boards with their labels."""
    boards = taquin.generate((4, 4), count, walk=(0, walk) if walk else None, seed=seed)
    results = taquin.solve_many(boards)
    first = taquin.optimal_moves(boards)
    return (
        pl.DataFrame({"board": pl.Series(boards.reshape(count, 16), dtype=pl.Array(pl.UInt8, 16))})
        .hstack(pl.DataFrame(results).select("moves", "path"))
        .with_columns(pl.Series("first_moves", first, dtype=pl.Array(pl.Boolean, 4)))
    )


def main() -> None:
    """Write the data set, part by part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--part", type=int, default=50_000)
    parser.add_argument("--walk", type=int, default=80)
    arguments = parser.parse_args()
    writer, done = None, 0
    while done < arguments.count:
        part = labelled(min(arguments.part, arguments.count - done), arguments.walk, seed=done)
        table: pa.Table = part.to_arrow()
        writer = writer or pq.ParquetWriter(arguments.output, table.schema)
        writer.write_table(table)
        done += len(part)
        print(f"{done} of {arguments.count} boards")
    if writer:
        writer.close()


if __name__ == "__main__":
    main()
