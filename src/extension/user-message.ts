/** What the user reads when something of ours fails: a full sentence, and at most two things to do about it. */
import * as vscode from 'vscode';
import type { LogPort } from '../capability-host/ports.ts';
import { type ErrorCode, isProwessError } from '../protocol/errors.ts';
import type { CommandId } from './command-table.ts';
import { isCancellation } from './signals.ts';

interface Remedy {
	readonly label: string;
	readonly command: CommandId | 'workbench.trust.manage';
}

/** Shows a failure. Cancellation is no failure and shows nothing. */
export async function showFailure(what: string, error: unknown, log: LogPort): Promise<void> {
	if (isCancellation(error)) {
		return;
	}
	log.error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
	const remedies = [...remediesOf(error), showLogs()].slice(0, 2);
	const text = `${what} ${sentenceOf(error)}`;
	const chosen = await vscode.window.showErrorMessage(text, ...remedies.map(({ label }) => label));
	const remedy = remedies.find(({ label }) => label === chosen);
	if (remedy !== undefined) {
		await vscode.commands.executeCommand(remedy.command);
	}
}

/** The cause as a sentence. Codes that users meet have words of their own; the rest is the message itself. */
export function sentenceOf(error: unknown): string {
	const own = isProwessError(error) ? sentences[error.code]?.() : undefined;
	if (own !== undefined) {
		return own;
	}
	const message = error instanceof Error ? error.message : String(error);
	const capital = message.charAt(0).toUpperCase() + message.slice(1);
	return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

const sentences: { readonly [C in ErrorCode]?: () => string } = {
	WORKSPACE_UNTRUSTED: () => vscode.l10n.t('Prowess starts nothing before you trust this workspace.'),
	SERVER_GONE: () => vscode.l10n.t('The Prowess server has stopped. It is started again when you ask for something.'),
	SERVER_DEGRADED: () => vscode.l10n.t('The Prowess server has stopped too often and is not started again by itself.'),
	PROVIDER_AUTH: () => vscode.l10n.t('The provider does not accept this key.'),
	PROVIDER_UNREACHABLE: () => vscode.l10n.t('The provider does not answer. Check the address and your network.'),
	PROVIDER_RATE_LIMITED: () => vscode.l10n.t('The provider takes no more requests for now. Try again later.'),
	NO_MODEL: () => vscode.l10n.t('No model is connected yet.'),
	KEY_MISSING: () => vscode.l10n.t('There is no key for this provider.'),
	MODEL_CONSENT_REFUSED: () => vscode.l10n.t('The editor was not allowed to use this model.'),
	TIMEOUT: () => vscode.l10n.t('It took too long.'),
};

function remediesOf(error: unknown): readonly Remedy[] {
	switch (isProwessError(error) ? error.code : undefined) {
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
