"""The names of `typing` that modules need at run time, without loading `typing`: that
takes a hook as long as a search.

Type checkers see `typing` itself. Annotations are not evaluated.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, NamedTuple, TypeVar, dataclass_transform
else:

    class _Subscriptable(type):
        """Metaclass of a name that is only written in annotations."""

        def __getitem__(cls, names: object) -> type:
            """Return the name without its arguments."""
            return cls

    class Any(metaclass=_Subscriptable):
        """Any type."""

    class Literal(metaclass=_Subscriptable):
        """Some values."""

    class TypeVar:
        """Type variable."""

        def __init__(self, name: str) -> None:
            self.__name__ = name

    def dataclass_transform(**options: object) -> object:
        """Return a decorator that leaves a class as it is."""
        return lambda decorated: decorated

    class _FieldsOfClass(type):
        """Metaclass that makes a tuple with the annotated names as its fields."""

        def __new__(cls, name, bases, namespace):  # type: ignore[no-untyped-def]
            """Return the class, a subclass of `tuple`."""
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            annotations = namespace.get("__annotations__", {})
            defaults = [namespace[each] for each in annotations if each in namespace]
            module = namespace["__module__"]
            made = namedtuple(name, annotations, defaults=defaults, module=module)
            for key, value in namespace.items():
                if key in annotations:
                    continue
                setattr(made, key, value)
                bind = getattr(type(value), "__set_name__", None)
                if bind is not None:
                    bind(value, made, key)
            return made

    class NamedTuple(metaclass=_FieldsOfClass):
        """Tuple whose fields are the annotated names of its subclass."""


__all__ = [
    "TYPE_CHECKING",
    "Any",
    "Literal",
    "NamedTuple",
    "TypeVar",
    "dataclass_transform",
]
