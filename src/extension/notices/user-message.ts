/** Texts for the user when something of ours fails: a full sentence, and at most two remedies. */
import * as vscode from 'vscode';
import type { LogPort } from '../../contract/ports/ports.ts';
import { type ErrorCode, isProwessError } from '../../protocol/errors/errors.ts';
import { type AnyError, detailForUser, lineForLog, textForUser } from '../../protocol/errors/error-text.ts';
import type { EditorCommandId } from '../editor/command-table.ts';
import { showErrorNotice } from './notices.ts';
import { isCancellation } from '../editor/signals.ts';

export interface Remedy {
	readonly label: string;
	readonly command: EditorCommandId | 'workbench.trust.manage';
	/** Subject of the command. */
	readonly on?: unknown;
}

/** Shows a failure. A cancellation, and a no of the user's own, is none and shows nothing. */
export async function showFailure(what: string, error: unknown, log: LogPort): Promise<void> {
	if (isCancellation(error) || (isProwessError(error) && error.code === 'DENIED_BY_USER')) {
		return;
	}
	log.error(`${what}: ${loggedAs(error)}`);
	const remedies = [...listRemedies(isProwessError(error) ? error.code : undefined), showLogs()].slice(0, 2);
	const chosen = await showErrorNotice(`${what} ${explainError(error)}`, ...remedies.map(({ label }) => label));
	await runChosenRemedy(remedies, chosen);
}

/** Does the one that was chosen; `chosen`: the label of a button. */
export async function runChosenRemedy(remedies: readonly Remedy[], chosen: string | undefined): Promise<void> {
	const wanted = remedies.find(({ label }) => label === chosen);
	if (wanted !== undefined) {
		await vscode.commands.executeCommand(wanted.command, wanted.on);
	}
}

/** Returns what happened, why, and the remedy, in the user's language. */
export function explainError(error: unknown): string {
	return textForUser(asError(error), (template) => vscode.l10n.t(template));
}

/** The same, and below it what exactly failed where the sentence does not say it. */
export function explainErrorInDetail(error: unknown): string {
	const detail = detailForUser(asError(error));
	return `${explainError(error)}${detail === undefined ? '' : `\n${detail}`}`;
}

function asError(error: unknown): AnyError {
	return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
		? (error as AnyError)
		: { message: String(error) };
}

/** Where it was thrown matters for what nobody foresaw only. */
function loggedAs(error: unknown): string {
	if (isProwessError(error) && error.code !== 'INTERNAL') {
		return lineForLog(error);
	}
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Returns the remedies that the user can apply at once. */
export function listRemedies(code: ErrorCode | undefined): readonly Remedy[] {
	switch (code) {
		case 'WORKSPACE_UNTRUSTED':
			return [{ label: vscode.l10n.t('Manage Trust'), command: 'workbench.trust.manage' }];
		case 'SERVER_GONE':
		case 'SERVER_DEGRADED':
			return [{ label: vscode.l10n.t('Restart'), command: 'prowess.restartServer' }];
		case 'NO_MODEL':
		case 'KEY_MISSING':
			return [{ label: vscode.l10n.t('Connect a Model'), command: 'prowess.connectModel' }];
		default:
			return [];
	}
}

function showLogs(): Remedy {
	return { label: vscode.l10n.t('Show Logs'), command: 'prowess.showLogs' };
}
