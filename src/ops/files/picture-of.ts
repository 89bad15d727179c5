/** A file that is a picture, as fs.read gives it to the agent. Capabilities are given texts alone. */
import { checkedImage, detectImageType } from '../../protocol/ops/images.ts';
import type { OpResult } from '../../protocol/ops.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import { readBytes } from '../../machine/paths/reading/read-file.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { FileDeps } from './file-deps.ts';

const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i;

/** Undefined: it is read as a text. The name tells what is looked at, the first bytes what it is. */
export async function readPicture(
	{ documents }: Pick<FileDeps, 'documents'>,
	located: Located,
	{ caller, signal }: OpContext,
): Promise<OpResult<'fs.read'> | undefined> {
	const { path, absolutePath } = located;
	if (caller.kind !== 'agent' || !PICTURE.test(path) || documents.readOpen(absolutePath) !== undefined) {
		return undefined;
	}
	const bytes = await readBytes(located, signal);
	if (detectImageType(bytes) === undefined) {
		// A text by the name of a picture is a text; anything else is refused as binary.
		return undefined;
	}
	const image = { ...checkedImage(bytes, path), data: bytes.toString('base64') };
	return { path, text: '', startLine: 1, endLine: 0, totalLines: 0, truncated: false, unsaved: false, image };
}
