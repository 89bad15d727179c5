/**
 * Names that links give a file: who writes `docs/a.md`, to which `AGENTS.md` is a link, changes instructions. Links in place of
 * guarded files are looked for in the folders above the file, and in the guarded folders there.
 */
import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { steersByName } from './protected-names.ts';
import { isSecretName } from './secret-names.ts';

/** Depth to which guarded folders are looked through for links. */
const LINKS_DEPTH = 4;
/** A folder changed more recently than this is read again: its time of change may not tell of the next change. */
const LINKS_SETTLED_MS = 50;

interface FolderLinks {
	readonly changedAt: bigint;
	readonly isSettled: boolean;
	/** Names of links in place of what is guarded, and of guarded folders. */
	readonly links: readonly string[];
	readonly folders: readonly string[];
}

export class LinkedNames {
	readonly #known = new Map<string, FolderLinks>();

	/** Paths below `root` by which links lead to `segments`; both free of links. A file need not exist. */
	namesOf(root: string, segments: readonly string[]): string[][] {
		const path = join(root, ...segments);
		return segments.flatMap((_, depth) => this.#namesIn(root, segments.slice(0, depth), path, LINKS_DEPTH));
	}

	#namesIn(root: string, above: readonly string[], path: string, depth: number): string[][] {
		const folder = this.#read(join(root, ...above), above);
		const names = (folder?.links ?? []).flatMap((name) => {
			const target = findTarget(join(root, ...above, name));
			if (target !== path && !path.startsWith(`${target}/`)) return [];
			const rest = path.slice(target.length + 1);
			return [[...above, name, ...(rest === '' ? [] : rest.split('/'))]];
		});
		const deeper = depth === 0 ? [] : (folder?.folders ?? []);
		return [...names, ...deeper.flatMap((name) => this.#namesIn(root, [...above, name], path, depth - 1))];
	}

	#read(path: string, above: readonly string[]): FolderLinks | undefined {
		try {
			// The other time of change can be set by whoever adds a link.
			const changedAt = statSync(path, { bigint: true }).ctimeNs;
			const known = this.#known.get(path);
			if (known?.isSettled === true && known.changedAt === changedAt) return known;
			const entries = readdirSync(path, { withFileTypes: true });
			const isGuarded = (name: string) => steersByName([...above, name]) || isSecretName([...above, name]);
			const guarded = entries.filter(({ name }) => name !== '.git' && isGuarded(name));
			const read = {
				changedAt,
				isSettled: Date.now() - Number(changedAt / 1_000_000n) > LINKS_SETTLED_MS,
				links: guarded.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name),
				folders: guarded.filter((entry) => entry.isDirectory()).map(({ name }) => name),
			};
			this.#known.set(path, read);
			return read;
		} catch {
			// Gone since, no folder yet, or not ours to read.
			return undefined;
		}
	}
}

function findTarget(link: string): string {
	try {
		return realpathSync(link);
	} catch {
		try {
			const target = resolve(dirname(link), readlinkSync(link));
			return join(realpathSync(dirname(target)), basename(target));
		} catch {
			// A link into a folder that does not exist, where nothing can be written.
			return link;
		}
	}
}
