#!/bin/sh
# Without a scheduler: shards as processes on one machine, or on several with GNU parallel
# (--sshloginfile).
#
#   ./parallel.sh boards/ parts/ 16
set -eu
boards=$1 parts=$2 shards=$3
mkdir -p "$parts"
seq "$shards" | parallel --halt soon,fail=1 taquin solve --resume --fail-on none --quiet --threads 1 \
    --shard "{}/$shards" -o "$parts/part-{}.jsonl" "$boards"
taquin merge "$parts" -o "${parts%/}.jsonl"
