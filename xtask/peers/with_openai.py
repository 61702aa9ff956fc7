"""openai: `chat.completions.parse` with a pydantic model (its guide on structured outputs)."""
from openai import OpenAI


def connect(mode, url):
    client = OpenAI(base_url=url, api_key="none", timeout=300)

    def ask(job, model):
        completion = client.chat.completions.parse(
            model=job["model"],
            messages=[{"role": "system", "content": job["system"]}, {"role": "user", "content": job["prompt"]}],
            response_format=model,
            max_tokens=job["max_tokens"],
            temperature=job["temperature"],
            seed=job["seed"],
        )
        message = completion.choices[0].message
        if message.parsed is None:
            raise ValueError(f"no document: {message.refusal or message.content}")
        return message.parsed

    return ask
