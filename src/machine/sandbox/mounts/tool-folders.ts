/**
 * Folders that tools fill, such as `node_modules`. Packages bring many files there whose names are guarded elsewhere, so two
 * things only are looked for in them: repositories, whose settings make Git run programs wherever they lie, and folders that
 * a command has moved there. A folder that has not changed is not read again.
 */
import { accessSync, constants, type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GUARDED_LOOK_MS, GUARDED_SETTLED_MS, LOOK_SLICE_MS, LOOKED_TOOL_FOLDERS } from '../limits.ts';
import { isClosedFolder } from '../../paths/is-folder.ts';
import { bareRepository, type GuardedPlace, toGuardedPlace } from './guarded-place.ts';

interface ReadToolFolder {
	readonly changedAt: bigint;
	readonly isSettled: boolean;
	readonly identity: string;
	readonly folders: readonly string[];
	readonly repository: readonly GuardedPlace[];
}

export class ToolFolders {
	#known: ReadonlyMap<string, ReadToolFolder> = new Map();
	#isWhole = true;

	/** False when the last look did not reach its end; the next one gets further. */
	get isWhole(): boolean {
		return this.#isWhole;
	}

	/** Repositories of the last look that are still there. */
	get repositories(): readonly GuardedPlace[] {
		const holding = [...this.#known].filter(([, { repository }]) => repository.length > 0);
		return holding.flatMap(([path]) => this.#read(path)?.repository ?? []);
	}

	/** Returns where folders of these identities lie. */
	findFolders(identities: ReadonlySet<string>): ReadonlyMap<string, string> {
		const found = [...this.#known].filter(([, { identity }]) => identities.has(identity));
		return new Map(found.map(([path, { identity }]) => [identity, path]));
	}

	/** Looks through the folders at `tops`, nearest to them first. Pauses after each slice of time. */
	*look(tops: readonly string[]): Generator<void, void> {
		const known = new Map<string, ReadToolFolder>();
		const left = [...tops];
		const endMs = performance.now() + GUARDED_LOOK_MS;
		let pauseMs = performance.now() + LOOK_SLICE_MS;
		let isWhole = true;
		for (const path of left) {
			const nowMs = performance.now();
			if (known.size >= LOOKED_TOOL_FOLDERS || nowMs > endMs) {
				isWhole = false;
				break;
			}
			const folder = this.#read(path);
			if (folder !== undefined) {
				known.set(path, folder);
				for (const name of folder.folders) left.push(join(path, name));
			} else if (isClosedFolder(path)) {
				isWhole = false;
			}
			if (nowMs > pauseMs) {
				yield;
				pauseMs = performance.now() + LOOK_SLICE_MS;
			}
		}
		this.#isWhole = isWhole;
		this.#known = isWhole ? known : new Map([...this.#known, ...known]);
	}

	#read(path: string): ReadToolFolder | undefined {
		try {
			const stat = statSync(path, { bigint: true });
			const changedAt = stat.ctimeNs;
			const known = this.#known.get(path);
			const identity = identifyFolder(stat);
			if (known?.isSettled === true && known.changedAt === changedAt && known.identity === identity) return known;
			const isSettled = Date.now() - Number(changedAt / 1_000_000n) > GUARDED_SETTLED_MS;
			accessSync(path, constants.R_OK | constants.X_OK);
			const entries = readdirSync(path, { withFileTypes: true });
			const own = entries.find(({ name }) => name === '.git');
			const repository = [...bareRepository(entries, path), ...toRepository(own, path)];
			const folders = entries.filter((entry) => entry.isDirectory() && entry !== own).map(({ name }) => name);
			return { changedAt, isSettled, identity, folders, repository };
		} catch {
			// Gone since, or closed.
			return undefined;
		}
	}
}

/** Tells a folder from every other one, whatever it is called and wherever it lies. */
export function identifyFolder(stat: {
	readonly dev: bigint;
	readonly ino: bigint;
	readonly birthtimeNs: bigint;
}): string {
	return `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
}

function toRepository(entry: Dirent | undefined, folder: string): readonly GuardedPlace[] {
	const place = entry === undefined ? undefined : toGuardedPlace(entry, folder, []);
	return place === undefined ? [] : [place];
}
