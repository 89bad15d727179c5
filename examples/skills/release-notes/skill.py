import re

from prowess import OpFailure, fs, llm, progress


async def notes(path: str = "CHANGELOG.md", audience: str = "users") -> dict:
    """Writes release notes from the newest section of a changelog.

    Args:
        path: the changelog, in the workspace
        audience: who reads them
    """
    text = (await fs.read(path=path, raw=True))["text"]
    sections = re.split(r"(?m)^(?=## )", text)
    newest = next((each for each in sections if each.startswith("## ")), text)
    await progress.report("asking the model")
    answer = await llm.chat(
        [{"role": "user", "content": newest[:20000]}],
        system="Write release notes in Markdown for %s. Name what changes for them, and nothing else." % audience,
    )
    return {"notes": answer["text"], "model": answer.get("model")}


async def title(path: str = "CHANGELOG.md") -> str:
    """Finds a title for the newest section; without a model, its heading.

    Args:
        path: the changelog, in the workspace
    """
    text = (await fs.read(path=path, raw=True))["text"]
    heading = next((line[3:].strip() for line in text.splitlines() if line.startswith("## ")), path)
    try:
        answer = await llm.oneshot("A title of at most six words for this release:\n" + text[:4000])
        return answer["text"].strip()
    except OpFailure as failure:
        if failure.code != "NO_MODEL":
            raise
        return heading
