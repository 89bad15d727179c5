/**
 * The sandbox that a server runs in: that of commands, in which it reads the workspace and changes nothing, but for what its
 * entry says that it needs and the user agreed to. Hosts it reaches as commands do: each is an op of whoever uses the server.
 */
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { PlacesPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import { nameRules } from '../../../machine/paths/names/name-rules.ts';
import { isProtectedName } from '../../../machine/paths/names/protected-names.ts';
import { isSecretName } from '../../../machine/paths/names/secret-names.ts';
import { isListedHost, resolveAddresses, type Resolve } from '../../../machine/http/resolve-host.ts';
import { findRealPath } from '../../../machine/sandbox/unfit-workspace.ts';
import type { CommandWall, ProgramSandbox } from '../../../machine/sandbox/command-wall.ts';
import { isInFolder } from '../../../machine/sandbox/mounts/mounts.ts';
import type { SandboxReach } from '../../../machine/sandbox/mounts/sandbox-mounts.ts';
import type { HostGate } from '../../../machine/sandbox/network/command-network.ts';
import type { McpNeeds, StdioLaunch } from '../server.ts';

export interface ServerSandboxDeps {
	readonly sandbox: CommandWall;
	readonly places: Pick<PlacesPort, 'home' | 'userHome'>;
	readonly workspace: Pick<WorkspacePort, 'folders'>;
	readonly resolve: Resolve;
}

/** In `needs.write`: the ordinary files of the workspace, as a command may change them. */
const WORKSPACE_WRITE_NEED = '.';

/** True when the server's entry wants a sandbox and the sandbox works on this machine at this moment. */
export async function isKeptIn({ isSandboxed }: StdioLaunch, sandbox: CommandWall): Promise<boolean> {
	return isSandboxed && (await sandbox.state()).works;
}

/** `asking` decides about hosts that the entry does not name. `own`: folders of the plugin that it is a part of. */
export async function openServerSandbox(
	{ command, args, cwd, needs }: StdioLaunch,
	environment: Readonly<Record<string, string>>,
	asking: HostGate,
	deps: ServerSandboxDeps,
	own: SandboxReach,
): Promise<ProgramSandbox> {
	const reach = {
		read: [...own.read, ...needs.read.flatMap((path) => resolveServerPaths(path, deps))],
		write: [
			...own.write,
			...needs.write.filter((path) => path !== WORKSPACE_WRITE_NEED).flatMap((path) => resolveServerPaths(path, deps)),
		],
	};
	const network = await deps.sandbox.openNetwork(null, createServerGate(needs, asking, deps.resolve));
	try {
		return await deps.sandbox.open({
			cwd: realpathSync(cwd),
			environment,
			reach,
			network,
			words: [command, ...args],
			isWritable: needs.write.includes(WORKSPACE_WRITE_NEED),
			// Nobody waits for its end, and the user may change the workspace while it runs.
			isBackground: () => true,
		});
	} catch (error) {
		network?.dispose();
		throw error;
	}
}

/** Absolute, below the home of the user, or in each folder of the workspace that has it; free of links. */
function resolveServerPaths(path: string, { places, workspace }: ServerSandboxDeps): string[] {
	const named = /^~(?=\/|$)/.test(path) ? join(places.userHome, path.slice(1)) : path;
	const asked = isAbsolute(named) ? [named] : workspace.folders.map((folder) => join(folder.path, named));
	const found = asked.filter((each) => existsSync(each)).map((each) => realpathSync(each));
	if (found.length === 0) {
		throw new ProwessError('NOT_FOUND', `${path} in needs of an MCP server does not exist: create it first`, { path });
	}
	const home = existsSync(places.home) ? realpathSync(places.home) : places.home;
	if (found.some((each) => isInFolder(each, home) || isInFolder(home, each))) {
		const message = `${path} in needs of an MCP server holds the settings and records of Prowess, which no sandbox shows`;
		throw new ProwessError('PATH_OUTSIDE_WORKSPACE', message, { path });
	}
	return found;
}

const CANNOT_CHANGE = /EROFS|read-only file system|EACCES|EPERM|permission denied|operation not permitted/i;
const QUOTED_OR_ABSOLUTE = /(['"`])((?:[/~]|[A-Za-z]:).+?)\1|(?<![\w.])((?:~\/|\/)[^\s'"`,;:]+)/g;

/** Place that a server may not change: `lacks` can be offered as a path for `needs.write`, the folder `keptFrom` cannot. */
type MissingWrite = { readonly lacks: string } | { readonly keptFrom: string };

/**
 * Returns what a sandboxed server says it could not write to: the folder of the file, or the workspace. Undefined when the
 * user could not write there either. The server may lie, so places that hold secrets or steer other programs are never
 * offered, nor is a hidden folder.
 */
export function findMissingWrite(
	said: string,
	{ needs }: StdioLaunch,
	{ places, workspace }: Pick<ServerSandboxDeps, 'places' | 'workspace'>,
): MissingWrite | undefined {
	let keptFrom: string | undefined;
	const lines = said
		.slice(0, MAX_SAID_CHARS)
		.split('\n')
		.filter((line) => CANNOT_CHANGE.test(line));
	for (const line of lines) {
		for (const [, , quoted, bare = ''] of line.matchAll(QUOTED_OR_ABSOLUTE)) {
			const path = (quoted ?? bare).replace(/^~(?=\/|$)/, places.userHome);
			const folder = isAbsolute(path) ? findFolder(path) : undefined;
			if (folder === undefined || isAlreadyLet(folder, needs.write, places.userHome)) continue;
			if (workspace.folders.some((root) => isInFolder(folder, findRealPath(root.path) ?? root.path))) {
				if (!needs.write.includes(WORKSPACE_WRITE_NEED)) return { lacks: WORKSPACE_WRITE_NEED };
			} else if (isOfferable(folder, places)) {
				return { lacks: folder };
			} else {
				keptFrom ??= folder;
			}
		}
	}
	return keptFrom === undefined ? undefined : { keptFrom };
}

const MAX_SAID_CHARS = 20_000;

/** The closest folder of a path that is there, and that its user may write to. */
function findFolder(path: string): string | undefined {
	for (let folder = path; dirname(folder) !== folder; folder = dirname(folder)) {
		if (!existsSync(folder)) continue;
		try {
			if (!statSync(folder).isDirectory()) continue;
			accessSync(folder, constants.W_OK);
			return realpathSync(folder);
		} catch {
			return undefined;
		}
	}
	return undefined;
}

function isAlreadyLet(folder: string, write: readonly string[], userHome: string): boolean {
	const named = write
		.filter((path) => path !== WORKSPACE_WRITE_NEED)
		.map((path) => path.replace(/^~(?=\/|$)/, userHome));
	return named.some((path) => isAbsolute(path) && isInFolder(folder, findRealPath(path) ?? path));
}

/** Folders from which a system or a shell starts what lies in them, or takes its settings. */
const STEERING_FOLDERS = [
	'bin/',
	'sbin/',
	'etc/',
	'autostart/',
	'startup/',
	'systemd/',
	'launchagents/',
	'launchdaemons/',
	'library/',
	'appdata/',
	'site-packages/',
];
/** In hidden folders programs keep their settings, and many read there what to run. */
const isUnofferedName = nameRules(['.*/', ...STEERING_FOLDERS]);
/** A folder holds a hidden one more often than not, so only those that are known to steer something count in it. */
const isUnofferedInFolder = nameRules(['.config/', '.local/', ...STEERING_FOLDERS]);

/** Only a visible folder is, that neither is nor directly holds what is secret or steers other programs. */
function isOfferable(folder: string, { home, userHome }: ServerSandboxDeps['places']): boolean {
	const names = folder.split(/[\\/]/).filter((name) => name !== '');
	const holdsPlace = (place: string) => isInFolder(findRealPath(place) ?? place, folder);
	const isGuarded = (path: readonly string[]) => isSecretName(path) || isProtectedName(path);
	return (
		names.length > 1 &&
		!isInFolder(folder, findRealPath(home) ?? home) &&
		!holdsPlace(home) &&
		!holdsPlace(userHome) &&
		!isGuarded(names) &&
		!isUnofferedName(names) &&
		readChildNames(folder)?.some((name) => isUnofferedInFolder([name]) || isGuarded([...names, name])) === false
	);
}

/** Undefined: its user may not list it. */
function readChildNames(folder: string): readonly string[] | undefined {
	try {
		return readdirSync(folder);
	} catch {
		return undefined;
	}
}

/** Hosts that the user agreed to with the entry pass, wherever they lie; of all others somebody is asked. */
function createServerGate({ network }: McpNeeds, asking: HostGate, resolve: Resolve): HostGate {
	return {
		async admit(target, signal) {
			return isListedHost(target, network)
				? { kind: 'admitted', addresses: await resolveAddresses(target, resolve, signal), settle: () => undefined }
				: await asking.admit(target, signal);
		},
	};
}
