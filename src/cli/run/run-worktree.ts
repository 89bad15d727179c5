/** The worktree that `prowess run --worktree` works in: made in the name of the project, before the host of the run is composed. */
import type {
	ExtraFound,
	ExtraWay,
	OpenWorktree,
	SetUpEnd,
	SetUpQuestion,
} from '../../features/worktrees/worktree-register.ts';
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
		const asked = terminal.isInteractive
			? {
					askAbout: (found: readonly ExtraFound[]) => askExtraWays(found, terminal, signal),
					askSetUp: (question: SetUpQuestion) => askSetUpLine(question, terminal, signal),
				}
			: {};
		const opened = await worktrees.open({ name, from, ...asked }, signal);
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

function openedText(name: string, { isNew, folder, hidden, uncommitted, setUp }: OpenWorktree): string {
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
	if (setUp !== undefined) lines.push(setUpText(setUp));
	return `${lines.join('\n')}\n`;
}

function setUpText({ line, state, output }: SetUpEnd): string {
	const shown = output.split('\n').map(visibleLine).join('\n');
	switch (state) {
		case 'done':
			return `Set up with: ${visibleLine(line)}`;
		case 'failed':
			return `Not set up: ${visibleLine(line)} failed.\n${shown}`;
		case 'skipped':
			return `Not set up: what ${visibleLine(line)} runs has changed since you agreed to it (${shown}). A run in a terminal asks.`;
	}
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

async function askSetUpLine(
	{ known, changed, likely }: SetUpQuestion,
	terminal: Terminal,
	signal: AbortSignal,
): Promise<string> {
	if (known !== undefined) {
		const files = changed.map(visibleLine).join(', ');
		terminal.err(`What ${visibleLine(known)} runs has changed (${files}). Set up this worktree with it? y/n `);
		return /^y(es)?$/i.test((await terminal.lines.next(signal))?.trim() ?? '') ? known : '';
	}
	const example = likely === undefined ? '' : `, for example ${likely}`;
	terminal.err(`Command that sets up each new worktree of this folder${example} (Enter: none): `);
	return (await terminal.lines.next(signal))?.trim() ?? '';
}
