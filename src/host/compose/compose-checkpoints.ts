/** Composition of what threads have changed, and of the ways back. */
import { Checkpoints } from '../../trust/checkpoints/checkpoints.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import type { PerformForUser, PerformOp } from '../../contract/ops/perform-op.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import type { CommandWall } from '../../machine/sandbox/command-wall.ts';
import type { WorkspaceSweeps } from '../../machine/sweep/workspace-sweeps.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import type { HostStore } from '../../trust/record/store/thread/host-store.ts';

interface CheckpointParts {
	readonly ports: Pick<HostPorts, 'documents' | 'log' | 'places' | 'server'>;
	readonly holder: ClaimHolder;
	readonly redactor: Redactor;
	readonly store: HostStore;
	readonly paths: WorkspacePaths;
	readonly perform: PerformOp;
	readonly performForUser: PerformForUser;
	/** The execution that a user started, of one that it started in turn. */
	rootOf(executionId: string): string;
	readonly commandSandbox: Pick<CommandWall, 'expect'>;
	readonly sweeps: WorkspaceSweeps;
}

export function hostCheckpoints({
	ports,
	holder,
	redactor,
	store,
	paths,
	perform,
	performForUser,
	rootOf,
	commandSandbox,
	sweeps,
}: CheckpointParts): Checkpoints {
	return new Checkpoints({
		store,
		holder,
		paths,
		documents: ports.documents,
		log: ports.log,
		mayKeep: (text) => redactor.redact(text) === text,
		rootOf,
		perform,
		performForUser,
		home: ports.places.home,
		server: () => ports.server(),
		expect(absolutePath) {
			commandSandbox.expect(absolutePath);
			sweeps.expect(absolutePath);
		},
		lookAtCommands: () => sweeps.lookNow(),
		onEdited: (absolutePath) => sweeps.expect(absolutePath),
	});
}
