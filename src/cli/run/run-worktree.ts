/** The worktree that `prowess run --worktree` works in: made in the name of the project, before the host of the run is composed. */
import type { ExtraFound, ExtraWay, OpenWorktree } from '../../features/worktrees/worktree-register.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { withHost } from '../ports/cli-host.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';

/** Questions of one run about what is not in Git; what is beyond is left out. */
const ASKED_EXTRAS = 12;
/** Given in place of a name: one is made of the prompt. */
const NEW_NAME = 'new';

/** Undefined: the run works in the folder itself. The caller disposes of it when the run has ended. */
export async function openRunWorktree(
	invocation: Invocation,
	context: CommandContext,
	{ project, prompt }: { readonly project: string; readonly prompt: string },
): Promise<OpenWorktree | undefined> {
	const named = invocation.values['worktree'];
	const from = invocation.values['from'];
	if (named === undefined) {
		if (from !== undefined) throw new UsageError('run: --from goes with --worktree');
		return undefined;
	}
	const { terminal, signal } = context;
	// The server's program is for the host of the run.
	const own = { ...context, server: undefined };
	return await withHost(invocation, own, { workspace: project, approvalMode: 'never' }, async (host) => {
		const { worktrees } = await host.trustedBase();
		const names = named === NEW_NAME ? (await worktrees.list(signal)).map(({ name }) => name) : [];
		const name = named === NEW_NAME ? nameAfter(prompt, names) : named;
		const askAbout = terminal.isInteractive
			? (found: readonly ExtraFound[]) => askExtraWays(found, terminal, signal)
			: undefined;
		const opened = await worktrees.open({ name, from, ...(askAbout && { askAbout }) }, signal);
		terminal.err(openedText(name, opened));
		return opened;
	});
}

/** The first words of the prompt, as far as a name can have them, and a number where there is one already. */
function nameAfter(prompt: string, names: readonly string[]): string {
	const words = prompt.toLowerCase().match(/[a-z0-9]+/g) ?? [];
	const slug = words.slice(0, 5).join('-').slice(0, 40) || 'work';
	for (let number = 1; ; number++) {
		const name = number === 1 && slug !== NEW_NAME ? slug : `${slug}-${number}`;
		if (!names.includes(name)) return name;
	}
}

function openedText(name: string, { isNew, folder, hidden, uncommitted }: OpenWorktree): string {
	const lines = [`${isNew ? 'New worktree' : 'Worktree'} ${name}: ${folder}`];
	if (uncommitted > 0) {
		lines.push(
			`Not in it: ${uncommitted === 1 ? '1 uncommitted change' : `${uncommitted} uncommitted changes`} of the folder.`,
		);
	}
	if (hidden.length > 0) {
		const shown = hidden.slice(0, 5).map(visibleLine).join(', ');
		lines.push(`Not in it, as Git ignores it: ${shown}${hidden.length > 5 ? ' …' : ''}. See prowess.worktrees.`);
	}
	return `${lines.join('\n')}\n`;
}

async function askExtraWays(
	found: readonly ExtraFound[],
	terminal: Terminal,
	signal: AbortSignal,
): Promise<Readonly<Record<string, ExtraWay>>> {
	const ways: Record<string, ExtraWay> = {};
	for (const { path, isFolder } of found.slice(0, ASKED_EXTRAS)) {
		terminal.err(
			`Git ignores ${visibleLine(path)}${isFolder ? '/' : ''}. In worktrees of this folder: c(opy), l(ink) or h(ide)? `,
		);
		const answer = (await terminal.lines.next(signal))?.trim().toLowerCase() ?? '';
		ways[path] = answer.startsWith('c') ? 'copy' : answer.startsWith('l') ? 'link' : 'hide';
	}
	return ways;
}
