"""Asks by one library in one mode: a job a line on standard input, an answer a line on standard output.

    python peer.py MODE URL

A job is {"contract", "system", "prompt", "model", "max_tokens", "temperature", "seed", "tries"}; an answer {"value"} or
{"error"}. Each library is set up as its own documentation shows for a server that speaks OpenAI's protocol.
"""
import importlib
import json
import os
import sys

from contracts import MODELS

MODULES = {
    "openai-parse": "with_openai",
    "instructor-tools": "with_instructor",
    "instructor-json_schema": "with_instructor",
    "pydantic-ai-tool": "with_pydantic_ai",
    "pydantic-ai-native": "with_pydantic_ai",
    "outlines": "with_outlines",
    "langchain": "with_langchain",
}


def why(error):
    """The chain of an error, outermost first: its classes, and the first line of the innermost."""
    chain = []
    while error is not None and len(chain) < 6:
        chain.append(error)
        error = error.__cause__ or error.__context__
    names = " <- ".join(dict.fromkeys(type(link).__name__ for link in chain))
    lines = str(chain[-1]).strip().splitlines() or [""]
    return f"{names}: {' '.join(lines)[:300]}"


def main():
    mode, url = sys.argv[1:3]
    # Libraries print; the answers get a stream of their own.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    ask = importlib.import_module(MODULES[mode]).connect(mode, url)
    print(json.dumps({"ready": mode}), file=answers)
    for line in sys.stdin:
        job = json.loads(line)
        try:
            value = ask(job, MODELS[job["contract"]])
            # What was not said is left out, as the contracts want it.
            answer = {"value": value.model_dump(mode="json", exclude_unset=True)}
        except Exception as error:
            answer = {"error": why(error)}
        print(json.dumps(answer), file=answers)


if __name__ == "__main__":
    main()
