/** Files that a way back to a message changes, compared with what they hold now. */
import { dirname, join } from 'node:path';
import type { RestoreFile } from '../../../protocol/thread/restores.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import type { ThreadId, TurnId } from '../../../protocol/rpc/ids.ts';
import type { DocumentPort } from '../../../contract/ports/ports.ts';
import { listNamesIn } from '../../../machine/paths/file-tree.ts';
import { standsForBytes } from '../../../machine/paths/reading/read-content.ts';
import { orderByDepth } from '../../../machine/paths/names/outer-folders.ts';
import { removeLeftTemporaries } from '../../../machine/paths/temporary-names.ts';
import type { WorkspacePaths } from '../../../machine/paths/workspace-paths.ts';
import { sha256 } from '../../record/store/chain/canonical-json.ts';
import { REMOVED } from '../../record/store/checkpoint-store.ts';
import { NO_FILE_STATE, type TurnImage } from '../../record/store/image-rows.ts';
import { countLines } from '../count-lines.ts';
import { RESTORE_FILES_AT_ONCE } from '../limits.ts';
import type { StoredChanges } from '../stored-changes.ts';
import { type FileContent, kindOfState, toContentMark, parseFileState, readFileContent } from './file-content.ts';
import { planFile } from './plan-file.ts';

export interface PlannedChange {
	readonly path: string;
	readonly absolutePath: string;
	readonly now: FileContent;
	readonly to: FileContent;
	readonly images: readonly TurnImage[];
	readonly shown: RestoreFile;
}

interface PlanDeps {
	readonly stored: StoredChanges;
	readonly paths: WorkspacePaths;
	readonly documents: Pick<DocumentPort, 'readOpen'>;
}

export class PlannedFiles {
	readonly #deps: PlanDeps;

	constructor(deps: PlanDeps) {
		this.#deps = deps;
	}

	/** Returns the planned changes of files of this workspace, in the order of their paths. */
	async since(threadId: ThreadId, turnId: TurnId): Promise<PlannedChange[]> {
		const images = await this.#deps.stored.call('imagesSince', { threadId, turnId });
		const files = [...Map.groupBy(images, ({ absolutePath }) => absolutePath).values()];
		const planned: PlannedChange[] = [];
		for (let at = 0; at < files.length; at += RESTORE_FILES_AT_ONCE) {
			const some = await Promise.all(files.slice(at, at + RESTORE_FILES_AT_ONCE).map((each) => this.#planned(each)));
			planned.push(...some.filter((each) => each !== undefined));
		}
		return (await this.#withoutUsedFolders(planned)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
	}

	/** Folders that go only do where everything in them goes, too: what others have put there stays, and its folder with it. */
	async #withoutUsedFolders(planned: readonly PlannedChange[]): Promise<PlannedChange[]> {
		const going = new Map<string, PlannedChange>();
		const left = new Set<PlannedChange>();
		for (const each of orderByDepth(planned, ({ to }) => (to.state === NO_FILE_STATE ? 'none' : 'file'))) {
			const isGoing = each.to.state === NO_FILE_STATE && each.now.state !== NO_FILE_STATE;
			const isFolder = kindOfState(each.now.state) === 'folder';
			const held = isGoing && isFolder ? await this.#pathsIn(each.absolutePath) : [];
			const hindrance = held?.flatMap((path) => going.get(path)?.shown.hindrance ?? [])[0];
			if (held?.every((path) => going.has(path)) !== true) {
				left.add(each);
			} else if (isGoing) {
				const shown = hindrance === undefined ? each.shown : { ...each.shown, hindrance };
				going.set(each.absolutePath, { ...each, shown });
			}
		}
		return planned.filter((each) => !left.has(each)).map((each) => going.get(each.absolutePath) ?? each);
	}

	/** Absolute paths of what is in a folder; undefined where it cannot be read. */
	async #pathsIn(absolutePath: string): Promise<readonly string[] | undefined> {
		const { paths } = this.#deps;
		try {
			const names = await listNamesIn(await paths.locateEntry(paths.resolveFound(absolutePath)));
			return names.map((name) => join(absolutePath, name));
		} catch {
			return undefined;
		}
	}

	/** Undefined where it cannot be read, and `elsewhere` where it is of another workspace. */
	async now(absolutePath: string): Promise<FileContent | 'elsewhere' | undefined> {
		try {
			const { paths } = this.#deps;
			return await readFileContent(
				await paths.locateEntry(paths.resolveFound(absolutePath)),
				new AbortController().signal,
			);
		} catch (error) {
			return isProwessError(error) && error.code === 'PATH_OUTSIDE_WORKSPACE' ? 'elsewhere' : undefined;
		}
	}

	/** Removes what hosts that were killed while they put these files back have left beside them. False: some are of another workspace. */
	async tidy(absolutePaths: readonly string[]): Promise<boolean> {
		const { paths } = this.#deps;
		let isAllHere = true;
		for (const folder of new Set(absolutePaths.map((path) => dirname(path)))) {
			try {
				const located = await paths.locateEntry(paths.resolveFound(folder));
				if (located.kind === 'folder') await removeLeftTemporaries(located);
			} catch (error) {
				// The folder is gone or cannot be looked at: nothing is put back there.
				if (isProwessError(error) && error.code === 'PATH_OUTSIDE_WORKSPACE') isAllHere = false;
			}
		}
		return isAllHere;
	}

	async blob(hash: string): Promise<Buffer | undefined> {
		const bytes = await this.#deps.stored.call('blob', hash);
		return bytes === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	/** Hash of the text that the thread knew the file by before that change of it; null: of none, or nobody knows which. */
	async knownBefore(threadId: ThreadId, { absolutePath, images: [first] }: PlannedChange): Promise<string | null> {
		const number = first?.number ?? 0;
		const earlier = await this.#deps.stored.call('imageBefore', { threadId, absolutePath, number });
		if (earlier === undefined || earlier.after === null) {
			return null;
		}
		if (earlier.after === NO_FILE_STATE) {
			return REMOVED;
		}
		const state = earlier.after;
		const bytes = kindOfState(state) === 'file' ? await this.blob(parseFileState(state).hash) : undefined;
		const mark = toContentMark({ state, bytes }, this.#usualEncoding(absolutePath));
		return mark === undefined ? null : sha256(mark);
	}

	async #planned(images: readonly TurnImage[]): Promise<PlannedChange | undefined> {
		const [first] = images;
		if (first === undefined) {
			return undefined;
		}
		const { path, absolutePath } = first;
		const now = await this.now(absolutePath);
		if (now === 'elsewhere') {
			return undefined;
		}
		if (now === undefined || (await this.#deps.documents.readOpen(absolutePath))?.unsaved === true) {
			const shown = { path, kind: 'changes' as const, added: 0, removed: 0, hindrance: 'unreadable' as const };
			return { path, absolutePath, now: { state: NO_FILE_STATE }, to: { state: NO_FILE_STATE }, images, shown };
		}
		const usualEncoding = this.#usualEncoding(absolutePath);
		const plan = await planFile(images, now, { blob: (hash) => this.blob(hash), usualEncoding });
		if (plan === undefined) {
			return undefined;
		}
		const [before, after] = [now, plan.to].map((content) => toContentMark(content, usualEncoding) ?? '');
		const isText = !standsForBytes(before) && !standsForBytes(after);
		const hindrance = plan.isLost ? 'lost' : plan.isTouched ? 'changed' : undefined;
		const entry = toShownEntry(plan.to.state === NO_FILE_STATE ? now.state : plan.to.state);
		const shown: RestoreFile = {
			path,
			...(entry === undefined ? {} : { entry }),
			kind: now.state === NO_FILE_STATE ? 'returns' : plan.to.state === NO_FILE_STATE ? 'goes' : 'changes',
			...(isText ? countLines(before ?? '', after ?? '') : { added: 0, removed: 0 }),
			...(hindrance === undefined ? {} : { hindrance }),
		};
		return { path, absolutePath, now, to: plan.to, images, shown };
	}

	#usualEncoding(absolutePath: string): string | undefined {
		return this.#deps.paths.usualEncoding(absolutePath);
	}
}

/** Undefined: a file, or nothing. */
function toShownEntry(state: string): RestoreFile['entry'] {
	const kind = kindOfState(state);
	return kind === 'link' || kind === 'folder' ? kind : undefined;
}
