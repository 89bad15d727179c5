/** Parts of a host that commands are run with, and that tell an agent where they run. */
import type { PerformOp } from '../../contract/ops/perform-op.ts';
import type { PermissionsNow } from '../../contract/lineage.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { Newcomers } from '../../catalog/registry/offer/newcomers.ts';
import { HardenedGit } from '../../machine/git/hardened-git.ts';
import type { CommandRunner } from '../../machine/shell/command-runner.ts';
import type { WorkspaceSweeps } from '../../machine/sweep/workspace-sweeps.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { CommandConnections } from './command-connections.ts';

interface PlacesDeps {
	/** PROWESS_HOME, and the user's own folder; both absolute. */
	readonly home: string;
	readonly userHome: string;
}

/** Facts that `workspace.environment` tells of. */
interface EnvironmentFacts {
	readonly newcomers: Pick<Newcomers, 'since'>;
	/**
	 * Resolves with what the agent of a thread may do without a person's answer, as this host grants it at that moment.
	 */
	permissionsNow(threadId: ThreadId, signal: AbortSignal): Promise<PermissionsNow>;
}

export interface CommandDeps extends EnvironmentFacts {
	readonly commands: CommandRunner;
	/** Finds what commands change by themselves; absent: nobody looks. */
	readonly sweeps?: Pick<WorkspaceSweeps, 'before' | 'prepare'> | undefined;
	readonly places: PlacesDeps;
	readonly connections: CommandConnections;
	readonly git: HardenedGit;
}

interface CommandOpParts extends EnvironmentFacts {
	readonly ports: Pick<HostPorts, 'places'>;
	readonly commands: CommandRunner;
	readonly sweeps: WorkspaceSweeps;
	readonly perform: PerformOp;
}

export function createCommandDeps(parts: CommandOpParts): CommandDeps {
	const { ports, commands, sweeps, perform, newcomers, permissionsNow } = parts;
	return {
		commands,
		sweeps,
		places: ports.places,
		connections: new CommandConnections(perform),
		git: new HardenedGit(commands.environment),
		newcomers,
		permissionsNow,
	};
}
