"""The solver of the package's functions."""

from taquin._taquin import Solver

solver = Solver()
