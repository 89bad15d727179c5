/**
 * What threads, and executions outside of any, have changed, with the text before. An image is durable before the write it is for; it stays until the user
 * keeps or undoes the change, also over restarts. Undo is the user's own act and takes the way of every other effect.
 */
import { Emitter } from '../../base/emitter.ts';
import type { OpOutcome } from '../../protocol/broker.ts';
import type { ChangeOwner, ChangesLeft, FileChange } from '../../protocol/approvals/changes.ts';
import { ProwessError } from '../../protocol/errors.ts';
import { newId, ThreadId } from '../../protocol/ids.ts';
import type { BeforeImages } from '../contract/before-images.ts';
import type { Changes, ExecutionChanges, Hunk } from '../contract/changes.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { PerformForUser, PerformOp } from '../contract/perform-op.ts';
import type { DocumentPort, LogPort } from '../contract/ports.ts';
import { standsForBytes } from '../machine/paths/reading/read-content.ts';
import type { WorkspacePaths } from '../machine/paths/workspace-paths.ts';
import type { ChangedFile } from '../record/store/checkpoint-store.ts';
import type { StoreWorker } from '../record/store/store-worker.ts';
import { type Compared, ComparedChanges } from './compared-changes.ts';
import { apart, hunksOf } from './hunks.ts';
import { KeptImages } from './kept-images.ts';
import { LISTED_EXECUTIONS, LISTED_THREADS } from './limits.ts';
import { Restores } from './restore/restores.ts';
import { TurnImages } from './restore/turn-images.ts';
import { removeCreated } from './remove-created.ts';
import { StoredChanges } from './stored-changes.ts';

interface CheckpointDeps {
	readonly store: StoreWorker;
	readonly paths: WorkspacePaths;
	readonly documents: DocumentPort;
	readonly log: LogPort;
	/** Whether what a write left may be kept as it is: not where it holds a secret. */
	mayKeep(text: string): boolean;
	/** The execution that a user started, of one that it started in turn. */
	rootOf(executionId: string): string;
	readonly perform: PerformOp;
	readonly performForUser: PerformForUser;
	readonly home: string;
	readonly server: () => Promise<Peer>;
	/** The host itself is about to write there. */
	expect(absolutePath: string): void;
	/** Has what commands changed that still run been kept as of now; never rejects. */
	lookAtCommands(): Promise<void>;
	/** The user has written there, in an editor. */
	onEdited(absolutePath: string): void;
}

/** Kept beside the changes of an owner: what the last undo took back. */
const undoneOf = (owner: ChangeOwner): ChangeOwner => `undone:${owner}`;

interface Announced {
	readonly owner: ChangeOwner;
	readonly changes: readonly FileChange[];
	readonly undone: readonly string[];
}

export class Checkpoints implements Changes {
	readonly #deps: CheckpointDeps;
	readonly #changed = new Emitter<Announced>();
	readonly #latest = new Map<ChangeOwner, number>();
	readonly #stored: StoredChanges;
	readonly #compared: ComparedChanges;
	readonly onDidChange = this.#changed.event;
	/** For the ops that write. */
	readonly images: BeforeImages;
	/** Of a thread's agent, by its turns. */
	readonly turns: TurnImages;
	readonly restores: Restores;

	constructor(deps: CheckpointDeps) {
		this.#deps = deps;
		this.#stored = new StoredChanges(deps.store, deps.mayKeep);
		this.#compared = new ComparedChanges(this.#stored, deps);
		this.turns = new TurnImages({ ...deps, stored: this.#stored });
		const kept = new KeptImages({
			stored: this.#stored,
			compared: this.#compared,
			log: deps.log,
			turns: this.turns,
			paths: deps.paths,
			rootOf: deps.rootOf,
			onWritten: (owner) => this.#announce(owner),
		});
		this.images = kept;
		const onRestored = (threadId: ThreadId) => this.#announce(threadId);
		this.restores = new Restores({ ...deps, stored: this.#stored, turns: this.turns, kept, onRestored });
	}

	async list(owner: ChangeOwner): Promise<FileChange[]> {
		await this.restores.ready;
		return await this.#listed(owner);
	}

	async #listed(owner: ChangeOwner): Promise<FileChange[]> {
		return (await this.#compared.all(owner)).map(({ change }) => change);
	}

	async undone(owner: ChangeOwner): Promise<string[]> {
		const files = await this.#stored.files(undoneOf(owner));
		const found = await Promise.all(
			files.map(async (file) => ((await this.#compared.isAsUndone(file)) ? [file.path] : [])),
		);
		return found.flat();
	}

	async ofExecutions(): Promise<ExecutionChanges[]> {
		const executions = await this.#stored.call('changedByExecutions', LISTED_EXECUTIONS);
		const compared = await Promise.all(
			executions.map(async (each) => ({ ...each, changes: await this.list(each.executionId) })),
		);
		return compared.filter(({ changes }) => changes.length > 0);
	}

	async ofThreads(): Promise<{ owner: ChangeOwner; changes: FileChange[] }[]> {
		const owners = await this.#stored.call('changingThreads', LISTED_THREADS);
		const compared = await Promise.all(owners.map(async (owner) => ({ owner, changes: await this.list(owner) })));
		return compared.filter(({ changes }) => changes.length > 0);
	}

	async before(owner: ChangeOwner, path: string): Promise<{ absolutePath: string; before: string | undefined }> {
		const file = (await this.#stored.files(owner)).find((each) => each.path === path);
		if (file === undefined) {
			throw new ProwessError('NOT_FOUND', `${path} has no change of ${owner}`, { path, owner });
		}
		refuseLost(file);
		const compared = await this.#compared.of(owner, file);
		const { without } = compared ?? { without: file.before ?? undefined };
		return { absolutePath: file.absolutePath, before: standsForBytes(without) ? '' : without };
	}

	async hunks(owner: ChangeOwner, path: string): Promise<Hunk[]> {
		const { without = '', now = '' } = (await this.#compared.one(owner, path)) ?? {};
		return standsForBytes(now) ? [] : (hunksOf(without, now) ?? []);
	}

	async keep(owner: ChangeOwner, paths: readonly string[] | undefined): Promise<ChangesLeft> {
		const accepted = (await this.#stored.files(owner)).filter(
			({ path }) => paths === undefined || paths.includes(path),
		);
		await this.#stored.forget(owner, accepted);
		return await this.#announce(owner);
	}

	async keepHunk(owner: ChangeOwner, path: string, hunk: Hunk): Promise<ChangesLeft> {
		const { file, without, now, parts } = await this.#oneHunk(owner, path, hunk);
		// What is created or deleted is one hunk.
		if (without === undefined || now === undefined || parts.only === now) {
			return await this.keep(owner, [path]);
		}
		await this.#stored.set({ owner, path, absolutePath: file.absolutePath, before: parts.only, after: now });
		return await this.#announce(owner);
	}

	async undo(
		owner: ChangeOwner,
		paths: readonly string[] | undefined,
		force: boolean,
		signal: AbortSignal,
	): Promise<ChangesLeft> {
		const skipped: string[] = [];
		const failures: OpOutcome[] = [];
		await this.#stored.forget(undoneOf(owner), await this.#stored.files(undoneOf(owner)));
		for (const compared of chosen(await this.#compared.all(owner), paths)) {
			if (signal.aborted) break;
			const { file, change, without } = compared;
			if (change.touchedSince && !force) {
				skipped.push(file.path);
				continue;
			}
			refuseLost(file);
			const outcome = await this.#become(owner, compared, without, signal);
			if (outcome === undefined || outcome.status === 'done') {
				await this.#stored.forget(owner, [file]);
				await this.#noteUndone(owner, compared);
			} else if (outcome.error.code === 'FILE_CHANGED') {
				skipped.push(file.path);
			} else {
				failures.push(outcome);
			}
		}
		// What was undone until then is undone.
		const left = await this.#announce(owner);
		signal.throwIfAborted();
		refuseFailed('undo', failures);
		return { ...left, skipped };
	}

	async undoHunk(owner: ChangeOwner, path: string, hunk: Hunk, signal: AbortSignal): Promise<ChangesLeft> {
		const compared = await this.#oneHunk(owner, path, hunk);
		const { file, without, now, parts } = compared;
		if (without === undefined || now === undefined || parts.others === without) {
			return await this.undo(owner, [path], true, signal);
		}
		const outcome = await this.#become(owner, compared, parts.others, signal);
		refuseFailed('undo', outcome === undefined ? [] : [outcome]);
		const { absolutePath } = file;
		await this.#stored.forget(undoneOf(owner), await this.#stored.files(undoneOf(owner)));
		await this.#noteUndone(owner, compared);
		await this.#stored.set({ owner, path, absolutePath, before: without, after: await this.#compared.textLeft(file) });
		return await this.#announce(owner);
	}

	async redo(owner: ChangeOwner, signal: AbortSignal): Promise<ChangesLeft> {
		const skipped: string[] = [];
		const failures: OpOutcome[] = [];
		for (const file of await this.#stored.files(undoneOf(owner))) {
			if (signal.aborted) break;
			if (!(await this.#compared.isAsUndone(file))) {
				skipped.push(file.path);
				continue;
			}
			const { path, absolutePath } = file;
			const undone = await this.#compared.textLeft(file);
			const earlier = await this.#stored.call('changedFile', { owner, absolutePath });
			const outcome = await this.#become(owner, { file, now: undone ?? undefined }, file.before ?? undefined, signal);
			if (outcome === undefined || outcome.status === 'done') {
				const before = earlier === undefined ? undone : earlier.before;
				await this.#stored.set({ owner, path, absolutePath, before, after: await this.#compared.textLeft(file) });
				await this.#stored.forget(undoneOf(owner), [file]);
			} else {
				failures.push(outcome);
			}
		}
		const left = await this.#announce(owner);
		signal.throwIfAborted();
		refuseFailed('redo', failures);
		return { ...left, skipped };
	}

	look(absolutePaths: readonly string[]): void {
		for (const path of absolutePaths) {
			if (this.#deps.documents.isEdited?.(path) === true) this.#deps.onEdited(path);
		}
		for (const absolutePath of absolutePaths.filter((path) => this.#stored.isWatched(path))) {
			this.#stored
				.call('ownersOf', absolutePath)
				.then(async (owners) => await Promise.all(owners.map((owner) => this.#announce(whose(owner)))))
				.catch((error: unknown) =>
					this.#deps.log.warn('a changed file could not be compared', { absolutePath, error: String(error) }),
				);
		}
	}

	async forget(owner: ChangeOwner): Promise<void> {
		await this.#stored.forget(owner, await this.#stored.files(owner));
		await this.#stored.forget(undoneOf(owner), await this.#stored.files(undoneOf(owner)));
		await this.#stored.call('forgetWritten', owner);
		await this.#stored.call('forgetImages', owner);
		await this.#announce(owner);
	}

	/** What the file held before it was undone, and what it holds since. */
	async #noteUndone(owner: ChangeOwner, { file, now }: Pick<Compared, 'file' | 'now'>): Promise<void> {
		const { path, absolutePath } = file;
		const change = {
			owner: undoneOf(owner),
			path,
			absolutePath,
			before: now ?? null,
			after: await this.#compared.textLeft(file),
		};
		// What is taken back would have to be kept whole, secrets and bytes included: such an undo is not taken back.
		if (this.#stored.mayKeep(now) && !standsForBytes(now)) {
			await this.#stored.set(change);
		}
	}

	async #oneHunk(owner: ChangeOwner, path: string, hunk: Hunk) {
		const compared = await this.#compared.one(owner, path);
		if (compared !== undefined) {
			refuseLost(compared.file);
		}
		const parts =
			compared === undefined || standsForBytes(compared.now)
				? undefined
				: apart(compared.without ?? '', compared.now ?? '', hunk);
		if (compared === undefined || parts === undefined) {
			throw new ProwessError('FILE_CHANGED', `${path} has changed since its changes were looked at`, { path });
		}
		return { ...compared, parts };
	}

	/** Gives the file that text, as the user's own act. Undefined: it has it already. */
	async #become(
		owner: ChangeOwner,
		{ file, now }: Pick<Compared, 'file' | 'now'>,
		text: string | undefined,
		signal: AbortSignal,
	): Promise<OpOutcome | undefined> {
		// By its absolute path: in another workspace the same path would be another file.
		const { absolutePath: path } = file;
		const threadId = ThreadId.safeParse(owner).data ?? null;
		let outcome: OpOutcome | undefined;
		// Bytes make place for the text: nobody writes a text over what is none.
		if (standsForBytes(text)) {
			return await this.restores.putBytes({ owner, threadId, absolutePath: path, mark: text }, signal);
		}
		if (now !== undefined && (text === undefined || standsForBytes(now))) {
			const { paths, performForUser } = this.#deps;
			const call = { opId: newId('op'), params: { path, expected: now } };
			outcome = await performForUser(removeCreated(paths), call, threadId, signal);
		}
		if (text === undefined || (outcome !== undefined && outcome.status !== 'done')) {
			return outcome;
		}
		const origin = { caller: { kind: 'user', threadId } as const, onProgress: () => {} };
		const write = { opId: newId('op'), op: 'fs.write' as const, params: { path, content: text } };
		return await this.#deps.perform(write, origin, signal);
	}

	/** The newest state wins when several are on their way. */
	async #announce(owner: ChangeOwner): Promise<ChangesLeft> {
		const mine = (this.#latest.get(owner) ?? 0) + 1;
		this.#latest.set(owner, mine);
		const [changes, undone] = await Promise.all([this.#listed(owner), this.undone(owner)]);
		try {
			if (this.#latest.get(owner) === mine) {
				this.#changed.fire({ owner, changes, undone });
			}
		} catch (error) {
			this.#deps.log.warn('a view of the changes failed', { owner, error: String(error) });
		}
		return { changes, undone, skipped: [] };
	}
}

/** Owner of the changes, or of those that the undo has kept for them. */
function whose(owner: ChangeOwner): ChangeOwner {
	return owner.replace(/^undone:/, '');
}

function refuseFailed(what: string, outcomes: readonly OpOutcome[]): void {
	for (const outcome of outcomes) {
		if (outcome.status !== 'done') {
			throw new ProwessError(outcome.error.code, `${what}: ${outcome.error.message}`, outcome.error.facts);
		}
	}
}

/** What is not known any more must not be taken for a file that was not there: undoing that removes it. */
function refuseLost({ path, isLost }: ChangedFile): void {
	if (isLost) {
		const why = `checkpoints.db is damaged: the text of ${path} before its change is lost. Keep the change, or take the text from version control`;
		throw new ProwessError('STORE_UNAVAILABLE', why, { path });
	}
}

function chosen(all: readonly Compared[], paths: readonly string[] | undefined): readonly Compared[] {
	return paths === undefined ? all : all.filter(({ file }) => paths.includes(file.path));
}
