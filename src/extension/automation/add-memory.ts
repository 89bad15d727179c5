/** Asks for a memory: its text, and for which threads it is. */
import * as vscode from 'vscode';
import type { Memory } from '../../features/memory/memory.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { MEMORY_CHARS } from '../../protocol/ops/memory-bounds.ts';

export async function askAndAddMemory(
	register: Pick<TrustedBase['memory'], 'add'>,
	hasProject: boolean,
): Promise<void> {
	const { t } = vscode.l10n;
	const text = await vscode.window.showInputBox({
		title: t('Remember'),
		prompt: t('One fact or preference for later threads'),
		ignoreFocusOut: true,
		validateInput: (value) =>
			value.trim().length > MEMORY_CHARS ? t('At most {0} characters', MEMORY_CHARS) : undefined,
	});
	const where = text === undefined || text.trim() === '' ? undefined : await pickWhere(hasProject);
	if (text !== undefined && where !== undefined) {
		await register.add({ text, ...where });
	}
}

async function pickWhere(hasProject: boolean): Promise<Pick<Memory, 'scope' | 'kind'> | undefined> {
	const { t } = vscode.l10n;
	const fits = t('Recalled where it fits the message');
	const always = t('Recalled in every thread that has room for it');
	const createPlaceItem = (label: string, scope: Memory['scope'], kind: Memory['kind']) => ({
		label,
		detail: kind === 'fact' ? fits : always,
		// `kind` of an item is the editor's own word.
		where: { scope, kind },
	});
	const project = [
		createPlaceItem(t('Fact of this project'), 'project', 'fact'),
		createPlaceItem(t('Preference in this project'), 'project', 'preference'),
	];
	const user = [
		createPlaceItem(t('Fact in all projects'), 'user', 'fact'),
		createPlaceItem(t('Preference in all projects'), 'user', 'preference'),
	];
	const items = [...(hasProject ? project : []), ...user];
	const picked = await vscode.window.showQuickPick(items, { title: t('Remember'), ignoreFocusOut: true });
	return picked?.where;
}
