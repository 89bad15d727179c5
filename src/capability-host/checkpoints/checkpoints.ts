/**
 * What threads, and executions outside of any, have changed, with the text before. An image is durable before the write it is for; it stays until the user
 * keeps or undoes the change, also over restarts. Undo is the user's own act and takes the way of every other effect.
 */
import { messageOf } from '../../base/text/message-of.ts';
import { Emitter } from '../../base/emitter.ts';
import type { OpOutcome } from '../../protocol/broker.ts';
import type { ChangedBy, ChangeOwner, ChangesLeft, FileChange } from '../../protocol/approvals/changes.ts';
import { isProwessError, ProwessError } from '../../protocol/errors.ts';
import { newId, ThreadId } from '../../protocol/ids.ts';
import type { BeforeImages } from '../contract/before-images.ts';
import type { PerformForUser, PerformOp } from '../contract/perform-op.ts';
import type { Caller } from '../contract/caller.ts';
import type { StoreWorker } from '../record/store/store-worker.ts';
import type { CallInput, CallName, CallResult } from '../record/store/worker-calls.ts';
import { readText } from '../machine/paths/reading/read-file.ts';
import type { WorkspacePaths } from '../machine/paths/workspace-paths.ts';
import type { DocumentPort, LogPort } from '../contract/ports.ts';
import type { Changes, ExecutionChanges, Hunk } from '../contract/changes.ts';
import type { ChangedFile, NewChange } from '../record/store/checkpoint-store.ts';
import { type ChangedSince, changedSince } from './changed-since.ts';
import { apart, hunksOf } from './hunks.ts';
import { FILES_LOOKED_AT, FILES_TOLD, LISTED_EXECUTIONS, LISTED_THREADS } from './limits.ts';
import { type OwnChange, ownChange } from './own-change.ts';
import { withoutOwn } from './own-lines.ts';
import { removeCreated } from './remove-created.ts';

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
}

/** There is something, and nobody can say what. */
const unreadable = Symbol('unreadable');
/** It belongs to another workspace than the one that is open. */
const elsewhere = Symbol('elsewhere');

interface Compared {
	readonly file: ChangedFile;
	readonly change: FileChange;
	/** Text of today without the change; undefined: there would be no such file. */
	readonly without: string | undefined;
	/** Undefined: it does not exist now. */
	readonly now: string | undefined;
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
	/** Files with changes of somebody: only those are looked at when they change. */
	readonly #watched = new Set<string>();
	readonly onDidChange = this.#changed.event;
	/** For the ops that write. */
	readonly images: BeforeImages = {
		keep: (change) => this.#keepBefore(change),
		written: (change) => this.#noteWritten(change),
		lastWritten: (owner, absolutePath) => this.#stored('lastWrittenTo', { owner, absolutePath }),
		changedSince: (threadId) => this.#changedSince(threadId),
	};

	constructor(deps: CheckpointDeps) {
		this.#deps = deps;
	}

	async list(owner: ChangeOwner): Promise<FileChange[]> {
		return (await this.#compareAll(owner)).map(({ change }) => change);
	}

	async undone(owner: ChangeOwner): Promise<string[]> {
		const files = await this.#files(undoneOf(owner));
		const found = await Promise.all(files.map(async (file) => ((await this.#isAsUndone(file)) ? [file.path] : [])));
		return found.flat();
	}

	async ofExecutions(): Promise<ExecutionChanges[]> {
		const executions = await this.#stored('changedByExecutions', LISTED_EXECUTIONS);
		const compared = await Promise.all(
			executions.map(async (each) => ({ ...each, changes: await this.list(each.executionId) })),
		);
		return compared.filter(({ changes }) => changes.length > 0);
	}

	async ofThreads(): Promise<{ owner: ChangeOwner; changes: FileChange[] }[]> {
		const owners = await this.#stored('changingThreads', LISTED_THREADS);
		const compared = await Promise.all(owners.map(async (owner) => ({ owner, changes: await this.list(owner) })));
		return compared.filter(({ changes }) => changes.length > 0);
	}

	async before(owner: ChangeOwner, path: string): Promise<{ absolutePath: string; before: string | undefined }> {
		const file = (await this.#files(owner)).find((each) => each.path === path);
		if (file === undefined) {
			throw new ProwessError('NOT_FOUND', `${path} has no change of ${owner}`, { path, owner });
		}
		refuseLost(file);
		const compared = await this.#compare(owner, file);
		return { absolutePath: file.absolutePath, before: (compared ?? { without: file.before ?? undefined }).without };
	}

	async hunks(owner: ChangeOwner, path: string): Promise<Hunk[]> {
		const { without = '', now = '' } = (await this.#compareOne(owner, path)) ?? {};
		return hunksOf(without, now) ?? [];
	}

	async keep(owner: ChangeOwner, paths: readonly string[] | undefined): Promise<ChangesLeft> {
		const accepted = (await this.#files(owner)).filter(({ path }) => paths === undefined || paths.includes(path));
		await this.#forget(owner, accepted);
		return await this.#announce(owner);
	}

	async keepHunk(owner: ChangeOwner, path: string, hunk: Hunk): Promise<ChangesLeft> {
		const { file, without, now, parts } = await this.#oneHunk(owner, path, hunk);
		// What is created or deleted is one hunk.
		if (without === undefined || now === undefined || parts.only === now) {
			return await this.keep(owner, [path]);
		}
		await this.#setChange({ owner, path, absolutePath: file.absolutePath, before: parts.only, after: now });
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
		await this.#forget(undoneOf(owner), await this.#files(undoneOf(owner)));
		for (const compared of chosen(await this.#compareAll(owner), paths)) {
			if (signal.aborted) break;
			const { file, change, without } = compared;
			if (change.touchedSince && !force) {
				skipped.push(file.path);
				continue;
			}
			refuseLost(file);
			const outcome = await this.#become(owner, compared, without, signal);
			if (outcome === undefined || outcome.status === 'done') {
				await this.#forget(owner, [file]);
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
		await this.#forget(undoneOf(owner), await this.#files(undoneOf(owner)));
		await this.#noteUndone(owner, compared);
		await this.#setChange({ owner, path, absolutePath, before: without, after: await this.#textLeft(file) });
		return await this.#announce(owner);
	}

	async redo(owner: ChangeOwner, signal: AbortSignal): Promise<ChangesLeft> {
		const skipped: string[] = [];
		const failures: OpOutcome[] = [];
		for (const file of await this.#files(undoneOf(owner))) {
			if (signal.aborted) break;
			if (!(await this.#isAsUndone(file))) {
				skipped.push(file.path);
				continue;
			}
			const { path, absolutePath } = file;
			const undone = await this.#textLeft(file);
			const earlier = await this.#stored('changedFile', { owner, absolutePath });
			const outcome = await this.#become(owner, { file, now: undone ?? undefined }, file.before ?? undefined, signal);
			if (outcome === undefined || outcome.status === 'done') {
				const before = earlier === undefined ? undone : earlier.before;
				await this.#setChange({ owner, path, absolutePath, before, after: await this.#textLeft(file) });
				await this.#forget(undoneOf(owner), [file]);
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
		for (const absolutePath of absolutePaths.filter((path) => this.#watched.has(path))) {
			this.#stored('ownersOf', absolutePath)
				.then(async (owners) => await Promise.all(owners.map((owner) => this.#announce(whose(owner)))))
				.catch((error: unknown) =>
					this.#deps.log.warn('a changed file could not be compared', { absolutePath, error: String(error) }),
				);
		}
	}

	async forget(owner: ChangeOwner): Promise<void> {
		await this.#forget(owner, await this.#files(owner));
		await this.#forget(undoneOf(owner), await this.#files(undoneOf(owner)));
		await this.#stored('forgetWritten', owner);
		await this.#announce(owner);
	}

	async #changedSince(threadId: ThreadId): Promise<ChangedSince[]> {
		const written = await this.#stored('lastWritten', { owner: threadId, limit: FILES_LOOKED_AT });
		const found = await Promise.all(
			written.map(async (file) => {
				const text = await this.#textNow(file);
				return typeof text === 'symbol' ? undefined : changedSince(file, text);
			}),
		);
		return found.filter((each) => each !== undefined).slice(0, FILES_TOLD);
	}

	async #forget(owner: ChangeOwner, files: readonly ChangedFile[]): Promise<void> {
		await this.#stored('forget', { owner, absolutePaths: files.map(({ absolutePath }) => absolutePath) });
	}

	/** What the file held before it was undone, and what it holds since. */
	async #noteUndone(owner: ChangeOwner, { file, now }: Pick<Compared, 'file' | 'now'>): Promise<void> {
		const { path, absolutePath } = file;
		const change = {
			owner: undoneOf(owner),
			path,
			absolutePath,
			before: now ?? null,
			after: await this.#textLeft(file),
		};
		// What is taken back would have to be kept whole, secrets included: such an undo is not taken back.
		if (this.#mayKeep(now)) {
			await this.#setChange(change);
		}
	}

	async #isAsUndone(file: ChangedFile): Promise<boolean> {
		const now = await this.#textNow(file);
		return typeof now !== 'symbol' && !file.isLost && (now ?? null) === file.after;
	}

	/** Null: it does not exist, or cannot be read. */
	async #textLeft(file: ChangedFile): Promise<string | null> {
		const now = await this.#textNow(file);
		return typeof now === 'string' ? now : null;
	}

	async #oneHunk(owner: ChangeOwner, path: string, hunk: Hunk) {
		const compared = await this.#compareOne(owner, path);
		if (compared !== undefined) {
			refuseLost(compared.file);
		}
		const parts = compared === undefined ? undefined : apart(compared.without ?? '', compared.now ?? '', hunk);
		if (compared === undefined || parts === undefined) {
			throw new ProwessError('FILE_CHANGED', `${path} has changed since its changes were looked at`, { path });
		}
		return { ...compared, parts };
	}

	async #keepBefore({ caller, path, absolutePath, before }: Parameters<BeforeImages['keep']>[0]): Promise<void> {
		const owner = this.#ownerOf(caller);
		if (owner === null) {
			return;
		}
		const earlier = await this.#stored('changedFile', { owner, absolutePath });
		const rebased = earlier === undefined ? undefined : rebase(earlier, before);
		// When it cannot be kept, the file is not changed.
		await (rebased === undefined
			? this.#stored('keepBefore', { owner, path, absolutePath, before: before ?? null })
			: this.#setChange({ owner, path, absolutePath, ...rebased }));
	}

	#noteWritten({ caller, absolutePath, after }: Parameters<BeforeImages['written']>[0]): void {
		const owner = this.#ownerOf(caller);
		if (owner === null) {
			return;
		}
		const isOwn = caller.kind !== 'user';
		this.#stored('noteWritten', { owner, absolutePath, after: after ?? null, keepsAfter: this.#mayKeep(after), isOwn })
			.then(() => this.#announce(owner))
			.catch((error: unknown) =>
				this.#deps.log.warn('a write could not be noted', { absolutePath, error: String(error) }),
			);
	}

	async #setChange(change: Omit<NewChange, 'keepsAfter'>): Promise<void> {
		await this.#stored('setChange', { ...change, keepsAfter: this.#mayKeep(change.after) });
	}

	#mayKeep(text: string | null | undefined): boolean {
		return text === null || text === undefined || this.#deps.mayKeep(text);
	}

	/** Null: what the user does outside of any thread is not kept. */
	#ownerOf(caller: Caller): ChangeOwner | null {
		return caller.threadId ?? (caller.kind === 'execution' ? this.#deps.rootOf(caller.executionId) : null);
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
		const opId = newId('op');
		const threadId = ThreadId.safeParse(owner).data ?? null;
		if (text !== undefined) {
			const origin = { caller: { kind: 'user', threadId } as const, onProgress: () => {} };
			return await this.#deps.perform({ opId, op: 'fs.write', params: { path, content: text } }, origin, signal);
		}
		if (now === undefined) {
			return undefined;
		}
		const { paths, performForUser } = this.#deps;
		return await performForUser(removeCreated(paths), { opId, params: { path, expected: now } }, threadId, signal);
	}

	async #files(owner: ChangeOwner): Promise<ChangedFile[]> {
		const files = await this.#stored('changedFiles', owner);
		for (const { absolutePath } of files) {
			this.#watched.add(absolutePath);
		}
		return files;
	}

	async #stored<N extends CallName>(name: N, input: CallInput<N>): Promise<CallResult<N>> {
		try {
			return await this.#deps.store.call(name, input);
		} catch (error) {
			const why = messageOf(error);
			throw new ProwessError('STORE_UNAVAILABLE', `checkpoints.db: ${name} failed: ${why}`, {}, error);
		}
	}

	async #compareAll(owner: ChangeOwner): Promise<Compared[]> {
		const files = await this.#files(owner);
		const compared = await Promise.all(files.map((file) => this.#compare(owner, file)));
		return compared.filter((each) => each !== undefined);
	}

	async #compareOne(owner: ChangeOwner, path: string): Promise<Compared | undefined> {
		const file = (await this.#files(owner)).find((each) => each.path === path);
		return file === undefined ? undefined : await this.#compare(owner, file);
	}

	/** Undefined when nothing of the change is left, or the file is not of this workspace. */
	async #compare(owner: ChangeOwner, file: ChangedFile): Promise<Compared | undefined> {
		const found = await this.#textNow(file);
		if (found === elsewhere) {
			return undefined;
		}
		const now = found === unreadable ? '' : found;
		const own = found === unreadable ? unknownChange(file) : ownChange(file, now);
		if (own === undefined) {
			return undefined;
		}
		const { without, ...rest } = own;
		const since = rest.touchedSince ? { since: await this.#changedBy(owner, file) } : {};
		return { file, now, without, change: { path: file.path, ...rest, ...since } };
	}

	/** Other threads that changed the file, and who else, unless what is there is a thread's last write. */
	async #changedBy(owner: ChangeOwner, { absolutePath, ...file }: ChangedFile): Promise<ChangedBy[]> {
		const owners = (await this.#stored('ownersOf', absolutePath)).filter((each) => each !== owner);
		const others = await Promise.all(
			owners.map(async (each) => ({
				threadId: ThreadId.safeParse(each).data,
				after: (await this.#stored('changedFile', { owner: each, absolutePath }))?.after,
			})),
		);
		const threads = others.flatMap(({ threadId }) =>
			threadId === undefined ? [] : [{ kind: 'thread' as const, threadId }],
		);
		const left = await this.#textLeft({ absolutePath, ...file });
		if (left !== null && others.some(({ threadId, after }) => threadId !== undefined && after === left)) {
			return threads;
		}
		const isPerson = this.#deps.documents.isEdited?.(absolutePath) === true;
		return [...threads, { kind: isPerson ? 'person' : 'program' }];
	}

	async #textNow({
		path,
		absolutePath,
	}: Pick<ChangedFile, 'path' | 'absolutePath'>): Promise<string | undefined | typeof unreadable | typeof elsewhere> {
		const open = this.#deps.documents.readOpen(absolutePath);
		if (open !== undefined) {
			return open.text;
		}
		try {
			const { paths } = this.#deps;
			const located = await paths.locate(paths.resolve(absolutePath));
			return located.kind === 'missing' ? undefined : (await readText(located, new AbortController().signal)).text;
		} catch (error) {
			if (isProwessError(error) && error.code === 'NOT_FOUND') {
				return undefined;
			}
			if (isProwessError(error) && error.code === 'PATH_OUTSIDE_WORKSPACE') {
				return elsewhere;
			}
			this.#deps.log.debug('a changed file could not be read', { path, error: String(error) });
			return unreadable;
		}
	}

	/** The newest state wins when several are on their way. */
	async #announce(owner: ChangeOwner): Promise<ChangesLeft> {
		const mine = (this.#latest.get(owner) ?? 0) + 1;
		this.#latest.set(owner, mine);
		const [changes, undone] = await Promise.all([this.list(owner), this.undone(owner)]);
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

/** What others did between two writes of the owner is none of the owner's. Undefined: nothing is to be kept anew. */
function rebase(
	{ before, after, isLost }: ChangedFile,
	now: string | undefined,
): { readonly before: string; readonly after: string } | undefined {
	if (after === null || isLost || now === undefined || now === after) {
		return undefined;
	}
	const without = withoutOwn(before ?? '', after, now)?.text;
	const isStillCreated = before === null && without !== now;
	return without === undefined || without === before || isStillCreated ? undefined : { before: without, after: now };
}

/** Of a file that cannot be read. */
function unknownChange(file: ChangedFile): OwnChange {
	const { kind, without, ...counts } = ownChange(file, '') ?? { kind: 'modified', without: '', added: 0, removed: 0 };
	return { ...counts, kind, without, touchedSince: true };
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
