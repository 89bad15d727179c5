/** Input that was typed and not sent: as the page shows it, and as the host keeps it for the page's next life. */
import * as z from '../text/zod.ts';
import { ItemId, newId, ThreadId } from '../rpc/ids.ts';
import { ContextRef } from '../thread/context.ts';

const MAX_TYPED_THREADS = 50;
const MAX_KEPT_QUEUE = 20;
const MAX_KEPT_REFS = 100;
/** Far more than a message may have, so that a text is not lost before the user has cut it. */
const MAX_TYPED_CHARS = 1_000_000;

export const Draft = z.object({ text: z.string().max(MAX_TYPED_CHARS), refs: z.array(ContextRef).max(MAX_KEPT_REFS) });
export type Draft = Readonly<z.infer<typeof Draft>>;

/** With its id the server takes a message once, however often it is sent. */
export const KeptMessage = Draft.extend({ id: ItemId });
export type KeptMessage = z.infer<typeof KeptMessage>;

/** Drafts by thread id, `new` for the thread that does not exist yet, and the messages that wait for the end of a turn. */
export const TypedInput = z.object({
	drafts: z.record(z.string().max(100), Draft),
	queues: z.record(ThreadId, z.array(KeptMessage).max(MAX_KEPT_QUEUE)),
});
export type TypedInput = z.infer<typeof TypedInput>;

/** Adds changes to what is kept. An empty draft or queue is dropped, and of too many the oldest. */
export function mergeTypedInput(kept: TypedInput, changed: TypedInput): TypedInput {
	return {
		drafts: keepNewest(kept.drafts, changed.drafts, ({ text, refs }) => text === '' && refs.length === 0),
		queues: keepNewest(kept.queues, changed.queues, (queue) => queue.length === 0),
	};
}

function keepNewest<T>(
	kept: Readonly<Record<string, T>>,
	changed: Readonly<Record<string, T>>,
	isEmpty: (value: T) => boolean,
): Record<string, T> {
	const others = Object.entries(kept).filter(([key]) => !Object.hasOwn(changed, key));
	const own = Object.entries(changed).filter(([, value]) => !isEmpty(value));
	return Object.fromEntries([...others, ...own].slice(-MAX_TYPED_THREADS));
}

/** Reads what was kept, whatever shape an older version gave it: what is no draft and no message is left out. */
export function readTypedInput(kept: unknown): TypedInput {
	const { drafts, queues } = toRecord(kept);
	return {
		drafts: Object.fromEntries(
			Object.entries(toRecord(drafts))
				.flatMap(([key, value]): [string, Draft][] => readDraft(value).map((draft) => [key, draft]))
				.slice(-MAX_TYPED_THREADS),
		),
		queues: Object.fromEntries(
			Object.entries(toRecord(queues))
				.map(([key, value]): [string, KeptMessage[]] => [key, ThreadId.safeParse(key).success ? readQueue(value) : []])
				.filter(([, queue]) => queue.length > 0)
				.slice(-MAX_TYPED_THREADS),
		),
	};
}

function readQueue(value: unknown): KeptMessage[] {
	const messages = Array.isArray(value) ? (value as readonly unknown[]) : [];
	return messages
		.flatMap((message) =>
			readDraft(message).map((draft) => ({
				...draft,
				id: ItemId.catch(() => newId('itm')).parse(toRecord(message)['id']),
			})),
		)
		.slice(0, MAX_KEPT_QUEUE);
}

/** Reads one, or none. */
function readDraft(value: unknown): readonly Draft[] {
	const { text, refs } = toRecord(value);
	const read = Draft.safeParse({ text, refs: Draft.shape.refs.catch([]).parse(refs) });
	return read.success ? [read.data] : [];
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Readonly<Record<string, unknown>>)
		: {};
}
