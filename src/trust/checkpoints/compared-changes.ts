/** Compares what is kept of a change with what its file holds now: what is left of it, and who has touched it since. */
import type { ChangedBy, ChangeOwner, FileChange } from '../../protocol/approvals/changes.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';
import type { DocumentPort, LogPort } from '../../contract/ports/ports.ts';
import { listNamesIn } from '../../machine/paths/file-tree.ts';
import { entryOfMark, FOLDER_MARK, readEntryContent } from '../../machine/paths/reading/read-content.ts';
import type { LocatedEntry, WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { type ChangedFile, NOT_SHOWN } from '../record/store/checkpoint-store.ts';
import { type OwnChange, ownChange } from './own-change.ts';
import { type FileContent, isModeOfOwner, isOtherFile, kindOfState, readFileContent } from './restore/file-content.ts';
import type { StoredChanges } from './stored-changes.ts';

/** Mark for a file that exists but cannot be read. */
const unreadableMark = Symbol('unreadable');
/** Mark for a file of another workspace than the open one. */
const elsewhere = Symbol('elsewhere');

export interface Compared {
	readonly file: ChangedFile;
	readonly change: FileChange;
	/** Text of today without the change; undefined: there would be no such file. */
	readonly without: string | undefined;
	/** Text, or the mark of bytes; undefined: it does not exist now. */
	readonly now: string | undefined;
	/** The text is as it was; the permissions or the encoding are others. */
	readonly isSameText?: true;
}

export class ComparedChanges {
	readonly #stored: StoredChanges;
	readonly #paths: WorkspacePaths;
	readonly #documents: DocumentPort;
	readonly #log: LogPort;

	constructor(
		stored: StoredChanges,
		{
			paths,
			documents,
			log,
		}: { readonly paths: WorkspacePaths; readonly documents: DocumentPort; readonly log: LogPort },
	) {
		this.#stored = stored;
		this.#paths = paths;
		this.#documents = documents;
		this.#log = log;
	}

	async all(owner: ChangeOwner): Promise<Compared[]> {
		const files = await this.#stored.files(owner);
		const compared = await Promise.all(files.map((file) => this.of(owner, file)));
		const known = compared.filter((each) => each !== undefined);
		const isApart = ({ file }: Compared) => Number(file.afterHash === NOT_SHOWN);
		return known.toSorted((a, b) => isApart(a) - isApart(b));
	}

	async one(owner: ChangeOwner, path: string): Promise<Compared | undefined> {
		const file = (await this.#stored.files(owner)).find((each) => each.path === path);
		return file === undefined ? undefined : await this.of(owner, file);
	}

	/** Undefined when nothing of the change is left, or the file is not of this workspace. */
	async of(owner: ChangeOwner, file: ChangedFile): Promise<Compared | undefined> {
		const found = await this.textNow(file);
		if (found === elsewhere) {
			return undefined;
		}
		const now = found === unreadableMark ? '' : found;
		const own = found === unreadableMark ? unknownChange(file) : ownChange(file, now);
		if (own === undefined && typeof found === 'string' && (await this.#isOtherFile(owner, file))) {
			const change = { kind: 'modified', added: 0, removed: 0, touchedSince: file.afterHash === NOT_SHOWN } as const;
			const since = change.touchedSince ? { since: await this.#changedBy(owner, file) } : {};
			return { file, now, without: now, isSameText: true, change: { path: file.path, ...change, ...since } };
		}
		const isMadeFolder = file.before === null && now === FOLDER_MARK;
		// A folder that holds something is in use: what the owner has made in it is listed by itself.
		if (own === undefined || (isMadeFolder && !(await this.#isEmpty(file)))) {
			return undefined;
		}
		const { without, ...rest } = own;
		const entry = entryOfMark(now) ?? (now === undefined ? entryOfMark(without) : undefined);
		const since = rest.touchedSince ? { since: await this.#changedBy(owner, file) } : {};
		return {
			file,
			now,
			without,
			change: { path: file.path, ...(entry === undefined ? {} : { entry }), ...rest, ...since },
		};
	}

	/** Other threads that changed the file, and who else, unless what is there is a thread's last write. */
	async #changedBy(owner: ChangeOwner, { absolutePath, ...file }: ChangedFile): Promise<ChangedBy[]> {
		if (file.afterHash === NOT_SHOWN) {
			return [{ kind: 'unknown' }];
		}
		const owners = (await this.#stored.call('ownersOf', absolutePath)).filter((each) => each !== owner);
		const others = await Promise.all(
			owners.map(async (each) => ({
				threadId: ThreadId.safeParse(each).data,
				after: (await this.#stored.call('changedFile', { owner: each, absolutePath }))?.after,
			})),
		);
		const threads = others.flatMap(({ threadId }) =>
			threadId === undefined ? [] : [{ kind: 'thread' as const, threadId }],
		);
		const left = await this.textLeft({ absolutePath, ...file });
		if (left !== null && others.some(({ threadId, after }) => threadId !== undefined && after === left)) {
			return threads;
		}
		const isPerson = this.#documents.isEdited?.(absolutePath) === true;
		return [...threads, { kind: isPerson ? 'person' : 'program' }];
	}

	async textNow({
		path,
		absolutePath,
	}: Pick<ChangedFile, 'path' | 'absolutePath'>): Promise<
		string | undefined | typeof unreadableMark | typeof elsewhere
	> {
		try {
			const located = await this.#locate(absolutePath);
			const isFile = located.kind !== 'link' && located.kind !== 'folder';
			const open = isFile ? await this.#documents.readOpen(absolutePath) : undefined;
			return open?.text ?? (await readEntryContent(located, new AbortController().signal));
		} catch (error) {
			if (isProwessError(error) && error.code === 'NOT_FOUND') {
				return undefined;
			}
			if (isProwessError(error) && error.code === 'PATH_OUTSIDE_WORKSPACE') {
				return elsewhere;
			}
			this.#log.debug('a changed file could not be read', { path, error: String(error) });
			return unreadableMark;
		}
	}

	/** True where somebody else has changed the permissions of a file since: removing it would take that, too. */
	async hasOthersPermissions(owner: ChangeOwner, { absolutePath }: ChangedFile): Promise<boolean> {
		const last = await this.#lastImage(owner, absolutePath);
		const now = last === undefined ? undefined : await this.#contentNow(absolutePath);
		if (last === undefined || now === undefined || kindOfState(now.state) !== 'file') return false;
		return !isModeOfOwner([last], now);
	}

	async #isOtherFile(threadId: ChangeOwner, { absolutePath }: ChangedFile): Promise<boolean> {
		const last = await this.#lastImage(threadId, absolutePath);
		if (last === undefined) return false;
		const now = await this.#contentNow(absolutePath);
		// Most often others have given it back what it held, and then nothing else needs to be looked at.
		if (now === undefined || last.after !== now.state) return false;
		const images = await this.#stored.call('imagesSince', { threadId, turnId: '' });
		return isOtherFile(
			images.filter((image) => image.absolutePath === absolutePath),
			now,
		);
	}

	async #lastImage(threadId: ChangeOwner, absolutePath: string) {
		return await this.#stored.call('imageBefore', { threadId, absolutePath, number: Number.MAX_SAFE_INTEGER });
	}

	/** Undefined: it cannot be read. */
	async #contentNow(absolutePath: string): Promise<FileContent | undefined> {
		return await this.#locate(absolutePath)
			.then((located) => readFileContent(located, new AbortController().signal))
			.catch(() => undefined);
	}

	async #isEmpty({ absolutePath }: ChangedFile): Promise<boolean> {
		return (await listNamesIn(await this.#locate(absolutePath)).catch(() => undefined))?.length === 0;
	}

	async #locate(absolutePath: string): Promise<LocatedEntry> {
		return await this.#paths.locateEntry(this.#paths.resolveFound(absolutePath));
	}

	async isAsUndone(file: ChangedFile): Promise<boolean> {
		const now = await this.textNow(file);
		return typeof now !== 'symbol' && !file.isLost && (now ?? null) === file.after;
	}

	/** Null: it does not exist, or cannot be read. */
	async textLeft(file: ChangedFile): Promise<string | null> {
		const now = await this.textNow(file);
		return typeof now === 'string' ? now : null;
	}
}

/** Returns the change of a file that cannot be read. */
function unknownChange(file: ChangedFile): OwnChange {
	const { kind, without, ...counts } = ownChange(file, '') ?? { kind: 'modified', without: '', added: 0, removed: 0 };
	return { ...counts, kind, without, touchedSince: true };
}

/**
 * Throws STORE_UNAVAILABLE when the text before the change is lost. Lost text must not be taken for a file that was not
 * there: undoing that removes the file.
 */
export function refuseLost({ path, isLost }: ChangedFile): void {
	if (isLost) {
		const why = `checkpoints.db is damaged: the text of ${path} before its change is lost. Keep the change, or take the text from version control`;
		throw new ProwessError('STORE_UNAVAILABLE', why, { path });
	}
}
