/**
 * The sandbox that a hook runs in: that of commands, in which it reads the workspace and its own files and changes nothing, but
 * for what its entry in the user's settings says that it needs.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { inEnglish, text } from '../../../protocol/text/text.ts';
import type { HostPorts } from '../../../contract/ports/ports.ts';
import { isListedHost, resolveAddresses, type Resolve } from '../../../machine/http/resolve-host.ts';
import type { CommandWall, ProgramSandbox } from '../../../machine/sandbox/command-wall.ts';
import { isInFolder } from '../../../machine/sandbox/mounts/mounts.ts';
import type { SandboxReach } from '../../../machine/sandbox/mounts/sandbox-mounts.ts';
import type { HostGate } from '../../../machine/sandbox/network/command-network.ts';
import type { Hook } from './hook-list.ts';

/** In `needs.write`: the ordinary files of the workspace, as a command may change them. */
const WORKSPACE_NEED = '.';

export interface HookSandboxDeps {
	readonly ports: Pick<HostPorts, 'workspace' | 'places'>;
	readonly environment: Readonly<Record<string, string>>;
	readonly sandbox: CommandWall;
	readonly resolve: Resolve;
}

/** `own`: folders that it reads and changes besides, those of its plugin. Undefined: it runs as the user. Rejects with NOT_AVAILABLE_HERE where it is to run in a sandbox and none works. */
export async function openHookSandbox(
	hook: Hook,
	deps: HookSandboxDeps,
	cwd = '/tmp',
	own: SandboxReach = { read: [], write: [] },
): Promise<ProgramSandbox | undefined> {
	const { environment, sandbox } = deps;
	if (hook.sandbox === 'never') {
		return undefined;
	}
	const state = await sandbox.state();
	if (!state.works) {
		if (hook.sandbox === 'where it works') {
			return undefined;
		}
		const message = `${hook.run[0]} is to run in a sandbox, and none works here: ${inEnglish(state.why)}`;
		throw new ProwessError('NOT_AVAILABLE_HERE', message, {
			said: text('{program} is to run in a sandbox, and none works here: {why}', {
				program: hook.run[0],
				why: state.why,
			}),
		});
	}
	const { network: hosts, read, write } = hook.needs;
	const reach = {
		read: [
			...listNamedFiles(hook),
			...own.read.map((path) => realpathSync(path)),
			...read.flatMap((path) => resolveNeededPaths(path, deps)),
		],
		write: [
			...own.write,
			...write.filter((path) => path !== WORKSPACE_NEED).flatMap((path) => resolveNeededPaths(path, deps)),
		],
	};
	const network =
		hosts.length === 0 ? undefined : await sandbox.openNetwork(null, createHookHostGate(hosts, deps.resolve));
	try {
		return await sandbox.open({
			cwd,
			environment,
			reach,
			network,
			words: [],
			isWritable: write.includes(WORKSPACE_NEED),
			isBackground: () => hook.when === 'after',
		});
	} catch (error) {
		network?.dispose();
		throw error;
	}
}

/** Returns the files that the words of the hook name by absolute path: the hook reads them, wherever they lie. */
function listNamedFiles({ run }: Pick<Hook, 'run'>): string[] {
	const isFile = (word: string) => isAbsolute(word) && statSync(word, { throwIfNoEntry: false })?.isFile() === true;
	return run.filter(isFile).map((word) => realpathSync(word));
}

/** Absolute, below the home of the user, or in each folder of the workspace that has it; free of links. */
function resolveNeededPaths(path: string, { ports: { places, workspace } }: Pick<HookSandboxDeps, 'ports'>): string[] {
	const named = /^~(?=\/|$)/.test(path) ? join(places.userHome, path.slice(1)) : path;
	const asked = isAbsolute(named) ? [named] : workspace.folders.map((folder) => join(folder.path, named));
	const found = asked.filter((each) => existsSync(each)).map((each) => realpathSync(each));
	if (found.length === 0) {
		throw new ProwessError('NOT_FOUND', `${path} in needs of a hook does not exist: create it first`, { path });
	}
	const home = existsSync(places.home) ? realpathSync(places.home) : places.home;
	if (found.some((each) => isInFolder(each, home) || isInFolder(home, each))) {
		const message = `${path} in needs of a hook holds the settings and records of Prowess, which no sandbox shows`;
		throw new ProwessError('PATH_OUTSIDE_WORKSPACE', message, { path });
	}
	return found;
}

/** Only the hosts that the user's own settings name, wherever they lie; nobody is asked. */
function createHookHostGate(hosts: readonly string[], resolve: Resolve): HostGate {
	return {
		async admit(target, signal) {
			if (!isListedHost(target, hosts)) {
				return { kind: 'refused', why: `${target.host} is not in needs.network of the hook` };
			}
			const addresses = await resolveAddresses(target, resolve, signal);
			return { kind: 'admitted', addresses, settle: () => undefined };
		},
	};
}

/**
 * Returns sentences on what the sandbox kept from a hook, from its sentences for commands and the output of a failed
 * hook.
 */
export function keptFromHook(
	sentences: readonly string[],
	failure: string | undefined,
	{ workspace }: Pick<HostPorts, 'workspace'>,
): readonly string[] {
	const lines = (failure ?? '').split('\n').filter((line) => /read-only file system|EROFS/i.test(line));
	const isWorkspace = lines.some((line) => workspace.folders.some(({ path }) => line.includes(`${path}/`)));
	return sentences.length === 0 && isWorkspace
		? [
				`The sandbox keeps the workspace from being changed. To change it, add needs.write ["${WORKSPACE_NEED}"] to the hook.`,
			]
		: sentences.map(inWordsOfHooks);
}

/** For whoever writes the entry of a hook. */
function inWordsOfHooks(sentence: string): string {
	return sentence
		.replaceAll('ask with needs.noSandbox', 'set "sandbox": false for the hook')
		.replaceAll(/ask with (needs\.\w+ \[[^\]]*\])(?:, or allow "[^"]*")?/g, 'add $1 to the hook');
}
