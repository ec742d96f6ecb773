"""Textbook IDA* with Manhattan distance, for comparison. Reads 4x4 boards from standard input, one per line."""
import sys

SIDE = 4
GOAL = [(tile - 1) % SIDE**2 for tile in range(SIDE**2)]
NEXT = [[c + d for d, ok in ((-SIDE, c >= SIDE), (SIDE, c < SIDE**2 - SIDE), (-1, c % SIDE), (1, c % SIDE < SIDE - 1)) if ok]
        for c in range(SIDE**2)]
DISTANCE = [[abs(GOAL[t] // SIDE - c // SIDE) + abs(GOAL[t] % SIDE - c % SIDE) if t else 0 for c in range(SIDE**2)]
            for t in range(SIDE**2)]


def search(board, blank, previous, g, h, bound):
    """Returns 0 if a solution lies within the bound, otherwise the least f beyond it."""
    if g + h > bound:
        return g + h
    if h == 0:
        return 0
    least = 1 << 30
    for cell in NEXT[blank]:
        if cell == previous:
            continue
        tile = board[cell]
        board[blank], board[cell] = tile, 0
        found = search(board, cell, blank, g + 1, h - DISTANCE[tile][cell] + DISTANCE[tile][blank], bound)
        if found == 0:
            return 0
        board[blank], board[cell] = 0, tile
        least = min(least, found)
    return least


for line in sys.stdin:
    board = list(map(int, line.split()))
    h = bound = sum(DISTANCE[tile][cell] for cell, tile in enumerate(board))
    while found := search(board[:], board.index(0), -1, 0, h, bound):
        bound = found
    print(bound)
