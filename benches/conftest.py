"""What the benches share: the time of an empty call, and a benchmark that states its time in empty calls."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import pytest

from tisch import _core
from tisch.bench import nanoseconds

_Result = TypeVar("_Result")


class Measure(Protocol):
    """Runs a function many times and notes its mean time as a multiple of an empty call."""

    def __call__(self, calls: int, function: Callable[..., _Result], /, *arguments: Any) -> _Result:
        """Measure a function that makes so many calls.

        :param calls: How many calls one run of the function makes; the noted figures are of one such call.
        :param function: What to run.
        :param arguments: What to run it with.
        :result: What the function gave the last time, so that the bench can assert it.
        """
        ...


@pytest.fixture(scope="session")
def empty_call() -> float:
    """The seconds that an empty call from Python into the core takes, measured in this run."""
    return nanoseconds(_core.empty, calls=1) / 1e9


@pytest.fixture
def measure(benchmark: Any, empty_call: float) -> Measure:
    """The benchmark that adds ``empty_calls`` and ``nanoseconds`` of one call to the notes of a bench."""

    def run(calls: int, function: Callable[..., _Result], /, *arguments: Any) -> _Result:
        result: _Result = benchmark(function, *arguments)
        if benchmark.stats is not None:  # None when the benches are only run for their assertions.
            seconds = benchmark.stats.stats.mean / calls
            benchmark.extra_info["calls"] = calls
            benchmark.extra_info["nanoseconds"] = round(seconds * 1e9, 1)
            benchmark.extra_info["empty_call_nanoseconds"] = empty_call * 1e9
            benchmark.extra_info["empty_calls"] = round(seconds / empty_call, 1)
        return result

    return run
