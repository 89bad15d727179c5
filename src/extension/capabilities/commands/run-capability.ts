/** *Run Capability*: has its params asked for, starts it as the user, shows how far it is, and what came of it. */
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { Capability } from '../../../catalog/registry/sources/capability-source.ts';
import type { FileChange } from '../../../protocol/approvals/changes.ts';
import {
	type CapabilityExecutionResult,
	findFailedOp,
	type ThreadMessage,
} from '../../../protocol/execution/execution.ts';
import type { CapabilityInput } from '../../../protocol/capability/manifest.ts';
import type { ToolInput, WorkerTool } from '../../../protocol/manifest/worker-tools.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { showErrorNotice, inform, withProgress } from '../../notices/notices.ts';
import { type Remedy, listRemedies, runChosenRemedy, explainError } from '../../notices/user-message.ts';
import { openAsScript } from './keep-run.ts';
import type { KeptParams, CapabilityParams } from './kept-params.ts';

export interface RunPorts {
	base(): Promise<TrustedBase>;
	readonly kept: KeptParams;
	/** The thread that is shown, and what was said in it; null for none. */
	thread(): Promise<{ readonly id: ThreadId; readonly messages: readonly ThreadMessage[] } | null>;
	/** Where the person answers. */
	showChat(): Promise<void>;
	/** Asks for what the capability takes, and runs it with the answers. */
	showForm(capability: Capability, tool: string | undefined): void;
	showExecution(executionId: string, name: string): void;
	/** True while the user sees its page, which says how it ended. */
	isExecutionInSight(executionId: string): boolean;
}

/** A capability with what was answered in its form. */
export interface RunNode {
	readonly kind: 'capability';
	readonly capability: Capability;
	readonly answers: RunAnswers;
}

interface RunAnswers {
	readonly tool: string | undefined;
	readonly params: CapabilityParams;
	/** `ask`: in a form that holds them; `script`: as a script of one step; absent: run. */
	readonly act?: 'ask' | 'script';
}

/** Without answers it asks, where there is anything to answer. */
export async function askAndRunCapability(
	ports: RunPorts,
	capability: Capability,
	answers: RunAnswers | undefined,
): Promise<void> {
	if (answers?.act === 'script') {
		await openAsScript({ ...capability.manifest, ...answers });
		return;
	}
	if (answers?.act === 'ask') {
		await keepParams(ports, capability, answers);
		ports.showForm(capability, answers.tool);
		return;
	}
	if (answers !== undefined) {
		await runWithAnswers(ports, capability, answers, true);
		return;
	}
	const { manifest, path } = capability;
	const tool = manifest.runtime === undefined ? undefined : await askTool(manifest, path);
	if (tool === null) {
		return;
	}
	if (listFormInputs(manifest, tool).length > 0) {
		ports.showForm(capability, tool?.name);
	} else {
		await runWithAnswers(ports, capability, { tool: tool?.name, params: {} }, false);
	}
}

/** Returns the inputs that the form asks for: those of the tool, else those of the manifest. */
export function listFormInputs(
	manifest: Capability['manifest'],
	tool: WorkerTool | undefined,
): readonly CapabilityInput[] {
	return tool === undefined ? manifest.inputs : tool.inputs.map(asInput);
}

/** Under which name its last params are kept. */
export function keptName(name: string, tool: string | undefined): string {
	return tool === undefined ? name : `${name}:${tool}`;
}

async function runWithAnswers(
	ports: RunPorts,
	capability: Capability,
	answers: RunAnswers,
	showsPage: boolean,
): Promise<void> {
	const base = await ports.base();
	await keepParams(ports, capability, answers);
	const { manifest, path } = capability;
	const { name } = manifest;
	const { tool, params } = answers;
	const wanted = { capability: { folder: path }, params, ...(tool === undefined ? {} : { tool }) };
	const onStarted = (id: string) => {
		if (showsPage) ports.showExecution(id, name);
	};
	const result = await runWithProgress(ports, base, name, wanted, onStarted);
	// Not waited for: who does not answer the message has seen it all the same.
	void showEnd(ports, name, result, await base.changes.list(result.executionId));
}

/** For the next form of it. */
async function keepParams(
	{ base, kept }: RunPorts,
	{ manifest: { type, name } }: Capability,
	{ tool, params }: RunAnswers,
): Promise<void> {
	const { redact } = await base();
	await kept.keep(type, keptName(name, tool), params, (text) => redact(text));
}

/** The only tool, or the one that is picked; null: the user went away. */
async function askTool(manifest: Capability['manifest'], path: string): Promise<WorkerTool | null> {
	const { readWorkerTools } = await import('../../../catalog/tools-of-files.ts');
	const tools = (await readWorkerTools(manifest, path)) ?? [];
	const [only] = tools;
	if (only !== undefined && tools.length === 1) return only;
	const items = tools.map((tool) => ({ label: tool.name, detail: tool.description, tool }));
	const title = vscode.l10n.t('Run {0}', manifest.name);
	const placeHolder = vscode.l10n.t('Choose a tool');
	return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.tool ?? null;
}

/** Maps an input of a tool to an input of a form; an input without a stated type is asked for as text. */
function asInput({ type, ...input }: ToolInput): CapabilityInput {
	return { ...input, type: type === 'any' ? 'string' : type };
}

/** Runs with its progress shown; cancelling the message stops the execution. */
async function runWithProgress(
	ports: RunPorts,
	{ capabilities }: TrustedBase,
	name: string,
	wanted: {
		readonly capability: { readonly folder: string };
		readonly params: CapabilityParams;
		readonly tool?: string;
	},
	onStarted: (executionId: string) => void,
): Promise<CapabilityExecutionResult> {
	const title = vscode.l10n.t('Running {0}', name);
	return withProgress(title, async (signal, report, move) => {
		let progress: Disposable | undefined;
		try {
			// Shows the chat while the run waits for an answer, because the question is there.
			const onWaiting = (isWaiting: boolean) => {
				report(isWaiting ? vscode.l10n.t('needs your answer in the chat') : '');
				move(isWaiting ? 'statusBar' : 'notification');
				if (isWaiting) void ports.showChat();
			};
			const thread = await ports.thread();
			const caller = { kind: 'user', threadId: thread?.id ?? null } as const;
			const start = { ...wanted, caller, onWaiting, messages: thread?.messages ?? [] };
			const { executionId } = await capabilities.start(start, signal);
			onStarted(executionId);
			let done = 0;
			progress = capabilities.onDidProgress(({ executionId: id, message, fraction }) => {
				if (id === executionId) {
					const increment = fraction === undefined ? 0 : Math.max(0, 100 * fraction - done);
					done += increment;
					report(message, increment);
				}
			});
			return await capabilities.waitOrStop(executionId, signal);
		} finally {
			progress?.dispose();
		}
	});
}

/**
 * Says how it ended. While its page is in sight, only a short result or what can be done is worth a message. `changes`: what
 * it has changed outside of any thread; in a thread the chat shows them.
 */
async function showEnd(
	{ isExecutionInSight }: Pick<RunPorts, 'isExecutionInSight'>,
	name: string,
	{ success, executionId, error, result }: CapabilityExecutionResult,
	changes: readonly FileChange[],
): Promise<void> {
	const on = { executionId };
	const remedies = listRemedies(findFailedOp(error)?.code);
	const isShort = success && shortResult(result) !== undefined;
	if (remedies.length === 0 && changes.length === 0 && !isShort && isExecutionInSight(executionId)) return;
	const buttons: readonly Remedy[] = [
		...remedies,
		...(changes.length === 0
			? [{ label: vscode.l10n.t('Open'), command: 'prowess.showExecution', on } as const]
			: ([
					{ label: vscode.l10n.t('Show Changes'), command: 'prowess.showChanges', on },
					{ label: vscode.l10n.t('Undo All Changes'), command: 'prowess.undoChanges', on },
				] as const)),
	];
	const end = success
		? successText(name, result)
		: error?.code === 'CANCELLED'
			? vscode.l10n.t('{0} was stopped.', name)
			: failureText(name, error);
	const text = changes.length === 0 ? end : `${end} · ${vscode.l10n.t('Changed files: {0}', changes.length)}`;
	const show = success || error?.code === 'CANCELLED' ? inform : showErrorNotice;
	await runChosenRemedy(buttons, await show(text, ...buttons.map(({ label }) => label)));
}

/** A short text is the result itself; all else is on its page. */
function successText(name: string, value: unknown): string {
	const text = shortResult(value);
	return text === undefined ? vscode.l10n.t('{0} is done.', name) : vscode.l10n.t('{0}: {1}', name, text);
}

function shortResult(value: unknown): string | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	return text !== '' && text.length <= extensionLimits.resultCharacters && !text.includes('\n') ? text : undefined;
}

function failureText(name: string, error: CapabilityExecutionResult['error']): string {
	const why = error === undefined ? '' : explainError({ ...error, message: error.message.split('\n', 1)[0] ?? '' });
	return vscode.l10n.t('{0} failed. {1}', name, why);
}
