"""The names of `typing` that modules need at run time, without loading `typing`: that
takes a hook as long as a search.

Type checkers see `typing` itself. Annotations are not evaluated.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, NamedTuple, TypeVar, dataclass_transform
else:
    try:
        from _collections import _tuplegetter
    except ImportError:  # another interpreter than CPython
        from operator import itemgetter

        def _tuplegetter(place: int, doc: str) -> property:
            """Return the reader of a field."""
            return property(itemgetter(place), doc=doc)

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
        """Metaclass that makes the annotated names of a class its fields.

        `collections.namedtuple` compiles a constructor for each class, and a command
        loads many classes of which it uses few.
        """

        def __new__(cls, name, bases, namespace):  # type: ignore[no-untyped-def]
            """Return the class with a reader of each field."""
            fields = tuple(namespace.get("__annotations__", ()))
            namespace.setdefault("__slots__", ())
            if fields:
                namespace["_field_defaults"] = {
                    field: namespace[field] for field in fields if field in namespace
                }
                namespace["_fields"] = namespace["__match_args__"] = fields
                for place, field in enumerate(fields):
                    namespace[field] = _tuplegetter(place, "")
            return super().__new__(cls, name, bases, namespace)

    class NamedTuple(tuple, metaclass=_FieldsOfClass):
        """Tuple whose fields are the annotated names of its subclass."""

        _fields = ()

        def __new__(cls, /, *values, **named):  # type: ignore[no-untyped-def]
            """Return the tuple with these values. Raises: TypeError."""
            if named or len(values) != len(cls._fields):
                values = _complete(cls, values, named)
            return _new_tuple(cls, values)

        @classmethod
        def _make(cls, values):  # type: ignore[no-untyped-def]
            """Return the tuple with these values of all fields."""
            made = _new_tuple(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} values, got {len(made)}")
            return made

        def _replace(self, /, **changes):  # type: ignore[no-untyped-def]
            """Return the tuple with other values of some fields."""
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self):  # type: ignore[no-untyped-def]
            """Return the values by the names of their fields."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            """Return the names and values of the fields."""
            rows = (f"{field}={value!r}" for field, value in self._asdict().items())
            return f"{type(self).__name__}({', '.join(rows)})"

        def __getnewargs__(self):  # type: ignore[no-untyped-def]
            """Return the values, for `pickle` and `copy`."""
            return tuple(self)

    _new_tuple = tuple.__new__

    def _complete(cls, values, named):  # type: ignore[no-untyped-def]
        """Return the values of all fields of a named tuple. Raises: TypeError."""
        missing = cls._fields[len(values) :]
        if len(values) > len(cls._fields) or not named.keys() <= set(missing):
            raise TypeError(f"{cls.__name__} has only the fields {cls._fields}")
        given = cls._field_defaults | named
        try:
            return (*values, *[given[field] for field in missing])
        except KeyError as error:
            raise TypeError(f"{cls.__name__} needs a value of {error}") from None


__all__ = [
    "TYPE_CHECKING",
    "Any",
    "Literal",
    "NamedTuple",
    "TypeVar",
    "dataclass_transform",
]
