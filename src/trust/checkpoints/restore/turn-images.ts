/**
 * Keeps what files held before each turn of a thread that changes them: so that they can go back to any message. An image is
 * durable before the write that it is for; when it cannot be kept, the file is not changed.
 */
import { lstat } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import type { BeforeImages, KnownContent, SweptFiles } from '../../../contract/ops/op-implementation.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import type { ChangeOwner } from '../../../protocol/approvals/changes.ts';
import type { ThreadId, TurnId } from '../../../protocol/rpc/ids.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import type { LogPort } from '../../../contract/ports/ports.ts';
import { contentIn, linkTargetIn, standsForBytes } from '../../../machine/paths/reading/read-content.ts';
import { readableText } from '../../../machine/paths/reading/text-encoding.ts';
import type { LocatedEntry, WorkspacePaths } from '../../../machine/paths/workspace-paths.ts';
import { NO_FILE_STATE } from '../../record/store/image-rows.ts';
import type { StoredChanges } from '../stored-changes.ts';
import {
	createFileContent,
	type FileContent,
	folderContent,
	linkContent,
	noContent,
	parseFileState,
	readFileContent,
	USUAL_PERMISSIONS,
} from './file-content.ts';

interface NamedPlace {
	/** With slashes, as the workspace shows it. */
	readonly path: string;
	readonly absolutePath: string;
}

interface TurnImagesDeps {
	readonly stored: StoredChanges;
	readonly paths: WorkspacePaths;
	readonly log: LogPort;
	/** Has what commands changed that still run been kept as of now; never rejects. */
	lookAtCommands(): Promise<void>;
}

/** State of an image whose bytes are too large to keep: it tells only that the content was another one. */
const TOO_LARGE = `${'0'.repeat(64)} 644`;

/** In the place of a turn, outside of threads. */
export const NO_TURN = 'none';

export class TurnImages {
	readonly #deps: TurnImagesDeps;
	/** The turn of each thread that asked for an op last: what a capability does meanwhile belongs to it. */
	readonly #turns = new Map<ThreadId, TurnId>();
	/** Pending notes of the last write, by file; an image after it waits for them. */
	readonly #noting = new Map<string, Promise<void>>();

	constructor(deps: TurnImagesDeps) {
		this.#deps = deps;
	}

	/** The thread's agent is about to act in that turn. */
	began(threadId: ThreadId, turnId: TurnId): void {
		if (this.#turns.get(threadId) !== turnId) {
			// Changes that background commands made so far belong to the turn before.
			void this.#deps.lookAtCommands();
		}
		this.#turns.set(threadId, turnId);
	}

	/** The same caller, in the turn of the thread that runs now. */
	callerNow(caller: Caller): Caller {
		return caller.kind === 'agent' ? { ...caller, turnId: this.#turns.get(caller.threadId) ?? caller.turnId } : caller;
	}

	/** `owner`: to whom the change belongs. Outside of threads only bytes are kept: texts lie with the change itself. */
	async keep(
		{ caller, path, absolutePath, before }: Parameters<BeforeImages['keep']>[0],
		owner: ChangeOwner,
	): Promise<void> {
		const turnId = standsForBytes(before) && caller.threadId === null ? NO_TURN : this.#turnOf(caller);
		if (turnId === undefined) {
			return;
		}
		await this.#noting.get(absolutePath);
		const located = await this.#locate(absolutePath);
		const { state, bytes } = before === undefined ? noContent : await this.#contentBefore(located, before);
		const newFolder = state === NO_FILE_STATE ? await firstMissing(located) : null;
		await this.#deps.stored.call('keepImage', {
			threadId: owner,
			turnId,
			path,
			absolutePath,
			before: state,
			newFolder,
			bytes,
		});
	}

	/** Folders on the way to a file that are not there yet, the topmost first, named as the file is. */
	async missingFolders({ path, absolutePath }: NamedPlace): Promise<NamedPlace[]> {
		const located = await this.#locate(absolutePath);
		const top = await firstMissing(located);
		const missing: NamedPlace[] = [];
		let real = dirname(located.realPath);
		for (
			let at = findParentFolder({ path, absolutePath });
			top !== null && `${real}${sep}`.startsWith(`${top}${sep}`);
			at = findParentFolder(at)
		) {
			missing.unshift(at);
			real = dirname(real);
		}
		return missing;
	}

	/** Never rejects: what is not noted counts as changed by somebody else. */
	written({ caller, absolutePath, after }: Parameters<BeforeImages['written']>[0]): void {
		const { threadId } = caller;
		if (threadId === null) {
			return;
		}
		const noting = this.#note(threadId, absolutePath, after).catch((error: unknown) =>
			this.#deps.log.warn('a write could not be noted', { absolutePath, error: String(error) }),
		);
		this.#noting.set(absolutePath, noting);
		void noting.then(() => {
			if (this.#noting.get(absolutePath) === noting) {
				this.#noting.delete(absolutePath);
			}
		});
	}

	/** A command has changed that file by itself. Outside of threads only bytes are kept, as above. */
	async swept(
		{ path, absolutePath, before, after, isShown }: SweptFiles['files'][number],
		caller: Caller,
		owner: ChangeOwner,
	): Promise<void> {
		const usualEncoding = this.#deps.paths.usualEncoding(absolutePath);
		const held = contentOfKnown(before);
		const text = held.bytes === undefined ? undefined : readableText(held.bytes, usualEncoding)?.text;
		const isBytes = before !== undefined && text === undefined;
		const turnId = isBytes && caller.threadId === null ? NO_TURN : this.#turnOf(caller);
		if (turnId === undefined) {
			return;
		}
		await this.#noting.get(absolutePath);
		const image = { threadId: owner, turnId, path, absolutePath, newFolder: null };
		await this.#deps.stored.call('keepImage', { ...image, before: held.state, bytes: held.bytes });
		// Without a noted end, what there is counts as somebody else's.
		if (!isShown) return;
		const left = contentOfKnown(after);
		const keeps = left.bytes === undefined || this.#deps.stored.mayKeep(contentIn(left.bytes, usualEncoding));
		const bytes = keeps ? left.bytes : undefined;
		await this.#deps.stored.call('noteAfter', { threadId: owner, absolutePath, after: left.state, bytes });
	}

	/** Resolves when everything that was written until now is noted, by commands that still run, too. */
	async settled(): Promise<void> {
		await Promise.all([...this.#noting.values(), this.#deps.lookAtCommands()]);
	}

	async #note(threadId: ThreadId, absolutePath: string, after: string | undefined): Promise<void> {
		const located = await this.#locate(absolutePath);
		const { state, bytes } = await readFileContent(located, new AbortController().signal);
		const text = bytes === undefined ? undefined : readableText(bytes, located.usualEncoding)?.text;
		const isOurs = after === undefined ? state === NO_FILE_STATE : standsForBytes(after) || text === after;
		if (isOurs) {
			const keeps = text === undefined || this.#deps.stored.mayKeep(text);
			await this.#deps.stored.call('noteAfter', {
				threadId,
				absolutePath,
				after: state,
				bytes: keeps ? bytes : undefined,
			});
		}
	}

	/** Reads the content from the disk, or from the editor when it has unsaved changes. */
	async #contentBefore(located: LocatedEntry, before: string): Promise<FileContent> {
		try {
			const content = await readFileContent(located, new AbortController().signal);
			const text = content.bytes === undefined ? undefined : readableText(content.bytes, located.usualEncoding)?.text;
			const isOnDisk = standsForBytes(before) || text === before;
			const permissions = content.bytes === undefined ? USUAL_PERMISSIONS : parseFileState(content.state).permissions;
			return isOnDisk ? content : createFileContent(Buffer.from(before), permissions);
		} catch (error) {
			if (isProwessError(error) && error.code === 'FILE_TOO_LARGE') {
				return { state: TOO_LARGE };
			}
			throw error;
		}
	}

	async #locate(absolutePath: string): Promise<LocatedEntry> {
		return await this.#deps.paths.locateEntry(this.#deps.paths.resolveFound(absolutePath));
	}

	/** Undefined: an act of the user, who knows what they take back, or of nobody in a turn. */
	#turnOf(caller: Caller): TurnId | undefined {
		switch (caller.kind) {
			case 'agent':
				return caller.turnId;
			case 'execution':
				return caller.threadId === null ? undefined : this.#turns.get(caller.threadId);
			case 'user':
				return undefined;
		}
	}
}

/** Content that is kept of what a look has found. */
export function contentOfKnown(content: KnownContent | undefined): FileContent {
	if (content === undefined) {
		return noContent;
	}
	const { bytes, permissions, kind } = content;
	if (kind === 'folder') {
		return folderContent(permissions);
	}
	const target = kind === 'link' && bytes !== undefined ? linkTargetIn(bytes) : undefined;
	if (target !== undefined) {
		return linkContent(target);
	}
	return bytes === undefined ? { state: TOO_LARGE } : createFileContent(Buffer.from(bytes), permissions);
}

function findParentFolder({ path, absolutePath }: NamedPlace): NamedPlace {
	return { path: posix.dirname(path), absolutePath: dirname(absolutePath) };
}

/** The topmost folder on the way to the file that is not there yet. */
async function firstMissing({ realRoot, realPath }: LocatedEntry): Promise<string | null> {
	const below = relative(realRoot, dirname(realPath)).split(sep);
	let folder = realRoot;
	for (const name of below.filter((each) => each !== '')) {
		folder = join(folder, name);
		if ((await lstat(folder).catch(() => undefined)) === undefined) {
			return folder;
		}
	}
	return null;
}
