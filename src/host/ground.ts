/**
 * The ground that the other parts of a host stand on: who is asked, what is recorded and counted, whose rights count, and the
 * folders. A host for a worktree has folders and commands of its own; everything else it shares with the host of the project.
 */
import { watchForStandstill } from '../base/time/standstill.ts';
import type { HostPorts } from '../contract/ports/ports.ts';
import { SecretVault } from '../machine/secrets/secret-vault.ts';
import { WorkspacePaths } from '../machine/paths/workspace-paths.ts';
import { createOtherNames } from '../machine/sandbox/mounts/other-names.ts';
import { createCommands } from '../ops/commands/run-register.ts';
import { NamedByUser } from '../execution/runs/start/named-by-user.ts';
import { UserWords } from '../execution/runs/start/user-words.ts';
import { createQuotas } from '../features/quota/quotas.ts';
import type { Schedules } from '../features/schedule/schedules.ts';
import { Telemetry } from '../features/telemetry/telemetry.ts';
import type { ThreadId } from '../protocol/rpc/ids.ts';
import { processClaimHolder } from '../store/threads/process-lease-holder.ts';
import { PersonDesk } from '../trust/gate/approvals/desk.ts';
import { createRights } from '../trust/gate/rights.ts';
import { createRecord } from '../trust/record/ledger/ledger-register.ts';
import { openLedgerAtStart } from '../trust/record/ledger/ledger-upkeep.ts';
import { createRedaction } from '../trust/record/redaction/redaction.ts';
import type { OpenStoreThread } from '../trust/record/store/thread/host-store.ts';

export type Ground = ReturnType<typeof createGround>;

/** `storeThread`: where the databases are; undefined: in a worker. `schedules`: undefined until the project's host is composed. */
export function createGround(
	ports: HostPorts,
	storeThread: OpenStoreThread | undefined,
	schedules: () => Pick<Schedules, 'refuses' | 'scheduleOf'> | undefined,
) {
	const { person, settings, log, editor, places, secrets, workspace } = ports;
	const redacting = createRedaction(ports);
	const { redactor } = redacting;
	const desk = new PersonDesk({
		person,
		own: editor === undefined ? 'cli' : 'editor',
		timeoutMs: () => settings.current['prowess.approvals.timeoutMinutes'] * 60_000,
		isUnattended: () => ports.approvalMode !== 'ask',
		refuses: (threadId) => threadId !== null && schedules()?.refuses(rights.agentRecords.rootOf(threadId)) === true,
		onPortFailure: (error) =>
			log.warn('a question got no answer where it was shown', { error: redactor.redact(String(error)) }),
	});
	const paths = new WorkspacePaths(workspace, process.platform, createOtherNames());
	const running = createCommands(ports, redactor);
	const rights = createRights(ports, paths);
	const vault = new SecretVault(secrets, (value) => redactor.addSecret(value));
	return {
		...redacting,
		...createRecord(ports, redactor, running.commands.environment, storeThread),
		...running,
		desk,
		paths,
		rights,
		holder: processClaimHolder(editor === undefined ? 'cli' : 'editor', places.home),
		vault,
		quotas: createQuotas(ports, rights.agentRecords, (threadId) => schedules()?.scheduleOf(threadId)),
		telemetry: new Telemetry({
			ports,
			environment: process.env,
			redactor,
			secret: (name) => vault.read(name),
			agentOf: (threadId) => rights.agentRecords.of(threadId),
		}),
		standstills: watchForStandstill((forMs) => log.warn('the host stood still', { forMs }), {
			// A host without a folder, as the background host is, works on nothing itself.
			isResting: workspace.folders.length === 0,
		}),
		begun: new Set<ThreadId>(),
		named: new NamedByUser(),
		words: new UserWords(),
	};
}

/** `ports`: those of the project's host, with the folder of the worktree. */
export function groundOfWorktree(ground: Ground, ports: HostPorts): Ground {
	const paths = new WorkspacePaths(ports.workspace, process.platform, createOtherNames());
	const { policies, projectRules } = createRights(ports, paths);
	return {
		...ground,
		...createCommands(ports, ground.redactor),
		paths,
		rights: { ...ground.rights, policies, projectRules },
	};
}

/** Opens the ledger, and lets go of what is older than the settings say. Settles when it is open. */
export function openRecord(
	{ ledger }: Pick<Ground, 'ledger'>,
	{ settings, log, places: { home } }: Pick<HostPorts, 'settings' | 'log' | 'places'>,
	closing: { readonly hasBegun: boolean; readonly signal: AbortSignal },
): Promise<unknown> {
	const opened = openLedgerAtStart(ledger, log, () => closing.hasBegun);
	const keepDays = settings.current['prowess.ledger.keepDays'];
	if (keepDays > 0) void opened.then(prune);
	return opened;

	async function prune(): Promise<void> {
		try {
			const { pruneLedger } = await import('../trust/record/ledger/prune-ledger.ts');
			await pruneLedger({ home, keepDays, ledger, log }, closing.signal);
		} catch (error) {
			if (!closing.signal.aborted) log.warn('old rows of the ledger could not be removed', { error: String(error) });
		}
	}
}
