/** The conversation's part of a restore: one step of the server, which it has done or not. */
import type { RestoreWish } from '../../../contract/changes.ts';
import { type ErrorCode, isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import type { ThreadId, TurnId } from '../../../protocol/rpc/ids.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';
import type { RestoreRow } from '../../record/store/image-rows.ts';

interface ConversationMoveFailure {
	/** The server has answered that it did nothing. */
	refused(): Promise<unknown>;
	/** Nobody knows whether it was done. */
	unclear(): void;
}

/** Answers of a server that has done nothing; anything else leaves that open. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
	'TURN_RUNNING',
	'TURN_NOT_FOUND',
	'THREAD_NOT_FOUND',
	'THREAD_BUSY',
	'INVALID_STATE',
	'STORE_UNAVAILABLE',
	'STORE_NEWER',
]);

/** Rejects with TURN_RUNNING. */
export async function refuseRunning(server: Peer, threadId: ThreadId, signal: AbortSignal): Promise<void> {
	const { info } = await server.call(threadRequests.open, { threadId, items: 1 }, signal);
	if (info.running) {
		throw new ProwessError('TURN_RUNNING', `a turn is running in thread ${threadId}`, { threadId });
	}
}

/** Goes back before the message. Takes no signal: after a cancellation nobody would know whether it was done. */
export async function rewindConversation(
	server: Peer,
	{ threadId, turnId, files }: RestoreWish,
	failure: ConversationMoveFailure,
): Promise<void> {
	const params = { threadId, turnId, files: files ? ('restored' as const) : ('kept' as const) };
	await orTold(server.call(threadRequests.rewind, params, new AbortController().signal), failure);
}

/** Undoes `rewindConversation`. */
export async function putConversationBack(
	server: Peer,
	{ threadId, turnId }: RestoreRow,
	failure: ConversationMoveFailure,
): Promise<void> {
	const params = { threadId: threadId as ThreadId, turnId: turnId as TurnId };
	await orTold(server.call(threadRequests.restore, params, new AbortController().signal), failure);
}

/** For a host that was killed: whether the conversation had moved before it was, the server knows. */
export async function moveAgain(
	server: Peer,
	row: RestoreRow,
	way: 'forth' | 'back',
	signal: AbortSignal,
): Promise<void> {
	const threadId = row.threadId as ThreadId;
	const turnId = row.turnId as TurnId;
	const files = row.files.length > 0 ? 'restored' : 'kept';
	try {
		await (way === 'back'
			? server.call(threadRequests.restore, { threadId, turnId }, signal)
			: server.call(threadRequests.rewind, { threadId, turnId, files }, signal));
	} catch (error) {
		if (!isProwessError(error) || !['TURN_NOT_FOUND', 'THREAD_NOT_FOUND', 'INVALID_STATE'].includes(error.code)) {
			throw error;
		}
	}
}

async function orTold(call: Promise<unknown>, { refused, unclear }: ConversationMoveFailure): Promise<void> {
	try {
		await call;
	} catch (error) {
		if (isProwessError(error) && REFUSALS.has(error.code)) {
			await refused();
		} else {
			unclear();
		}
		throw error;
	}
}
