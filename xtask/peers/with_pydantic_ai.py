"""pydantic-ai: an agent in its default mode (an output tool) and with `NativeOutput` (its page on structured output)."""
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


def connect(mode, url):
    provider = OpenAIProvider(base_url=url, api_key="none")

    def ask(job, model):
        agent = Agent(
            OpenAIChatModel(job["model"], provider=provider),
            output_type=NativeOutput(model) if mode == "pydantic-ai-native" else model,
            system_prompt=job["system"],
            retries=job["tries"] - 1,
            model_settings={
                "max_tokens": job["max_tokens"],
                "temperature": job["temperature"],
                "seed": job["seed"],
                "timeout": 300,
            },
        )
        return agent.run_sync(job["prompt"]).output

    return ask
