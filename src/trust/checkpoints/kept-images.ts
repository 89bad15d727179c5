/** Text of files before what a thread, or an execution outside of any, writes: durable before the write that it is for. */
import type { BeforeImages, KnownContent, SweptFiles } from '../../contract/ops/op-implementation.ts';
import type { ChangeOwner } from '../../protocol/approvals/changes.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import { FOLDER_MARK, standsForBytes } from '../../machine/paths/reading/read-content.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { sha256 } from '../record/store/chain/canonical-json.ts';
import { type ChangedFile, NOT_SHOWN, REMOVED, type WrittenFile } from '../record/store/checkpoint-store.ts';
import { type ChangedSince, changedSince } from './changed-since.ts';
import type { ComparedChanges } from './compared-changes.ts';
import { FILES_LOOKED_AT, FILES_TOLD } from './limits.ts';
import { withoutOwn } from './own-lines.ts';
import { toContentMark } from './restore/file-content.ts';
import { contentOfKnown, type TurnImages } from './restore/turn-images.ts';
import type { StoredChanges } from './stored-changes.ts';

interface KeptImagesDeps {
	readonly stored: StoredChanges;
	readonly compared: ComparedChanges;
	readonly log: LogPort;
	/** Images by turn, for a way back to any message. */
	readonly turns: Pick<TurnImages, 'keep' | 'missingFolders' | 'written' | 'swept' | 'callerNow'>;
	readonly paths: Pick<WorkspacePaths, 'usualEncoding'>;
	/** The execution that a user started, of one that it started in turn. */
	rootOf(executionId: string): string;
	/** A write that was kept is over. */
	onOver(absolutePath: string): void;
	onWritten(owner: ChangeOwner): Promise<unknown>;
}

interface KeptChangeText {
	readonly owner: ChangeOwner;
	readonly path: string;
	readonly absolutePath: string;
	/** Undefined: there was no such file. */
	readonly before: string | undefined;
	/** True: nothing shows that the change is the owner's. */
	readonly mayBeNotShown?: boolean;
}

interface RestoringFile {
	readonly threadId: ThreadId;
	readonly path: string;
	readonly absolutePath: string;
	/** Undefined: there is no such file. */
	readonly before: string | undefined;
	readonly after: string | undefined;
}

export class KeptImages implements BeforeImages {
	readonly #deps: KeptImagesDeps;
	readonly #stored: StoredChanges;
	/** Folders that are about to be made, by the file that they are for. */
	readonly #making = new Map<string, readonly string[]>();

	constructor(deps: KeptImagesDeps) {
		this.#deps = deps;
		this.#stored = deps.stored;
	}

	async keep(change: Parameters<BeforeImages['keep']>[0]): Promise<void> {
		const { caller, path, absolutePath, before } = change;
		const owner = this.#ownerOf(caller);
		if (owner === null) {
			return;
		}
		// Folders that are made for it are changes like those that a command makes.
		const folders = before === undefined ? await this.#deps.turns.missingFolders({ path, absolutePath }) : [];
		this.#making.set(
			absolutePath,
			folders.map((folder) => folder.absolutePath),
		);
		for (const folder of folders) {
			await this.#deps.turns.keep({ caller, ...folder, before: undefined }, owner);
			await this.#keepText({ owner, ...folder, before: undefined });
		}
		await this.#deps.turns.keep(change, owner);
		await this.#keepText({ owner, path, absolutePath, before });
	}

	#textOf(absolutePath: string, content: KnownContent | undefined): string | undefined {
		const held = contentOfKnown(content);
		return toContentMark(held, this.#deps.paths.usualEncoding(absolutePath));
	}

	async #keepText({ owner, path, absolutePath, before, mayBeNotShown = false }: KeptChangeText): Promise<void> {
		const earlier = await this.#stored.call('changedFile', { owner, absolutePath });
		if (earlier?.afterHash === NOT_SHOWN && !mayBeNotShown) {
			// Changes that may be somebody else's are part of what was there before the owner's own.
			await this.#stored.set({ owner, path, absolutePath, before: before ?? null, after: before ?? null });
			return;
		}
		if (earlier !== undefined && isReplacedByOthers(earlier, before)) {
			await this.#stored.set({ owner, path, absolutePath, before: before ?? null, after: before ?? null });
			return;
		}
		const rebased = earlier === undefined ? undefined : keepOfOthers(earlier, before);
		// When it cannot be kept, the file is not changed.
		await (rebased === undefined
			? this.#stored.call('keepBefore', { owner, path, absolutePath, before: before ?? null })
			: this.#stored.set({ owner, path, absolutePath, ...rebased }));
	}

	written(change: Parameters<BeforeImages['written']>[0]): void {
		const { caller, absolutePath, after } = change;
		this.#deps.onOver(absolutePath);
		const owner = this.#ownerOf(caller);
		if (owner === null) {
			return;
		}
		const folders = this.#making.get(absolutePath) ?? [];
		this.#making.delete(absolutePath);
		const noteWritten = (write: Pick<WrittenFile, 'absolutePath' | 'after' | 'isOwn'>) =>
			this.#stored.call('noteWritten', { owner, ...write, keepsAfter: this.#stored.mayKeep(write.after) });
		for (const folder of folders) this.#deps.turns.written({ caller, absolutePath: folder, after: FOLDER_MARK });
		this.#deps.turns.written(change);
		Promise.all([
			...folders.map((folder) => noteWritten({ absolutePath: folder, after: FOLDER_MARK, isOwn: false })),
			noteWritten({ absolutePath, after: after ?? null, isOwn: caller.kind !== 'user' }),
		])
			.then(() => this.#deps.onWritten(owner))
			.catch((error: unknown) =>
				this.#deps.log.warn('a write could not be noted', { absolutePath, error: String(error) }),
			);
	}

	callerNow(caller: Caller): Caller {
		return this.#deps.turns.callerNow(caller);
	}

	/** Where it is not known what a file held, a way back only says so. */
	async swept({ caller, files }: SweptFiles): Promise<void> {
		const owner = this.#ownerOf(caller);
		if (owner === null || files.length === 0) {
			return;
		}
		for (const file of files) {
			const { path, absolutePath, before, after } = file;
			await this.#deps.turns.swept(file, caller, owner);
			if (before === undefined || before.bytes !== undefined) {
				const mayBeNotShown = !file.isShown;
				const held = this.#textOf(absolutePath, before);
				await this.#keepText({ owner, path, absolutePath, before: held, mayBeNotShown });
				if (!file.isShown) {
					await this.#stored.call('noteNotShown', { owner, absolutePath });
					continue;
				}
				const text = this.#textOf(absolutePath, after);
				const keepsAfter = this.#stored.mayKeep(text);
				await this.#stored.call('noteWritten', { owner, absolutePath, after: text ?? null, keepsAfter, isOwn: false });
			}
		}
		await this.#deps.onWritten(owner);
	}

	/** A restore is about to give the file that text: of a change that is still open, this is what is left from then on. */
	async restoring({ threadId: owner, path, absolutePath, before, after }: RestoringFile): Promise<void> {
		const earlier = await this.#stored.call('changedFile', { owner, absolutePath });
		if (earlier === undefined) {
			return;
		}
		// A host that was killed before the write has noted it already: what is there is nobody else's for that.
		const rebased = earlier.after === after ? undefined : rebaseChange(earlier, before);
		if (rebased !== undefined) {
			await this.#stored.set({ owner, path, absolutePath, ...rebased });
		}
		const keepsAfter = this.#stored.mayKeep(after);
		await this.#stored.call('noteWritten', { owner, absolutePath, after: after ?? null, keepsAfter, isOwn: false });
	}

	async lastWritten(owner: ThreadId, absolutePath: string): Promise<string | undefined> {
		return await this.#stored.call('lastWrittenTo', { owner, absolutePath });
	}

	async changedSince(threadId: ThreadId): Promise<ChangedSince[]> {
		const written = await this.#stored.call('lastWritten', { owner: threadId, limit: FILES_LOOKED_AT });
		const found = await Promise.all(
			written.map(async (file) => {
				const text = await this.#deps.compared.textNow(file);
				return typeof text === 'symbol' ? undefined : changedSince(file, text);
			}),
		);
		return found.filter((each) => each !== undefined).slice(0, FILES_TOLD);
	}

	/** Null: what the user does outside of any thread is not kept. */
	#ownerOf(caller: Caller): ChangeOwner | null {
		return caller.threadId ?? (caller.kind === 'execution' ? this.#deps.rootOf(caller.executionId) : null);
	}
}

/** True where others have made something else of it since, in which the owner's own lines cannot be told. */
function isReplacedByOthers({ before, after, afterHash, isLost }: ChangedFile, now: string | undefined): boolean {
	const isKnown = !isLost && afterHash !== null && afterHash !== NOT_SHOWN;
	const isText = after !== null && now !== undefined && ![before, after, now].some(standsForBytes);
	return isKnown && !isText && afterHash !== (now === undefined ? REMOVED : sha256(now));
}

interface RebasedChange {
	readonly before: string;
	readonly after: string;
}

/**
 * Leaves what others changed between two acts of the owner out of the owner's change, also what they wrote in the place of the
 * owner's lines: an undo brings it back. Undefined: no image must be kept anew.
 */
function keepOfOthers(earlier: ChangedFile, now: string | undefined): RebasedChange | undefined {
	const compared = compareSince(earlier, now);
	if (compared === undefined) return undefined;
	const { before, after, without } = compared;
	// Where it cannot be found out in time, all is others'.
	const base = without?.withTheirs ?? after;
	return base === (before ?? '') ? undefined : { before: base, after };
}

/** The same for a restore, which takes lines of the owner back whoever has changed them since. */
function rebaseChange(earlier: ChangedFile, now: string | undefined): RebasedChange | undefined {
	const compared = compareSince(earlier, now);
	if (compared?.without === undefined) return undefined;
	const { before, after, without } = compared;
	const isStillCreated = before === null && without.text !== after;
	return without.text === before || isStillCreated ? undefined : { before: without.text, after };
}

/** Undefined: nobody has changed the text since, or it is none. */
function compareSince({ before, after, isLost }: ChangedFile, now: string | undefined) {
	const isText = ![before, after, now].some(standsForBytes);
	if (after === null || isLost || now === undefined || now === after || !isText) return undefined;
	return { before, after: now, without: withoutOwn(before ?? '', after, now) };
}
