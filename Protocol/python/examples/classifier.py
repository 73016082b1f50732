#!/usr/bin/env python3
"""A worker with a warm model: it reads, or here makes, the weights once, before it greets."""

from __future__ import annotations

import random

from opool_worker import initializer, kind, serve

LABELS = 60
weights: dict[str, list[float]] = {}


@initializer
def load() -> None:
    """Make a model of 2,000 words; a real one would read a file."""
    chance = random.Random(1)
    for word in range(2000):
        weights[f"word{word}"] = [chance.uniform(-1, 1) for _ in range(LABELS)]


@kind
def classify(text: str) -> int:
    """Return the label whose weights for the words of the text have the largest sum."""
    scores = [0.0] * LABELS
    for word in text.split():
        for label, weight in enumerate(weights[word]):
            scores[label] += weight
    return scores.index(max(scores))


if __name__ == "__main__":
    serve()
