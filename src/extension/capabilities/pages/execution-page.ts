/** Page of one execution: its state, its permissions and its result. */
import * as vscode from 'vscode';
import { isLive } from '../../../execution/runs/execution.ts';
import type { PageBlock } from '../../../protocol/pages/capability-page.ts';
import type { FileChange } from '../../../protocol/approvals/changes.ts';
import {
	type DispatchError,
	failedOpOf,
	leftoverNames,
	type LeftProcess,
} from '../../../protocol/execution/execution.ts';
import { remediesOf, sentenceWithDetailOf } from '../../notices/user-message.ts';
import { durationText } from '../texts/duration-text.ts';
import type { ShownExecution } from '../view/executions.ts';
import { statusText } from '../texts/texts.ts';
import { type BuiltPage, codeFact, fact, line, lines } from './built-page.ts';

/** `changes`: files that it has changed outside of any thread, and that can be undone. */
export function executionPage(
	{ info, progress, elapsedMs, result, output }: ShownExecution,
	changes: readonly FileChange[],
): BuiltPage {
	const t = vscode.l10n.t;
	const rows = [
		fact(t('Status'), statusText(info.status)),
		fact(t('Started'), new Date(info.startedAt).toLocaleString(vscode.env.language)),
		// While it runs its row in the view counts.
		...(isLive(info.status) ? [] : [fact(t('Time'), durationText(elapsedMs))]),
		fact(t('Permissions'), info.permissions.length === 0 ? t('none') : info.permissions.join(', ')),
		...(progress === undefined ? [] : [fact(t('Progress'), progress.message)]),
		...(changes.length === 0 ? [] : [fact(t('Changed files'), changes.map(({ path }) => path).join(', '))]),
		codeFact(t('Id'), info.executionId),
	];
	const error = result?.error;
	const remedies = remediesOf(failedOpOf(error)?.code);
	const on = { kind: 'execution', executionId: info.executionId };
	return {
		content: {
			title: executionTitle(info.name),
			kicker: info.type,
			summary: '',
			blocks: [
				...(error === undefined ? [] : [failure(error)]),
				...(info.leftovers.length === 0 ? [] : [leftBehind(info.leftovers)]),
				{ kind: 'facts', rows },
				...(result?.result === undefined ? [] : [valueBlock(t('Result'), result.result)]),
				...(result?.additionalContext === undefined ? [] : [valueBlock(t('For the agent'), result.additionalContext)]),
				...(output.trim() === '' ? [] : [codeBlock(t('Output'), output, '')]),
			],
		},
		actions: [
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
	};
}

/** Returns the title of the page and of its tab; it differs from the capability's, whose tab may stand beside it. */
export function executionTitle(name: string): string {
	return vscode.l10n.t('Run of {0}', name);
}

function failure(error: DispatchError): PageBlock {
	return { kind: 'problem', severity: 'error', text: lines(sentenceWithDetailOf(error)) };
}

function leftBehind(leftovers: readonly LeftProcess[]): PageBlock {
	const t = vscode.l10n.t;
	const text = t('Ended processes that it had left running: {0}', leftoverNames(leftovers));
	return { kind: 'problem', severity: 'warning', text: line(text) };
}

function valueBlock(title: string, value: unknown): PageBlock {
	return typeof value === 'string'
		? codeBlock(title, value, '')
		: codeBlock(title, JSON.stringify(value, undefined, 2), 'json');
}

function codeBlock(title: string, text: string, language: string): PageBlock {
	return { kind: 'code', title, text: lines(text.replace(/\n$/, '')), language };
}
