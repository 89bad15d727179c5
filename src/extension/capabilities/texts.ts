/** The words of sources and states, translated. */
import * as vscode from 'vscode';
import type { Capability } from '../../capability-host/registry/capability-source.ts';
import type { ExecutionStatus } from '../../protocol/execution.ts';
import type { ExecutionWords } from './execution-page.ts';

export function sourceText(source: Capability['source']): string {
	const texts = {
		'built-in': vscode.l10n.t('built in'),
		global: vscode.l10n.t('yours'),
		project: vscode.l10n.t('this project'),
	};
	return texts[source];
}

export function statusText(status: ExecutionStatus): string {
	switch (status) {
		case 'starting':
			return vscode.l10n.t('starting');
		case 'running':
			return vscode.l10n.t('running');
		case 'completed':
			return vscode.l10n.t('completed');
		case 'failed':
			return vscode.l10n.t('failed');
		case 'timeout':
			return vscode.l10n.t('ended by its time limit');
		case 'stopping':
			return vscode.l10n.t('stopping');
		case 'stopped':
			return vscode.l10n.t('stopped');
		default:
			return status satisfies never;
	}
}

export function executionWords(): ExecutionWords {
	return {
		status: vscode.l10n.t('Status'),
		started: vscode.l10n.t('Started'),
		took: vscode.l10n.t('Time'),
		permissions: vscode.l10n.t('Permissions'),
		none: vscode.l10n.t('none'),
		progress: vscode.l10n.t('Progress'),
		result: vscode.l10n.t('Result'),
		toTheAgent: vscode.l10n.t('For the agent'),
		error: vscode.l10n.t('Error'),
		id: vscode.l10n.t('Id'),
	};
}
