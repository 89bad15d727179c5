/**
 * A patch as edits of one file: models that were taught patches write them also where the tool asks for edits. Reads the
 * form with `*** Update File:` and unified diffs; line numbers are left aside, since the lines say where they are.
 */

interface PatchEdit {
	readonly find: string;
	readonly replace: string;
}

interface PatchedFile {
	readonly path: string;
	readonly edits: readonly PatchEdit[];
}

const OTHER_ACT = /^\*\*\* (?:Add File|Delete File|Move to): /m;
const FILE_HEAD = /^\*\*\* Update File: (.+)$|^\+\+\+ (?:b\/)?([^\t\n]+).*$/;

export function isPatch(text: unknown): text is string {
	return typeof text === 'string' && (/^\*\*\* Begin Patch\s*$/m.test(text) || /^--- .+\n\+\+\+ .+\n@@ /m.test(text));
}

/** A text: why the patch is no list of edits of one file. */
export function readPatchedFile(patch: string): PatchedFile | string {
	const lines = patch.replaceAll('\r\n', '\n').split('\n');
	const paths = lines.flatMap(
		(line) =>
			FILE_HEAD.exec(line)
				?.slice(1)
				.find((path) => path !== undefined) ?? [],
	);
	const [path, ...others] = paths.map((each) => each.trim());
	if (OTHER_ACT.test(patch) || path === undefined || path === '/dev/null' || /^--- \/dev\/null$/m.test(patch)) {
		return 'this patch adds, moves or deletes a file: fs_write, fs_move and fs_delete do that';
	}
	if (others.length > 0) {
		return `this patch changes ${paths.length} files: send one call for each file`;
	}
	const hunks = splitHunks(lines);
	const edits = hunks.map(toPatchEdit);
	const at = edits.findIndex((edit) => edit === undefined);
	return edits.length === 0 || at !== -1
		? `part ${at + 1 || 1} of this patch has no line that is there before: give lines around what it adds`
		: { path, edits: edits.filter((edit) => edit !== undefined) };
}

/** The lines of each part, without the heads. A line without a sign is a blank line whose sign was left out. */
function splitHunks(lines: readonly string[]): readonly (readonly string[])[] {
	const hunks: string[][] = [];
	let isInFile = false;
	for (const line of lines) {
		if (FILE_HEAD.test(line)) {
			isInFile = true;
			hunks.push([]);
		} else if (line.startsWith('@@')) {
			hunks.push([]);
		} else if (isInFile && /^[ +-]|^$/.test(line)) {
			hunks.at(-1)?.push(line);
		}
	}
	return hunks.map(withoutBlankEnd).filter((hunk) => hunk.some((line) => /^[+-]/.test(line)));
}

/** The line end behind the patch is none of its lines. */
function withoutBlankEnd(hunk: readonly string[]): readonly string[] {
	return hunk.at(-1) === '' ? hunk.slice(0, -1) : hunk;
}

function toPatchEdit(hunk: readonly string[]): PatchEdit | undefined {
	const join = (other: string) =>
		hunk
			.filter((line) => !line.startsWith(other))
			.map((line) => line.slice(1))
			.join('\n');
	const isKept = hunk.some((line) => !line.startsWith('-'));
	const find = isKept ? join('+') : `${join('+')}\n`;
	return hunk.every((line) => line.startsWith('+')) ? undefined : { find, replace: isKept ? join('-') : '' };
}
