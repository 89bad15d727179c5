/**
 * Deletes threads that nobody has used for as long as the settings keep them, a few each time. The server judges each thread
 * once more while it holds it; then the host lets go of what it keeps of it. A note in the home names the threads from before
 * the first of that until after the last, so that a kill in the middle leaves nothing behind.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveSignal } from '../base/time/derived-signal.ts';
import type { LogPort } from '../contract/ports/ports.ts';
import { readIfThere, replaceDurably } from '../machine/home-files/durable-file.ts';
import { holdLock } from '../machine/home-files/file-lock.ts';
import { isProwessError } from '../protocol/errors/errors.ts';
import { ThreadId } from '../protocol/rpc/ids.ts';
import type { Peer } from '../protocol/rpc/peer.ts';
import * as z from '../protocol/text/zod.ts';
import { threadRequests } from '../protocol/thread/thread-requests.ts';
import type { TrustedBase } from './trusted-base.ts';

const trimLimits = {
	/** A command that ends, or a window that begins, is held up no longer; the next one goes on. */
	trimMs: 2_000,
	/** More than a command leaves behind, so that the home does not grow. */
	threadsAtOnce: 50,
	/** Threads that are looked at for them: some are kept for a goal, a worktree or a window. */
	candidates: 1_000,
} as const;

/** File of the home; a lock lies beside it. */
const TRIM_NOTE = 'trimmed-threads.json';

const TrimNote = z.object({ threadIds: z.array(ThreadId) });

interface TrimmedHost {
	readonly home: string;
	/** Above 0. */
	readonly keepDays: number;
	readonly base: Pick<TrustedBase, 'endThread' | 'goals' | 'recordAct' | 'worktrees'>;
	readonly server: Pick<Peer, 'call'>;
	readonly log: LogPort;
}

/** Threads of the folder of this host. Never rejects: what is left waits for the next time. */
export async function trimThreads(host: TrimmedHost, signal: AbortSignal): Promise<void> {
	const limit = deriveSignal(signal, { what: 'deleting unused threads', timeoutMs: trimLimits.trimMs });
	try {
		const lock = await holdLock(join(host.home, `${TRIM_NOTE}.db`));
		try {
			// Undefined: another process is at it.
			if (lock !== undefined) await trimUnderLock(host, limit.signal);
		} finally {
			lock?.dispose();
		}
	} catch (error) {
		host.log.info('unused threads are left for another time', { error: String(error) });
	} finally {
		limit.dispose();
	}
}

async function trimUnderLock({ home, keepDays, base, server, log }: TrimmedHost, signal: AbortSignal): Promise<void> {
	const before = new Date(Date.now() - keepDays * 86_400_000).toISOString();
	const path = join(home, TRIM_NOTE);
	const left = await readTrimNote(path);
	const { threadIds } = await server.call(threadRequests.unused, { before, limit: trimLimits.candidates }, signal);
	const kept = new Set<string>([...base.goals.list().map((goal) => goal.threadId), ...(await listShownThreads(home))]);
	const unused = threadIds.filter((id) => !kept.has(id) && base.worktrees.placeOf(id) === undefined);
	const going = [...new Set([...left, ...unused])].slice(0, trimLimits.threadsAtOnce);
	if (going.length === 0) return;
	const writeNote = (ids: readonly ThreadId[]) => replaceDurably(path, `${JSON.stringify({ threadIds: ids })}\n`);
	await writeNote([...new Set([...left, ...going])]);
	const act = {
		op: 'thread.trim',
		input: `Delete threads that nobody has used for ${keepDays} days: ${going.length}`,
		params: { before, threadIds: going },
	} as const;
	await base.recordAct(act, async () => {
		for (const threadId of going) {
			if (await isDeletedUnused(server, threadId, before, signal)) await base.endThread(threadId);
		}
	});
	await writeNote(left.filter((id) => !going.includes(id)));
	log.info('threads that nobody has used were deleted', { threads: going.length, keepDays });
}

/** True also when it was gone already; false when it was used, pinned or begun to work meanwhile, which keeps it. */
async function isDeletedUnused(
	server: Pick<Peer, 'call'>,
	threadId: ThreadId,
	unusedSince: string,
	signal: AbortSignal,
) {
	signal.throwIfAborted();
	try {
		await server.call(threadRequests.delete, { threadId, unusedSince }, signal);
		return true;
	} catch (error) {
		if (!isProwessError(error) || signal.aborted) throw error;
		return error.code === 'THREAD_NOT_FOUND';
	}
}

/** Threads that a window showed last, or that hold a text that is typed there and not sent. */
async function listShownThreads(home: string): Promise<readonly string[]> {
	const windows = join(home, 'windows');
	const names = await readdir(windows).catch(() => []);
	const texts = await Promise.all(names.map((name) => readIfThere(join(windows, name))));
	return texts.flatMap((kept) => kept?.match(/\bthr_[\w-]+/g) ?? []);
}

/** Threads of which something may be left since a kill. A damaged note says nothing. */
async function readTrimNote(path: string): Promise<readonly ThreadId[]> {
	try {
		return TrimNote.parse(JSON.parse((await readIfThere(path)) ?? '{}')).threadIds;
	} catch {
		return [];
	}
}
