"""langchain-openai: `with_structured_output`, in its default mode (json_schema)."""
from langchain_openai import ChatOpenAI


def connect(mode, url):
    def ask(job, model):
        chat = ChatOpenAI(
            base_url=url,
            api_key="none",
            model=job["model"],
            max_tokens=job["max_tokens"],
            temperature=job["temperature"],
            seed=job["seed"],
            timeout=300,
        )
        return chat.with_structured_output(model).invoke([("system", job["system"]), ("human", job["prompt"])])

    return ask
