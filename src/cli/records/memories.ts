/** `prowess memory …`: what was remembered for the user and for a folder, and what waits for a review. Starts no server and reads no project. */
import type { Memory } from '../../features/memory/memory.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { readNumberOption } from '../invocation/typed-values.ts';
import { withHost } from '../ports/cli-host.ts';
import { realFolder } from '../home/trusted-folders.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { formatJson } from '../invocation/print-result.ts';

type BaseMemory = TrustedBase['memory'];

export const listMemories: CommandAction = (invocation, context) =>
	withMemories(invocation, context, (memory) => printMemories(memory, undefined, invocation, context));

export const searchMemories: CommandAction = (invocation, context) =>
	withMemories(invocation, context, (memory) => printMemories(memory, invocation.operands[0], invocation, context));

async function printMemories(
	memory: BaseMemory,
	query: string | undefined,
	invocation: Invocation,
	{ terminal }: CommandContext,
): Promise<number> {
	const { switches } = invocation;
	const found = await memory.list({
		query,
		folder: readProjectFolder(invocation),
		everywhere: switches.has('all'),
		state: switches.has('inbox') ? 'inbox' : undefined,
	});
	if (query !== undefined && memory.embeddingProblem !== undefined) {
		terminal.err(
			`The embedding model did not answer, so memories were compared on this machine. ${visibleLine(memory.embeddingProblem)}\n`,
		);
	}
	if (switches.has('json')) {
		terminal.out(formatJson(found));
		return exitCodes.done;
	}
	if (found.length === 0) {
		const none = switches.has('inbox')
			? 'Nothing waits for your review.\n'
			: 'Nothing is remembered here. Add a memory with "prowess memory add".\n';
		terminal.err(query === undefined ? none : 'No memory fits these words.\n');
	}
	const isShown = (state: Memory['state']) => (each: Memory) => each.state === state;
	const sections = [
		formatMemorySection('Inbox, not recalled before you accept it', found.filter(isShown('inbox'))),
		formatMemorySection('Remembered', found.filter(isShown('kept'))),
	];
	terminal.out(sections.filter((section) => section !== '').join('\n'));
	return exitCodes.done;
}

export const addMemory: CommandAction = (invocation, context) =>
	withMemories(invocation, context, async (memory) => {
		const { operands, switches } = invocation;
		const days = readNumberOption(invocation, 'expires', 0, 3_650);
		const { id, isKnown } = await memory.add(
			{
				text: operands[0] ?? '',
				scope: switches.has('user') ? 'user' : 'project',
				kind: switches.has('preference') ? 'preference' : 'fact',
				...(days === 0 ? {} : { expiresInDays: days }),
			},
			readProjectFolder(invocation),
		);
		context.terminal.err(isKnown ? `Remembered already: ${id}\n` : `Remembered: ${id}\n`);
		return exitCodes.done;
	});

export const acceptMemories: CommandAction = (invocation, context) =>
	reviewMemories(invocation, context, 'accept', async (memory, id) => `Accepted: ${(await memory.accept(id)).text}`);

export const rejectMemories: CommandAction = (invocation, context) =>
	reviewMemories(invocation, context, 'reject', async (memory, id) => `Rejected: ${(await memory.forget(id)).text}`);

export const forgetMemories: CommandAction = (invocation, context) =>
	withMemories(invocation, context, async (memory) => {
		for (const id of new Set(invocation.operands)) {
			const { text } = await memory.forget(id);
			context.terminal.err(`Forgotten: ${visibleLine(text)}\n`);
		}
		return exitCodes.done;
	});

/** Acts on the named memories of the inbox, or on all of it. */
function reviewMemories(
	invocation: Invocation,
	context: CommandContext,
	verb: string,
	act: (memory: BaseMemory, id: string) => Promise<string>,
): Promise<number> {
	const isAll = invocation.switches.has('all');
	if (isAll === invocation.operands.length > 0) {
		throw new UsageError(`memory ${verb}: name the ids that \`prowess memory list --inbox\` shows, or pass --all`);
	}
	return withMemories(invocation, context, async (memory) => {
		const waiting = await memory.list({ state: 'inbox', everywhere: !isAll, folder: readProjectFolder(invocation) });
		const ids = isAll ? waiting.map(({ id }) => id) : [...new Set(invocation.operands)];
		const missing = ids.filter((id) => !waiting.some((one) => one.id === id));
		if (missing.length > 0) {
			const message = `the inbox holds no memory ${missing.join(', ')}; \`prowess memory list --inbox\` shows the ids`;
			throw new ProwessError('NOT_FOUND', message, { ids: missing });
		}
		for (const id of ids) {
			context.terminal.err(`${visibleLine(await act(memory, id))}\n`);
		}
		if (ids.length === 0) {
			context.terminal.err('The inbox is empty.\n');
		}
		return exitCodes.done;
	});
}

function withMemories(
	invocation: Invocation,
	context: CommandContext,
	work: (memory: BaseMemory) => Promise<number>,
): Promise<number> {
	return withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) =>
		work((await host.trustedBase()).memory),
	);
}

/** Only its path counts: nothing in it is read. */
function readProjectFolder({ values }: Invocation): string {
	return realFolder(values['workspace'] ?? '.');
}

function formatMemorySection(title: string, memories: readonly Memory[]): string {
	return memories.length === 0 ? '' : `${title} (${memories.length}):\n${memories.map(formatMemory).join('')}`;
}

function formatMemory({ id, text, scope, kind, by, at, expiresAt, origin, project }: Memory): string {
	const facts = [
		scope === 'user' ? 'everywhere' : project,
		...(kind === 'preference' ? ['preference'] : []),
		by === 'user' ? 'by you' : 'by the agent',
		at.slice(0, 10),
		...(expiresAt === undefined ? [] : [`until ${expiresAt.slice(0, 10)}`]),
		...(origin === undefined ? [] : [`thread ${origin.threadId}`]),
	];
	return `  ${id}  ${visibleLine(text)}\n    ${visibleLine(facts.join(', '))}\n`;
}
