/**
 * Arguments of a command that name a path which the file ops would not pass without a question, found as those find it:
 * outside the workspace, a secret, a protected file, also through a link. Paths that do not exist are judged elsewhere,
 * by their letters.
 */
import { lstat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Stray } from '../../contract/ops/target.ts';
import { isProtectedName } from '../../machine/paths/names/protected-names.ts';
import { isSecretName } from '../../machine/paths/names/secret-names.ts';
import type { Located, WorkspacePaths } from '../../machine/paths/workspace-paths.ts';

/** `cwd`: the folder of the workspace that the command runs in. `apart`: names nothing of this machine. */
export async function strayArguments(
	argv: readonly string[],
	cwd: Located,
	paths: WorkspacePaths,
	apart: readonly string[],
): Promise<readonly Stray[]> {
	const named = argv.slice(1).filter((argument) => !apart.includes(argument));
	const found = await Promise.all(named.map((argument) => findStray(argument, cwd, paths)));
	return found.filter((stray) => stray !== undefined);
}

async function findStray(argument: string, cwd: Located, paths: WorkspacePaths): Promise<Stray | undefined> {
	const found = await Promise.all(listArgumentPaths(argument).map((path) => isStray(path, cwd, paths)));
	const ways = found.filter((way) => way !== undefined);
	return ways.length === 0 ? undefined : { argument, isByLink: ways.includes('link') };
}

/** The argument itself, and what follows the sign in `--file=x`, `if=x` and `-fx`. */
function listArgumentPaths(argument: string): readonly string[] {
	const value = argument.slice(argument.indexOf('=') + 1);
	const ofFlag = /^-[A-Za-z](?<path>.+)$/s.exec(argument)?.groups?.['path'];
	return [...new Set([argument, value, ofFlag ?? ''])].filter((path) => path !== '' && !path.includes('\0'));
}

async function isStray(path: string, cwd: Located, paths: WorkspacePaths): Promise<'name' | 'link' | undefined> {
	const absolute = isAbsolute(path) ? path : join(cwd.realPath, path);
	try {
		await lstat(absolute);
	} catch {
		return undefined;
	}
	try {
		const asked = paths.resolveFound(absolute);
		const { isSecret, isProtected } = await paths.locate(asked);
		const isNamed = isSecretName(asked.segments) || isProtectedName(asked.segments);
		return !isSecret && !isProtected ? undefined : isNamed ? 'name' : 'link';
	} catch {
		return paths.toWorkspacePath(absolute) === undefined ? 'name' : 'link';
	}
}
