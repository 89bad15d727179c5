/**
 * Runs the turn of one scheduled run, in a thread of its own. The ids of its thread and its message were stored before.
 * Therefore a run that is taken over from a dead host creates the thread once and sends the message once all the same.
 */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { OpError } from '../../protocol/turn/broker.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { Mode, Strategy, ThreadEvent, TurnOutcome } from '../../protocol/thread/thread.ts';
import { threadNotifications, threadRequests } from '../../protocol/thread/thread-requests.ts';
import { scheduleLimits } from './limits.ts';
import type { Schedule, ScheduledRun } from './schedule.ts';

export interface TurnPorts {
	server(): Promise<Peer>;
	/** Keeps the mode of a thread in this host. */
	keepMode(threadId: ThreadId, mode: Mode, signal: AbortSignal): Promise<void>;
	/** From now on the thread's agent may ask this host for ops; each is noted with its cause. */
	beginThread(threadId: ThreadId, text: string, cause: string): void;
	/** Returns the context that hooks add to a message. */
	hooked(threadId: ThreadId, text: string, signal: AbortSignal): Promise<readonly ContextRef[]>;
	/** The text without secrets. */
	clean(text: string): string;
}

interface RunNames extends Pick<ScheduledRun, 'threadId' | 'messageId'> {
	/** Folder of the worktree that a new thread works in; absent: it works in the folder of the host. */
	readonly folder?: string;
}

/** Parts that make up a turn of its own. */
interface OwnTurn {
	readonly schedule: Pick<Schedule, 'text' | 'mode'>;
	readonly run: RunNames;
	/** The schedule, or the step of a goal: in words of the ledger. */
	readonly cause: string;
	/** Strategy of the message; absent: a model answers it. */
	readonly strategy?: Strategy;
	/** Told each event of the thread while the turn runs. */
	readonly onEvent?: (event: ThreadEvent) => void;
}

/** Outcome of a turn, with the error when it did not end well. */
export interface ScheduledTurnEnd {
	readonly state: TurnOutcome;
	readonly error?: OpError | undefined;
}

/** `begun` once the message is taken. Aborting `signal` stops the turn. */
export async function scheduledTurn(
	ports: TurnPorts,
	{ schedule, run, cause, strategy = 'DIRECT_RESPONSE', onEvent }: OwnTurn,
	begun: () => void,
	signal: AbortSignal,
): Promise<ScheduledTurnEnd> {
	const { threadId } = run;
	const server = await ports.server();
	signal.throwIfAborted();
	const ends = new Map<TurnId, ScheduledTurnEnd>();
	let isChanged = () => {};
	const listening = server.on(threadNotifications, {
		update: (update) => {
			if (update.threadId !== threadId) {
				return;
			}
			for (const event of update.events) {
				onEvent?.(event);
				if (event.type === 'turn.end') {
					ends.set(event.turnId, { state: event.outcome, error: event.error });
					isChanged();
				}
			}
		},
	});
	const life = deriveSignal(signal, { what: 'a scheduled run', timeoutMs: scheduleLimits.runMs });
	try {
		const turnId = await beginScheduledTurn(
			ports,
			server,
			{ text: ports.clean(schedule.text), mode: schedule.mode, cause, strategy },
			run,
			signal,
		);
		begun();
		for (;;) {
			const end = ends.get(turnId);
			if (end !== undefined) {
				return end;
			}
			if (life.signal.aborted) {
				await stopScheduledTurn(server, threadId);
				throw life.signal.reason;
			}
			await new Promise<void>((resolve) => {
				const timer = setTimeout(resolve, scheduleLimits.checkMs);
				const stopWaiting = () => {
					clearTimeout(timer);
					life.signal.removeEventListener('abort', stopWaiting);
					resolve();
				};
				isChanged = stopWaiting;
				life.signal.addEventListener('abort', stopWaiting, { once: true });
			});
			if (!ends.has(turnId) && !life.signal.aborted && !(await isTurnRunning(server, threadId, turnId))) {
				// The end of the turn may have been reported during that request. Otherwise the server died, or an
				// earlier host with the turn.
				return ends.get(turnId) ?? { state: 'interrupted' };
			}
		}
	} finally {
		life.dispose();
		listening.dispose();
	}
}

async function stopScheduledTurn(server: Peer, threadId: ThreadId): Promise<void> {
	await withTimeLimit({ what: 'stopping a scheduled run', timeoutMs: scheduleLimits.stopMs }, (signal) =>
		server.call(threadRequests.stop, { threadId }, signal),
	).catch(() => undefined);
}

/** Resolves once the message is durable. */
async function beginScheduledTurn(
	ports: TurnPorts,
	server: Peer,
	{
		text,
		mode,
		cause,
		strategy,
	}: { readonly text: string; readonly mode: Mode; readonly cause: string; readonly strategy: Strategy },
	run: RunNames,
	signal: AbortSignal,
): Promise<TurnId> {
	const { threadId, messageId } = run;
	const limit = deriveSignal(signal, { what: 'beginning a scheduled run', timeoutMs: scheduleLimits.beginMs });
	try {
		await ensureThreadCreated(server, run, mode, limit.signal);
		await ports.keepMode(threadId, mode, limit.signal);
		ports.beginThread(threadId, text, cause);
		// Naming the strategy keeps a scheduled message from being read as a schedule of its own.
		const context = [...(await ports.hooked(threadId, text, limit.signal))];
		return (await server.call(threadRequests.prompt, { threadId, messageId, text, context, strategy }, limit.signal))
			.turnId;
	} finally {
		limit.dispose();
	}
}

async function ensureThreadCreated(
	server: Peer,
	{ threadId, folder }: Omit<RunNames, 'messageId'>,
	mode: Mode,
	signal: AbortSignal,
): Promise<void> {
	try {
		await server.call(threadRequests.create, { threadId, modelId: null, mode, folder }, signal);
	} catch (error) {
		if (!isProwessError(error) || error.code !== 'INVALID_PARAMS') {
			throw error;
		}
		// An earlier host has created it. Anything else fails here again.
		await server.call(threadRequests.open, { threadId, items: 1 }, signal);
	}
}

async function isTurnRunning(server: Peer, threadId: ThreadId, turnId: TurnId): Promise<boolean> {
	try {
		return await withTimeLimit(
			{ what: 'looking at a scheduled run', timeoutMs: scheduleLimits.beginMs },
			async (signal) => {
				const snapshot = await server.call(threadRequests.open, { threadId, items: 1 }, signal);
				return snapshot.turnId === turnId;
			},
		);
	} catch {
		// The server is gone; what it began counts as interrupted there too.
		return false;
	}
}
