"""Three of the built-in contracts as a user of these libraries writes them down: pydantic models, with the same bounds.

`python contracts.py FIXTURES` holds them against the contracts' own fixtures.
"""
import json
import pathlib
import sys
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


Severity = Literal["critical", "major", "minor"]
Role = Literal["explore", "architect", "worker", "tester", "review", "docs"]


class Finding(Closed):
    severity: Severity = Field(description="How much harm it does")
    file: str = Field(min_length=1, max_length=80, description="Path of the file")
    line: int = Field(ge=1, le=999999, description="Line; 1 if it concerns the whole file")
    message: str = Field(min_length=1, max_length=140, description="What is wrong, and when it shows")
    fix: str = Field(None, min_length=1, max_length=120, description="How to fix it; leave out if you do not know")


class Review(Closed):
    """The review of a change: what is wrong with it, and whether it may go in."""

    findings: list[Finding] = Field(max_length=5, description="Problems in the change; empty if there are none")
    summary: str = Field(min_length=1, max_length=200, description="What the change does, and how good it is")
    verdict: Literal["approve", "request_changes", "reject"] = Field(
        description="The decision that follows from the findings"
    )


Question = Annotated[str, StringConstraints(min_length=1, max_length=120)]
Answer = Annotated[str, StringConstraints(min_length=1, max_length=50)]


class Clarify(Closed):
    """Whether a request is clear enough to start, and what to ask the user if it is not."""

    reason: str = Field(None, min_length=1, max_length=160, description="What is unclear, or why nothing is")
    needs_clarification: bool = Field(description="true if work cannot start without an answer")
    questions: list[Question] = Field(max_length=3, description="Questions for the user; empty if none are needed")
    suggested_answers: list[Annotated[list[Answer], Field(max_length=3)]] = Field(
        None, max_length=3, description="Answers to pick from: one list per question, same order"
    )


File = Annotated[str, StringConstraints(min_length=1, max_length=80)]
TaskId = Annotated[str, StringConstraints(min_length=1, max_length=6)]


class Task(Closed):
    id: TaskId = Field(description="Short and unique, like t1")
    title: str = Field(min_length=1, max_length=80, description="What to do, starting with a verb")
    role: Role = Field(description="Who does it")
    files: list[File] = Field(max_length=2, description="Paths the task may change")
    depends_on: list[TaskId] = Field(max_length=3, description="Ids of tasks that must be done before")
    acceptance: str = Field(min_length=1, max_length=100, description="A check that shows the task is done")


class Tasks(Closed):
    """Small units of work that a scheduler hands to roles in dependency order."""

    tasks: list[Task] = Field(min_length=1, max_length=5, description="The tasks, first things first")


MODELS = {"review": Review, "clarify": Clarify, "tasks": Tasks}


def check(fixtures):
    """Names every fixture that a model and its contract judge differently."""
    differing = []
    for name, model in MODELS.items():
        for verdict in ("accept", "reject"):
            for path in sorted((fixtures / name / verdict).glob("*.json")):
                try:
                    model.model_validate(json.loads(path.read_text()))
                    accepted = True
                except ValueError:
                    accepted = False
                if accepted != (verdict == "accept"):
                    differing.append(str(path))
    return differing


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    if found:
        sys.exit("the models differ from the contracts on:\n  " + "\n  ".join(found))
