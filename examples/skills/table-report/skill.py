import asyncio

from prowess import progress, sql


async def tables(path: str) -> dict:
    """Counts the rows of each table.

    Args:
        path: the SQLite file, in the workspace
    """
    found = await sql.query("select name from sqlite_master where type = 'table' order by name", path=path)
    names = [name for (name,) in found["rows"]]
    await progress.report("%d tables" % len(names))
    counts = await asyncio.gather(*(_count(path, name) for name in names))
    return dict(zip(names, counts))


async def sample(path: str, table: str, rows: int = 5) -> list[dict]:
    """Shows the first rows of a table.

    Args:
        path: the SQLite file, in the workspace
        table: its name
        rows: how many
    """
    found = await sql.query("select * from %s" % _quoted(table), path=path, limit=rows)
    return [dict(zip(found["columns"], row)) for row in found["rows"]]


async def _count(path, name):
    found = await sql.query("select count(*) from %s" % _quoted(name), path=path)
    return found["rows"][0][0]


def _quoted(name):
    return '"%s"' % name.replace('"', '""')
