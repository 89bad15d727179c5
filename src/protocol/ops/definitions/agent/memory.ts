/** Memories: what the agent and the user want later threads to know. They are data for a model, never instructions. */
import { shortenToLine } from '../../../../base/text/one-line.ts';
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { MEMORY_CHARS, RECALLED_AT_MOST } from '../../memory-bounds.ts';
import { text } from '../../../text/text.ts';

/** Where a memory counts: in the open project, or in all of the user's threads. */
const MemoryScope = z.enum(['project', 'user']);

/** A fact is recalled where it fits the message; a preference in every thread that has room for it. */
const MemoryKind = z.enum(['fact', 'preference']);

const MemoryId = z
	.string()
	.max(64)
	.regex(/^mem_[A-Za-z0-9-]+$/, 'expected an id like "mem_…"');

const RecalledMemory = z.object({
	id: z.string(),
	text: z.string(),
	scope: MemoryScope,
	kind: MemoryKind,
	/** Author of its words; the user may have reviewed those of an agent. */
	by: z.enum(['user', 'agent']),
	at: z.iso.datetime(),
	/** Thread whose agent noted it, absent where none did. The host goes by the label of that thread. */
	threadId: z.string().optional(),
});
export type RecalledMemory = z.infer<typeof RecalledMemory>;

export const memoryRemember = defineOp({
	params: z.strictObject({
		text: z.string().trim().min(1).max(MEMORY_CHARS),
		scope: MemoryScope.default('project'),
		kind: MemoryKind.default('fact'),
		expiresInDays: z.int().positive().max(3_650).optional(),
	}),
	result: z.object({
		id: z.string(),
		/** `inbox`: it is recalled once the user has accepted it. */
		state: z.enum(['inbox', 'kept']),
		/** The same text was there already. */
		isKnown: z.boolean(),
	}),
	risk: 'MONITORED',
	permission: 'memory',
	effect: 'interact',
	timeoutMs: 10_000,
	callers: ['agent', 'user'],
	tool: 'Note one lasting fact or preference for later threads. The user reviews it first.',
	isRare: true,
	title: ({ text: words }) => text('Remember: {words}', { words: shortenToLine(words) }),
	present: ({ id, state, isKnown }) =>
		isKnown
			? `This is remembered already, as ${id}.`
			: state === 'kept'
				? `Remembered as ${id}.`
				: `Noted as ${id}. It waits for the user's review and is not recalled before.`,
});

export const memoryRecall = defineOp({
	params: z.strictObject({
		/** Words to look for; the message of the user, before the first call of a turn. */
		query: z.string().max(20_000),
		/** Memories that the thread was told already. */
		told: z.array(MemoryId).max(1_000).default([]),
	}),
	result: z.object({
		memories: z.array(RecalledMemory).max(RECALLED_AT_MOST),
		/** The embedding model that the user has chosen did not answer: they were compared on this machine. */
		isLocal: z.boolean().optional(),
	}),
	risk: 'MONITORED',
	permission: 'memory',
	effect: 'read',
	timeoutMs: 10_000,
	callers: ['agent', 'user'],
	isHousekeeping: true,
	tool: 'Search what was remembered in earlier threads.',
	isRare: true,
	title: ({ query }) => text('Recall: {query}', { query: shortenToLine(query) }),
	present: ({ memories }) => memories.map(memoryLine).join('\n') || 'Nothing that was remembered fits.',
});

export const memoryForget = defineOp({
	params: z.strictObject({ id: MemoryId }),
	result: z.object({ id: z.string(), text: z.string() }),
	risk: 'CONTROLLED',
	permission: 'memory',
	effect: 'execute',
	timeoutMs: 10_000,
	callers: ['agent', 'user'],
	tool: 'Delete a memory by its id.',
	isRare: true,
	title: ({ id }) => text('Forget the memory {id}', { id }),
	present: ({ text }) => `Forgotten: ${shortenToLine(text)}`,
});

/** A memory as a model reads it: one line, so that none looks like a part of our own text. */
export function memoryLine({ id, text, scope, kind, by, at }: RecalledMemory): string {
	const where = scope === 'user' ? 'of the user' : 'of this project';
	const what = text.replaceAll(/\s+/g, ' ').replaceAll('<', '‹').replaceAll('>', '›');
	return `- ${id} (${kind} ${where}, ${by === 'user' ? 'written by the user' : 'noted by an agent'}, ${at.slice(0, 10)}): ${what}`;
}
