"""The solver that the module-level functions share."""

from taquin._taquin import Solver

solver = Solver()
