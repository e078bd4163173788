"""What every shape has in common, and the few that belong to no topic."""

from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue

T = TypeVar("T")
LARGEST = (1 << 53) - 1  # what every JSON reader can hold
MAX_TEXT = 8_000_000

Id: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST)]
Count: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST)]
Name: TypeAlias = Annotated[str, Field(max_length=200)]
Line: TypeAlias = Annotated[str, Field(max_length=10_000)]
Text: TypeAlias = Annotated[str, Field(max_length=MAX_TEXT)]
Time: TypeAlias = Annotated[
    str,
    Field(
        max_length=40,
        description="ISO 8601, in UTC where it has no zone.",
        examples=["2026-01-05T09:00:00.000Z"],
    ),
]
AS_OF = "In words or ISO 8601; of a day or longer, its end by the clock of Hermes's machine."
AsOf: TypeAlias = Annotated[
    str,
    Field(
        max_length=200,
        description=AS_OF,
        examples=["2026-01-05", "three tuesdays ago", "2026-01-05T09:00:00.000Z"],
    ),
]
Ref: TypeAlias = Annotated[str, Field(min_length=1, max_length=80, examples=["fact:42"])]
Details: TypeAlias = dict[str, JsonValue]


class Shape(BaseModel):
    """A value that is read: keys nobody knows are left alone, so that old clients read new ones."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Request(BaseModel):
    """A value that is sent: a key nobody knows is a mistake worth an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Listed(Shape, Generic[T]):
    """A list, and whether there is more of it."""

    items: list[T]
    more: bool = False


class Problem(Shape):
    """What went wrong, and what to do."""

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={
            "examples": [
                {
                    "error": "NotFound",
                    "message": "There is no fact:42.",
                    "hint": "See `hermes memory facts list`.",
                }
            ]
        },
    )

    error: str
    message: str
    hint: str = ""


def example(**values: Any) -> ConfigDict:
    """The settings of a request with an example for readers of the documentation."""
    return ConfigDict(frozen=True, extra="forbid", json_schema_extra={"examples": [values]})
