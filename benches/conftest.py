"""Fixtures of the benchmarks: the time of an empty call, and a benchmark that reports its time in empty calls."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import pytest

from tisch import _core
from tisch.bench import nanoseconds

_Result = TypeVar("_Result")


class Measure(Protocol):
    """Runs a function many times and reports its mean time as a multiple of an empty call."""

    def __call__(self, calls: int, function: Callable[..., _Result], /, *arguments: Any) -> _Result:
        """Measure a function that makes a number of calls.

        :param calls: The number of calls that one run of the function makes; the reported figures are of one such call.
        :param function: The function.
        :param arguments: Its arguments.
        :result: The last result of the function, so that the benchmark can assert it.
        """
        ...


@pytest.fixture(scope="session")
def empty_call() -> float:
    """Return the seconds of an empty call from Python into the core, measured in this run."""
    return nanoseconds(_core.empty, calls=1) / 1e9


@pytest.fixture
def measure(benchmark: Any, empty_call: float) -> Measure:
    """Return a benchmark that adds ``empty_calls`` and ``nanoseconds`` of one call to the notes of a benchmark."""

    def run(calls: int, function: Callable[..., _Result], /, *arguments: Any) -> _Result:
        result: _Result = benchmark(function, *arguments)
        if benchmark.stats is not None:  # None when the benchmarks only run for their assertions.
            seconds = benchmark.stats.stats.mean / calls
            benchmark.extra_info["calls"] = calls
            benchmark.extra_info["nanoseconds"] = round(seconds * 1e9, 1)
            benchmark.extra_info["empty_call_nanoseconds"] = empty_call * 1e9
            benchmark.extra_info["empty_calls"] = round(seconds / empty_call, 1)
        return result

    return run
