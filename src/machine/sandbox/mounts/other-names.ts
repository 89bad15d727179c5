/**
 * Tells whether a file with several names is secret by another one of them in the workspace. Files are told by their identity: a
 * folder that is not looked through, such as `node_modules`, may hold the other name.
 */
import { lstatSync } from 'node:fs';
import { GuardedPlaces } from './guarded-places.ts';

/** Time for which what was found counts: no command can give a secret file another name, only the user. */
const FOUND_MS = 2_000;

interface SecretPlaces {
	readonly atMs: number;
	readonly identities: ReadonlySet<string>;
	/** False: the search was cut off. */
	readonly isWhole: boolean;
}

/** `realRoot`, `realPath`: free of links. */
export function createOtherNames(): (realRoot: string, realPath: string) => boolean {
	const guarded = new GuardedPlaces();
	const known = new Map<string, SecretPlaces>();
	return (realRoot, realPath) => {
		const before = known.get(realRoot);
		const isFresh = before !== undefined && performance.now() - before.atMs < FOUND_MS;
		const found = isFresh ? before : findSecrets(guarded, realRoot);
		known.set(realRoot, found);
		// Beyond the end of a search that was cut off, any file may be a secret one.
		return !found.isWhole || found.identities.has(readIdentity(realPath) ?? '');
	};
}

function findSecrets(guarded: GuardedPlaces, root: string): SecretPlaces {
	const places = guarded.find(root);
	const secret = places.filter(({ isSecret, kind }) => isSecret && kind === 'file');
	const identities = new Set(secret.flatMap(({ path }) => readIdentity(path) ?? []));
	return {
		atMs: performance.now(),
		identities,
		isWhole: guarded.isComplete(root) && !places.some(({ isClosed }) => isClosed === true),
	};
}

/** Undefined: it is gone. */
function readIdentity(path: string): string | undefined {
	const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
	return stats && `${stats.dev}:${stats.ino}`;
}
