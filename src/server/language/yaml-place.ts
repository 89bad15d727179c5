/**
 * Where in a YAML text a position is, by indentation alone: while somebody types, the text is hardly ever whole. Block style,
 * and a list between brackets on one line; more is not found out, and then nothing is offered.
 */

interface YamlPlace {
	/** Keys from the top, `-` for an entry of a list; the last is what stands at the position. */
	readonly path: readonly string[];
	/** A value of the last of `path` is being written, not its key. */
	readonly isValue: boolean;
	/** Text of the key or value that is already written before the position. */
	readonly typed: string;
	/** Other keys of the same mapping. */
	readonly siblings: readonly string[];
}

export interface Position {
	/** Both from 0; the character counts UTF-16 code units. */
	readonly line: number;
	readonly character: number;
}

interface YamlLine {
	readonly dash: number | undefined;
	/** Column of what comes after the dash, or after the indentation. */
	readonly column: number;
	readonly key: string | undefined;
	readonly rest: string;
}

/** Undefined in a comment. */
export function placeAt(text: string, { line: row, character }: Position): YamlPlace | undefined {
	const lines = text.split(/\r?\n/);
	const before = (lines[row] ?? '').slice(0, character);
	if (/^\s*#|\s#/.test(before)) {
		return undefined;
	}
	const line = readLine(before);
	const parents = listParentKeys(lines, row, line);
	if (line.key !== undefined) {
		const path = [...parents, line.key];
		const flow = /^\s*\[(?:[^\]]*,)?\s*([^,\]]*)$/.exec(line.rest);
		return flow === null
			? { path, isValue: true, typed: line.rest.trimStart(), siblings: [] }
			: { path: [...path, '-'], isValue: true, typed: flow[1] ?? '', siblings: [] };
	}
	return { path: parents, isValue: false, typed: line.rest, siblings: listSiblingKeys(lines, row, line) };
}

/** The key on which a position is, with the path to it. */
export function keyAt(
	text: string,
	{ line: row, character }: Position,
): { readonly path: readonly string[]; readonly start: number; readonly end: number } | undefined {
	const lines = text.split(/\r?\n/);
	const line = readLine(lines[row] ?? '');
	const end = line.column + (line.key?.length ?? 0);
	return line.key === undefined || character < line.column || character > end
		? undefined
		: { path: [...listParentKeys(lines, row, line), line.key], start: line.column, end };
}

function readLine(text: string): YamlLine {
	const [, indent = '', dash = '', rest = ''] = /^(\s*)(-\s+|-$)?(.*)$/.exec(text) ?? [];
	const [, key, value] = /^([\w-]+):(?=\s|$)(.*)$/.exec(rest) ?? [];
	return {
		dash: dash === '' ? undefined : indent.length,
		column: indent.length + dash.length,
		key,
		rest: key === undefined ? rest : (value ?? ''),
	};
}

function listParentKeys(lines: readonly string[], row: number, line: YamlLine): string[] {
	const path: string[] = [];
	let limit = line.column;
	// The entries of a list may stand as far to the left as the key they belong to.
	let isEntry = false;
	const enterListEntry = (dash: number | undefined) => {
		if (dash !== undefined) {
			path.unshift('-');
			limit = dash;
			isEntry = true;
		}
	};
	enterListEntry(line.dash);
	for (let at = row - 1; at >= 0 && (limit > 0 || isEntry); at -= 1) {
		const text = lines[at] ?? '';
		if (/^\s*(#|$)/.test(text)) continue;
		const above = readLine(text);
		if (above.dash !== undefined && above.column === limit && !isEntry) {
			enterListEntry(above.dash);
		} else if (
			above.key !== undefined &&
			(above.column < limit || (isEntry && above.column === limit && above.dash === undefined))
		) {
			path.unshift(above.key);
			limit = above.column;
			isEntry = false;
			enterListEntry(above.dash);
		}
	}
	return path;
}

function listSiblingKeys(lines: readonly string[], row: number, { column, dash }: YamlLine): string[] {
	const keys: string[] = [];
	const collectKeys = (step: 1 | -1, isStarted: boolean) => {
		if (isStarted) return;
		for (let at = row + step; at >= 0 && at < lines.length; at += step) {
			const text = lines[at] ?? '';
			if (/^\s*(#|$)/.test(text)) continue;
			const other = readLine(text);
			const isBelow = other.dash === undefined ? other.column : other.dash;
			if (isBelow < column && !(other.dash !== undefined && other.column === column)) return;
			if (other.column === column && other.key !== undefined) {
				if (step === 1 && other.dash !== undefined) return;
				keys.push(other.key);
				if (other.dash !== undefined) return;
			}
		}
	};
	// A line with a dash begins its mapping.
	collectKeys(-1, dash !== undefined);
	collectKeys(1, false);
	return keys;
}
