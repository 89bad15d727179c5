/** Chooses what stands between the commands of the agent and this machine. */
import type { CommandWall } from './command-wall.ts';
import { CommandSandbox } from './command-sandbox.ts';
import type { FindPutIntoGit } from './left/git-state.ts';
import { SandboxNetworks } from './network/sandbox-networks.ts';
import { SANDBOX_EXEC, SeatbeltWall } from './seatbelt/seatbelt-wall.ts';

interface WallPorts {
	readonly platform: NodeJS.Platform;
	readonly home: string;
	/** The folders of the workspace, absolute. */
	folders(): readonly string[];
	/** Other paths by which the user has opened them. */
	readonly openedBy: readonly string[] | undefined;
	bubblewrapCandidates(): readonly string[];
	/** The module of the listener that sandboxed networks have their connections from. */
	readonly networkListener: URL;
	readonly findPutIntoGit: FindPutIntoGit;
	onUnusableNetwork(error: unknown): void;
}

/** On a platform without either, it is the one of Linux: it finds no program, and says so. */
export function wallOfPlatform(ports: WallPorts): CommandWall {
	const { platform, home, folders, openedBy, bubblewrapCandidates, findPutIntoGit } = ports;
	if (platform === 'darwin') {
		return new SeatbeltWall({ home, folders, program: SANDBOX_EXEC });
	}
	const networks = new SandboxNetworks({ listener: ports.networkListener, onUnusable: ports.onUnusableNetwork });
	return new CommandSandbox({ home, folders, openedBy, networks, bubblewrapCandidates, findPutIntoGit });
}
