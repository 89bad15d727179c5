/** Lists TODO and its like by file, with the line each is on. */

const LIMIT = 2000;

export async function execute({ path = '.', tags = ['TODO', 'FIXME', 'HACK', 'XXX'] }, { host, progress }) {
	const wanted = tags.filter((tag) => /^[A-Za-z][\w-]{0,40}$/.test(tag));
	if (wanted.length === 0) {
		throw new Error(`tags: expected words such as TODO, got ${JSON.stringify(tags)}`);
	}
	progress(`looking for ${wanted.join(', ')}`);
	const query = `\\b(${wanted.join('|')})\\b`;
	const { matches, truncated } = await host.search.text({
		query,
		regex: true,
		caseSensitive: true,
		path,
		limit: LIMIT,
	});
	const items = matches.flatMap((match) => itemIn(match, wanted));
	const counts = Object.fromEntries(wanted.map((tag) => [tag, items.filter((item) => item.tag === tag).length]));
	return { total: items.length, counts, truncated, items };
}

/** A tag counts where a comment says it: at its beginning, or followed by a colon or a name in brackets. */
function itemIn({ path, line, text }, tags) {
	const said = new RegExp(
		`(?:(?://+|#+|--|;+|/?\\*+|<!--)\\s*(${tags.join('|')})\\b|\\b(${tags.join('|')})(?:\\([^)]*\\))?:)(.*)`,
	);
	const found = said.exec(text);
	if (found === null) {
		return [];
	}
	const note = (found[3] ?? '').replace(/^\s*(?:\([^)]*\))?[:\s-]*/, '').replace(/\s*(?:\*\/|-->)\s*$/, '');
	return [{ file: path, line, tag: found[1] ?? found[2], text: note.trim() }];
}
