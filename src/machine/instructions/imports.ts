/** Files that instructions name with `@path`, as CLAUDE.md does; not in code, and nothing that is an address or a name. */
import { IMPORTS_OF_FILE } from './limits.ts';

const FENCE = /^[ \t]{0,3}(`{3,}|~{3,})/;

/** Paths as they are written, each once. */
export function importsIn(text: string): readonly string[] {
	const found = new Set<string>();
	let fence: string | undefined;
	for (const line of text.split('\n')) {
		const [, mark] = FENCE.exec(line) ?? [];
		if (mark !== undefined) {
			fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
		} else if (fence === undefined) {
			for (const [, path = ''] of line.replaceAll(/`[^`]*`/g, '').matchAll(/(?:^|\s)@([\w.~/-]*[\w/-])/g)) {
				// A word alone is somebody's name, unless it ends like a file.
				if (/[/.]/.test(path)) {
					found.add(path);
				}
			}
		}
	}
	return [...found].slice(0, IMPORTS_OF_FILE);
}
