/** Page of one execution: its state, its permissions and its result. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import { isPlainData } from '../../../base/text/lenient.ts';
import { type ExecutionInfo, isLive } from '../../../execution/runs/execution.ts';
import type { PageBlock } from '../../../protocol/pages/capability-page.ts';
import { drawResult, wholeDrawing } from '../../../protocol/text/draw-result.ts';
import type { FileChange } from '../../../protocol/approvals/changes.ts';
import {
	type DispatchError,
	findFailedOp,
	leftoverNames,
	type LeftProcess,
} from '../../../protocol/execution/execution.ts';
import { listRemedies, explainErrorInDetail } from '../../notices/user-message.ts';
import { durationText } from '../../../base/text/measures.ts';
import type { ShownExecution } from '../view/executions.ts';
import { statusText } from '../texts/texts.ts';
import type { Capability } from '../../../catalog/registry/sources/capability-source.ts';
import { type BuiltPage, codeFact, createFact, escapeToLines, type OfferedAction } from './built-page.ts';

/**
 * `changes`: files that it has changed outside of any thread, and that can be undone. `capability`: what it ran; undefined:
 * that is not there any more.
 */
export function executionPage(
	{ info, progress, elapsedMs, result, output }: ShownExecution,
	changes: readonly FileChange[],
	capability: Capability | undefined,
): BuiltPage {
	const t = vscode.l10n.t;
	const rows = [
		createFact(t('Status'), statusText(info.status)),
		createFact(t('Started'), new Date(info.startedAt).toLocaleString(vscode.env.language)),
		// While it runs its row in the view counts.
		...(isLive(info.status) ? [] : [createFact(t('Time'), durationText(elapsedMs))]),
		createFact(t('Permissions'), info.permissions.length === 0 ? t('none') : info.permissions.join(', ')),
		...(progress === undefined ? [] : [createFact(t('Progress'), progress.message)]),
		...(changes.length === 0 ? [] : [createFact(t('Changed files'), changes.map(({ path }) => path).join(', '))]),
		codeFact(t('Id'), info.executionId),
	];
	const error = result?.error;
	const remedies = listRemedies(findFailedOp(error)?.code);
	const on = { kind: 'execution', executionId: info.executionId };
	return {
		content: {
			title: executionTitle(info.name),
			kicker: info.type,
			summary: '',
			blocks: [
				...(error === undefined ? [] : [createFailureBlock(error)]),
				...(info.leftovers.length === 0 ? [] : [leftBehind(info.leftovers)]),
				{ kind: 'facts', rows },
				...(result?.result === undefined
					? []
					: [
							{
								kind: 'drawn' as const,
								title: t('Result'),
								drawn: drawResult(info.resultView, result.result, wholeDrawing),
							},
						]),
				...(result?.additionalContext === undefined ? [] : [valueBlock(t('For the agent'), result.additionalContext)]),
				...(output.trim() === '' ? [] : [createCodeBlock(t('Output'), output, '')]),
			],
		},
		actions: [
			...(isLive(info.status) ? [] : runActions(info, capability)),
			...(isLive(info.status)
				? [{ action: 'stop', label: t('Stop'), command: 'prowess.stopCapability', on } as const]
				: []),
			...(changes.length === 0
				? []
				: ([
						{ action: 'showChanges', label: t('Show Changes'), command: 'prowess.showChanges', on },
						{ action: 'undoChanges', label: t('Undo All Changes'), command: 'prowess.undoChanges', on },
					] as const)),
			...remedies.map((remedy) => ({ action: 'remedy', ...remedy, on: undefined }) as const),
		],
		opensWorkspaceFiles: true,
	};
}

/** Offers to use the inputs of a run, which are known only of runs of this window. */
function runActions({ tool, params }: ExecutionInfo, capability: Capability | undefined): readonly OfferedAction[] {
	if (capability === undefined || !isPlainData(params)) return [];
	const t = vscode.l10n.t;
	const command = 'prowess.runCapability';
	const createNode = (act?: 'ask' | 'script') =>
		({ kind: 'capability', capability, answers: { tool, params, ...(act === undefined ? {} : { act }) } }) as const;
	return [
		{ action: 'again', label: t('Run Again'), command, on: createNode() },
		...(tool === undefined && capability.manifest.inputs.length === 0
			? []
			: ([{ action: 'changeInputs', label: t('Change Inputs'), command, on: createNode('ask') }] as const)),
		...(tool === undefined
			? ([{ action: 'keepAsScript', label: t('Keep as Script'), command, on: createNode('script') }] as const)
			: []),
	];
}

/** Returns the title of the page and of its tab; it differs from the capability's, whose tab may stand beside it. */
export function executionTitle(name: string): string {
	return vscode.l10n.t('Run of {0}', name);
}

function createFailureBlock(error: DispatchError): PageBlock {
	return { kind: 'problem', severity: 'error', text: escapeToLines(explainErrorInDetail(error)) };
}

function leftBehind(leftovers: readonly LeftProcess[]): PageBlock {
	const t = vscode.l10n.t;
	const text = t('Ended processes that it had left running: {0}', leftoverNames(leftovers));
	return { kind: 'problem', severity: 'warning', text: escapeToLine(text) };
}

function valueBlock(title: string, value: unknown): PageBlock {
	return typeof value === 'string'
		? createCodeBlock(title, value, '')
		: createCodeBlock(title, JSON.stringify(value, undefined, 2), 'json');
}

function createCodeBlock(title: string, text: string, language: string): PageBlock {
	return { kind: 'code', title, text: escapeToLines(text.replace(/\n$/, '')), language };
}
