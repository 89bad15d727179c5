/** Secrets that the user keeps for capabilities, stored and forgotten from the palette. A value is typed once and never shown. */
import * as vscode from 'vscode';
import type { SecretsPort } from '../../contract/ports/ports.ts';
import { isCommonValue, MIN_SECRET_LENGTH } from '../../trust/record/redaction/limits.ts';
import { SecretName } from '../../protocol/ops/definitions/network/http.ts';
import { confirmLoss, inform } from '../notices/notices.ts';

export interface UserSecretPorts {
	readonly secrets: SecretsPort;
	/** Hears every value before it is stored, so that it is struck out of whatever is written later. */
	onValue(value: string): void;
}

/** Resolves with its name; undefined when the user does not want to. */
export async function storeSecret({ secrets, onValue }: UserSecretPorts): Promise<string | undefined> {
	const title = vscode.l10n.t('Store a Secret');
	const known = await secrets.list();
	const name = await vscode.window.showInputBox({
		title,
		prompt: vscode.l10n.t('Name by which capabilities ask for it'),
		placeHolder: 'github',
		ignoreFocusOut: true,
		validateInput(text) {
			if (!SecretName.safeParse(text).success) {
				return vscode.l10n.t('Use letters, digits, "_", "." and "-".');
			}
			const message = vscode.l10n.t('That name is already in use. Its value will be replaced.');
			return known.includes(text) ? { message, severity: vscode.InputBoxValidationSeverity.Info } : undefined;
		},
	});
	if (name === undefined) {
		return undefined;
	}
	const value = await vscode.window.showInputBox({
		title,
		prompt: vscode.l10n.t('Value of {name}. It is kept in the secret store of VS Code.', { name }),
		password: true,
		ignoreFocusOut: true,
		validateInput(text) {
			if (text === '') {
				return vscode.l10n.t('Paste the value.');
			}
			const message =
				text.length < MIN_SECRET_LENGTH
					? vscode.l10n.t('This value is too short to be redacted from output and records.')
					: vscode.l10n.t('This value may also occur in other texts. Wherever it does, it is redacted.');
			return text.length < MIN_SECRET_LENGTH || isCommonValue(text)
				? { message, severity: vscode.InputBoxValidationSeverity.Warning }
				: undefined;
		},
	});
	if (value === undefined) {
		return undefined;
	}
	onValue(value);
	await secrets.set(name, value);
	inform(vscode.l10n.t('Stored the secret {name}.', { name }));
	return name;
}

/** `asked`: the name, where it was chosen elsewhere; then a dialog asks whether it is meant. */
export async function forgetSecret({ secrets }: UserSecretPorts, asked: unknown): Promise<void> {
	const names = [...(await secrets.list())].sort();
	if (names.length === 0) {
		inform(vscode.l10n.t('No secrets are stored.'));
		return;
	}
	const name =
		typeof asked === 'string'
			? await confirmForgetting(asked, names)
			: await vscode.window.showQuickPick(names, { title: vscode.l10n.t('Forget a Secret') });
	if (name !== undefined) {
		await secrets.set(name, undefined);
		inform(vscode.l10n.t('Removed the secret {name}.', { name }));
	}
}

async function confirmForgetting(name: string, names: readonly string[]): Promise<string | undefined> {
	const question = vscode.l10n.t('Forget the secret {name}?', { name });
	const loss = vscode.l10n.t('Its value is deleted and cannot be restored.');
	return names.includes(name) && (await confirmLoss(question, [loss], vscode.l10n.t('Forget'))) ? name : undefined;
}
