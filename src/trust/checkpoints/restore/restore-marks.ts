/**
 * Which threads a restore is under way in, across the hosts of a home: one file each, so that a start without any costs a look
 * at a folder, and a restore whose host was killed is found by the next one.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ThreadId } from '../../../protocol/rpc/ids.ts';
import { isRunningSince } from '../../../store/running-process.ts';
import type { ClaimHolder } from '../../../store/threads/lease-holder.ts';
import { claimLost } from '../../../contract/claim-lost.ts';
import { findErrno } from '../../../machine/paths/file-error.ts';

/** Folder of the home for marks of restores, and of undos. */
export const RESTORE_MARKS_FOLDER = 'restoring';

export class RestoreMarks {
	readonly #folder: string;
	readonly #holder: ClaimHolder;
	/** Threads whose restore this host works on. */
	readonly #ours = new Set<ThreadId>();

	constructor(home: string, holder: ClaimHolder) {
		this.#folder = join(home, RESTORE_MARKS_FOLDER);
		this.#holder = holder;
	}

	/** False: a restore is under way in the thread, here or in another living host. */
	take(threadId: ThreadId): boolean {
		if (this.#ours.has(threadId) || this.#isAlive(threadId)) {
			return false;
		}
		this.#holder.beat();
		mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
		writeFileSync(this.#path(threadId), this.#holder.owner, { mode: 0o600 });
		this.#ours.add(threadId);
		return true;
	}

	/** Throws CLAIM_LOST when another host has taken the restore over that this one works on. */
	check(threadId: ThreadId): void {
		if (this.#isTakenFromUs(threadId)) {
			throw claimLost(`the restore of thread ${threadId}`);
		}
	}

	/** Removes the mark of a restore that came to its end or changed nothing. A mark of another host stays. */
	drop(threadId: ThreadId): void {
		if (!this.#isTakenFromUs(threadId)) {
			rmSync(this.#path(threadId), { force: true });
		}
		this.#ours.delete(threadId);
	}

	/**
	 * Releases the mark of a restore that did not come to its end, so that any host may go on with it. A mark of
	 * another host stays.
	 */
	leave(threadId: ThreadId): void {
		if (!this.#isTakenFromUs(threadId)) {
			writeFileSync(this.#path(threadId), '', { mode: 0o600 });
		}
		this.#ours.delete(threadId);
	}

	/** Threads whose restore nobody works on any more. */
	left(): ThreadId[] {
		try {
			const ids = readdirSync(this.#folder).flatMap((name) => ThreadId.safeParse(name).data ?? []);
			return ids.filter((id) => !this.#ours.has(id) && !this.#isAlive(id));
		} catch (error) {
			if (findErrno(error) === 'ENOENT') {
				return [];
			}
			throw error;
		}
	}

	/** Also when it is gone: another host has brought it to its end. */
	#isTakenFromUs(threadId: ThreadId): boolean {
		return this.#ours.has(threadId) && this.#read(threadId)?.owner !== this.#holder.owner;
	}

	#isAlive(threadId: ThreadId): boolean {
		const { owner = '', takenAt = 0 } = this.#read(threadId) ?? {};
		if (owner.includes('/')) {
			return this.#holder.isAlive(owner, takenAt);
		}
		// Nobody's, or as earlier versions marked it.
		const [pid = '', start] = owner.split(' ');
		return Number(pid) !== process.pid && isRunningSince(Number(pid), start === '' ? undefined : start);
	}

	/** Undefined when no restore is under way. */
	#read(threadId: ThreadId): { readonly owner: string; readonly takenAt: number } | undefined {
		try {
			const path = this.#path(threadId);
			return { owner: readFileSync(path, 'utf8'), takenAt: statSync(path).mtimeMs };
		} catch (error) {
			if (findErrno(error) === 'ENOENT') {
				return undefined;
			}
			throw error;
		}
	}

	#path(threadId: ThreadId): string {
		return join(this.#folder, threadId);
	}
}
