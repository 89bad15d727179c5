/** `prowess change …`: what a thread, or a capability outside of any, has changed in a folder; keeps or undoes it. */
import { EXECUTION_ID } from '../capability-host/execution/executions-of-hosts.ts';
import type { Changes } from '../capability-host/contract/changes.ts';
import type { ChangeOwner, FileChange } from '../protocol/changes.ts';
import { ThreadId } from '../protocol/ids.ts';
import type { CommandAction, CommandContext, Invocation } from './command.ts';
import { withHost } from './compose.ts';
import { exitCodes } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';
import { visibleLine } from './visible.ts';
import { trustedWorkspace } from './workspace-option.ts';

export const listChanges: CommandAction = async (invocation, context) => {
	const { terminal } = context;
	const [id] = invocation.operands;
	return await withChanges(invocation, context, 'change list', async (changes) => {
		const listed =
			id === undefined
				? (await changes.ofExecutions()).map(({ executionId, ...rest }) => ({ id: executionId, ...rest }))
				: [{ id, changes: await changes.list(ownerOf(invocation)) }];
		if (invocation.switches.has('json')) {
			terminal.out(`${JSON.stringify(listed, null, 2)}\n`);
		} else if (listed.every((each) => each.changes.length === 0)) {
			terminal.err('No changes can be undone here.\n');
		} else {
			terminal.out(listed.map((each) => [each.id, ...each.changes.map(changeLine), ''].join('\n')).join(''));
		}
		return exitCodes.done;
	});
};

export const undoChanges: CommandAction = async (invocation, context) => {
	const { terminal, signal } = context;
	return await withChanges(invocation, context, 'change undo', async (changes) => {
		const owner = ownerOf(invocation);
		const paths = await pathsOf(changes, owner, invocation);
		const { skipped } = await changes.undo(owner, paths, invocation.switches.has('force'), signal);
		const left = new Set(skipped);
		for (const path of paths) {
			terminal.out(left.has(path) ? '' : `Undone: ${visibleLine(path)}\n`);
		}
		for (const path of skipped) {
			terminal.err(`Not undone: ${visibleLine(path)} was changed again since. --force drops those changes too.\n`);
		}
		return skipped.length === 0 ? exitCodes.done : exitCodes.failed;
	});
};

export const keepChanges: CommandAction = async (invocation, context) => {
	const { terminal } = context;
	return await withChanges(invocation, context, 'change keep', async (changes) => {
		const owner = ownerOf(invocation);
		const paths = await pathsOf(changes, owner, invocation);
		await changes.keep(owner, paths);
		for (const path of paths) {
			terminal.out(`Kept: ${visibleLine(path)}\n`);
		}
		return exitCodes.done;
	});
};

/** Says which files a capability has changed, and how to undo that. */
export function changesSentence(executionId: string, changes: readonly FileChange[]): string {
	const paths = changes.map(({ path }) => path).join(', ');
	return `${visibleLine(`Changed: ${paths}`)}\nUndo with: prowess change undo ${executionId}\n`;
}

async function withChanges(
	invocation: Invocation,
	context: CommandContext,
	command: string,
	act: (changes: Changes) => Promise<number>,
): Promise<number> {
	const workspace = trustedWorkspace(invocation, context, command);
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) =>
		act((await host.trustedBase()).changes),
	);
}

/** Those that were named, else all. Rejects when a named one has no change. */
async function pathsOf(changes: Changes, owner: ChangeOwner, { operands }: Invocation): Promise<readonly string[]> {
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

function ownerOf({ operands }: Invocation): ChangeOwner {
	const id = operands[0] ?? '';
	if (!EXECUTION_ID.test(id) && !ThreadId.safeParse(id).success) {
		throw new UsageError(`expected the id of a run (cap_…) or of a thread (thr_…), got "${id}"`);
	}
	return id;
}

function changeLine({ path, kind, added, removed, touchedSince }: FileChange): string {
	const since = touchedSince ? ', changed again since' : '';
	return `  ${visibleLine(path)} (${kind}, +${added} -${removed}${since})`;
}
