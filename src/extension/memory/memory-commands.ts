/** Commands of the view *Memory*. Each takes the row it was called on, and asks for the memory where it was called without. */
import * as vscode from 'vscode';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import type { Memory } from '../../features/memory/memory.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { MEMORY_CHARS } from '../../protocol/ops/memory-bounds.ts';
import { type MemoryCommandId, MEMORY_VIEW } from '../editor/command-table.ts';
import { isNodeOfKind } from '../editor/changing-tree.ts';
import { confirmLoss, inform, pickOrInform } from '../notices/notices.ts';
import { memoryFacts, type MemoryTree } from './memory-tree.ts';

interface MemoryCommandPorts {
	readonly tree: Pick<MemoryTree, 'refresh'>;
	/** A folder is open. */
	hasProject(): boolean;
	base(): Promise<TrustedBase>;
}

type MemoryCommands = { readonly [C in MemoryCommandId]: (...given: unknown[]) => Promise<void> };
type HostMemory = TrustedBase['memory'];

export function createMemoryCommands({ tree, hasProject, base }: MemoryCommandPorts): MemoryCommands {
	const { t } = vscode.l10n;
	const onMemory = async (
		node: unknown,
		title: string,
		act: (memory: Memory, register: HostMemory) => Promise<unknown>,
		state?: Memory['state'],
	) => {
		const register = (await base()).memory;
		const memory = memoryIn(node) ?? (await pickMemory(await register.list({ state }), title));
		if (memory !== undefined) {
			await act(memory, register);
			await tree.refresh();
		}
	};
	return {
		'prowess.showMemory': async () => void (await vscode.commands.executeCommand(`${MEMORY_VIEW}.focus`)),
		'prowess.addMemory': async () => {
			const text = await vscode.window.showInputBox({
				title: t('Remember'),
				prompt: t('One fact or preference for later threads'),
				ignoreFocusOut: true,
				validateInput: (value) =>
					value.trim().length > MEMORY_CHARS ? t('At most {0} characters', MEMORY_CHARS) : undefined,
			});
			const where = text === undefined || text.trim() === '' ? undefined : await pickWhere(hasProject());
			if (text !== undefined && where !== undefined) {
				await (await base()).memory.add({ text, ...where });
				await tree.refresh();
			}
		},
		'prowess.searchMemory': async () => {
			const query = await vscode.window.showInputBox({ title: t('Search Memory'), prompt: t('Words to look for') });
			if (query !== undefined && query.trim() !== '') {
				const found = await (await base()).memory.list({ query });
				const memory = await pickMemory(found, t('Search Memory'));
				const forget = t('Forget');
				if (memory !== undefined && (await inform(memory.text, forget)) === forget) {
					await (await base()).memory.forget(memory.id);
					await tree.refresh();
				}
			}
		},
		'prowess.acceptMemory': (node) =>
			onMemory(node, t('Accept Memory'), ({ id }, register) => register.accept(id), 'inbox'),
		'prowess.acceptAllMemories': async () => {
			const register = (await base()).memory;
			for (const { id } of await register.list({ state: 'inbox' })) {
				await register.accept(id);
			}
			await tree.refresh();
		},
		'prowess.rejectMemory': (node) =>
			onMemory(node, t('Reject Memory'), ({ id }, register) => register.forget(id), 'inbox'),
		'prowess.forgetMemory': (node) =>
			onMemory(node, t('Forget Memory'), async ({ id, text }, register) => {
				if (await confirmLoss(t('Forget this memory?'), [escapeInvisible(text, 'line')], t('Forget'))) {
					await register.forget(id);
				}
			}),
		'prowess.openMemoryThread': (node) =>
			onMemory(node, t('Open Thread of Memory'), async ({ origin }) => {
				await vscode.commands.executeCommand('prowess.openThread', origin?.threadId);
			}),
		'prowess.refreshMemory': () => tree.refresh(),
	};
}

function memoryIn(node: unknown): Memory | undefined {
	return isNodeOfKind<{ readonly memory?: Memory }>(node, 'memory') ? node.memory : undefined;
}

async function pickMemory(memories: readonly Memory[], title: string): Promise<Memory | undefined> {
	const items = memories.map((memory) => ({
		label: escapeInvisible(memory.text, 'line'),
		description: memoryFacts(memory).join(' · '),
		memory,
	}));
	return (await pickOrInform(items, vscode.l10n.t('No memory fits this command.'), { title }))?.memory;
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
