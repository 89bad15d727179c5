/**
 * Deletes threads that nobody has used for as long as the settings keep them, a few each time, by the clock of a week before.
 * The server judges each thread once more while it holds it; then the host lets go of what it keeps of it. A note in the home
 * names the threads from before the first of that until after the last, so that a kill in the middle leaves nothing behind.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { orAborted } from '../base/time/bounded-wait.ts';
import { deriveSignal } from '../base/time/derived-signal.ts';
import type { LogPort } from '../contract/ports/ports.ts';
import { readIfThere, replaceDurably } from '../machine/home-files/durable-file.ts';
import { holdLock } from '../machine/home-files/file-lock.ts';
import { noteLook } from '../machine/home-files/settled-time.ts';
import { unlessMissing } from '../machine/paths/file-error.ts';
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

/** Subjects that may want a thread which nobody uses. */
interface ThreadUsers {
	readonly agents: Pick<TrustedBase['agents'], 'all' | 'rootOf'>;
	readonly goals: Pick<TrustedBase['goals'], 'list'>;
}

interface TrimmedHost {
	readonly home: string;
	/** Above 0. */
	readonly keepDays: number;
	readonly base: Pick<TrustedBase, 'endThread' | 'recordAct'> & ThreadUsers;
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
	// Until there is a time to judge by, only what a kill has left is let go of.
	const before = new Date(((await noteLook(home)) ?? 0) - keepDays * 86_400_000).toISOString();
	const path = join(home, TRIM_NOTE);
	const gone = await listGone(server, await readTrimNote(path), signal);
	const { threadIds } = await server.call(threadRequests.unused, { before, limit: trimLimits.candidates }, signal);
	const kept = await listKept(home, base);
	const going = [...new Set([...gone, ...threadIds.filter((id) => !kept.has(id))])].slice(0, trimLimits.threadsAtOnce);
	if (going.length === 0) return;
	const writeNote = (ids: readonly ThreadId[]) => replaceDurably(path, `${JSON.stringify({ threadIds: ids })}\n`);
	await writeNote([...new Set([...gone, ...going])]);
	const act = {
		op: 'thread.trim',
		input: `Delete threads that nobody has used for ${keepDays} days: ${going.length}`,
		params: { before, threadIds: going },
	} as const;
	let deleted = 0;
	await base.recordAct(act, async () => {
		for (const threadId of going) {
			if (await isDeletedUnused(server, threadId, before, signal)) {
				await orAborted(base.endThread(threadId), signal);
				deleted += 1;
			}
		}
	});
	await writeNote(gone.filter((id) => !going.includes(id)));
	log.info('threads that nobody has used were deleted', { threads: deleted, keepDays });
}

/** Returns those that do not exist any more. A noted thread that exists is judged as any other, by a host of its folder. */
async function listGone(
	server: Pick<Peer, 'call'>,
	noted: readonly ThreadId[],
	signal: AbortSignal,
): Promise<readonly ThreadId[]> {
	if (noted.length === 0) return [];
	const { threads } = await server.call(threadRequests.titles, { threadIds: [...noted] }, signal);
	const there = new Set(threads.map(({ id }) => id));
	return noted.filter((id) => !there.has(id));
}

/** Codes of `thread/delete` for a thread that was used, pinned or begun to work meanwhile. */
const STILL_USED: ReadonlySet<string> = new Set(['INVALID_STATE', 'THREAD_BUSY', 'TURN_RUNNING']);

/** True also when it was gone already; false when it stays. Rejects where that is not known: then the note stays, too. */
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
		if (isProwessError(error) && error.code === 'THREAD_NOT_FOUND') return true;
		if (isProwessError(error) && STILL_USED.has(error.code)) return false;
		throw error;
	}
}

/** Threads of a goal, a worktree or a window, with those for which they work. Rejects where that cannot be found out. */
async function listKept(home: string, { agents, goals }: ThreadUsers): Promise<ReadonlySet<ThreadId>> {
	// The parents are known from here on.
	await agents.all();
	const named = [...goals.list().map((goal) => goal.threadId), ...(await listNamed(home))];
	return new Set(named.flatMap((id) => [id, agents.rootOf(id)]));
}

/**
 * Threads that a window showed last, that hold a text which is typed there and not sent, or that work in a worktree, of
 * whichever project, also where its record is damaged.
 */
async function listNamed(home: string): Promise<readonly ThreadId[]> {
	const worktrees = join(home, 'worktrees');
	const projects = await listNoteFolder(worktrees);
	const folders = [join(home, 'windows'), ...projects.map((name) => join(worktrees, name))];
	const files = await Promise.all(
		folders.map(async (folder) => (await listNoteFolder(folder)).filter(isNote).map((name) => join(folder, name))),
	);
	const texts = await Promise.all(files.flat().map(readIfThere));
	return texts.flatMap((kept) => (kept?.match(/\bthr_[\w-]+/g) ?? []) as ThreadId[]);
}

/** Empty where there is no such folder; one that cannot be read hides threads that are wanted, so it rejects. */
async function listNoteFolder(folder: string): Promise<readonly string[]> {
	return (await unlessMissing(readdir(folder))) ?? [];
}

/** Also the folders of the worktrees lie there, and locks. */
function isNote(name: string): boolean {
	return name.endsWith('.json') || (name.startsWith('.') && name.endsWith('.threads'));
}

/** Threads of which something may be left since a kill. A damaged note says nothing. */
async function readTrimNote(path: string): Promise<readonly ThreadId[]> {
	try {
		return TrimNote.parse(JSON.parse((await readIfThere(path)) ?? '{}')).threadIds;
	} catch {
		return [];
	}
}
