/**
 * Runs one case: in a host of its own with an empty home, on a folder with the files of the case, behind the same gate and in
 * the same sandbox as any run. Nobody is asked: a case can let nothing pass that leaves its folder.
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import type { CapabilityExecutionResult } from '../../../protocol/execution/execution.ts';
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import type { LedgerRow } from '../../../protocol/approvals/ledger.ts';
import type { SettingName } from '../../../protocol/settings/settings.ts';
import { readRegularFile } from '../../../machine/paths/reading/read-regular-file.ts';
import type { PersonPort } from '../../../contract/ports/ports.ts';
import type { CommandContext, Invocation } from '../../invocation/command.ts';
import type { CaseHost } from './case-host.ts';
import type { CapabilityCase } from './case-file.ts';
import { type EndedCase, judgeCase } from './judge-case.ts';
import { SCRIPTED_MODEL, startScriptedModel } from './scripted-model.ts';

export interface JudgedCase {
	readonly name: string;
	readonly file: string;
	readonly tookMs: number;
	/** A line for each thing that was not as expected; none: it has passed. */
	readonly failures: readonly string[];
	/** Names of the ops that the capability asked for. */
	readonly ops: readonly string[];
	readonly tool: string | undefined;
}

const MAX_ROWS = 10_000;
const MAX_FILE_BYTES = 20_000_000;
/** A case is run with no option of the command line. */
const plain: Invocation = { operands: [], values: {}, lists: {}, switches: new Set() };

/** Rejects only where the host cannot be composed, or when `context.signal` aborts. */
export async function runCase(
	folder: string,
	manifest: Pick<CapabilityManifest, 'type' | 'name'>,
	tried: CapabilityCase,
	host: Pick<CaseHost, 'withHost' | 'openHome' | 'readJsonObject'>,
	context: CommandContext,
): Promise<JudgedCase> {
	const users = host.readJsonObject(join(host.openHome(context.environment), 'settings.json')) ?? {};
	const root = await realpath(await mkdtemp(join(tmpdir(), 'prowess-case-')));
	const model = await startScriptedModel(tried.model);
	try {
		const [home, workspace] = [join(root, 'home'), join(root, 'folder')];
		await writeCaseFiles(home, {
			'settings.json': JSON.stringify(settingsOfCase(tried, model.baseUrl, users)),
		});
		await writeCaseFiles(workspace, tried.files);
		const inside: CommandContext = {
			...context,
			server: undefined,
			environment: { ...context.environment, PROWESS_HOME: home },
		};
		const asked: string[] = [];
		const behind = { client: { principal: 'cli', person: refusingPerson(asked) } } as const;
		const options = { workspace, approvalMode: 'ask', behind } as const;
		const outcome = await host.withHost(plain, inside, options, async (opened): Promise<EndedCase> => {
			const { capabilities, ledger } = await opened.trustedBase();
			const startedAt = performance.now();
			const { tool, params = {}, timeoutMs: timeout } = tried;
			const call = { capability: { folder }, params, ...(tool !== undefined && { tool }), timeout } as const;
			const ended = await capabilities
				.run({ ...call, caller: { kind: 'user', threadId: null } }, context.signal)
				.catch((error: unknown) => failedStart(folder, error, context.signal));
			const tookMs = performance.now() - startedAt;
			if (ended.executionId !== '') await capabilities.waitUntilClosed(ended.executionId);
			const rows = (await ledger.query({ limit: MAX_ROWS }))
				.filter(isAskedForBy(`${manifest.type}/${manifest.name}:`))
				.reverse();
			const files = await readExpectedFiles(workspace, Object.keys(tried.expect.files));
			return { ended, tookMs, rows, files, asked, modelRequests: model.requests };
		});
		const ops = [...new Set(outcome.rows.map(({ op }) => op))];
		const { name, file, tool } = tried;
		return { name, file, tool, tookMs: Math.round(outcome.tookMs), failures: judgeCase(tried, outcome), ops };
	} finally {
		await model.close();
		await rm(root, { recursive: true, force: true });
	}
}

/** Settings of the user that count in a case, too: where programs lie, and what is refused. */
const KEPT_SETTINGS: readonly SettingName[] = [
	'prowess.tools.bubblewrapPath',
	'prowess.tools.ripgrepPath',
	'prowess.approvals.deny',
	'prowess.access.deny',
	'prowess.redaction.patterns',
	'prowess.capabilities.strictTools',
];

/** No model but the one of the case is known, so none is reached, whatever keys the environment has. */
function settingsOfCase(
	{ refuse }: CapabilityCase,
	baseUrl: string,
	users: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
	const kept = KEPT_SETTINGS.filter((name) => name in users).map((name) => [name, users[name]] as const);
	const provider = { id: 'case', kind: 'openai-compatible', baseUrl, models: [SCRIPTED_MODEL] };
	const asked = { 'prowess.approvals.ask': refuse.map((op) => `${op} **`), 'prowess.approvals.level': 'auto' };
	return {
		...Object.fromEntries(kept),
		...asked,
		'prowess.providers': [provider],
		'prowess.model': `case/${SCRIPTED_MODEL}`,
	};
}

/** Agrees to the run itself, which the author has asked for, and to nothing else. Notes what else is asked. */
function refusingPerson(asked: string[]): PersonPort {
	let hasAgreed = false;
	return {
		approve({ op }) {
			const isRun = !hasAgreed && op === 'capability.start';
			hasAgreed = true;
			if (!isRun) asked.push(op);
			return Promise.resolve(isRun ? { kind: 'once' } : { kind: 'deny' });
		},
		answer: () => Promise.resolve(undefined),
	};
}

/** A run that did not even start, as one that failed. Throws what is no fault of the case. */
function failedStart(capabilityPath: string, error: unknown, { aborted }: AbortSignal): CapabilityExecutionResult {
	if (aborted || !isProwessError(error)) throw error;
	const { code, message } = error;
	return { success: false, executionId: '', capabilityPath, error: { code, message } };
}

function isAskedForBy(doer: string): (row: LedgerRow) => boolean {
	return ({ trigger }) => trigger.startsWith(doer);
}

async function writeCaseFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
	await mkdir(folder, { recursive: true });
	for (const [path, text] of Object.entries(files)) {
		await mkdir(dirname(join(folder, path)), { recursive: true });
		await writeFile(join(folder, path), text);
	}
}

async function readExpectedFiles(
	folder: string,
	paths: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
	const read = async (path: string) => {
		try {
			return (await readRegularFile(join(folder, path), MAX_FILE_BYTES)).toString('utf8');
		} catch {
			return undefined;
		}
	};
	return new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)));
}
