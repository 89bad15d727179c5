/** `prowess change …`: what a thread, or a capability outside of any, has changed in a folder; keeps or undoes it. */
import { EXECUTION_ID } from '../../execution/runs/executions-of-hosts.ts';
import type { ChangeTracker, Hunk } from '../../contract/changes.ts';
import type { ChangeOwner, FileChange } from '../../protocol/approvals/changes.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { readNumberOption } from '../invocation/typed-values.ts';
import { withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { formatJson } from '../invocation/print-result.ts';

export const listChanges: CommandAction = async (invocation, context) => {
	const { terminal } = context;
	const [id] = invocation.operands;
	const [, path] = invocation.operands;
	return await withChanges(invocation, context, 'change list', async (changes) => {
		if (path !== undefined) {
			return await listHunks(changes, invocation, path, context);
		}
		const listed =
			id === undefined
				? [
						...(await changes.ofThreads()).map(({ owner, ...rest }) => ({ id: owner, ...rest })),
						...(await changes.ofExecutions()).map(({ executionId, ...rest }) => ({ id: executionId, ...rest })),
					]
				: [{ id, changes: await changes.list(readChangeOwner(invocation)) }];
		if (invocation.switches.has('json')) {
			terminal.out(formatJson(listed));
		} else if (listed.every((each) => each.changes.length === 0)) {
			terminal.err('No changes can be undone here.\n');
		} else {
			terminal.out(listed.map((each) => [each.id, ...each.changes.map(changeLine), ''].join('\n')).join(''));
		}
		return exitCodes.done;
	});
};

export const undoChangesCommand: CommandAction = async (invocation, context) => {
	const { terminal, signal } = context;
	return await withChanges(invocation, context, 'change undo', async (changes) => {
		const owner = readChangeOwner(invocation);
		const paths = await requireChangedPaths(changes, owner, invocation);
		const hunk = await findNamedHunk(changes, owner, paths, invocation);
		if (hunk !== undefined) {
			await changes.undoHunk(owner, hunk.path, hunk.hunk, signal);
			terminal.out(`Undone: hunk ${hunk.hunk.number} of ${visibleLine(hunk.path)}\n`);
			return exitCodes.done;
		}
		const { skipped } = await changes.undo(owner, paths, invocation.switches.has('force'), signal);
		const left = new Set(skipped);
		for (const path of paths) {
			terminal.out(left.has(path) ? '' : `Undone: ${visibleLine(path)}\n`);
		}
		for (const path of skipped) {
			const isUnknown = isOfUnknown((await changes.list(owner)).find((each) => each.path === path));
			const why = invocation.switches.has('force')
				? 'has somebody else’s file, link or folder in its place'
				: isUnknown
					? 'changed while a command ran, and may be the work of somebody else. --force undoes it too'
					: 'was changed again since. --force drops those changes too';
			terminal.err(`Not undone: ${visibleLine(path)} ${why}.\n`);
		}
		return skipped.length === 0 ? exitCodes.done : exitCodes.failed;
	});
};

export const keepChangesCommand: CommandAction = async (invocation, context) => {
	const { terminal } = context;
	return await withChanges(invocation, context, 'change keep', async (changes) => {
		const owner = readChangeOwner(invocation);
		const paths = await requireChangedPaths(changes, owner, invocation);
		const hunk = await findNamedHunk(changes, owner, paths, invocation);
		if (hunk !== undefined) {
			await changes.keepHunk(owner, hunk.path, hunk.hunk);
			terminal.out(`Kept: hunk ${hunk.hunk.number} of ${visibleLine(hunk.path)}\n`);
			return exitCodes.done;
		}
		await changes.keep(owner, paths);
		for (const path of paths) {
			terminal.out(`Kept: ${visibleLine(path)}\n`);
		}
		return exitCodes.done;
	});
};

async function listHunks(
	changes: ChangeTracker,
	invocation: Invocation,
	path: string,
	{ terminal }: CommandContext,
): Promise<number> {
	const owner = readChangeOwner(invocation);
	await requireChangedPaths(changes, owner, invocation);
	const hunks = await changes.hunks(owner, path);
	if (invocation.switches.has('json')) {
		terminal.out(formatJson(hunks));
		return exitCodes.done;
	}
	for (const { number, line, removed, added } of hunks) {
		const lines = [...removed.map((each) => `-${each}`), ...added.map((each) => `+${each}`)];
		terminal.out(`hunk ${number}, line ${line}\n${lines.map((each) => `${visibleLine(each.trimEnd())}\n`).join('')}`);
	}
	return exitCodes.done;
}

/** The hunk that was named; undefined when none was. */
async function findNamedHunk(
	changes: ChangeTracker,
	owner: ChangeOwner,
	paths: readonly string[],
	invocation: Invocation,
): Promise<{ readonly path: string; readonly hunk: Hunk } | undefined> {
	if (invocation.values['hunk'] === undefined) {
		return undefined;
	}
	const [path] = paths;
	if (path === undefined || invocation.operands.length !== 2) {
		throw new UsageError('--hunk needs the one path that the hunk belongs to');
	}
	const hunks = await changes.hunks(owner, path);
	const hunk = hunks[readNumberOption(invocation, 'hunk', 1, hunks.length) - 1];
	return hunk === undefined ? undefined : { path, hunk };
}

/** Says which files a capability has changed, and how to undo that. */
export function changesSentence(executionId: string, changes: readonly FileChange[]): string {
	const paths = changes.map(({ path }) => path).join(', ');
	return `${visibleLine(`Changed: ${paths}`)}\nUndo with: prowess change undo ${executionId}\n`;
}

async function withChanges(
	invocation: Invocation,
	context: CommandContext,
	command: string,
	act: (changes: ChangeTracker) => Promise<number>,
): Promise<number> {
	const workspace = trustedWorkspace(invocation, context, command);
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) =>
		act((await host.trustedBase()).changes),
	);
}

/** Returns the named paths, else all that are changed. Rejects when a named one has no change. */
async function requireChangedPaths(
	changes: ChangeTracker,
	owner: ChangeOwner,
	{ operands }: Invocation,
): Promise<readonly string[]> {
	const changed = (await changes.list(owner)).map(({ path }) => path);
	const named = operands.slice(1);
	const unknown = named.find((path) => !changed.includes(path));
	if (unknown !== undefined) {
		throw new UsageError(`${unknown} has no change of ${owner} that can be undone here`);
	}
	if (changed.length === 0) {
		throw new UsageError(`${owner} has no changes that can be undone here`);
	}
	return named.length === 0 ? changed : named;
}

function readChangeOwner({ operands }: Invocation): ChangeOwner {
	const id = operands[0] ?? '';
	if (!EXECUTION_ID.test(id) && !ThreadId.safeParse(id).success) {
		throw new UsageError(`expected the id of a run (cap_…) or of a thread (thr_…), got "${id}"`);
	}
	return id;
}

/** True when nothing shows whose change it is. */
function isOfUnknown(change: FileChange | undefined): boolean {
	return change?.since?.some(({ kind }) => kind === 'unknown') === true;
}

function changeLine(change: FileChange): string {
	const { path, entry, kind, added, removed, touchedSince } = change;
	const again = touchedSince ? ', changed again since' : '';
	const since = isOfUnknown(change) ? ', changed while a command ran: whose change it is is not known' : again;
	const what = entry === undefined ? `${kind}, +${added} -${removed}` : `${entry} ${kind}`;
	return `  ${visibleLine(path)} (${what}${since})`;
}
