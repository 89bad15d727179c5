/**
 * The sandbox that a server runs in: that of commands, in which it reads the workspace and changes nothing, but for what its
 * entry says that it needs and the user agreed to. Hosts it reaches as commands do: each is an op of whoever uses the server.
 */
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { PlacesPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import { isListedHost, resolveAddresses, type Resolve } from '../../../machine/http/resolve-host.ts';
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
