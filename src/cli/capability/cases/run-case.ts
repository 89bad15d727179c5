/**
 * Runs one case: in a host of its own with an empty home, on a folder with the files of the case, behind the same gate and in
 * the same sandbox as any run. Nobody is asked: a case can let nothing pass that leaves its folder.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import type { Approval } from '../../../protocol/approvals/approvals.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import type { CapabilityExecutionResult } from '../../../protocol/execution/execution.ts';
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import type { JudgedCase } from '../../../protocol/capability/tested-capability.ts';
import type { LedgerRow } from '../../../protocol/approvals/ledger.ts';
import type { SettingName } from '../../../protocol/settings/settings.ts';
import { readRegularFile } from '../../../machine/paths/reading/read-regular-file.ts';
import type { PersonPort, SecretsPort } from '../../../contract/ports/ports.ts';
import type { CommandContext, Invocation } from '../../invocation/command.ts';
import type { CaseHost } from './case-host.ts';
import type { CapabilityCase } from './case-file.ts';
import { type EndedCase, type FileAfterwards, judgeCase } from './judge-case.ts';
import { SCRIPTED_MODEL, startScriptedModel } from './scripted-model.ts';

const MAX_ROWS = 10_000;
const MAX_FILE_BYTES = 20_000_000;
/** A case is run with no option of the command line. */
const plain: Invocation = { operands: [], values: {}, lists: {}, switches: new Set() };

interface PersonOfCase extends PersonPort {
	/** Ops that it was asked about, apart from the run itself. */
	readonly asked: readonly string[];
	/** Why it did not agree to the run; undefined: it did. */
	readonly refusedRun: string | undefined;
}

/** `root`: a private folder. Rejects only where the host cannot be composed, or when `context.signal` aborts. */
export async function runCase(
	root: string,
	folder: string,
	manifest: Pick<CapabilityManifest, 'type' | 'name'>,
	tried: CapabilityCase,
	host: Pick<CaseHost, 'withHost' | 'openHome' | 'readJsonObject' | 'levelRules' | 'permissionOf'>,
	context: CommandContext,
): Promise<JudgedCase> {
	const users = host.readJsonObject(join(host.openHome(context.environment), 'settings.json')) ?? {};
	const place = await mkdtemp(join(root, 'case-'));
	const model = await startScriptedModel(tried.model);
	const { name, file, tool } = tried;
	try {
		const [home, workspace] = [join(place, 'home'), join(place, 'folder')];
		await writeCaseFiles(home, {
			'settings.json': JSON.stringify(settingsOfCase(tried, model.baseUrl, users)),
		});
		const fault = await writeCaseFiles(workspace, tried.files).then(() => undefined, toErrorMessage);
		if (fault !== undefined) {
			const failure = { message: `its files cannot be made: ${fault}`, line: tried.findLine(['files']) };
			return { name, file, tool, tookMs: 0, failures: [failure], ops: [] };
		}
		const inside: CommandContext = {
			...context,
			server: undefined,
			environment: { ...context.environment, PROWESS_HOME: home },
		};
		const person = createPersonOfCase(tried, host);
		const behind = { client: { principal: 'cli', person }, secrets: createSecretsOfCase(tried) } as const;
		const options = { workspace, approvalMode: 'ask', behind } as const;
		const outcome = await host.withHost(plain, inside, options, async (opened): Promise<EndedCase> => {
			const { capabilities, ledger } = await opened.trustedBase();
			const startedAt = performance.now();
			const { params = {}, timeoutMs: timeout } = tried;
			const call = { capability: { folder }, params, ...(tool !== undefined && { tool }), timeout } as const;
			const ended = await capabilities
				.run({ ...call, caller: { kind: 'user', threadId: null } }, context.signal)
				.catch((error: unknown) => failedStart(folder, error, context.signal));
			const tookMs = performance.now() - startedAt;
			if (ended.executionId !== '') await capabilities.waitUntilClosed(ended.executionId);
			const all = await ledger.query({ limit: MAX_ROWS });
			const rows = all.filter(isAskedForBy(`${manifest.type}/${manifest.name}:`)).reverse();
			const files = await readExpectedFiles(workspace, Object.keys(tried.expect.files));
			const { asked, refusedRun } = person;
			const areRowsWhole = all.length < MAX_ROWS;
			return { ended, tookMs, rows, areRowsWhole, refusedRun, files, asked, modelRequests: model.requests };
		});
		const ops = [...new Set(outcome.rows.map(({ op }) => op))];
		return {
			name,
			file,
			tool,
			tookMs: Math.round(outcome.tookMs),
			failures: judgeCase(tried, outcome, host.permissionOf),
			ops,
		};
	} finally {
		await model.close();
		// A folder that a program made hard to remove goes with the root.
		await rm(place, { recursive: true, force: true }).catch(() => undefined);
	}
}

/** Settings of the user that count in a case, too: where programs lie, and what is refused. */
const KEPT_SETTINGS: readonly SettingName[] = [
	'prowess.tools.bubblewrapPath',
	'prowess.tools.ripgrepPath',
	'prowess.approvals.deny',
	'prowess.approvals.widestLevel',
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

/** Agrees to the run itself, which the author has asked for, and to what the case grants. */
function createPersonOfCase(
	{ grant }: Pick<CapabilityCase, 'grant'>,
	{ levelRules }: Pick<CaseHost, 'levelRules'>,
): PersonOfCase {
	const granted = new Set<string>(grant);
	const asked: string[] = [];
	let isRunAsked = false;
	let refusedRun: string | undefined;
	/** A capability that this one starts is asked about, too. */
	const isRun = ({ op, detail }: Approval) => !isRunAsked && op === 'capability.start' && detail.kind === 'consent';
	const findRefusal = ({ detail }: Approval) => {
		if (detail.kind !== 'consent') return undefined;
		return levelRules[detail.level].sandbox === 'required' && detail.notEnforced.length > 0
			? `it was not run: the level ${detail.level} needs a sandbox, which this machine does not have`
			: undefined;
	};
	return {
		asked,
		get refusedRun() {
			return refusedRun;
		},
		approve(approval) {
			if (isRun(approval)) {
				isRunAsked = true;
				refusedRun = findRefusal(approval);
				if (refusedRun === undefined) return Promise.resolve({ kind: 'once' });
			}
			asked.push(approval.op);
			return Promise.resolve({ kind: granted.has(approval.op) ? 'once' : 'deny' });
		},
		answer: () => Promise.resolve(undefined),
	};
}

/** Only those of the case: not what the environment or the home of the user has. */
function createSecretsOfCase({ secrets }: Pick<CapabilityCase, 'secrets'>): SecretsPort {
	const held = new Map(Object.entries(secrets));
	return {
		get: (name) => Promise.resolve(held.get(name)),
		set(name, value) {
			if (value === undefined) held.delete(name);
			else held.set(name, value);
			return Promise.resolve();
		},
		list: () => Promise.resolve([...held.keys()]),
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
): Promise<ReadonlyMap<string, FileAfterwards | undefined>> {
	const readExpected = async (path: string): Promise<FileAfterwards | undefined> => {
		try {
			return { text: (await readRegularFile(join(folder, path), MAX_FILE_BYTES)).toString('utf8') };
		} catch (error) {
			return isNoFile(error) ? undefined : { fault: toErrorMessage(error) };
		}
	};
	return new Map(await Promise.all(paths.map(async (path) => [path, await readExpected(path)] as const)));
}

function isNoFile(error: unknown): boolean {
	return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
