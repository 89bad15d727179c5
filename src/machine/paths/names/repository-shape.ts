/**
 * Places in a folder that Git takes for a repository, whatever the folder's name, or would take for one with this place
 * in it: HEAD, objects and refs, or HEAD with a file that leads to another repository. A repository's configuration and
 * hooks run programs, so changing them asks.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { foldName } from './name-rules.ts';

const MADE_OF: readonly (readonly string[])[] = [
	['head', 'objects', 'refs'],
	['head', 'commondir'],
];
const REPOSITORY_PARTS = new Set([
	'head',
	'objects',
	'refs',
	'commondir',
	'config',
	'config.worktree',
	'hooks',
	'info',
	'modules',
]);

/** `segments` below `root`, both free of links; the place itself need not exist. */
export async function isInRepositoryShape(root: string, segments: readonly string[]): Promise<boolean> {
	const found = await Promise.all(
		segments.map(async (name, index) => {
			const part = foldName(name);
			return REPOSITORY_PARTS.has(part) && (await isShapeCompletedBy(join(root, ...segments.slice(0, index)), part));
		}),
	);
	return found.includes(true);
}

async function isShapeCompletedBy(folder: string, part: string): Promise<boolean> {
	const shapes = await Promise.all(
		MADE_OF.map(async (parts) => {
			const others = await Promise.all(
				parts.filter((each) => each !== part).map((each) => hasRepositoryPart(folder, each)),
			);
			return others.every((isFound) => isFound);
		}),
	);
	return shapes.includes(true);
}

/** Under the names that git looks for; disks that fold case find them so, too. */
async function hasRepositoryPart(folder: string, part: string): Promise<boolean> {
	try {
		await lstat(join(folder, part === 'head' ? 'HEAD' : part));
		return true;
	} catch {
		return false;
	}
}
