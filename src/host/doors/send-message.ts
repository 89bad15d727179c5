/** Messages of a client on their way to the server, the same for each door: cleaned, completed, begun, told to hooks, sent. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import type * as z from '../../protocol/text/zod.ts';
import { withNamedOffers } from '../../protocol/thread/message/named-offers.ts';
import { type FoundSecrets, type SecretsWish, threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { OutgoingMessage, WrittenUserMessage } from '../../trust/record/redaction/outgoing-message.ts';
import type { TrustedBase } from '../trusted-base.ts';
import type { Client } from './clients.ts';

type Prompt = z.output<(typeof threadRequests)['prompt']['params']>;

interface SentMessage extends Omit<Prompt, 'context' | 'secrets'> {
	readonly context: readonly ContextRef[];
}

/** The message without secrets, and with what its words name besides what was chosen for it. */
export async function prepareMessage(
	base: Pick<TrustedBase, 'outgoingMessage' | 'mcp'>,
	written: WrittenUserMessage,
	keepsLookalikes: boolean,
): Promise<OutgoingMessage> {
	const { message, found } = base.outgoingMessage(written, keepsLookalikes);
	const listServerNames = async () => (await base.mcp.list()).servers.map(({ name }) => name);
	return { message: await withNamedOffers(message, listServerNames), found };
}

/** Throws SECRETS_IN_MESSAGE for secrets that the user has not decided about. */
export function refuseSecrets({ known, lookalikes }: FoundSecrets, wish: SecretsWish = 'ask'): void {
	if (wish === 'ask' && known + lookalikes > 0) {
		const found = `${known} known secrets and ${lookalikes} that look like one`;
		throw new ProwessError('SECRETS_IN_MESSAGE', `the message contains ${found}`, { known, lookalikes });
	}
}

/** A title is not worth a question: it never holds secrets. */
export function cleanTitle(base: Pick<TrustedBase, 'outgoingMessage'>, title: string): string {
	return base.outgoingMessage({ text: title, context: [] }, false).message.text;
}

/** Parts of the host that hear of a message before the server does. */
export interface MessageHost {
	beginThread: TrustedBase['beginThread'];
	/** Resolves with the context that hooks add. Rejects with DENIED_BY_RULE when one refuses the message. */
	hooked(threadId: ThreadId, text: string, signal: AbortSignal): Promise<readonly ContextRef[]>;
}

/**
 * Begins the thread in this host, in the name of the client, and sends the message. Resolves with the turn once the message
 * is durable. `client` absent: the host's own view or terminal. `unsent` ends what goes before the sending, such as hooks, and
 * then nothing is sent; absent: `signal` does.
 */
export async function sendMessage(
	{ beginThread, hooked }: MessageHost,
	server: Pick<Peer, 'call'>,
	{
		how,
		client,
		message,
		unsent,
	}: {
		readonly how: 'prompt' | 'steer';
		readonly client?: Client;
		readonly message: SentMessage;
		readonly unsent?: AbortSignal;
	},
	signal: AbortSignal,
) {
	const { threadId, text } = message;
	const told = message.context.flatMap((ref) => (ref.kind === 'thread' ? [ref.threadId] : []));
	beginThread(threadId, text, {
		isSteering: how === 'steer',
		told,
		...(client && { by: client.principal, ...(client.by.device !== undefined && { device: client.by.device }) }),
	});
	const added = await hooked(threadId, text, unsent ?? signal);
	unsent?.throwIfAborted();
	const params = { ...message, context: [...message.context, ...added] };
	return await server.call(threadRequests[how], params, signal);
}

/** Narrows the thread to the widest level of the client, for good and as the user's own act: no prompt of it goes further. */
export async function keepWithinLevel(
	{ levels }: Pick<TrustedBase, 'levels'>,
	threadId: ThreadId,
	client: Client,
	signal: AbortSignal,
): Promise<void> {
	const { level } = await levels.of(threadId, signal);
	const narrowed = client.narrowed(level);
	if (narrowed !== undefined) await levels.set(threadId, narrowed, signal);
}
