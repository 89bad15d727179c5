/**
 * Which threads a restore is under way in, across the hosts of a home: one file each, so that a start without any costs a look
 * at a folder, and a restore whose host was killed is found by the next one.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ThreadId } from '../../../protocol/ids.ts';
import { isRunningSince, startOf } from '../../../store/running-process.ts';
import { errnoOf } from '../../machine/paths/file-error.ts';

const FOLDER = 'restoring';

export class RestoreMarks {
	readonly #folder: string;
	/** Those that this host works on. */
	readonly #ours = new Set<ThreadId>();

	constructor(home: string) {
		this.#folder = join(home, FOLDER);
	}

	/** False: a restore is under way in the thread, here or in another living host. */
	take(threadId: ThreadId): boolean {
		if (this.#ours.has(threadId) || this.#isAlive(threadId)) {
			return false;
		}
		mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
		writeFileSync(this.#path(threadId), `${process.pid} ${startOf(process.pid) ?? ''}`, { mode: 0o600 });
		this.#ours.add(threadId);
		return true;
	}

	/** It came to its end, or changed nothing. */
	drop(threadId: ThreadId): void {
		rmSync(this.#path(threadId), { force: true });
		this.#ours.delete(threadId);
	}

	/** It did not come to its end, and anybody may go on with it. */
	leave(threadId: ThreadId): void {
		writeFileSync(this.#path(threadId), '', { mode: 0o600 });
		this.#ours.delete(threadId);
	}

	/** Threads whose restore nobody works on any more. */
	left(): ThreadId[] {
		try {
			const ids = readdirSync(this.#folder).flatMap((name) => ThreadId.safeParse(name).data ?? []);
			return ids.filter((id) => !this.#ours.has(id) && !this.#isAlive(id));
		} catch (error) {
			if (errnoOf(error) === 'ENOENT') {
				return [];
			}
			throw error;
		}
	}

	#isAlive(threadId: ThreadId): boolean {
		try {
			const [pid = '', start] = readFileSync(this.#path(threadId), 'utf8').split(' ');
			return Number(pid) !== process.pid && isRunningSince(Number(pid), start === '' ? undefined : start);
		} catch (error) {
			if (errnoOf(error) === 'ENOENT') {
				return false;
			}
			throw error;
		}
	}

	#path(threadId: ThreadId): string {
		return join(this.#folder, threadId);
	}
}
