/** Renames a symbol where the language service says that it is used. Without an editor there is none, and that is the answer. */

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

export async function execute({ path, line, symbol, newName, dryRun = false }, { host, progress }) {
	for (const [what, name] of Object.entries({ symbol, newName })) {
		if (!NAME.test(name)) throw new Error(`${what}: expected the name of a symbol, got ${JSON.stringify(name)}`);
	}
	const { references, truncated } = await host.editor.references({ path, line, symbol });
	if (truncated) {
		throw new Error(`${symbol} has more uses than the editor lists, so renaming them would be incomplete`);
	}
	const files = Map.groupBy(references, (reference) => reference.path);
	progress(`places: ${references.length}, files: ${files.size}`);
	// All of them are worked out before the first one changes.
	const changes = [];
	for (const [file, places] of files) {
		changes.push(await changeOf(file, places, { symbol, newName }, host));
	}
	const changed = [];
	for (const { file, text, lines } of dryRun ? [] : changes) {
		progress(`renaming in ${file}`, changed.length / changes.length);
		await host.fs.write({ path: file, content: text });
		changed.push({ file, lines });
	}
	return { symbol, newName, dryRun, files: dryRun ? changes.map(({ file, lines }) => ({ file, lines })) : changed };
}

/** The new text of a file, worked out from its last place to its first, so that the ones before keep theirs. */
async function changeOf(file, places, { symbol, newName }, host) {
	const { text, truncated } = await host.fs.read({ path: file });
	if (truncated) throw new Error(`${file} is too long to rename in`);
	const lines = text.split('\n');
	const ordered = places.toSorted((a, b) => b.line - a.line || b.column - a.column);
	for (const { line, column } of ordered) {
		const content = lines[line - 1] ?? '';
		const start = column - 1;
		if (content.slice(start, start + symbol.length) !== symbol) {
			throw new Error(
				`${file}:${line}:${column}: expected "${symbol}" there; save the file and try again. Nothing was changed`,
			);
		}
		lines[line - 1] = content.slice(0, start) + newName + content.slice(start + symbol.length);
	}
	return { file, text: lines.join('\n'), lines: [...new Set(ordered.map(({ line }) => line))].reverse() };
}
