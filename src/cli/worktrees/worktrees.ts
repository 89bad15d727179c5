/** `prowess worktree …`: what worktrees of a folder there are, and how their work is brought home or discarded. */
import { sizeText } from '../../base/text/measures.ts';
import type {
	BroughtHome,
	WorktreeLosses,
	WorktreeRegister,
	WorktreeView,
} from '../../features/worktrees/worktree-register.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { formatJson } from '../invocation/print-result.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';

/** Names that are shown of each kind of what would be lost. */
const LOSSES_SHOWN = 10;

export const listWorktrees: CommandAction = async (invocation, context) =>
	await withWorktrees(invocation, context, 'worktree list', async (worktrees) => {
		const { terminal, signal } = context;
		const all = await worktrees.list(signal);
		if (invocation.switches.has('json')) {
			terminal.out(formatJson(all));
		} else if (all.length === 0) {
			terminal.err('This folder has no worktrees. Begin in one with: prowess run --worktree NAME "<prompt>"\n');
		} else {
			terminal.out(all.map(worktreeLine).join(''));
		}
		return exitCodes.done;
	});

export const showWorktree: CommandAction = async (invocation, context) =>
	await withWorktrees(invocation, context, 'worktree show', async (worktrees) => {
		const { terminal, signal } = context;
		const name = readName(invocation);
		const { switches } = invocation;
		if (switches.has('diff')) {
			// Line by line: what a file holds does nothing to the terminal.
			terminal.out(visiblePatch(await worktrees.diff(name, signal)));
			return exitCodes.done;
		}
		const { view, found } = await worktrees.show(name, signal);
		if (switches.has('path')) {
			terminal.out(`${view.folder}\n`);
		} else if (switches.has('json')) {
			terminal.out(formatJson({ ...view, ...found }));
		} else {
			const lines = [
				...found.changes.map(({ path, kind }) => `  ${visibleLine(path)} (${kind})`),
				...found.submodules.map((path) => `  ${visibleLine(path)} (submodule: commit and push it there)`),
				...found.outside.map((path) => `  ${visibleLine(path)} (outside of the folder: merge brings it home)`),
			];
			terminal.out(`${worktreeLine(view)}folder: ${view.folder}\n`);
			terminal.out(lines.length === 0 ? 'No changes.\n' : `${lines.join('\n')}\n`);
		}
		return exitCodes.done;
	});

export const applyWorktree: CommandAction = async (invocation, context) =>
	await withWorktrees(invocation, context, 'worktree apply', async (worktrees) => {
		const { terminal, signal } = context;
		const name = readName(invocation);
		const paths = invocation.operands.slice(1);
		const side = invocation.values['take'];
		if (side !== undefined && paths.length === 0) {
			throw new UsageError('worktree apply: --take needs the paths that it is for');
		}
		const take = side === 'worktree' || side === 'workspace' ? side : undefined;
		const done = await worktrees.apply(name, paths.length === 0 ? undefined : paths, take, signal);
		const isWhole = done.conflicts.length + done.submodules.length + done.outside.length === 0;
		if (invocation.switches.has('json')) {
			terminal.out(formatJson(done));
			return isWhole ? exitCodes.done : exitCodes.failed;
		}
		const steeringNote = (path: string) =>
			done.steering.includes(path) ? ' (steers what other programs run: look at it)' : '';
		terminal.out(done.written.map((path) => `Applied: ${visibleLine(path)}${steeringNote(path)}\n`).join(''));
		terminal.out(done.merged.map((path) => `Merged: ${visibleLine(path)}${steeringNote(path)}\n`).join(''));
		terminal.err(
			done.conflicts
				.map((path) => `Left alone: ${visibleLine(path)}: the folder has another change of it. Take one with --take.\n`)
				.join(''),
		);
		terminal.err(done.submodules.map((path) => `Not applied: ${visibleLine(path)} is a submodule.\n`).join(''));
		terminal.err(
			done.outside.map((path) => `Not applied: ${visibleLine(path)} lies outside of the folder.\n`).join(''),
		);
		if (done.written.length + done.merged.length > 0) {
			terminal.err(`Undo with: prowess change undo ${done.owner}\n`);
		} else if (isWhole) {
			terminal.err('Nothing to apply: the folder has all changes already.\n');
		}
		return isWhole ? exitCodes.done : exitCodes.failed;
	});

export const mergeWorktree: CommandAction = async (invocation, context) =>
	await withWorktrees(invocation, context, 'worktree merge', async (worktrees) => {
		const name = readName(invocation);
		const done = await worktrees.merge(name, invocation.values['message'], context.signal);
		return printBrought(done, { done: 'Merged', hint: `prowess worktree rebase ${name}, or worktree apply` }, context);
	});

export const rebaseWorktreeCommand: CommandAction = async (invocation, context) =>
	await withWorktrees(invocation, context, 'worktree rebase', async (worktrees) => {
		const name = readName(invocation);
		const done = await worktrees.rebase(name, invocation.values['message'], context.signal);
		return printBrought(done, { done: 'Rebased', hint: `prowess run --worktree ${name} to solve it there` }, context);
	});

export const branchWorktree: CommandAction = async (invocation, context) =>
	await withWorktrees(invocation, context, 'worktree branch', async (worktrees) => {
		const { terminal, signal } = context;
		const name = readName(invocation);
		const { ignored } = await worktrees.losses(name, signal);
		const lost = { ignored, changed: [], commits: [] };
		if (ignored.length > 0 && !(await isLossConfirmed(invocation, context, `Keep the branch of ${name}`, lost))) {
			return exitCodes.failed;
		}
		const wish = { branch: invocation.operands[1], message: invocation.values['message'] };
		terminal.out(`${await worktrees.keepBranch(name, wish, signal)}\n`);
		return exitCodes.done;
	});

export const discardWorktree: CommandAction = async (invocation, context) =>
	await withWorktrees(invocation, context, 'worktree discard', async (worktrees) => {
		const { terminal, signal } = context;
		const name = readName(invocation);
		const lost = await worktrees.losses(name, signal);
		if (!(await isLossConfirmed(invocation, context, `Discard ${name}`, lost))) {
			return exitCodes.failed;
		}
		await worktrees.discard(name, signal);
		terminal.out(`Discarded: ${name}\n`);
		return exitCodes.done;
	});

async function withWorktrees(
	invocation: Invocation,
	context: CommandContext,
	command: string,
	act: (worktrees: WorktreeRegister) => Promise<number>,
): Promise<number> {
	const workspace = trustedWorkspace(invocation, context, command);
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) =>
		act((await host.trustedBase()).worktrees),
	);
}

async function isLossConfirmed(
	{ switches }: Invocation,
	{ terminal, signal }: CommandContext,
	what: string,
	{ changed, commits, ignored }: WorktreeLosses,
): Promise<boolean> {
	const kinds = [
		['Uncommitted changes', changed],
		['Commits that no other branch has', commits],
		['Files that Git ignores', ignored],
	] as const;
	for (const [kind, names] of kinds.filter(([, each]) => each.length > 0)) {
		const more = names.length > LOSSES_SHOWN ? [`  … and ${names.length - LOSSES_SHOWN} more`] : [];
		const shown = names.slice(0, LOSSES_SHOWN).map((name) => `  ${visibleLine(name)}`);
		terminal.err(`${kind} will be lost:\n${[...shown, ...more].join('\n')}\n`);
	}
	if (switches.has('yes')) return true;
	if (!terminal.isInteractive) {
		throw new UsageError('this removes files and asks first: run it in a terminal, or pass --yes');
	}
	terminal.err(`${what}? y/n `);
	return /^y(es)?$/i.test((await terminal.lines.next(signal))?.trim() ?? '');
}

function printBrought(
	{ conflicts, commits }: BroughtHome,
	words: { readonly done: string; readonly hint: string },
	{ terminal }: CommandContext,
): number {
	if (conflicts.length === 0) {
		terminal.out(
			commits === 0
				? 'Nothing to do: the folder has all of it.\n'
				: `${words.done}: ${commits === 1 ? '1 commit' : `${commits} commits`}\n`,
		);
		return exitCodes.done;
	}
	terminal.err(conflicts.map((path) => `Conflict: ${visibleLine(path)} was changed on both sides\n`).join(''));
	terminal.err(`Nothing was changed in the folder. Go on with ${words.hint}.\n`);
	return exitCodes.failed;
}

function worktreeLine(view: WorktreeView): string {
	const { name, state, branch, bytes, isLarger, usedAt, isStale } = view;
	const parts = [
		state === 'damaged' ? 'damaged: discard it' : state,
		branch ?? (state === 'damaged' ? undefined : 'a copy without Git'),
		state === 'damaged' ? undefined : `used ${usedAt.slice(0, 16).replace('T', ' ')} UTC`,
		`${isLarger ? 'at least ' : ''}${sizeText(bytes)}`,
		isStale ? 'stale: nothing has worked in it for two weeks' : undefined,
	];
	return `${visibleLine(name)}  ${parts
		.filter((part) => part !== undefined)
		.map(visibleLine)
		.join(', ')}\n`;
}

function visiblePatch(patch: string): string {
	return patch
		.split('\n')
		.map((line) => visibleLine(line.replaceAll('\t', '    ')))
		.join('\n');
}

function readName({ operands }: Invocation): string {
	return operands[0] ?? '';
}
