/**
 * Undo and redo of one name, on the disk: what stands for it becomes a file again, byte for byte where nothing of it is somebody
 * else's, a link, a folder or nothing. Permissions come back with it, for whoever replaces a file often loses them.
 */
import { dirname, sep } from 'node:path';
import type { ChangeOwner } from '../../../protocol/approvals/changes.ts';
import type { OpOutcome } from '../../../protocol/turn/broker.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { newId, ThreadId } from '../../../protocol/rpc/ids.ts';
import type { PerformForUser } from '../../../contract/ops/perform-op.ts';
import { standsForBytes } from '../../../machine/paths/reading/read-content.ts';
import { encodeNew, encodeText, readableText } from '../../../machine/paths/reading/text-encoding.ts';
import { NO_FILE_STATE, type TurnImage } from '../../record/store/image-rows.ts';
import {
	createFileContent,
	type FileContent,
	isModeOfOwner,
	kindOfState,
	toContentMark,
	noContent,
	parseFileState,
	USUAL_PERMISSIONS,
} from './file-content.ts';
import { PlannedFiles } from './planned-files.ts';
import { NO_TURN } from './turn-images.ts';
import { putContent } from './put-content.ts';

type PutKeptDeps = ConstructorParameters<typeof PlannedFiles>[0] &
	Parameters<typeof putContent>[0] & { readonly performForUser: PerformForUser };

interface KeptWish {
	readonly owner: ChangeOwner;
	/** Owner of images of what an act takes back, for a redo. */
	readonly undone: ChangeOwner;
	/** True: what is there now may be kept, too. */
	readonly mayKeep: boolean;
	readonly absolutePath: string;
	readonly path: string;
	/** Text or mark that was seen there; undefined: nothing was there. */
	readonly now: string | undefined;
	/** The same of what is to be there. */
	readonly wanted: string | undefined;
	/** True where what an undo took back is to come again. */
	readonly isRedo?: boolean;
}

/** Rejects with FILE_CHANGED where something else is there than was seen, with STORE_UNAVAILABLE where it is not kept any more. */
export async function putKept(deps: PutKeptDeps, wish: KeptWish, signal: AbortSignal): Promise<OpOutcome> {
	const { owner, undone, absolutePath, path } = wish;
	const files = new PlannedFiles(deps);
	const listImages = async (threadId: ChangeOwner) =>
		(await deps.stored.call('imagesSince', { threadId, turnId: '' })).filter(
			(image) => image.absolutePath === absolutePath,
		);
	const images = await listImages(owner);
	const usualEncoding = deps.paths.usualEncoding(absolutePath);
	const now = await files.now(absolutePath);
	if (typeof now !== 'object' || toContentMark(now, usualEncoding) !== wish.now) {
		throw new ProwessError('FILE_CHANGED', `${path} has changed since it was looked at`, { path });
	}
	const to = await keptContent(files, wish, { images, undone: await listImages(undone), now, usualEncoding });
	if (wish.mayKeep) {
		const image = { path, absolutePath, before: now.state, newFolder: null, bytes: now.bytes };
		await deps.stored.call('keepImage', { threadId: undone, turnId: NO_TURN, ...image });
	}
	const newFolder = to.state === NO_FILE_STATE ? await findNewFolder(deps, wish, images) : null;
	const work = putContent(deps, { to, newFolder, onChanging: () => Promise.resolve() });
	const call = { opId: newId('op'), params: { path: absolutePath, shown: path, from: now.state, to: to.state } };
	return await deps.performForUser(work, call, ThreadId.safeParse(owner).data ?? null, signal);
}

/** Topmost of the folders made for the file that are no change by themselves; null: there is none. */
async function findNewFolder(
	{ stored, paths }: PutKeptDeps,
	{ owner, absolutePath }: KeptWish,
	images: readonly TurnImage[],
): Promise<string | null> {
	const top = images.find(({ before }) => before === NO_FILE_STATE)?.newFolder ?? null;
	const { realPath } = await paths.locateEntry(paths.resolveFound(absolutePath));
	let [known, real] = [dirname(absolutePath), dirname(realPath)];
	let found: string | null = null;
	while (top !== null && `${real}${sep}`.startsWith(`${top}${sep}`)) {
		if ((await stored.call('changedFile', { owner, absolutePath: known })) !== undefined) break;
		found = real;
		[known, real] = [dirname(known), dirname(real)];
	}
	return found;
}

interface KeptOfFile {
	readonly images: readonly TurnImage[];
	/** Images of what the last undo took back. */
	readonly undone: readonly TurnImage[];
	readonly now: FileContent;
	readonly usualEncoding: string | undefined;
}

async function keptContent(
	files: PlannedFiles,
	{ path, wanted, isRedo }: KeptWish,
	{ images, undone, now, usualEncoding }: KeptOfFile,
): Promise<FileContent> {
	if (wanted === undefined) {
		return noContent;
	}
	const all = isRedo === true ? [...undone.toReversed(), ...images] : [...images, ...undone];
	const kept = await findImage(files, all, wanted, usualEncoding);
	if (standsForBytes(wanted)) {
		if (kept === undefined) {
			throw new ProwessError('STORE_UNAVAILABLE', `what ${path} was before is not kept any more`, { path });
		}
		return kept;
	}
	const isFile = kindOfState(now.state) === 'file';
	const encoding = isFile && now.bytes !== undefined ? readableText(now.bytes, usualEncoding)?.encoding : undefined;
	// Where somebody else has changed the file since, its encoding is theirs.
	const isAsLeft = isRedo === true || images.at(-1)?.after === now.state;
	const mayEncode = encoding !== undefined && !(isAsLeft && kept?.bytes !== undefined);
	const bytes = mayEncode ? encodeText(path, wanted, encoding) : kept?.bytes;
	const permissions = isFile && !isModeOfOwner(images, now) ? now.state : (kept ?? now).state;
	return createFileContent(
		bytes ?? encodeNew(wanted, usualEncoding),
		kindOfState(permissions) === 'file' ? parseFileState(permissions).permissions : USUAL_PERMISSIONS,
	);
}

/** State in an image that this text or mark stands for, with its bytes. */
async function findImage(
	files: PlannedFiles,
	images: readonly TurnImage[],
	content: string,
	usualEncoding: string | undefined,
): Promise<FileContent | undefined> {
	for (const state of images.flatMap(({ before, after }) => [before, after ?? NO_FILE_STATE])) {
		const bytes = kindOfState(state) === 'file' ? await files.blob(parseFileState(state).hash) : undefined;
		if (toContentMark({ state, bytes }, usualEncoding) === content) {
			return { state, bytes };
		}
	}
	return undefined;
}
