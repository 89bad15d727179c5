/**
 * Executions of the programs in test/fixtures/executors, with a broker whose ops a test can say. Everything else is real:
 * the manager, the consent, the copy of the capability, the processes, the channel.
 */
import { UsedCapabilities } from '../../src/catalog/registry/offer/used-capabilities.ts';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ApprovalOrigins } from '../../src/trust/gate/approvals/approval-origins.ts';
import { LoadedSkills } from '../../src/trust/gate/policy/executions/loaded-skills.ts';
import { ThreadTools } from '../../src/trust/gate/policy/levels/thread-tools.ts';
import { PersonDesk } from '../../src/trust/gate/approvals/desk.ts';
import type { PerformOp } from '../../src/contract/ops/perform-op.ts';
import { CapabilityConsent } from '../../src/execution/runs/consent/capability-consent.ts';
import { CapabilityManager, type CapabilityManagerDeps } from '../../src/execution/runs/capability-manager.ts';
import type { SandboxState } from '../../src/machine/sandbox/sandbox.ts';
import type { StartOptions } from '../../src/execution/runs/start/start-options.ts';
import type { InheritedChannel } from '../../src/execution/processes/waiting-channel.ts';
import { Redactor } from '../../src/trust/record/redaction/redactor.ts';
import { CapabilityRegistry } from '../../src/catalog/registry/capability-registry.ts';
import { workerExecutor } from '../../src/catalog/executors.ts';
import { CommandGuard } from '../../src/machine/shell/command-guard.ts';
import type { CapabilityExecutionResult } from '../../src/protocol/execution/execution.ts';
import { testHost, type TestHostOptions } from './host-ports.ts';
import { MemoryLedger } from './memory-ledger.ts';

const root = join(import.meta.dirname, '../..');
const fixtures = join(root, 'test/fixtures/executors');

export interface ExecutionSceneOptions extends TestHostOptions {
	/** Names a program in test/fixtures/executors. */
	readonly executor: string;
	readonly perform?: PerformOp;
	readonly manifest?: string;
	readonly sandbox?: SandboxState;
	readonly standby?: boolean;
	readonly channel?: InheritedChannel;
	readonly deps?: Partial<CapabilityManagerDeps>;
	readonly ledger?: MemoryLedger;
}

/** The specs that use this scene run over either channel. */
export const testedChannel: InheritedChannel = process.env['PROWESS_TEST_CHANNEL'] === 'ipc' ? 'ipc' : 'descriptor';

export const user: StartOptions['caller'] = { kind: 'user', threadId: null };
export const never = new AbortController().signal;

export class ExecutionScene {
	readonly host: ReturnType<typeof testHost>;
	readonly ledger: MemoryLedger;
	readonly desk: PersonDesk;
	readonly manager: CapabilityManager;
	readonly consent: CapabilityConsent;
	readonly progress: string[] = [];
	readonly ended: CapabilityExecutionResult[] = [];
	/** Set by a spec: a command of an agent runs. */
	isCommandRunning = false;
	readonly #guard = new CommandGuard();

	constructor(options: ExecutionSceneOptions) {
		this.host = testHost({ approvalMode: 'auto', ...options });
		this.ledger = options.ledger ?? new MemoryLedger();
		const { ports, home } = this.host;
		this.desk = new PersonDesk({
			person: ports.person,
			timeoutMs: () => 60_000,
			isUnattended: () => ports.approvalMode !== 'ask',
			onPortFailure: () => {},
		});
		this.writes('capability.yaml', options.manifest ?? 'name: test\ntype: skill\nversion: 1.0.0\n');
		// The programs do what they do whatever they are to run; but a skill has something to be run: what a spec writes comes before this.
		this.writes('index.ts', '');
		const executor = {
			name: options.executor,
			description: '',
			types: ['skill'],
			executor: fixtureExecutor(options.executor),
		};
		const registry = new CapabilityRegistry({ ports, executors: [executor] });
		this.consent = new CapabilityConsent({
			home,
			desk: this.desk,
			origins: new ApprovalOrigins({ home, log: ports.log }),
			approvalMode: ports.approvalMode,
			isCommandRunning: () => this.isCommandRunning,
		});
		this.manager = new CapabilityManager({
			source: registry,
			used: new UsedCapabilities(ports),
			executorFor: (type, pin) => registry.executorFor(type, pin),
			workerFor: (runtime) => workerExecutor(runtime, join(root, 'dist')),
			workerIdleMs: () => 60_000,
			consent: this.consent,
			perform: options.perform ?? done,
			ledger: this.ledger,
			redactor: new Redactor(),
			ports,
			guard: this.#guard,
			channelWithin: () => Promise.resolve(options.channel ?? testedChannel),
			isStandbyOn: () => options.standby ?? false,
			skills: new LoadedSkills({ home, log: ports.log }),
			threadTools: new ThreadTools({ home, settings: ports.settings, log: ports.log }),
			probeSandbox: () => Promise.resolve(options.sandbox ?? { sandbox: 'permission', bwrap: undefined }),
			...options.deps,
		});
		this.manager.onDidProgress(({ message }) => void this.progress.push(message));
		this.manager.onDidEnd((result) => void this.ended.push(result));
	}

	/** Puts a file into the capability `test`. */
	writes(path: string, text: string): void {
		const file = join(this.folder, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}

	get folder(): string {
		return join(this.host.workspace, '.prowess/capabilities/skill/test');
	}

	async start(params: unknown = {}, options: Partial<StartOptions> = {}): Promise<string> {
		const { executionId } = await this.manager.start(
			{ capability: { name: 'test' }, caller: user, params, ...options },
			never,
		);
		return executionId;
	}

	async run(params: unknown = {}, options: Partial<StartOptions> = {}): Promise<CapabilityExecutionResult> {
		return await this.manager.wait(await this.start(params, options));
	}

	/** Ends everything; what remains is a leak. */
	async close(): Promise<void> {
		await this.manager.close();
		await this.#guard.close();
	}

	/** Rows as `kind op`. */
	get recorded(): string[] {
		return this.ledger.rows.map(({ kind, op }) => `${kind} ${op}`);
	}

	get notes(): string[] {
		return this.ledger.rows.filter(({ kind }) => kind === 'note').map(({ decision }) => decision);
	}
}

/** A program in test/fixtures/executors. */
export function fixtureExecutor(name: string) {
	return {
		program: join(fixtures, `${name}.mjs`),
		readable: [
			join(fixtures, '*'),
			join(root, 'package.json'),
			join(root, 'node_modules'),
			join(root, 'node_modules/ws/*'),
			join(realpathSync(join(root, 'node_modules/ws')), '*'),
		],
	};
}

const done: PerformOp = ({ opId }) =>
	Promise.resolve({
		status: 'done',
		opId,
		result: { ok: true },
		durationMs: 0,
		receipt: { writer: 'test', seq: 1, hash: '' },
	});

/** An op that ends only when it is stopped. */
export const slow: PerformOp = ({ opId }, _, signal) =>
	new Promise((resolve) => {
		const end = () =>
			resolve({
				status: 'cancelled',
				opId,
				error: { code: 'CANCELLED', message: 'stopped', facts: {} },
				durationMs: 0,
			});
		if (signal.aborted) end();
		else signal.addEventListener('abort', end, { once: true });
	});
