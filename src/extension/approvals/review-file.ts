/** Dialog on a file that the user has to allow, such as hooks of other agents or a custom agent: allow, revoke or open it. */
import * as vscode from 'vscode';
import { askInDialog, inform } from '../notices/notices.ts';

interface FileReview {
	/** Absolute. */
	readonly path: string;
	readonly state: 'allowed' | 'changed' | 'not allowed' | 'unusable';
	readonly question: string;
	readonly details: readonly string[];
	/** First button of a file that is allowed. */
	readonly use?: { readonly button: string; begin(): Promise<void> };
	/** Said after the user has allowed the file, and after they have revoked it. */
	readonly onceAllowed: string;
	readonly onceRevoked: string;
}

/** Register that keeps which files are allowed. */
interface FileConsents {
	allow(path: string, signal: AbortSignal): Promise<unknown>;
	revoke(path: string, signal: AbortSignal): Promise<unknown>;
}

export async function reviewFile(review: FileReview, consents: FileConsents): Promise<void> {
	const { path, state, question, details, use, onceAllowed, onceRevoked } = review;
	const open = vscode.l10n.t('Open File');
	const allow = vscode.l10n.t('Allow');
	const revoke = vscode.l10n.t('Revoke');
	const canBeAllowed = state === 'not allowed' || state === 'changed';
	const whileAllowed = use === undefined ? [revoke] : [use.button, revoke];
	const buttons = state === 'allowed' ? whileAllowed : canBeAllowed ? [allow] : [];
	const answer = await askInDialog(question, details, ...buttons, open);
	const { signal } = new AbortController();
	if (answer === open) {
		await vscode.window.showTextDocument(vscode.Uri.file(path));
	} else if (answer === allow) {
		await consents.allow(path, signal);
		inform(onceAllowed);
	} else if (answer === revoke) {
		await consents.revoke(path, signal);
		inform(onceRevoked);
	} else if (answer !== undefined) {
		await use?.begin();
	}
}
