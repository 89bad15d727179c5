/** Reads `git status --porcelain=v2 --branch -z`. Paths come as they are, separated by NUL. */

export interface StatusEntry {
	readonly path: string;
	/** State of the entry in the index; like `worktree`, a single letter as Git writes it, or a space for unchanged. */
	readonly index: string;
	readonly worktree: string;
}

interface PorcelainStatus {
	/** Null when no branch is checked out. */
	readonly branch: string | null;
	readonly entries: readonly StatusEntry[];
}

export function parsePorcelainStatus(output: string): PorcelainStatus {
	let branch: string | null = null;
	const entries: StatusEntry[] = [];
	const records = output.split('\0');
	// Drop the text behind the last NUL: it is empty, or a record that was cut off.
	records.pop();
	for (let at = 0; at < records.length; at++) {
		const record = records[at] ?? '';
		const kind = record[0];
		if (record.startsWith('# branch.head ')) {
			const head = record.slice('# branch.head '.length);
			branch = head === '(detached)' ? null : head;
		} else if (kind === '1') {
			entries.push(parseStatusEntry(record, 8));
		} else if (kind === '2') {
			entries.push(parseStatusEntry(record, 9));
			// The path it was renamed from is a record of its own.
			at++;
		} else if (kind === 'u') {
			entries.push(parseStatusEntry(record, 10));
		} else if (kind === '?' || kind === '!') {
			entries.push({ path: record.slice(2), index: kind, worktree: kind });
		}
	}
	return { branch, entries };
}

/** `fields` come before the path, each followed by one space; the path may hold spaces itself. */
function parseStatusEntry(record: string, fields: number): StatusEntry {
	const parts = record.split(' ');
	const letters = parts[1] ?? '..';
	const readStateLetter = (at: number) => (letters[at] === '.' ? ' ' : (letters[at] ?? ' '));
	return { path: parts.slice(fields).join(' '), index: readStateLetter(0), worktree: readStateLetter(1) };
}
