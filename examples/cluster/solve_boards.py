"""A PySpark job that solves the boards of files, or of a Parquet table with a column `board`, and writes Parquet.

    spark-submit --conf spark.executor.memoryOverhead=2g --conf spark.task.cpus=4 --executor-cores 4 \
        solve_boards.py /shared/boards /shared/answers

Files must have the same name on the driver and on all executors. The driver and the executors need
`pip install 'taquin[spark]'`.
"""

from __future__ import annotations

import argparse

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812
from taquin import spark as on_spark


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "boards", help="files in any of taquin's layouts, a folder of them, or a Parquet table (.parquet)"
    )
    parser.add_argument("answers", help="the Parquet table to write")
    parser.add_argument(
        "--partitions", type=int, default=0, help="tasks; by default 16 for each processor of the cluster"
    )
    arguments = parser.parse_args()
    spark = SparkSession.builder.appName("taquin").getOrCreate()
    # Boards differ in difficulty. Many small tasks keep all processors busy until the end.
    tasks = arguments.partitions or 16 * spark.sparkContext.defaultParallelism
    fields = ("status", "moves", "path", "error")
    if arguments.boards.endswith(".parquet"):
        boards = spark.read.parquet(arguments.boards).repartition(tasks)
        answers = on_spark.solve(boards, fields=fields)
    else:
        boards = on_spark.read_boards(spark, arguments.boards, partitions=tasks).drop("error")
        answers = on_spark.solve(boards, goal=F.col("goal"), fields=fields)
    answers.write.mode("errorifexists").parquet(arguments.answers)
    spark.read.parquet(arguments.answers).groupBy("status").count().show()


if __name__ == "__main__":
    main()
