/** Changes of a worktree as a patch, for people to read. */
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import { isSecretName } from '../../machine/paths/names/secret-names.ts';
import type { FileEntry } from './file-entry.ts';
import type { ComparedFile } from './worktree-changes.ts';

export function formatChanges(files: readonly ComparedFile[], limit: number): string {
	let patch = '';
	for (const file of files) {
		patch += formatChange(file);
		if (patch.length > limit) return `${patch.slice(0, limit)}\n# cut here; ask for less\n`;
	}
	return patch;
}

function formatChange({ path, base, now }: ComparedFile): string {
	const what = base === undefined ? 'added' : now === undefined ? 'deleted' : 'changed';
	if (isSecretName(path.split('/'))) return `# ${path}: ${what}; not shown, it may hold secrets\n`;
	const [before, after] = [sideText(base), sideText(now)];
	if (before === undefined || after === undefined) return `# ${path}: ${what}; not a text\n`;
	const [from, to] = [base === undefined ? '/dev/null' : `a/${path}`, now === undefined ? '/dev/null' : `b/${path}`];
	return formatPatch(structuredPatch(from, to, before, after, undefined, undefined, { context: 3 }), FILE_HEADERS_ONLY);
}

function sideText(entry: FileEntry | undefined): string | undefined {
	return entry === undefined
		? ''
		: entry.kind === 'file' && !entry.bytes.includes(0)
			? entry.bytes.toString('utf8')
			: undefined;
}
