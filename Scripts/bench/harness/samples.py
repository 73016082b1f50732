"""Samples as text: the median, and the quartiles in parentheses."""
import statistics


def median(samples):
    return statistics.median(samples)


def quartiles(samples):
    if len(samples) < 2:
        return samples[0], samples[0]
    first, _, third = statistics.quantiles(samples, n=4, method="inclusive")
    return first, third


def number(value):
    """Three digits that count, or all of a large number."""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    digits = 2 if abs(value) < 10 else 1
    return f"{value:.{digits if abs(value) >= 0.1 else 4}f}"


def spread(samples, unit="", scale=1):
    """`1,234 (1,200–1,300) µs`"""
    scaled = [sample * scale for sample in samples]
    first, third = quartiles(scaled)
    text = f"{number(median(scaled))} ({number(first)}–{number(third)})"
    return f"{text} {unit}".strip()


def ratios(ours, theirs):
    """Those of the pairs that were measured one after the other."""
    return [our / their for our, their in zip(ours, theirs)]
