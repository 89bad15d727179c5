/** A workspace in a temporary folder, with what the ops need around it; removed when the test ends; call it in a test or a `beforeEach`. */
import { Emitter } from '../../src/base/emitter.ts';
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Caller } from '../../src/contract/ops/caller.ts';
import type { OpContext, OpImplementations } from '../../src/contract/ops/op-implementation.ts';
import { systemResolve } from '../../src/machine/http/resolve-host.ts';
import { CommandConnections } from '../../src/ops/commands/command-connections.ts';
import { createOpImplementations, type OpDeps } from '../../src/ops/index.ts';
import { HardenedGit } from '../../src/machine/git/hardened-git.ts';
import { ModelAccess } from '../../src/features/models/model-access.ts';
import { WorkspacePaths } from '../../src/machine/paths/workspace-paths.ts';
import { Redactor } from '../../src/trust/record/redaction/redactor.ts';
import { WorkspaceSearch } from '../../src/machine/search/workspace-search.ts';
import { SecretVault } from '../../src/machine/secrets/secret-vault.ts';
import { CommandRunner } from '../../src/machine/shell/command-runner.ts';
import { SqlRunner } from '../../src/machine/sql/sql-runner.ts';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { ownLimitMs } from '../../src/protocol/op-table/time-limits.ts';
import { type OpName, type OpParams, type OpResult, ops as protocolOps } from '../../src/protocol/op-table/ops.ts';
import { testHost } from './host-ports.ts';
import { noCapabilities } from './no-capabilities.ts';
import { tempDir } from './temp-dir.ts';

export const never: AbortSignal = new AbortController().signal;
export const searchWorkerUrl = new URL('../../src/machine/search/worker.ts', import.meta.url);

export async function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
	for (const [name, content] of Object.entries(files)) {
		await mkdir(dirname(join(folder, name)), { recursive: true });
		await writeFile(join(folder, name), content);
	}
}

export interface WorkspaceOnDisk {
	/** The workspace folder; `outside` lies beside it. */
	readonly root: string;
	readonly outside: string;
	readonly deps: OpDeps;
	readonly ops: OpImplementations;
	readonly images: { path: string; before: string | undefined }[];
	readonly emitted: string[];
	/** Prepares and runs an op as a thread's agent. */
	perform<N extends OpName>(op: N, params: OpParams<N>, as?: Partial<OpContext>): Promise<OpResult<N>>;
	context(as?: Partial<OpContext>): OpContext;
	/** Ends the commands that still run. */
	close(): Promise<void>;
}

export async function workspaceOnDisk(
	files: Readonly<Record<string, string | Buffer>> = {},
	change: Partial<OpDeps> = {},
): Promise<WorkspaceOnDisk> {
	const path = tempDir('workspace');
	const root = join(path, 'app');
	const outside = join(path, 'outside');
	await mkdir(root);
	await mkdir(outside);
	await writeFiles(root, files);
	const images: WorkspaceOnDisk['images'] = [];
	const emitted: string[] = [];
	const commands = new CommandRunner(process.env);
	const deps: OpDeps = {
		paths: new WorkspacePaths({ folders: [{ name: 'app', path: root }] }),
		documents: { readOpen: () => undefined, writeOpen: () => Promise.resolve(undefined) },
		editor: undefined,
		beforeImages: {
			keep: ({ path: changed, before }) => {
				images.push({ path: changed, before });
				return Promise.resolve();
			},
			written: () => undefined,
			callerNow: (caller) => caller,
			swept: () => Promise.resolve(),
			lastWritten: () => Promise.resolve(undefined),
			changedSince: () => Promise.resolve([]),
		},
		askUser: (_question, options) => Promise.resolve({ words: options[0] ?? 'yes' }),
		commands,
		places: { home: join(path, 'prowess-home'), userHome: join(path, 'home') },
		search: new WorkspaceSearch({
			ripgrepCandidates: [],
			environment: commands.environment,
			workerUrl: searchWorkerUrl,
		}),
		codeIndex: { find: () => Promise.reject(new ProwessError('NOT_AVAILABLE_HERE', 'the code index is off')) },
		git: new HardenedGit(commands.environment),
		http: { allowedHosts: () => [], resolve: systemResolve },
		onDidEndExecution: new Emitter<{ readonly executionId: string }>().event,
		browsers: { load: () => Promise.reject(new Error('there is no browser here')) },
		webSearch: () => ({ provider: 'off' }),
		connections: new CommandConnections(() => Promise.reject(new Error('there is no broker here'))),
		databases: () => ({}),
		sql: new SqlRunner(new URL('../../src/machine/sql/sql-process.ts', import.meta.url)),
		capabilities: noCapabilities,
		mayRun: () => Promise.resolve(true),
		mcp: {
			listings: () => Promise.resolve({ servers: [], problems: [] }),
			known: () => Promise.reject(new Error('there is no MCP server here')),
			named: () => Promise.reject(new Error('there is no MCP server here')),
			lists: () => Promise.resolve('no'),
			call: () => Promise.reject(new Error('there is no MCP server here')),
		},
		mcpReading: {
			list: () => Promise.reject(new Error('there is no MCP server here')),
			read: () => Promise.reject(new Error('there is no MCP server here')),
			prompt: () => Promise.reject(new Error('there is no MCP server here')),
		},
		isResourceNamedByUser: () => false,
		traceparentOf: () => undefined,
		mcpSampling: {
			askerFor: () => () => Promise.reject(new Error('there is no MCP server here')),
			implementation: () => ({
				'mcp.sample': { prepare: () => Promise.reject(new Error('there is no MCP server here')) },
			}),
		},
		memories: {
			check: () => undefined,
			note: () => Promise.reject(new Error('there are no memories here')),
			recall: () => Promise.resolve({ memories: [] }),
			get: () => Promise.reject(new Error('there are no memories here')),
			forget: () => Promise.reject(new Error('there are no memories here')),
		},
		schedules: {
			check: () => assert.fail('there are no schedules here'),
			add: () => assert.fail('there are no schedules here'),
			here: () => [],
			get: () => assert.fail('there are no schedules here'),
			pause: () => assert.fail('there are no schedules here'),
			resume: () => assert.fail('there are no schedules here'),
		},
		isPausedByUser: () => false,
		scripts: {
			read: () => Promise.reject(new Error('there are no scripts here')),
			run: () => Promise.reject(new Error('there are no scripts here')),
		},
		goals: {
			folder: () => undefined,
			check: () => assert.fail('there are no goals here'),
			add: () => assert.fail('there are no goals here'),
			start: () => assert.fail('there are no goals here'),
			judge: () => Promise.reject(new Error('there are no goals here')),
		},
		agents: {
			checkTools: () => undefined,
			spawn: () => Promise.reject(new Error('there are no sub-agents here')),
			send: () => Promise.reject(new Error('there are no sub-agents here')),
			list: () => Promise.resolve({ agents: [], others: [], kinds: [] }),
			stop: () => Promise.reject(new Error('there are no sub-agents here')),
			plan: () => Promise.reject(new Error('there are no sub-agents here')),
		},
		wall: { isPlaceholder: () => false, isHeld: () => false, held: () => [] },
		isSwitchedByUser: () => false,
		switchCapability: () => Promise.reject(new Error('nothing is switched here')),
		isNamedByUser: () => false,
		ownFolders: () => Promise.resolve({ folders: [], data: [] }),
		secrets: new SecretVault(testHost({ workspace: root }).ports.secrets, () => {}),
		models: new ModelAccess({
			server: () => Promise.reject(new Error('there is no server here')),
			settings: testHost({ workspace: root }).ports.settings,
			redactor: new Redactor(),
			capabilities: () => {
				throw new Error('there are no capabilities here');
			},
			perform: () => Promise.reject(new Error('there is no broker here')),
		}),
		beginWork: () => Promise.resolve(),
		permissionsNow: () => Promise.resolve({ level: 'ask', isUnattended: false, hasRules: false, mode: 'agent' }),
		newcomers: { since: () => Promise.resolve([]) },
		...change,
	};
	const ops = createOpImplementations(deps);
	const caller: Caller = { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') };
	const context = (as: Partial<OpContext> = {}): OpContext => ({
		opId: newId('op'),
		caller,
		signal: never,
		limitMs: 0,
		emit: (chunk) => emitted.push(chunk),
		showSteps() {},
		isAllowed: () => true,
		waitForPerson: (_reason, wait) => wait(),
		readThread: () => Promise.resolve([]),
		...as,
	});
	return {
		...{ root, outside, deps, ops, images, emitted, context },
		async perform(op, params, as) {
			const prepared = await ops[op].prepare(params, context(as));
			return prepared.run(context({ limitMs: ownLimitMs(protocolOps[op], params, 0), ...as }));
		},
		close: () => commands.close(),
	};
}
