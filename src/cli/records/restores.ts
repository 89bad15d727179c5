/** `prowess thread restore` and `thread redo`: the files and the conversation of a thread as they were before a message. */
import type { RestoreDone, RestoreFile } from '../../protocol/thread/restores.ts';
import { withHost } from '../ports/cli-host.ts';
import type { CliHost } from '../ports/cli-host.ts';
import type { CommandAction, CommandContext } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { visibleLine } from '../terminal/visible.ts';
import { messageLine, readTurnMessages, requireMessage } from './messages.ts';
import { readThreadId } from './threads.ts';

export const restoreThreadCommand: CommandAction = async (invocation, context) => {
	const { terminal, signal } = context;
	const { switches } = invocation;
	const threadId = readThreadId(invocation);
	if (switches.has('files') && switches.has('conversation')) {
		throw new UsageError('thread restore: without --files and --conversation, both go back');
	}
	const workspace = trustedWorkspace(invocation, context, 'thread restore');
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		const server = await host.server(signal);
		const messages = await readTurnMessages((def, params) => server.call(def, params, signal), threadId);
		const message = requireMessage(messages, invocation.operands[1] ?? '');
		const { restores } = await host.trustedBase();
		const files = !switches.has('conversation');
		const conversation = !switches.has('files');
		const force = switches.has('force');
		const preview = files ? await restores.preview(threadId, message.turnId) : [];
		terminal.err(`Back to before message${messageLine(message)}`);
		terminal.err(preview.map((file) => fileLine(file, force)).join(''));
		if (conversation) {
			const count = messages.length - message.number + 1;
			terminal.err(`  ${count === 1 ? '1 message leaves' : `${count} messages leave`} the conversation\n`);
		}
		if (!switches.has('yes') && !(await isRestoreConfirmed(context))) {
			return exitCodes.failed;
		}
		const wish = { threadId, turnId: message.turnId, files, conversation, force };
		return printRestoreDone(await restores.restore(wish, signal), 'Restored', context);
	});
};

export const redoRestore: CommandAction = async (invocation, context) => {
	const threadId = readThreadId(invocation);
	const workspace = trustedWorkspace(invocation, context, 'thread redo');
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host: CliHost) => {
		const { restores } = await host.trustedBase();
		return printRestoreDone(await restores.redo(threadId, context.signal), 'Brought back', context);
	});
};

async function isRestoreConfirmed({ terminal, signal }: CommandContext): Promise<boolean> {
	if (!terminal.isInteractive) {
		throw new UsageError('thread restore asks before it changes anything: run it in a terminal, or pass --yes');
	}
	terminal.err('Go back? y/n ');
	return /^y(es)?$/i.test((await terminal.lines.next(signal))?.trim() ?? '');
}

const RESTORE_KIND_WORDS = {
	changes: 'earlier content is restored',
	returns: 'file is restored',
	goes: 'file is deleted',
} as const;
const HINDRANCES = {
	changed: 'left alone: changed by somebody else since; --force drops those changes',
	lost: 'left alone: what it held is not kept any more',
	unreadable: 'left alone: it cannot be read',
} as const;

function fileLine({ path, entry, kind, added, removed, hindrance }: RestoreFile, force: boolean): string {
	const isLeft = hindrance !== undefined && !(hindrance === 'changed' && force);
	const fate =
		entry === undefined
			? `${RESTORE_KIND_WORDS[kind]} (+${added} -${removed})`
			: RESTORE_KIND_WORDS[kind].replace(/^file|earlier content/, entry);
	return `  ${visibleLine(path)}: ${isLeft ? HINDRANCES[hindrance] : fate}\n`;
}

function printRestoreDone({ restored, left }: RestoreDone, what: string, { terminal }: CommandContext): number {
	terminal.out(`${what}: ${restored === 1 ? '1 file' : `${restored} files`}\n`);
	for (const path of left) {
		terminal.err(`Left alone: ${visibleLine(path)}\n`);
	}
	return left.length === 0 ? exitCodes.done : exitCodes.failed;
}
