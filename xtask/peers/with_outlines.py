"""outlines: `from_openai`, which its guide gives for servers that speak OpenAI's protocol."""
import openai
import outlines
from outlines.inputs import Chat


def connect(mode, url):
    client = openai.OpenAI(base_url=url, api_key="none", timeout=300)

    def ask(job, model):
        chat = Chat([{"role": "system", "content": job["system"]}, {"role": "user", "content": job["prompt"]}])
        text = outlines.from_openai(client, job["model"])(
            chat, model, max_tokens=job["max_tokens"], temperature=job["temperature"], seed=job["seed"]
        )
        return model.model_validate_json(text)

    return ask
