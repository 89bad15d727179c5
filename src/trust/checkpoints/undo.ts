/**
 * Undoes changes of an owner, and redoes them, as the user's own act: by the gate and the ledger, like every other
 * effect. The content that the last undo took back is kept until the next one.
 */
import type { ChangeOwner, ChangesLeft } from '../../protocol/approvals/changes.ts';
import type { OpOutcome } from '../../protocol/turn/broker.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { newId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { Hunk } from '../../contract/changes.ts';
import type { PerformForUser, PerformOp } from '../../contract/ops/perform-op.ts';
import type { DocumentPort } from '../../contract/ports/ports.ts';
import { standsForBytes } from '../../machine/paths/reading/read-content.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { type Compared, type ComparedChanges, refuseLost } from './compared-changes.ts';
import { oneHunk } from './one-hunk.ts';
import { removeCreated } from './remove-created.ts';
import { putBytes } from './restore/put-bytes.ts';
import { putMode } from './restore/put-mode.ts';
import type { StoredChanges } from './stored-changes.ts';

interface UndoDeps {
	readonly stored: StoredChanges;
	readonly compared: ComparedChanges;
	readonly paths: WorkspacePaths;
	readonly documents: DocumentPort;
	readonly perform: PerformOp;
	readonly performForUser: PerformForUser;
	/** The host itself is about to write there. */
	expect(absolutePath: string): void;
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

	constructor(deps: UndoDeps) {
		this.#deps = deps;
		this.#stored = deps.stored;
		this.#compared = deps.compared;
	}

	async undone(owner: ChangeOwner): Promise<string[]> {
		const files = await this.#stored.files(toUndoneOwner(owner));
		const found = await Promise.all(
			files.map(async (file) => ((await this.#compared.isAsUndone(file)) ? [file.path] : [])),
		);
		return found.flat();
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
		for (const compared of pickByPaths(await this.#compared.all(owner), paths)) {
			if (signal.aborted) break;
			const { file, change, without } = compared;
			if (change.touchedSince && !force) {
				skipped.push(file.path);
				continue;
			}
			refuseLost(file);
			const outcome = await this.#become(owner, compared, without, signal);
			if (outcome?.status === 'done' && without !== undefined && !standsForBytes(without)) {
				await putMode(this.#deps, owner, file, signal);
			}
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
		return { ...left, skipped };
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
		for (const file of await this.#stored.files(toUndoneOwner(owner))) {
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
		await this.#stored.forget(toUndoneOwner(owner), await this.#stored.files(toUndoneOwner(owner)));
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
		// A redo needs the whole text, secrets included: texts with secrets and bytes are not kept, so their undo
		// cannot be redone.
		if (this.#stored.mayKeep(now) && !standsForBytes(now)) {
			await this.#stored.set(change);
		}
	}

	/** Gives the file that text, as the user's own act. Undefined: it has it already. */
	async #become(
		owner: ChangeOwner,
		{ file, now }: Pick<Compared, 'file' | 'now'>,
		text: string | undefined,
		signal: AbortSignal,
	): Promise<OpOutcome | undefined> {
		// Use the absolute path: in another workspace the same relative path would be another file.
		const { absolutePath: path } = file;
		const threadId = ThreadId.safeParse(owner).data ?? null;
		let outcome: OpOutcome | undefined;
		// Bytes make place for the text: nobody writes a text over what is none.
		if (standsForBytes(text)) {
			return await putBytes(this.#deps, { owner, threadId, absolutePath: path, mark: text }, signal);
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
}

function refuseFailed(what: string, outcomes: readonly OpOutcome[]): void {
	for (const outcome of outcomes) {
		if (outcome.status !== 'done') {
			throw new ProwessError(outcome.error.code, `${what}: ${outcome.error.message}`, outcome.error.facts);
		}
	}
}

function pickByPaths(all: readonly Compared[], paths: readonly string[] | undefined): readonly Compared[] {
	return paths === undefined ? all : all.filter(({ file }) => paths.includes(file.path));
}
