/**
 * Files of one restore: what is to become of each is written down first, then done one way or the other, as often as it takes.
 * A file that somebody else has changed meanwhile is left alone.
 */
import type { RestoreWish } from '../../../contract/changes.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { newId, type ThreadId } from '../../../protocol/rpc/ids.ts';
import type { PerformForUser } from '../../../contract/ops/perform-op.ts';
import type { DocumentPort, LogPort } from '../../../contract/ports/ports.ts';
import { orderByDepth } from '../../../machine/paths/names/outer-folders.ts';
import { contentIn } from '../../../machine/paths/reading/read-content.ts';
import type { WorkspacePaths } from '../../../machine/paths/workspace-paths.ts';
import { NO_FILE_STATE, type NewRestore, type RestoredFile } from '../../record/store/image-rows.ts';
import type { KeptImages } from '../kept-images.ts';
import type { StoredChanges } from '../stored-changes.ts';
import { type FileContent, kindOfState, toContentMark, parseFileState } from './file-content.ts';
import type { PlannedChange, PlannedFiles } from './planned-files.ts';
import { putContent } from './put-content.ts';
import type { RestoreMarks } from './restore-marks.ts';

export interface JournalDeps {
	readonly stored: StoredChanges;
	readonly kept: Pick<KeptImages, 'restoring'>;
	readonly paths: WorkspacePaths;
	readonly documents: Pick<DocumentPort, 'readOpen'>;
	readonly log: LogPort;
	readonly performForUser: PerformForUser;
	/** The host itself is about to write there. */
	expect(absolutePath: string): void;
}

export class JournalFiles {
	readonly #deps: JournalDeps;
	readonly #files: PlannedFiles;

	constructor(deps: JournalDeps, files: PlannedFiles) {
		this.#deps = deps;
		this.#files = files;
	}

	/** Returns the journal entry that must be durable before the first file changes. */
	async entryOf(
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
					newFolder: (now.state === NO_FILE_STATE ? undefined : images[0]?.newFolder) ?? null,
					images: images.map(({ number }) => number),
					known: conversation ? await this.#files.knownBefore(threadId, each) : null,
				};
			}),
		);
		const contents = planned.flatMap(({ now, to }) => [...(this.#mayKeep(now) ? [now] : []), to]);
		const blobs = contents.flatMap(({ state, bytes }) =>
			kindOfState(state) !== 'file' || bytes === undefined ? [] : [{ hash: parseFileState(state).hash, bytes }],
		);
		return { threadId, turnId, withConversation: conversation, files, blobs };
	}

	/**
	 * True when the present content of a file may be kept. Keeping stores it whole, secrets included; a file with a
	 * secret is therefore not kept, and a redo cannot bring it back.
	 */
	#mayKeep({ bytes }: FileContent): boolean {
		return bytes === undefined || this.#deps.stored.mayKeep(contentIn(bytes, undefined));
	}

	/**
	 * All files of the journal, one way or the other, and the end of it. Gives the paths of those that were left. Rejects with
	 * CLAIM_LOST, before the next file and before the end, once another process has the mark of the thread.
	 */
	async move(
		threadId: ThreadId,
		way: 'forth' | 'back',
		marks: Pick<RestoreMarks, 'check'>,
		signal: AbortSignal,
	): Promise<string[]> {
		const row = await this.#deps.stored.call('restoreOf', threadId);
		const files = (row?.files ?? []).filter(({ isLeft }) => !isLeft);
		const steps = files.map((file) => ({
			file,
			from: way === 'forth' ? file.from : file.to,
			to: way === 'forth' ? file.to : file.from,
		}));
		const left: RestoredFile[] = [];
		await this.#files.tidy(files.map(({ absolutePath }) => absolutePath));
		// Delete first to make room: a file may have taken the place of a folder.
		const ordered = orderByDepth(
			steps.map((step) => ({ ...step, path: step.file.path })),
			({ to }) => kindOfState(to),
		);
		for (const step of ordered) {
			marks.check(threadId);
			if (!(await this.#put(threadId, step, signal))) {
				left.push(step.file);
			}
		}
		marks.check(threadId);
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
		const isFile = kindOfState(state) === 'file';
		const bytes = isFile ? await this.#files.blob(parseFileState(state).hash) : undefined;
		if (typeof now !== 'object' || (isFile && bytes === undefined) || !isStep(now.state, from, state)) {
			return false;
		}
		const to = { state, bytes };
		const work = putContent(this.#deps, {
			to,
			newFolder,
			onChanging: async (held, { usualEncoding }) => {
				const [before, after] = [toContentMark(held, usualEncoding), toContentMark(to, usualEncoding)];
				await this.#deps.kept.restoring({ threadId, path, absolutePath, before, after });
			},
		});
		const call = { opId: newId('op'), params: { path: absolutePath, shown: path, from: now.state, to: state } };
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

/**
 * True when the entry is as it was seen. A host that was killed between the end of a folder and what takes its place, or the
 * other way round, has left nothing.
 */
function isStep(now: string, from: string, to: string): boolean {
	const isTwofold = [kindOfState(from), kindOfState(to)].includes('folder') && to !== NO_FILE_STATE;
	return now === from || (isTwofold && now === NO_FILE_STATE);
}
