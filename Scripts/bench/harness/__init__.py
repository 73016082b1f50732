"""What all parts of the benchmark share."""
