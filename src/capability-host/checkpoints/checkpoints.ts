/**
 * What threads, and executions outside of any, have changed, with the text before. An image is durable before the write it is for; it stays until the user
 * keeps or undoes the change, also over restarts. Undo is the user's own act and takes the way of every other effect.
 */
import { messageOf } from '../../base/message-of.ts';
import { Emitter } from '../../base/emitter.ts';
import type { OpOutcome } from '../../protocol/broker.ts';
import type { ChangeOwner, FileChange } from '../../protocol/changes.ts';
import { isProwessError, ProwessError } from '../../protocol/errors.ts';
import { newId, ThreadId } from '../../protocol/ids.ts';
import type { BeforeImages } from '../contract/before-images.ts';
import type { PerformForUser, PerformOp } from '../contract/perform-op.ts';
import type { Caller } from '../contract/caller.ts';
import { sha256 } from '../record/store/canonical-json.ts';
import type { StoreWorker } from '../record/store/store-worker.ts';
import type { CallInput, CallName, CallResult } from '../record/store/worker-calls.ts';
import { readText } from '../machine/paths/read-file.ts';
import type { WorkspacePaths } from '../machine/paths/workspace-paths.ts';
import type { DocumentPort, LogPort } from '../contract/ports.ts';
import type { Changes, ExecutionChanges } from '../contract/changes.ts';
import { type ChangedFile, REMOVED } from '../record/store/checkpoint-store.ts';
import { countLines } from './count-lines.ts';
import { LISTED_EXECUTIONS } from './limits.ts';
import { removeCreated } from './remove-created.ts';

interface CheckpointDeps {
	readonly store: StoreWorker;
	readonly paths: WorkspacePaths;
	readonly documents: DocumentPort;
	readonly log: LogPort;
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
	/** Undefined: it does not exist now. */
	readonly now: string | undefined;
}

export class Checkpoints implements Changes {
	readonly #deps: CheckpointDeps;
	readonly #changed = new Emitter<{ readonly owner: ChangeOwner; readonly changes: readonly FileChange[] }>();
	readonly #latest = new Map<ChangeOwner, number>();
	readonly onDidChange = this.#changed.event;
	/** For the ops that write. */
	readonly images: BeforeImages = {
		keep: (change) => this.#keepBefore(change),
		written: (change) => this.#noteWritten(change),
	};

	constructor(deps: CheckpointDeps) {
		this.#deps = deps;
	}

	async list(owner: ChangeOwner): Promise<FileChange[]> {
		return (await this.#compareAll(owner)).map(({ change }) => change);
	}

	async ofExecutions(): Promise<ExecutionChanges[]> {
		const executions = await this.#stored('changedByExecutions', LISTED_EXECUTIONS);
		const compared = await Promise.all(
			executions.map(async (each) => ({ ...each, changes: await this.list(each.executionId) })),
		);
		return compared.filter(({ changes }) => changes.length > 0);
	}

	async before(owner: ChangeOwner, path: string): Promise<{ absolutePath: string; before: string | undefined }> {
		const file = (await this.#files(owner)).find((each) => each.path === path);
		if (file === undefined) {
			throw new ProwessError('NOT_FOUND', `${path} has no change of ${owner}`, { path, owner });
		}
		refuseLost(file);
		return { absolutePath: file.absolutePath, before: file.before ?? undefined };
	}

	async keep(owner: ChangeOwner, paths: readonly string[] | undefined): Promise<FileChange[]> {
		const accepted = (await this.#files(owner)).filter(({ path }) => paths === undefined || paths.includes(path));
		await this.#stored('forget', {
			owner,
			absolutePaths: accepted.map(({ absolutePath }) => absolutePath),
		});
		return await this.#announce(owner);
	}

	async undo(
		owner: ChangeOwner,
		paths: readonly string[] | undefined,
		force: boolean,
		signal: AbortSignal,
	): Promise<{ changes: FileChange[]; skipped: string[] }> {
		const skipped: string[] = [];
		const failures: OpOutcome[] = [];
		for (const compared of chosen(await this.#compareAll(owner), paths)) {
			if (signal.aborted) break;
			const { file, change } = compared;
			if (change.touchedSince && !force) {
				skipped.push(file.path);
				continue;
			}
			const outcome = await this.#restore(owner, compared, signal);
			if (outcome === undefined || outcome.status === 'done') {
				await this.#stored('forget', { owner, absolutePaths: [file.absolutePath] });
			} else if (outcome.error.code === 'FILE_CHANGED') {
				skipped.push(file.path);
			} else {
				failures.push(outcome);
			}
		}
		// What was undone until then is undone.
		const changes = await this.#announce(owner);
		signal.throwIfAborted();
		for (const failure of failures) {
			if (failure.status !== 'done') {
				throw new ProwessError(failure.error.code, `undo: ${failure.error.message}`, failure.error.facts);
			}
		}
		return { changes, skipped };
	}

	async #keepBefore({ caller, path, absolutePath, before }: Parameters<BeforeImages['keep']>[0]): Promise<void> {
		const owner = this.#ownerOf(caller);
		if (owner === null) {
			return;
		}
		// When it cannot be kept, the file is not changed.
		await this.#stored('keepBefore', { owner, path, absolutePath, before: before ?? null });
	}

	#noteWritten({ caller, absolutePath, after }: Parameters<BeforeImages['written']>[0]): void {
		const owner = this.#ownerOf(caller);
		if (owner === null) {
			return;
		}
		this.#stored('noteWritten', { owner, absolutePath, afterHash: after === undefined ? REMOVED : sha256(after) })
			.then(() => this.#announce(owner))
			.catch((error: unknown) =>
				this.#deps.log.warn('a write could not be noted', { absolutePath, error: String(error) }),
			);
	}

	/** Null: what the user does outside of any thread is not kept. */
	#ownerOf(caller: Caller): ChangeOwner | null {
		return caller.threadId ?? (caller.kind === 'execution' ? this.#deps.rootOf(caller.executionId) : null);
	}

	/** Undefined: there is nothing to restore. */
	async #restore(owner: ChangeOwner, { file, now }: Compared, signal: AbortSignal): Promise<OpOutcome | undefined> {
		// By its absolute path: in another workspace the same path would be another file.
		const { absolutePath: path, before } = file;
		refuseLost(file);
		const opId = newId('op');
		const threadId = ThreadId.safeParse(owner).data ?? null;
		if (before !== null) {
			const origin = { caller: { kind: 'user', threadId } as const, onProgress: () => {} };
			return await this.#deps.perform({ opId, op: 'fs.write', params: { path, content: before } }, origin, signal);
		}
		if (now === undefined) {
			return undefined;
		}
		const { paths, performForUser } = this.#deps;
		return await performForUser(removeCreated(paths), { opId, params: { path, expected: now } }, threadId, signal);
	}

	async #files(owner: ChangeOwner): Promise<ChangedFile[]> {
		return await this.#stored('changedFiles', owner);
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
		const compared = await Promise.all(files.map((file) => this.#compare(file)));
		return compared.filter((each) => each !== undefined);
	}

	/** Undefined when the file is again as it was, or is not of this workspace. */
	async #compare(file: ChangedFile): Promise<Compared | undefined> {
		const { path, afterHash } = file;
		const before = file.before ?? undefined;
		const found = await this.#textNow(file);
		if (found === elsewhere) {
			return undefined;
		}
		const now = found === unreadable ? '' : found;
		if (found !== unreadable && now === before && !file.isLost) {
			return undefined;
		}
		const kind = before === undefined && !file.isLost ? 'created' : now === undefined ? 'deleted' : 'modified';
		// Without a noted end our own write may have been cut short: whose text it is, nobody knows.
		const left = now === undefined ? REMOVED : sha256(now);
		const touchedSince = found === unreadable || afterHash !== left;
		return { file, now, change: { path, kind, ...countLines(before ?? '', now ?? ''), touchedSince } };
	}

	async #textNow({
		path,
		absolutePath,
	}: ChangedFile): Promise<string | undefined | typeof unreadable | typeof elsewhere> {
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
	async #announce(owner: ChangeOwner): Promise<FileChange[]> {
		const mine = (this.#latest.get(owner) ?? 0) + 1;
		this.#latest.set(owner, mine);
		const changes = await this.list(owner);
		try {
			if (this.#latest.get(owner) === mine) {
				this.#changed.fire({ owner, changes });
			}
		} catch (error) {
			this.#deps.log.warn('a view of the changes failed', { owner, error: String(error) });
		}
		return changes;
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
