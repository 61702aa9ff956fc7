"""instructor: `from_openai` in its default mode (tools) and in the mode that its guide gives for servers with a schema."""
import instructor
from openai import OpenAI

MODES = {"instructor-tools": instructor.Mode.TOOLS, "instructor-json_schema": instructor.Mode.JSON_SCHEMA}


def connect(mode, url):
    client = instructor.from_openai(OpenAI(base_url=url, api_key="none", timeout=300), mode=MODES[mode])

    def ask(job, model):
        return client.chat.completions.create(
            model=job["model"],
            messages=[{"role": "system", "content": job["system"]}, {"role": "user", "content": job["prompt"]}],
            response_model=model,
            # These come on top of the first try.
            max_retries=job["tries"] - 1,
            max_tokens=job["max_tokens"],
            temperature=job["temperature"],
            seed=job["seed"],
        )

    return ask
