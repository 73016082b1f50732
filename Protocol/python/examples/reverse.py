"""A worker in twenty lines: `opool run --worker '2:python3 …/reverse.py' FILE` starts two."""
from opool_worker import Context, Progress, kind, serve


@kind
def reverse(payload: str) -> str:
    return payload[::-1]


@kind("slow-sum")
def total(payload, context: Context):
    result = 0
    for done, number in enumerate(payload):
        context.sleep(number / 1000)
        result += number
        yield Progress(done + 1, len(payload))
    return result


serve()
