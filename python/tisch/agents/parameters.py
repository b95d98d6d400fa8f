"""Agents as people write them: a name or an import path, then parameters by name.

::

    search                              an agent of the game
    search:playouts=4000,worlds=64      … with parameters
    my_agents:Deep                      an agent of one's own, by its import path
    my_agents:Deep:depth=4              … with a parameter

The colon before the first ``=`` begins the parameters; commas separate them. A value contains neither ``,`` nor ``+``,
which joins partners. The parameters of an agent are those of the class or function that creates it: its keyword
arguments with an annotation of one of the :data:`KINDS`, of ``Literal``, of ``Path``, or of one of these ``| None``. A
``Path`` is a file that the agent reads.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, Union, get_args, get_origin

from tisch.importing import reason_of
from tisch.record import KINDS, converted

#: The default of a parameter that must be given.
REQUIRED: Final = inspect.Parameter.empty
#: The largest whole number: what the cores count with.
MOST: Final = (1 << 63) - 1
#: The text of ``None``.
NONE: Final = "none"
_BY_NAME: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an agent.

    :ivar name: Its name.
    :ivar kind: The type of its values.
    :ivar default: Its default; :data:`REQUIRED` if it must be given.
    """

    name: str
    kind: Any
    default: Any

    @property
    def is_file(self) -> bool:
        """Whether its values are files."""
        return Path in (self.kind, *get_args(self.kind))

    def __str__(self) -> str:
        """Return the parameter with its default, as it is written."""
        return f"{self.name}={'…' if self.default is REQUIRED else shown(self.default)}"


@dataclass(frozen=True, slots=True)
class Written:
    """An agent as it is written.

    :ivar name: Its name or its import path.
    :ivar given: The texts of the given parameters by name.
    """

    name: str
    given: Mapping[str, str]


def read(text: str) -> Written:
    """Split an agent's text into its name and its parameters.

    :param text: The text.
    :result: The parts.
    :raises ValueError: The parameters are not of the form NAME=VALUE; the message contains them.
    """
    head, equals, rest = text.partition("=")
    name, colon, first = head.rpartition(":")
    if not (equals and colon):
        return Written(text, {})
    given: dict[str, str] = {}
    for pair in f"{first}={rest}".split(","):
        key, _, value = pair.partition("=")
        if not (key and value):
            raise bad_form(name, pair)
        if key in given:
            raise ValueError(f"The agent '{text}' has the parameter '{key}' twice.")
        given[key] = value
    return Written(name, given)


def bad_form(name: str, found: str) -> ValueError:
    """Return the error that parameters have another form.

    :param name: The agent's name.
    :param found: What is written instead of a parameter.
    :result: The error.
    """
    what = f"not '{found}'" if found else "but one is empty"
    return ValueError(
        f"Parameters of the agent '{name}' are written NAME=VALUE, with commas between them, {what}; "
        "a value has no comma and no plus sign."
    )


def parameters_of(make: Callable[..., Any], name: str = "") -> dict[str, Parameter]:
    """Return the parameters of an agent.

    :param make: The class or function that creates it.
    :param name: (Optional) The agent's name, for the message.
    :result: The parameters by name, in their order.
    :raises ValueError: An annotation cannot be evaluated; the message names the agent.
    """
    try:
        signature = inspect.signature(make, eval_str=True)
    except NameError as error:
        raise ValueError(f"The parameters of the agent '{name}' cannot be read: {reason_of(error)}") from error
    except (TypeError, ValueError):
        # A class of a compiled module may have no signature.
        return {}
    return {
        each.name: Parameter(each.name, each.annotation, each.default)
        for each in signature.parameters.values()
        if each.kind in _BY_NAME and _is_kind(each.annotation)
    }


def _is_kind(annotation: Any) -> bool:
    if annotation in KINDS or annotation is Path or get_origin(annotation) is Literal:
        return True
    if get_origin(annotation) not in (Union, types.UnionType):
        return False
    return all(part is type(None) or _is_kind(part) for part in get_args(annotation))


def bind(make: Callable[..., Any], written: Written) -> Callable[[], Any]:
    """Give an agent its parameters.

    :param make: The class or function that creates it.
    :param written: The agent as it is written.
    :result: A function that creates the agent with these parameters.
    :raises ValueError: A parameter is unknown, missing, or has a bad value; the message names it and what there is.
    """
    if not written.given:
        return make
    known = parameters_of(make, written.name)
    values = {}
    for key, text in written.given.items():
        if key not in known:
            there = ", ".join(map(str, known.values()))
            raise ValueError(f"The agent '{written.name}' has no parameter '{key}'; it has {there or 'none'}.")
        values[key] = _value(written.name, known[key], text)
    for each in known.values():
        if each.default is REQUIRED and each.name not in values:
            raise ValueError(f"The agent '{written.name}' needs its parameter '{each.name}'.")
    return partial(make, **values)


def _value(agent: str, parameter: Parameter, text: str) -> Any:
    kind = parameter.kind
    if type(None) in get_args(kind):
        if text == NONE:
            return None
        kind = Union[tuple(part for part in get_args(kind) if part is not type(None))]  # noqa: UP007 - It is computed.
    if parameter.is_file:
        return Path(text)
    what = f"parameter '{parameter.name}' of the agent '{agent}'"
    value = converted(what, text, kind)
    if isinstance(value, int) and abs(value) > MOST:
        raise ValueError(f"The {what} must be less than 2⁶³, not '{text}'.")
    return value


def shown(value: Any) -> str:
    """Return a value as it is written.

    :param value: The value.
    :result: Its text.
    """
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
