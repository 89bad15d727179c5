/** Hooks of other agents, looked over, allowed and revoked from the palette. */
import { escapeLine } from '../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { HookFileInfo } from '../../trust/gate/hooks/hook-register.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { inform, pickOrInform } from '../notices/notices.ts';
import { reviewFile } from './review-file.ts';

export async function reviewHooks(base: () => Promise<TrustedBase>): Promise<void> {
	const { hooks } = await base();
	const { files, isSandboxed } = await hooks.list();
	const items = files.map((file) => ({
		label: vscode.workspace.asRelativePath(file.path),
		description: describeHookState(file),
		detail: [...file.hooks, ...file.problems].map(escapeLine).join(' · '),
		file,
	}));
	const title = vscode.l10n.t('Review Hooks');
	const none = vscode.l10n.t('There are no hooks of other agents in this project or in your home.');
	const picked = await pickOrInform(items, none, { title, matchOnDetail: true });
	if (picked !== undefined) await reviewHookFile(picked.file, isSandboxed, hooks);
}

async function reviewHookFile(file: HookFileInfo, isSandboxed: boolean, hooks: TrustedBase['hooks']): Promise<void> {
	const name = vscode.workspace.asRelativePath(file.path);
	const review = {
		path: file.path,
		state: file.state,
		question:
			file.state === 'allowed'
				? vscode.l10n.t('The hooks of {0} are allowed to run.', name)
				: vscode.l10n.t('Let the hooks of {0} run?', name),
		details: [
			...file.hooks.map(escapeLine),
			...file.programs.map((program) =>
				vscode.l10n.t('with {0}', escapeLine(vscode.workspace.asRelativePath(program))),
			),
			...file.problems.map(escapeLine),
			vscode.l10n.t('Files that they read, or name only as they run, may change without another consent.'),
			isSandboxed
				? vscode.l10n.t('They run in the sandbox of commands, where they may change the workspace.')
				: vscode.l10n.t('No sandbox works here: what you allow runs as you.'),
		],
		onceAllowed: vscode.l10n.t('The hooks of {0} run from now on, until they change.', name),
		onceRevoked: vscode.l10n.t('The hooks of {0} no longer run.', name),
	};
	await reviewFile(review, hooks);
}

function describeHookState({ state }: HookFileInfo): string {
	switch (state) {
		case 'allowed':
			return vscode.l10n.t('allowed');
		case 'changed':
			return vscode.l10n.t('changed, does not run');
		case 'not allowed':
			return vscode.l10n.t('not allowed, does not run');
		case 'unusable':
			return vscode.l10n.t('cannot be used');
	}
}

/** Says once in a workspace that it has hooks that do not run, and again after they have changed. */
export async function noticeHooks(
	base: Pick<TrustedBase, 'hooks'>,
	noticed: vscode.Memento,
	review: () => Promise<void>,
): Promise<void> {
	const { files } = await base.hooks.list();
	const waiting = files.filter(
		({ isOfProject, state }) => isOfProject && (state === 'not allowed' || state === 'changed'),
	);
	const key = waiting.map(({ path, state, hooks }) => [path, state, ...hooks].join('\n')).join('\n');
	if (key === '' || noticed.get('prowess.noticedHooks') === key) {
		return;
	}
	await noticed.update('prowess.noticedHooks', key);
	const names = waiting.map(({ path }) => vscode.workspace.asRelativePath(path)).join(', ');
	const button = vscode.l10n.t('Review Hooks');
	const text = vscode.l10n.t('This project has hooks that do not run, because you have not allowed them: {0}', names);
	if ((await inform(text, button)) === button) await review();
}
