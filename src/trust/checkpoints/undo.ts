/**
 * Undoes changes of an owner, and redoes them, as the user's own act: by the gate and the ledger, like every other
 * effect. The content that the last undo took back is kept until the next one.
 */
import type { ChangeOwner, ChangesLeft } from '../../protocol/approvals/changes.ts';
import type { OpOutcome } from '../../protocol/turn/broker.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { newId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { BeforeImages } from '../../contract/ops/op-implementation.ts';
import type { Hunk } from '../../contract/changes.ts';
import type { PerformForUser, PerformOp } from '../../contract/ops/perform-op.ts';
import type { DocumentPort, LogPort } from '../../contract/ports/ports.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import { foldersAbove, orderByDepth, withoutOuterFolders } from '../../machine/paths/names/outer-folders.ts';
import { entryOfMark, FOLDER_MARK, standsForBytes } from '../../machine/paths/reading/read-content.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { type ChangedFile, REMOVED } from '../record/store/checkpoint-store.ts';
import { type Compared, type ComparedChanges, refuseLost } from './compared-changes.ts';
import { oneHunk } from './one-hunk.ts';
import { PlannedFiles } from './restore/planned-files.ts';
import { putKept } from './restore/put-kept.ts';
import type { StoredChanges } from './stored-changes.ts';
import { UndoMarks } from './undo-marks.ts';

interface UndoDeps {
	readonly stored: StoredChanges;
	readonly compared: ComparedChanges;
	readonly paths: WorkspacePaths;
	readonly documents: DocumentPort;
	readonly log: Pick<LogPort, 'warn'>;
	readonly home: string;
	readonly holder: ClaimHolder;
	readonly perform: PerformOp;
	readonly performForUser: PerformForUser;
	/** The host itself is about to write there. */
	expect(absolutePath: string): void;
	readonly written: BeforeImages['written'];
	/** Tells everybody what is left, and gives it. */
	announce(owner: ChangeOwner): Promise<ChangesLeft>;
}

/** Kept beside the changes of an owner: what the last undo took back. */
const toUndoneOwner = (owner: ChangeOwner): ChangeOwner => `undone:${owner}`;

/** Owner of the changes, or of those that the undo has kept for them. */
export const toOriginalOwner = (owner: ChangeOwner): ChangeOwner => owner.replace(/^undone:/, '');

export class Undo {
	readonly #deps: UndoDeps;
	readonly #stored: StoredChanges;
	readonly #compared: ComparedChanges;
	readonly #files: PlannedFiles;
	readonly #marks: UndoMarks;

	constructor(deps: UndoDeps) {
		this.#deps = deps;
		this.#stored = deps.stored;
		this.#compared = deps.compared;
		this.#files = new PlannedFiles(deps);
		this.#marks = new UndoMarks(deps);
	}

	/** Removes what killed hosts have left beside files that they were putting back. Never rejects. */
	async tidyLeft(): Promise<void> {
		try {
			for (const { absolutePath, drop } of this.#marks.left()) {
				if (await this.#files.tidy([absolutePath])) drop();
			}
		} catch (error) {
			this.#deps.log.warn('what a killed undo has left cannot be looked for', { error: String(error) });
		}
	}

	async undone(owner: ChangeOwner): Promise<string[]> {
		const files = await this.#stored.files(toUndoneOwner(owner));
		const found = await Promise.all(files.map(async (file) => ((await this.#compared.isAsUndone(file)) ? [file] : [])));
		return withoutOuterFolders(found.flat(), ({ before, after }) =>
			[before, after].every((content) => content === null || content === FOLDER_MARK),
		).map(({ path }) => path);
	}

	async undo(
		owner: ChangeOwner,
		paths: readonly string[] | undefined,
		force: boolean,
		signal: AbortSignal,
	): Promise<ChangesLeft> {
		const skipped: string[] = [];
		const failures: OpOutcome[] = [];
		await this.forget(owner);
		const picked = orderByDepth(pickByPaths(await this.#stored.files(owner), paths), ({ before }) =>
			kindOfKept(before),
		);
		await this.#files.tidy(picked.map(({ absolutePath }) => absolutePath));
		for (const file of picked) {
			if (signal.aborted) break;
			// Only now: a folder is empty, and so goes, once everything else has gone from it.
			const compared = await this.#compared.of(owner, file);
			if (compared === undefined) continue;
			const isTouched =
				compared.change.touchedSince ||
				(compared.without === undefined && (await this.#compared.hasOthersPermissions(owner, file)));
			if (isTouched && !force) {
				skipped.push(file.path);
				continue;
			}
			refuseLost(file);
			const outcome = await this.#become(owner, compared, compared.without, signal);
			if (outcome === undefined || outcome.status === 'done') {
				await this.#stored.forget(owner, [file]);
				await this.#noteUndone(owner, compared);
			} else if (outcome.error.code === 'FILE_CHANGED') {
				skipped.push(file.path);
			} else {
				failures.push(outcome);
			}
		}
		// Files undone before a failure stay undone, so announce them before any error is thrown.
		const left = await this.#deps.announce(owner);
		signal.throwIfAborted();
		refuseFailed('undo', failures);
		return { ...left, skipped: skipped.sort() };
	}

	async undoHunk(owner: ChangeOwner, path: string, hunk: Hunk, signal: AbortSignal): Promise<ChangesLeft> {
		const compared = await oneHunk(this.#compared, owner, path, hunk);
		const { file, without, now, parts } = compared;
		if (without === undefined || now === undefined || parts.others === without) {
			return await this.undo(owner, [path], true, signal);
		}
		const outcome = await this.#become(owner, compared, parts.others, signal);
		refuseFailed('undo', outcome === undefined ? [] : [outcome]);
		const { absolutePath } = file;
		await this.forget(owner);
		await this.#noteUndone(owner, compared);
		await this.#stored.set({ owner, path, absolutePath, before: without, after: await this.#compared.textLeft(file) });
		return await this.#deps.announce(owner);
	}

	async redo(owner: ChangeOwner, signal: AbortSignal): Promise<ChangesLeft> {
		const skipped: string[] = [];
		const failures: OpOutcome[] = [];
		const files = await this.#stored.files(toUndoneOwner(owner));
		for (const file of orderByDepth(files, ({ before }) => kindOfKept(before))) {
			if (signal.aborted) break;
			if (!(await this.#compared.isAsUndone(file))) {
				skipped.push(file.path);
				continue;
			}
			const { path, absolutePath } = file;
			const undone = await this.#compared.textLeft(file);
			const earlier = await this.#stored.call('changedFile', { owner, absolutePath });
			const now = undone ?? undefined;
			const wanted = file.before ?? undefined;
			const isFile = wanted !== undefined && entryOfMark(wanted) === undefined;
			const same = isFile && wanted === now ? ({ isSameText: true } as const) : {};
			const outcome = await this.#become(owner, { file, now, isRedo: true, ...same }, wanted, signal);
			if (outcome === undefined || outcome.status === 'done') {
				const before = earlier === undefined ? undone : earlier.before;
				await this.#stored.set({ owner, path, absolutePath, before, after: await this.#compared.textLeft(file) });
				await this.#stored.forget(toUndoneOwner(owner), [file]);
			} else {
				failures.push(outcome);
			}
		}
		const left = await this.#deps.announce(owner);
		signal.throwIfAborted();
		refuseFailed('redo', failures);
		return { ...left, skipped };
	}

	/** Lets go of what the last undo took back. */
	async forget(owner: ChangeOwner): Promise<void> {
		const undone = toUndoneOwner(owner);
		await this.#stored.forget(undone, await this.#stored.files(undone));
		await this.#stored.call('forgetImages', undone);
	}

	/** Records for a redo the content the file held before it was undone, and the content it has since. */
	async #noteUndone(owner: ChangeOwner, { file, now }: Pick<Compared, 'file' | 'now'>): Promise<void> {
		const { path, absolutePath } = file;
		const change = {
			owner: toUndoneOwner(owner),
			path,
			absolutePath,
			before: now ?? null,
			after: await this.#compared.textLeft(file),
		};
		if (this.#mayRedo(now)) {
			await this.#stored.set(change);
		}
	}

	/** A redo needs the whole text, secrets included: texts with secrets and bytes are not kept, so their undo cannot be redone. */
	#mayRedo(now: string | undefined): boolean {
		return this.#stored.mayKeep(now) && (!standsForBytes(now) || entryOfMark(now) !== undefined);
	}

	/** Gives the file that text, as the user's own act. Undefined: it has it already. */
	async #become(
		owner: ChangeOwner,
		{ file, now, isSameText, isRedo }: Pick<Compared, 'file' | 'now' | 'isSameText'> & { readonly isRedo?: boolean },
		text: string | undefined,
		signal: AbortSignal,
	): Promise<OpOutcome | undefined> {
		// Use the absolute path: in another workspace the same relative path would be another file.
		const { absolutePath, path } = file;
		const threadId = ThreadId.safeParse(owner).data ?? null;
		const caller = { kind: 'user', threadId } as const;
		if (text === now && isSameText !== true) {
			return undefined;
		}
		const isText = isSameText !== true && text !== undefined && ![text, now].some(standsForBytes);
		if (isText && (await this.#deps.documents.readOpen(absolutePath)) !== undefined) {
			// The editor has the file, perhaps with changes that are not saved: it is written there.
			const write = { opId: newId('op'), op: 'fs.write' as const, params: { path: absolutePath, content: text } };
			return await this.#deps.perform(write, { caller, onProgress: () => {} }, signal);
		}
		const wish = {
			owner,
			undone: toUndoneOwner(owner),
			mayKeep: this.#mayRedo(now),
			absolutePath,
			path,
			now,
			wanted: text,
			...(isRedo === true ? { isRedo } : {}),
		};
		// A folder takes the place of something else, or makes place for it, in two steps: if this host is killed between them,
		// nothing is there, and nobody else has done that.
		const isTwofold = now !== undefined && text !== undefined && [now, text].includes(FOLDER_MARK);
		const noteWritten = async (after: string | null) =>
			await this.#stored.call('noteWritten', { owner, absolutePath, after, keepsAfter: true, isOwn: false });
		if (isTwofold) await noteWritten(null);
		const outcome = await this.#marks.during(absolutePath, () => putKept(this.#deps, wish, signal));
		if (outcome.status === 'done') {
			this.#deps.written({ caller, absolutePath, after: text });
		} else if (isTwofold) {
			await noteWritten(now);
		}
		return outcome;
	}
}

/** Kind of what is there once the content is back. */
function kindOfKept(before: string | null): 'none' | 'folder' | 'file' {
	return before === null ? 'none' : before === FOLDER_MARK ? 'folder' : 'file';
}

function refuseFailed(what: string, outcomes: readonly OpOutcome[]): void {
	for (const outcome of outcomes) {
		if (outcome.status !== 'done') {
			throw new ProwessError(outcome.error.code, `${what}: ${outcome.error.message}`, outcome.error.facts);
		}
	}
}

/** With the folders above: if nothing else is in one that was made, it goes with the last file in it, and comes with the first. */
export function pickByPaths(all: readonly ChangedFile[], paths: readonly string[] | undefined): readonly ChangedFile[] {
	if (paths === undefined) {
		return all;
	}
	const named = new Set(paths);
	const above = new Set(paths.flatMap(foldersAbove));
	return all.filter((file) => named.has(file.path) || (above.has(file.path) && mayBeFolder(file)));
}

/** Also of what was made and whose content nobody has noted: it holds something, so it is a folder. */
function mayBeFolder({ before, after, afterHash }: ChangedFile): boolean {
	return [before, after].includes(FOLDER_MARK) || (before === null && after === null && afterHash !== REMOVED);
}
