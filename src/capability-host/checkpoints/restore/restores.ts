/**
 * A way back to any message of a thread. What is to become of each file is durable before the first one changes: a host that
 * is killed meanwhile leaves it to the next one, which does the rest. The conversation goes back in one step of the server.
 */
import { ProwessError } from '../../../protocol/errors.ts';
import { newId, type ThreadId, type TurnId } from '../../../protocol/ids.ts';
import type { ChangeOwner } from '../../../protocol/approvals/changes.ts';
import type { OpOutcome } from '../../../protocol/broker.ts';
import type { LastRestore, RestoreDone, RestoreFile } from '../../../protocol/approvals/restores.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { text } from '../../../protocol/text/text.ts';
import { type Said, threadRequests } from '../../../protocol/thread/thread-requests.ts';
import type { PerformForUser } from '../../contract/perform-op.ts';
import type { DocumentPort, LogPort } from '../../contract/ports.ts';
import type { RestoreWish, Restores as Contract } from '../../contract/restores.ts';
import { contentIn } from '../../machine/paths/reading/read-content.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { NO_FILE, type NewRestore, type RestoredFile } from '../../record/store/image-rows.ts';
import type { KeptImages } from '../kept-images.ts';
import type { StoredChanges } from '../stored-changes.ts';
import { moveAgain, putBack, refuseRunning, rewind } from './conversation.ts';
import { type FileContent, partsOf } from './file-content.ts';
import { type PlannedChange, PlannedFiles } from './planned-files.ts';
import { putContent } from './put-content.ts';
import { RestoreMarks } from './restore-marks.ts';
import type { TurnImages } from './turn-images.ts';

interface RestoreDeps {
	readonly home: string;
	readonly stored: StoredChanges;
	readonly turns: TurnImages;
	readonly kept: KeptImages;
	readonly paths: WorkspacePaths;
	readonly documents: Pick<DocumentPort, 'readOpen'>;
	readonly log: LogPort;
	readonly performForUser: PerformForUser;
	/** Where conversations are. */
	readonly server: () => Promise<Peer>;
	/** The host itself is about to write there. */
	expect(absolutePath: string): void;
	/** Files of the thread have changed. */
	onRestored(threadId: ThreadId): Promise<unknown>;
}

interface BytesBefore {
	readonly owner: ChangeOwner;
	readonly threadId: ThreadId | null;
	readonly absolutePath: string;
	/** Stands for them. */
	readonly mark: string;
}

export class Restores implements Contract {
	readonly #deps: RestoreDeps;
	readonly #files: PlannedFiles;
	readonly #marks: RestoreMarks;
	#resuming = Promise.resolve();

	constructor(deps: RestoreDeps) {
		this.#deps = deps;
		this.#files = new PlannedFiles(deps);
		this.#marks = new RestoreMarks(deps.home);
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
		return (await this.#files.since(threadId, turnId)).map(({ shown }) => shown);
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
			await this.#deps.stored.call('beginRestore', await this.#journal(wish, restored));
			if (conversation) {
				await rewind(server, wish, {
					refused: () => this.#deps.stored.call('dropRestore', threadId),
					unclear: begun,
				});
			}
			begun();
			const also = await this.#move(threadId, 'forth', new AbortController().signal);
			return doneWith(restored, [...left, ...also], conversation ? said : null);
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
		const server = await this.#deps.server();
		await refuseRunning(server, threadId, signal);
		return await this.#marked(threadId, async (begun) => {
			await this.#deps.stored.call('turnRestore', { threadId, from: 'done', to: 'back' });
			if (row.withConversation) {
				await putBack(server, row, {
					refused: () => this.#deps.stored.call('turnRestore', { threadId, from: 'back', to: 'done' }),
					unclear: begun,
				});
			}
			begun();
			const left = await this.#move(threadId, 'back', new AbortController().signal);
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
		const files = row.files.filter(({ isLeft }) => !isLeft).length;
		return { files, conversation: row.withConversation, at: row.at };
	}

	/** Undo of a file of bytes: those that its image has. */
	async putBytes({ owner, threadId, absolutePath, mark }: BytesBefore, signal: AbortSignal): Promise<OpOutcome> {
		const images = await this.#deps.stored.call('imagesSince', { threadId: owner, turnId: '' });
		const image = images.find((each) => each.absolutePath === absolutePath && mark.endsWith(partsOf(each.before).hash));
		const bytes = image === undefined ? undefined : await this.#files.blob(partsOf(image.before).hash);
		const now = await this.#files.now(absolutePath);
		if (image === undefined || bytes === undefined || typeof now !== 'object') {
			throw new ProwessError('STORE_UNAVAILABLE', `what ${absolutePath} held before is not kept any more`, {
				path: absolutePath,
			});
		}
		const onChanging = () => Promise.resolve();
		const work = putContent(this.#deps, { to: { state: image.before, bytes }, newFolder: null, onChanging });
		const call = { opId: newId('op'), params: { path: absolutePath, from: now.state, to: image.before } };
		return await this.#deps.performForUser(work, call, threadId, signal);
	}

	/** Whoever works on a restore of the thread does so alone; what did not come to its end stays marked once it has begun. */
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

	/** As far as its files are of this workspace: else it waits for a host that has them. */
	async #resume(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		const row = await this.#deps.stored.call('restoreOf', threadId);
		const way = row?.state;
		if (row === undefined || way === undefined || way === 'done') {
			// Killed before it was written down, or after its end.
			this.#marks.drop(threadId);
			return;
		}
		const now = await Promise.all(row.files.map(({ absolutePath }) => this.#files.now(absolutePath)));
		if (now.includes('elsewhere')) {
			return;
		}
		await this.#marked(threadId, async (begun) => {
			begun();
			if (row.withConversation) {
				await moveAgain(await this.#deps.server(), row, way, signal);
			}
			await this.#move(threadId, way, signal);
		});
		this.#deps.log.info('a restore that was interrupted is whole', { threadId });
	}

	async #journal(
		{ threadId, turnId, conversation }: RestoreWish,
		planned: readonly PlannedChange[],
	): Promise<NewRestore> {
		const files = await Promise.all(
			planned.map(async (each): Promise<RestoredFile> => {
				const { path, absolutePath, now, to, images } = each;
				return {
					path,
					absolutePath,
					from: now.state,
					to: to.state,
					isLeft: false,
					newFolder: (now.state === NO_FILE ? undefined : images[0]?.newFolder) ?? null,
					images: images.map(({ number }) => number),
					known: conversation ? await this.#files.knownBefore(threadId, each) : null,
				};
			}),
		);
		const contents = planned.flatMap(({ now, to }) => [...(this.#mayKeep(now) ? [now] : []), to]);
		const blobs = contents.flatMap(({ state, bytes }) =>
			state === NO_FILE || bytes === undefined ? [] : [{ hash: partsOf(state).hash, bytes }],
		);
		return { threadId, turnId, withConversation: conversation, files, blobs };
	}

	/** What is there now would have to be kept whole, secrets included: such a file does not come back. */
	#mayKeep({ bytes }: FileContent): boolean {
		return bytes === undefined || this.#deps.stored.mayKeep(contentIn(bytes, undefined));
	}

	/** All files of the journal, one way or the other, and the end of it. Gives the paths of those that were left. */
	async #move(threadId: ThreadId, way: 'forth' | 'back', signal: AbortSignal): Promise<string[]> {
		const row = await this.#deps.stored.call('restoreOf', threadId);
		const files = (row?.files ?? []).filter(({ isLeft }) => !isLeft);
		const steps = files.map((file) => ({
			file,
			from: way === 'forth' ? file.from : file.to,
			to: way === 'forth' ? file.to : file.from,
		}));
		const left: RestoredFile[] = [];
		// What goes makes place first: a file may have taken the place of a folder.
		for (const step of steps.toSorted((a, b) => Number(b.to === NO_FILE) - Number(a.to === NO_FILE))) {
			if (!(await this.#put(threadId, step, signal))) {
				left.push(step.file);
			}
		}
		const absolutePaths = left.map(({ absolutePath }) => absolutePath);
		await this.#deps.stored.call('endRestore', { threadId, state: way, left: absolutePaths });
		return left.map(({ path }) => path);
	}

	/** False: it was left alone. */
	async #put(
		threadId: ThreadId,
		{ file, from, to: state }: { readonly file: RestoredFile; readonly from: string; readonly to: string },
		signal: AbortSignal,
	): Promise<boolean> {
		const { path, absolutePath, newFolder } = file;
		const now = await this.#files.now(absolutePath);
		if (typeof now === 'object' && now.state === state) {
			return true;
		}
		const bytes = state === NO_FILE ? undefined : await this.#files.blob(partsOf(state).hash);
		if (typeof now !== 'object' || now.state !== from || (state !== NO_FILE && bytes === undefined)) {
			return false;
		}
		const to = { state, bytes };
		const work = putContent(this.#deps, {
			to,
			newFolder,
			onChanging: async (held, { usualEncoding }) => {
				const textIn = (content: FileContent) =>
					content.bytes === undefined ? undefined : contentIn(content.bytes, usualEncoding);
				await this.#deps.kept.restoring({ threadId, path, absolutePath, before: textIn(held), after: textIn(to) });
			},
		});
		const call = { opId: newId('op'), params: { path: absolutePath, from, to: state } };
		const outcome = await this.#deps.performForUser(work, call, threadId, signal);
		if (outcome.status === 'done') {
			return true;
		}
		if (outcome.status !== 'failed') {
			throw new ProwessError(outcome.error.code, outcome.error.message, outcome.error.facts);
		}
		this.#deps.log.warn('a file was not restored', { path, error: outcome.error.message });
		return false;
	}
}

function isRestored(hindrance: RestoreFile['hindrance'], force: boolean): boolean {
	return hindrance === undefined || (hindrance === 'changed' && force);
}

function doneWith(
	files: readonly { readonly path: string }[],
	left: readonly string[],
	said: Said | null,
): RestoreDone {
	return { restored: files.filter(({ path }) => !left.includes(path)).length, left: [...left], said };
}
