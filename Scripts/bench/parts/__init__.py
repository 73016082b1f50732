"""The parts of the benchmark: each module's `run` measures and returns a `report.Part`."""
