/** The tab *Runs*: what runs, for how long and how far it is; and what has ended, newest first. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import { isLive } from '../../../execution/runs/execution.ts';
import type { ExecutionStatus } from '../../../protocol/execution/execution.ts';
import { durationText } from '../../../base/text/measures.ts';
import { statusText } from '../texts/texts.ts';
import { createTabBadge, type BuiltRow, type BuiltSection, type BuiltTab } from './built-tab.ts';
import type { ShownExecutions, ShownExecution } from './executions.ts';

export function runsTab({ all, live }: Pick<ShownExecutions, 'all' | 'live'>): BuiltTab {
	const t = vscode.l10n.t;
	const createSection = (id: string, title: string, rows: readonly ShownExecution[]): BuiltSection => ({
		id,
		title,
		sentence: '',
		rows: rows.map(executionRow),
		isClosedAtFirst: false,
	});
	const ended = all.filter(({ info }) => !isLive(info.status));
	const badge = createTabBadge([live.length, t('{0} running', live.length)]);
	return {
		sections: [createSection('live', t('Running'), live), createSection('ended', t('Finished'), ended)],
		actions:
			live.length < 2 ? [] : [{ command: 'prowess.stopAllCapabilities', label: t('Stop All'), icon: 'stop-circle' }],
		empty: {
			text: t('Running and finished capabilities appear here.'),
			actions: [{ command: 'prowess.runCapability', label: t('Run Capability…'), icon: 'play' }],
		},
		...(badge === undefined ? {} : { badge }),
		isTicking: live.length > 0,
	};
}

function executionRow({ info, progress, elapsedMs, result }: ShownExecution): BuiltRow {
	const t = vscode.l10n.t;
	const { executionId, name, type, status, startedAt } = info;
	const isRunning = isLive(status);
	const said = isRunning ? progress?.message : status === 'stopped' ? undefined : result?.error?.message;
	const on = { kind: 'execution', executionId };
	const failed = !isRunning && status !== 'completed' && status !== 'stopped' && said !== undefined;
	const first = said === undefined ? undefined : escapeToLine(said.split('\n', 1)[0] ?? '');
	return {
		id: executionId,
		name: escapeToLine(name),
		icon: RUN_STATUS_ICONS[status],
		isBusy: isRunning,
		isQuiet: false,
		description: '',
		facts: [
			statusText(status),
			durationText(elapsedMs),
			...(progress?.fraction !== undefined && isRunning ? [`${Math.round(100 * progress.fraction)} %`] : []),
			...(first === undefined || failed ? [] : [first]),
			escapeToLine(type),
			...(isRunning ? [] : [new Date(startedAt).toLocaleString(vscode.env.language)]),
		],
		marks: failed && first !== undefined ? [{ kind: 'error', text: first }] : [],
		parts: [],
		opens: { command: 'prowess.showExecution', on, label: t('Show Execution') },
		buttons: isRunning ? [{ command: 'prowess.stopCapability', label: t('Stop'), icon: 'debug-stop', on }] : [],
		menu: [],
	};
}

const RUN_STATUS_ICONS: { readonly [S in ExecutionStatus]: string } = {
	starting: 'sync',
	running: 'sync',
	stopping: 'sync',
	completed: 'pass',
	stopped: 'circle-slash',
	failed: 'error',
	timeout: 'error',
};
