/** Composition root of the trusted base: what the extension and the CLI each create once. */
import { ApprovalRegister } from './approval-register.ts';
import { agentRegister, createAgents } from '../features/agents/agent-register.ts';
import { askForUser } from '../features/models/ask-for-user.ts';
import { goalRegister } from '../features/goal/goal-register.ts';
import { scriptRegister } from '../features/script/script-register.ts';
import { scheduleRegister } from '../features/schedule/schedule-register.ts';
import { Broker } from '../trust/broker/broker.ts';
import type { PerformForUser, PerformOp } from '../contract/ops/perform-op.ts';
import { ledgerRegister } from '../trust/record/ledger/ledger-register.ts';
import { levelRegister } from '../trust/gate/policy/levels/level-register.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { agentsOfPlugins, hooksOfPlugins } from './plugin-parts.ts';
import { createOps } from '../ops/index.ts';
import { askForHook } from '../features/models/ask-server.ts';
import { computeHunks } from '../trust/checkpoints/hunks.ts';
import { createAskedByUser } from '../features/models/asked-by-user.ts';
import { createCheckpoints } from '../trust/checkpoints/checkpoints.ts';
import { createHooks } from '../trust/gate/hooks/hook-register.ts';
import { createMarketplace } from '../catalog/marketplace/marketplace.ts';
import { permissionsNow } from '../trust/gate/policy/levels/permissions-now.ts';
import { policyRegister } from '../trust/broker/policy-register.ts';
import { runRegister } from '../ops/commands/run-register.ts';
import { createMcpServers, mcpRegister } from '../execution/mcp/mcp-register.ts';
import { createMemories, memoryRegister } from '../features/memory/memory-register.ts';
import { modeRegister } from '../trust/gate/policy/levels/mode-register.ts';
import { createPlannedWork } from './planned-work.ts';
import { createGround, type Ground, groundOfWorktree, openRecord } from './ground.ts';
import { placedWork } from './placed-work.ts';
import { type ComposedHost, serveServer } from './serve-server.ts';
import { worktreeName } from '../features/worktrees/bound-threads.ts';
import { hostWorktrees } from './worktree-hosts.ts';
import { findWork } from '../trust/broker/work-of.ts';
import { createCapabilities } from '../execution/runs/create-capabilities.ts';
import { allHooks } from '../trust/gate/hooks/all-hooks.ts';
import { codeRegister, createCodeIndex } from '../features/code-index/code-register.ts';
import { ModelAccess } from '../features/models/model-access.ts';
import { ProviderEmbeddings } from '../features/models/provider-embeddings.ts';
import { ModelSimulation } from '../features/models/model-simulation.ts';
import type { HostPorts } from '../contract/ports/ports.ts';
import type { OpenStoreThread } from '../trust/record/store/thread/host-store.ts';
import { ownTemporaries } from '../ops/commands/own-temporary.ts';
import { CapabilitySwitch } from '../catalog/registry/sources/capability-switch.ts';
import { Browsers } from '../ops/network/browser.ts';
import { HostClosing } from './host-closing.ts';
import { recordUserAct } from '../trust/record/ledger/user-act.ts';
import { pollBeginnings, threadBeginnings } from './thread-beginnings.ts';
import { threadEndings } from './thread-endings.ts';
import type { TrustedBase } from './trusted-base.ts';

/**
 * `storeThread`: where the databases of the host are; absent: in a worker.
 * Resolves also when the ledger cannot be opened: then every op is refused with LEDGER_UNWRITABLE and everything else of
 * the host still works.
 */
export async function createTrustedBase(ports: HostPorts, storeThread?: OpenStoreThread): Promise<TrustedBase> {
	const composed: { host?: ComposedHost } = {};
	const ground = createGround(ports, storeThread, () => composed.host?.parts.schedules);
	composed.host = await composeHost(ports, ground);
	return composed.host.base;
}

/** `outer`: host of the project, where this one is for a worktree inside of it. */
async function composeHost(ports: HostPorts, ground: Ground, outer?: ComposedHost['parts']): Promise<ComposedHost> {
	const { workspace, settings, log, places } = ports;
	const { redactor, redactionProblems, redaction, desk, paths, commandSandbox, commands, sweeps, telemetry } = ground;
	const { store, ledger, anchorPlace, whenNoted, holder, vault, begun, named, words, rights, quotas } = ground;
	// Refers to the broker lazily: what has ops performed is made before it, because the ops are made of that.
	const perform: PerformOp = async (asked, origin, signal) => {
		const place = await worktreeHosts.find(origin.caller.threadId);
		if ('error' in place) return { status: 'failed', opId: asked.opId, error: place.error, durationMs: 0 };
		return await (place.host?.parts.broker ?? broker).perform(asked, origin, signal);
	};
	const performForUser: PerformForUser = (work, asked, threadId, signal) =>
		broker.performForUser(work, asked, threadId, signal);
	const models = new ModelAccess({
		server: () => ports.server(),
		settings,
		redactor,
		capabilities: () => capabilities,
		perform,
		beside: () => worktreeHosts.now.map(({ parts }) => parts.models.live),
	});
	const checkpoints = createCheckpoints({
		ports,
		holder,
		redactor,
		store,
		paths,
		perform,
		performForUser,
		rootOf: (executionId) => capabilities.rootOf(executionId),
		commandSandbox,
		sweeps,
	});
	const findWrite = () => findWork(implementations, 'fs.write');
	const asked = createAskedByUser({ ports, redactor, perform, performForUser, write: findWrite });
	const { policies, projectRules, origins, agentRecords, access, levels, modes, skills, threadTools, labels } = rights;
	const {
		enabledCapabilities,
		revoked,
		keptOffers,
		keptReadings,
		usedCapabilities,
		seenCapabilities,
		newcomers,
		registry,
		enabledSource,
	} = createCatalog(ports);
	const { capabilities, consent, guard } = createCapabilities({
		ports,
		desk,
		origins,
		source: enabledSource,
		used: usedCapabilities,
		perform,
		ledger,
		redactor,
		skills,
		threadTools,
		permissionsNow: (threadId, signal) => nowPermitted(threadId, signal),
		isCommandRunning: () => commands.isRunning,
	});
	const { hooks, foreignHooks, hooksOfOthers } = createHooks({
		ports,
		redactor,
		ledger,
		plugins: () => hooksOfPlugins(ports, enabledCapabilities),
		environment: commands.environment,
		sandbox: commandSandbox,
		askModel: askForHook(() => ports.server()),
	});
	const unwalled = commands.didEndUnsandboxed.event(() => consent.endWork());
	const noticing = checkpoints.onDidChange(({ changes }) =>
		consent.changedByOthers(
			changes.map(({ path }) => path),
			workspace.folders,
		),
	);
	const broker = new Broker({
		workOf: (op) => findWork(implementations, op),
		ports,
		ledger,
		redactor,
		desk,
		policies,
		projectRules,
		origins,
		levels,
		modes,
		agents: agentRecords,
		access,
		skills,
		threadTools,
		labels,
		begun,
		hooks: allHooks(hooks, foreignHooks),
		noteStep: (...step) => capabilities.noteStep(...step),
		simulation: new ModelSimulation({ server: () => ports.server(), settings, redactor }),
		allowedOps: (caller) => (caller.kind === 'execution' ? caller.ops : undefined),
	});
	const { mcp, mcpConsent } = createMcpServers({
		ports,
		desk,
		origins,
		ledger,
		redactor,
		vault,
		projectRules,
		plugins: enabledCapabilities,
		sandbox: commandSandbox,
		environment: commands.environment,
	});
	const embeddings = new ProviderEmbeddings({
		server: () => ports.server(),
		ledger,
		redactor,
		checkSend: (threadId) => void (threadId === null ? access.checkOwn('send') : access.check('send', threadId)),
	});
	const memories = createMemories(ports, redactor, words, embeddings);
	const codeIndex = createCodeIndex({ places, settings, log }, embeddings);
	const { schedules, goals, scripts } = createPlannedWork({
		ports,
		holder,
		ledger,
		redactor,
		perform,
		capabilities,
		ask: askForUser({ server: () => ports.server(), performForUser }),
		changes: { list: (owner) => base.changes.list(owner), hunks: (owner, path) => base.changes.hunks(owner, path) },
		isolate: (...thread) => isolateGoal(...thread),
		folderOf: (threadId) => worktreeHosts.placeOf(threadId)?.folder,
		knowledge: (opId) => broker.knowledge(opId),
		keepMode: (threadId, mode, signal) => threadModes.set(threadId, mode, signal),
		hooked: (threadId, text, signal) => hooksOfOthers.prompted(threadId, text, signal),
		beginThread: (threadId, text, how) => beginThread(threadId, text, how),
		beginScript: (threadId) => beginThread(threadId),
		beginPolls: pollBeginnings({ access, labels }),
	});
	const approvals = new ApprovalRegister({
		home: places.home,
		ledger,
		settings,
		grants: broker.grants,
		projectRules,
		levels,
		consent,
		mcpConsent,
		origins,
		secrets: vault,
	});
	const capabilitySwitch = new CapabilitySwitch({ ledger, enabled: enabledCapabilities });
	const threadLevels = levelRegister({ ...ports, policies, levels, desk, ledger });
	const threadModes = modeRegister({ modes, ledger });
	const nowPermitted = permissionsNow({ levels: threadLevels, modes: threadModes, settings, projectRules });
	// Sub-agents in a worktree are of the project, too.
	const { agentWatch, customAgents, agents } =
		outer ??
		createAgents({
			ports,
			desk,
			redactor,
			records: agentRecords,
			begun,
			modes,
			plugins: () => agentsOfPlugins(ports, enabledCapabilities),
			startedBy: (turnId, op) => telemetry.contexts.startedBy(turnId, op),
			letGo: (threadId) => endings.end(threadId),
			worktrees: () => worktrees.all(),
			worktreeOf: (threadId) => worktreeHosts.nameOf(threadId),
			nameWorktree: worktreeName,
		});
	const pageParts = { home: places.home, environment: commands.environment, settings, redactor };
	const browsers = new Browsers({ ...pageParts, secrets: vault, wall: commandSandbox });
	const implementations = createOps({
		ports,
		paths,
		commands,
		sweeps,
		commandSandbox,
		checkpoints,
		desk,
		perform,
		vault,
		browsers,
		capabilities,
		newcomers,
		mcp,
		memories,
		codeIndex,
		named,
		words,
		registry,
		capabilitySwitch,
		skills,
		threadTools,
		models,
		permissionsNow: nowPermitted,
		threadModes,
		agents,
		schedules,
		goals,
		scripts,
		traceparentOf: (turnId, opId) => telemetry.traceparentOf(turnId, opId),
	});
	const marketplace = await createMarketplace({
		ports,
		redactor,
		ledger,
		enabled: enabledCapabilities,
		revoked,
		environment: commands.environment,
	});
	const forgetting = capabilities.onDidEnd(({ executionId }) => {
		models.forget(executionId);
	});
	const endings = threadEndings({
		agents,
		begun,
		noted: [access, named, words, { forget: (threadId) => foreignHooks.ended(threadId, 'clear') }],
		capabilities,
		broker,
		commands,
		sweeps,
		checkpoints,
		kept: [browsers, levels, modes, skills, threadTools],
		onFailure: (threadId, error) =>
			log.warn('a deleted thread was not let go of entirely', { threadId, error: redactor.redact(String(error)) }),
	});
	const beginThread = threadBeginnings({ begun, access, threadTools, labels, agents, noted: [named, words] });

	// Not waited for: the host goes on while the worker opens its files, and an op waits for its turn there.
	const closing = new HostClosing();
	// Resumes interrupted restores and undos; without effect unless a host was killed in the middle of one.
	const resuming = checkpoints.resume(closing.signal);
	const opened = outer?.opened ?? openRecord(ground, ports, closing);
	const { worktrees, worktreeHosts, isolateGoal } = hostWorktrees<ComposedHost>(
		{ ports, ledger, paths, commands, checkpoints, labels, writers: [commandSandbox, sweeps] },
		agentRecords,
		(portsThere) => composeHost(portsThere, groundOfWorktree(ground, portsThere), parts),
	);
	const checkExport = () => settings.organisation?.checkExport();
	const parts: ComposedHost['parts'] = {
		registry,
		models,
		agentWatch,
		broker,
		executions: capabilities,
		grants: broker.grants,
		began: (threadId, turnId) => checkpoints.turns.began(threadId, turnId),
		hooks: foreignHooks,
		agents,
		customAgents,
		schedules,
		opened,
	};
	const runs = runRegister({ commands, redactor, ledger });
	const base: TrustedBase = {
		checkExport,
		desk,
		perform,
		compareTexts: computeHunks,
		...placedWork({ changes: checkpoints, restores: checkpoints.restores, runs, pages: browsers }, worktreeHosts),
		ledger: ledgerRegister({ ledger, anchorPlace, ready: () => opened.then(whenNoted), checkExport }),
		policy: policyRegister({
			workOf: (op) => findWork(implementations, op),
			ports,
			paths,
			broker,
			desk,
			hooks,
			policies,
			projectRules,
			levels,
			modes,
			labels,
			redactor,
			isOwnTemporary: ownTemporaries({ commands, paths, places }),
			redactionProblems,
		}),
		approvals,
		levels: threadLevels,
		modes: threadModes,
		agents: agentRegister({ agents, customAgents, ledger }),
		capabilities,
		hooks: hooksOfOthers,
		mcp: mcpRegister({ servers: mcp, performForUser, ledger, work: () => findWork(implementations, 'mcp.tools') }),
		usage: quotas,
		telemetry,
		memory: memoryRegister({ memories, ledger, overrules: quotas.overrules }),
		code: codeRegister({ codeIndex, ledger, paths, perform }),
		schedules: scheduleRegister(schedules, ledger),
		goals: goalRegister(goals, ledger),
		scripts: scriptRegister({ scripts, ledger, home: places.home }),
		worktrees: { ...worktrees.register, placeOf: (threadId) => worktreeHosts.placeOf(threadId) },
		...asked,
		commandSandbox: () => commands.sandboxState(),
		warnUnsandboxed: (warn) => commandSandbox.warnUnsandboxed(warn),
		proveCommandSandbox: () => commandSandbox.prove(commands.environment),
		marketplace,
		enabledCapabilities,
		capabilitySwitch,
		registry,
		...redaction,
		noticeSecrets: () => vault.notice(),
		knowledge: (opId) => broker.knowledge(opId),
		serveServer: serveServer(ground, parts, worktreeHosts),
		recordAct: (act, work) => recordUserAct(ledger, act, () => 'done', work),
		beginThread,
		handOnLabel: (from, to, signal) => labels.copy(from, to, signal),
		async endThread(threadId) {
			// Where its worktree is gone or damaged, nothing of the thread is left in it to end.
			const place = await worktreeHosts.find(threadId);
			if ('host' in place) await place.host?.base.endThread(threadId);
			await endings.end(threadId);
		},
		async close() {
			await worktreeHosts.close();
			await closing.close({
				watchers: outer === undefined ? [ground.standstills, approvals] : [approvals],
				beginners: [schedules, goals, scripts],
				capabilities,
				registry,
				kept: [keptReadings, keptOffers, usedCapabilities, seenCapabilities],
				forgetting: [forgetting, noticing, unwalled],
				services: [guard, mcp, memories, codeIndex, ...(outer === undefined ? [quotas, telemetry] : [])],
				broker,
				agentWatch: outer === undefined ? agentWatch : undefined,
				programs: [browsers, hooks, foreignHooks, commands, sweeps],
				unfinished: () => [endings.settled(), resuming, checkpoints.turns.settled()],
				records: outer === undefined ? [store, anchorPlace, { close: () => holder.dispose() }] : [],
			});
		},
	};
	return { base, parts, close: () => base.close() };
}
