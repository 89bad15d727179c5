/**
 * Needs of a command beyond its sandbox, found on the disk before anybody is asked: each path as it is without links,
 * each host as rules write it. Paths that the command could reach anyway are left out.
 */
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { CommandNeeds } from '../../protocol/ops/commands/command-needs.ts';
import type { OpTarget } from '../../contract/ops/target.ts';
import { parseTargetUrl } from '../../machine/http/target-url.ts';
import { findErrno } from '../../machine/paths/file-error.ts';
import { isProtectedName } from '../../machine/paths/names/protected-names.ts';
import { isSecretName } from '../../machine/paths/names/secret-names.ts';

/** Folders by which needs are judged, each absolute. */
export interface NeedsPlaces {
	/** Real path of the folder that the command runs in. */
	readonly cwd: string;
	readonly userHome: string;
	/** PROWESS_HOME: no command is ever let in. */
	readonly home: string;
	readonly workspace: readonly string[];
}

interface FoundNeeds {
	readonly targets: readonly OpTarget[];
	/** Undefined when the command needs nothing beyond its sandbox. */
	readonly needs: CommandNeeds | undefined;
}

export type BeyondTarget = Extract<OpTarget, { kind: 'beyond' }>;

/** Rejects with INVALID_PARAMS for a host that is none, and with PATH_OUTSIDE_WORKSPACE for PROWESS_HOME. */
export async function findNeeds(asked: CommandNeeds, places: NeedsPlaces): Promise<FoundNeeds> {
	if (asked.noSandbox === true) {
		return { targets: [], needs: { noSandbox: true } };
	}
	const real = await realPlaces(places);
	const hosts = [...new Set((asked.network ?? []).map(parseNeededHost))];
	const findBeyondTargets = async (paths: readonly string[] = [], access: BeyondTarget['access']) => {
		const found = await Promise.all(paths.map((path) => beyondTarget(path, access, real)));
		return found.filter((target) => 'kind' in target);
	};
	const [read, write] = [await findBeyondTargets(asked.read, 'read'), await findBeyondTargets(asked.write, 'write')];
	const targets = [...write, ...read, ...hosts.map((host) => ({ kind: 'host', host }) as const)];
	const needs: CommandNeeds = {
		...(hosts.length === 0 ? {} : { network: hosts }),
		...(read.length === 0 ? {} : { read: read.map(({ path }) => path) }),
		...(write.length === 0 ? {} : { write: write.map(({ path }) => path) }),
	};
	return { targets, needs: targets.length === 0 ? undefined : needs };
}

async function realPlaces(places: NeedsPlaces): Promise<NeedsPlaces> {
	const [home, workspace] = await Promise.all([
		withoutLinks(places.home),
		Promise.all(places.workspace.map((folder) => withoutLinks(folder))),
	]);
	return { cwd: places.cwd, userHome: places.userHome, home, workspace };
}

/** A file or folder beyond the workspace by its path, or where in the workspace it really lies. Rejects as `findNeeds` does. */
export async function targetBeyond(
	asked: string,
	access: BeyondTarget['access'],
	places: NeedsPlaces,
): Promise<BeyondTarget | Reachable> {
	return await beyondTarget(asked, access, await realPlaces(places));
}

interface Reachable {
	/** Free of links. */
	readonly reachable: string;
}

async function beyondTarget(
	asked: string,
	access: BeyondTarget['access'],
	{ cwd, userHome, home, workspace }: NeedsPlaces,
): Promise<BeyondTarget | Reachable> {
	if (asked.includes('\0')) {
		throw new ProwessError('INVALID_PARAMS', 'a path in needs holds a NUL character', {});
	}
	const named = /^~(?=\/|$)/.test(asked) ? join(userHome, asked.slice(1)) : resolve(cwd, asked);
	const path = await withoutLinks(named);
	if (isSameOrBelow(home, path) || isSameOrBelow(path, home)) {
		const message = `${asked} holds the settings and records of Prowess, which no command may reach`;
		throw new ProwessError('PATH_OUTSIDE_WORKSPACE', message, { path: asked });
	}
	const names = [named, path].map((each) => each.split(sep).filter((name) => name !== ''));
	const isSecret = names.some(isSecretName);
	// `HEAD` makes a folder the data of a repository.
	const isProtected = names.some((each) => isProtectedName(each) || each.at(-1) === 'HEAD');
	const isReachable = workspace.some((folder) => isSameOrBelow(folder, path));
	if (isReachable && !isSecret && !(access === 'write' && isProtected)) {
		return { reachable: path };
	}
	return { kind: 'beyond', access, path, isSecret, isProtected: access === 'write' && isProtected };
}

/** The part of it that exists, free of links, with the names after it. */
async function withoutLinks(path: string): Promise<string> {
	try {
		return await realpath(path);
	} catch (error) {
		const errno = findErrno(error);
		const parent = dirname(path);
		if ((errno !== 'ENOENT' && errno !== 'ENOTDIR') || parent === path) {
			throw new ProwessError('PATH_INVALID', `${path} in needs cannot be looked at: ${errno ?? 'unknown'}`, { path });
		}
		return join(await withoutLinks(parent), path.slice(parent.length));
	}
}

function isSameOrBelow(folder: string, path: string): boolean {
	const way = relative(folder, path);
	return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** `example.org` or `example.org:8443`; an address with a path is taken for its host. */
function parseNeededHost(asked: string): string {
	const address = /^https?:\/\//i.test(asked) ? asked : `https://${asked}`;
	const { host, url } = parseTargetUrl(address);
	if (!/^https?:/i.test(asked) && (url.pathname !== '/' || url.search !== '')) {
		throw new ProwessError('INVALID_PARAMS', `"${asked}" in needs is no host: write it like example.org`, {});
	}
	return host;
}
