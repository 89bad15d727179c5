/**
 * Offers a way back to any message of a thread. The planned content of each file is durable before the first one
 * changes: a host that is killed meanwhile leaves the rest to the next one, which finishes it. The conversation goes
 * back in one step of the server.
 */
import type { Restores as Contract, RestoreWish } from '../../../contract/changes.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { ThreadId, TurnId } from '../../../protocol/rpc/ids.ts';
import type { LastRestore, RestoreDone, RestoreFile } from '../../../protocol/thread/restores.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { text } from '../../../protocol/text/text.ts';
import type { ClaimHolder } from '../../../store/threads/lease-holder.ts';
import { type UserMessageContent, threadRequests } from '../../../protocol/thread/thread-requests.ts';
import { withoutOuterFolders } from '../../../machine/paths/names/outer-folders.ts';
import { NO_FILE_STATE, type RestoredFile, type RestoreRow } from '../../record/store/image-rows.ts';
import { moveAgain, putConversationBack, refuseRunning, rewindConversation } from './conversation.ts';
import { kindOfState } from './file-content.ts';
import { type JournalDeps, JournalFiles } from './journal-files.ts';
import { PlannedFiles } from './planned-files.ts';
import { RestoreMarks } from './restore-marks.ts';
import type { TurnImages } from './turn-images.ts';

interface RestoreDeps extends JournalDeps {
	readonly home: string;
	readonly holder: ClaimHolder;
	readonly turns: TurnImages;
	/** Where conversations are. */
	readonly server: () => Promise<Peer>;
	/** Files of the thread have changed. */
	onRestored(threadId: ThreadId): Promise<unknown>;
}

export class ThreadRestores implements Contract {
	readonly #deps: RestoreDeps;
	readonly #files: PlannedFiles;
	readonly #marks: RestoreMarks;
	readonly #journal: JournalFiles;
	#resuming = Promise.resolve();

	constructor(deps: RestoreDeps) {
		this.#deps = deps;
		this.#files = new PlannedFiles(deps);
		this.#journal = new JournalFiles(deps, this.#files);
		this.#marks = new RestoreMarks(deps.home, deps.holder);
	}

	/** Goes on with what hosts have left that were killed; until then, `ready` waits. Never rejects. */
	resume(signal: AbortSignal): Promise<void> {
		this.#resuming = this.#resumeAll(signal);
		return this.#resuming;
	}

	/** Resolves when no file is half restored any more, as far as this host can help it. */
	get ready(): Promise<void> {
		return this.#resuming;
	}

	async #resumeAll(signal: AbortSignal): Promise<void> {
		for (const threadId of this.#left()) {
			await this.#resume(threadId, signal).catch((error: unknown) =>
				this.#deps.log.warn('a restore could not be finished yet', { threadId, error: String(error) }),
			);
		}
	}

	#left(): readonly ThreadId[] {
		try {
			return this.#marks.left();
		} catch (error) {
			this.#deps.log.warn('restores that a killed host has left cannot be listed', { error: String(error) });
			return [];
		}
	}

	async preview(threadId: ThreadId, turnId: TurnId): Promise<RestoreFile[]> {
		await this.#deps.turns.settled();
		const shown = (await this.#files.since(threadId, turnId)).map((each) => each.shown);
		return withoutOuterFolders(shown, ({ entry, kind }) => entry === 'folder' && kind !== 'changes');
	}

	async restore(wish: RestoreWish, signal: AbortSignal): Promise<RestoreDone> {
		const { threadId, turnId, conversation } = wish;
		await this.#finishEarlier(threadId, signal);
		const server = await this.#deps.server();
		const said = await server.call(threadRequests.said, { threadId, turnId }, signal);
		await refuseRunning(server, threadId, signal);
		await this.#deps.turns.settled();
		const planned = wish.files ? await this.#files.since(threadId, turnId) : [];
		const restored = planned.filter(({ shown: { hindrance } }) => isRestored(hindrance, wish.force));
		const left = planned.filter((each) => !restored.includes(each)).map(({ path }) => path);
		if (restored.length === 0 && !conversation) {
			return { restored: 0, left, said: null };
		}
		signal.throwIfAborted();
		return await this.#marked(threadId, async (begun) => {
			await this.#deps.stored.call('beginRestore', await this.#journal.entryOf(wish, restored));
			if (conversation) {
				await rewindConversation(server, wish, {
					refused: () => this.#deps.stored.call('dropRestore', threadId),
					unclear: begun,
				});
			}
			begun();
			const also = await this.#journal.move(threadId, 'forth', this.#marks, new AbortController().signal);
			const moved = restored.map(({ path, now, to }) => ({ path, from: now.state, to: to.state }));
			return doneWith(moved, [...left, ...also], conversation ? said : null);
		});
	}

	async redo(threadId: ThreadId, signal: AbortSignal): Promise<RestoreDone> {
		await this.#finishEarlier(threadId, signal);
		const row = await this.#deps.stored.call('restoreOf', threadId);
		if (row?.state !== 'done') {
			throw new ProwessError('INVALID_STATE', `thread ${threadId} has no restore to be taken back`, {
				threadId,
				said: text('There is nothing to bring back.'),
			});
		}
		await this.#refuseElsewhere(row);
		const server = await this.#deps.server();
		await refuseRunning(server, threadId, signal);
		return await this.#marked(threadId, async (begun) => {
			await this.#deps.stored.call('turnRestore', { threadId, from: 'done', to: 'back' });
			if (row.withConversation) {
				await putConversationBack(server, row, {
					refused: () => this.#deps.stored.call('turnRestore', { threadId, from: 'back', to: 'done' }),
					unclear: begun,
				});
			}
			begun();
			const left = await this.#journal.move(threadId, 'back', this.#marks, new AbortController().signal);
			return doneWith(
				row.files.filter(({ isLeft }) => !isLeft),
				left,
				null,
			);
		});
	}

	async last(threadId: ThreadId): Promise<LastRestore | null> {
		const row = await this.#deps.stored.call('restoreOf', threadId);
		if (row?.state !== 'done') {
			return null;
		}
		const files = countNamed(row.files.filter(({ isLeft }) => !isLeft));
		return { files, conversation: row.withConversation, at: row.at };
	}

	/**
	 * Runs `work` as the only restore of the thread. Rejects with INVALID_STATE while another one is under way. A
	 * restore that fails after it has begun stays marked, so that it is finished later.
	 */
	async #marked<T>(threadId: ThreadId, work: (begun: () => void) => Promise<T>): Promise<T> {
		if (!this.#marks.take(threadId)) {
			throw new ProwessError('INVALID_STATE', `a restore is under way in thread ${threadId}`, {
				threadId,
				said: text('A restore of this thread is under way. Wait for its end.'),
			});
		}
		let hasBegun = false;
		try {
			const result = await work(() => (hasBegun = true));
			this.#marks.drop(threadId);
			await this.#deps.onRestored(threadId);
			return result;
		} catch (error) {
			if (hasBegun) {
				this.#marks.leave(threadId);
			} else {
				this.#marks.drop(threadId);
			}
			throw error;
		}
	}

	async #finishEarlier(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		if (this.#marks.left().includes(threadId)) {
			await this.#resume(threadId, signal);
		}
	}

	/** A redo is whole or waits: afterwards, nobody would know of the files that it left out. */
	async #refuseElsewhere(row: RestoreRow): Promise<void> {
		const path = await this.#elsewhere(row);
		if (path !== undefined) {
			throw new ProwessError('PATH_OUTSIDE_WORKSPACE', `${path} is not in the open workspace: nothing was redone`, {
				path,
				said: text('Nothing was brought back: {path} is in a folder that is not open here. Open it, and redo again.', {
					path,
				}),
			});
		}
	}

	/** Path of a file that is of another workspace. */
	async #elsewhere({ files }: RestoreRow): Promise<string | undefined> {
		const moved = files.filter(({ isLeft }) => !isLeft);
		const now = await Promise.all(moved.map(({ absolutePath }) => this.#files.now(absolutePath)));
		return moved[now.indexOf('elsewhere')]?.path;
	}

	/**
	 * Finishes an interrupted restore when all its files are of this workspace; otherwise leaves it to a host that has
	 * them.
	 */
	async #resume(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		const row = await this.#deps.stored.call('restoreOf', threadId);
		const way = row?.state;
		if (row === undefined || way === undefined || way === 'done') {
			// Killed before it was written down, or after its end.
			this.#marks.drop(threadId);
			return;
		}
		if ((await this.#elsewhere(row)) !== undefined) {
			return;
		}
		await this.#marked(threadId, async (begun) => {
			begun();
			if (row.withConversation) {
				await moveAgain(await this.#deps.server(), row, way, signal);
			}
			await this.#journal.move(threadId, way, this.#marks, signal);
		});
		this.#deps.log.info('a restore that was interrupted is whole', { threadId });
	}
}

function isRestored(hindrance: RestoreFile['hindrance'], force: boolean): boolean {
	return hindrance === undefined || (hindrance === 'changed' && force);
}

type MovedFile = Pick<RestoredFile, 'path' | 'from' | 'to'>;

/** Folders that went or came with something in them are not counted by themselves. */
function countNamed(files: readonly MovedFile[]): number {
	return withoutOuterFolders(files, ({ from, to }) =>
		[from, to].every((state) => state === NO_FILE_STATE || kindOfState(state) === 'folder'),
	).length;
}

function doneWith(files: readonly MovedFile[], left: readonly string[], said: UserMessageContent | null): RestoreDone {
	return { restored: countNamed(files.filter(({ path }) => !left.includes(path))), left: [...left], said };
}
