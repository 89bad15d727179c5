/** Capabilities of a host: what starts, follows and stops them, and the user's consent to each. */
import { workerExecutor } from '../../catalog/executors.ts';
import type { EnabledSource } from '../../catalog/registry/sources/enabled-source.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { bubblewrapCandidates, probeSandbox } from '../../machine/sandbox/sandbox.ts';
import { readBranch } from '../../machine/git/plain-repository.ts';
import { CommandGuard } from '../../machine/shell/command-guard.ts';
import type { ApprovalOrigins } from '../../trust/gate/approvals/approval-origins.ts';
import type { PersonDesk } from '../../trust/gate/approvals/desk.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { channelWithin } from '../processes/inherited-channel.ts';
import { CapabilityManager, type CapabilityManagerDeps } from './capability-manager.ts';
import type { ThreadFacts } from './start/start-options.ts';
import { CapabilityConsent } from './consent/capability-consent.ts';

interface CapabilityParts extends Pick<
	CapabilityManagerDeps,
	'used' | 'perform' | 'ledger' | 'redactor' | 'skills' | 'threadTools'
> {
	readonly ports: HostPorts;
	readonly desk: PersonDesk;
	readonly origins: ApprovalOrigins;
	readonly source: EnabledSource;
	/** Returns the mode and level of a thread as they are now. */
	readonly permissionsNow: (threadId: ThreadId, signal: AbortSignal) => Promise<Pick<ThreadFacts, 'mode' | 'level'>>;
	readonly isCommandRunning: () => boolean;
}

export function createCapabilities({
	ports,
	desk,
	origins,
	source,
	permissionsNow,
	isCommandRunning,
	...parts
}: CapabilityParts) {
	const { settings, places, editor, approvalMode } = ports;
	const guard = new CommandGuard();
	const consent = new CapabilityConsent({ home: places.home, desk, origins, approvalMode, isCommandRunning });
	const capabilities = new CapabilityManager({
		...parts,
		ports,
		source,
		executorFor: (type, pin) => source.executorFor(type, pin),
		workerFor: (runtime) => workerExecutor(runtime, places.dist),
		consent,
		threadFacts: (threadId, signal) => readThreadFacts(ports, threadId, permissionsNow, signal),
		guard,
		probeSandbox: () => probeSandbox(bubblewrapCandidates(settings.current['prowess.tools.bubblewrapPath'])),
		channelWithin: channelWithin(ports),
		// A host without an editor ends after its one task.
		workerIdleMs: () => settings.current['prowess.capabilities.workerIdleMinutes'] * 60_000,
		isStandbyOn: () => editor !== undefined && settings.current['prowess.capabilities.standby'],
	});
	return { capabilities, consent, guard };
}

/** A thread without an id has no mode and no level, and an untrusted folder is not looked into. */
async function readThreadFacts(
	{ workspace: { folders, isTrusted }, editor }: Pick<HostPorts, 'workspace' | 'editor'>,
	threadId: ThreadId | null,
	permissionsNow: CapabilityParts['permissionsNow'],
	signal: AbortSignal,
): Promise<ThreadFacts> {
	const [first] = folders;
	const branch = first === undefined || !isTrusted ? undefined : await readBranch(first.path);
	const activeFile = editor?.activeFile?.();
	const now = threadId === null ? undefined : await permissionsNow(threadId, signal);
	return {
		...(now === undefined ? {} : { mode: now.mode, level: now.level }),
		...(branch === undefined ? {} : { branch }),
		...(activeFile === undefined ? {} : { activeFile }),
	};
}
