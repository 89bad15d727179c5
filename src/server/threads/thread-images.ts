/** Pictures on their way into threads: stored when the user adds them, so that a draft keeps them whatever becomes of its page. */
import { type ContextRef, listContextImages } from '../../protocol/thread/context.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { type ImageId, newId } from '../../protocol/rpc/ids.ts';
import {
	checkedImage,
	type checkedMedia,
	type ImageRef,
	type ImageType,
	refuseManyImages,
} from '../../protocol/ops/images.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';
import type { threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { ImageStore, NewImage } from '../../store/threads/image-store.ts';
import type { ThreadWriter } from '../../store/threads/thread-writer.ts';
import type { ImageData } from '../models/images.ts';
import { callStore } from './store-failure.ts';

type ImageRequests = Pick<RequestHandlers<typeof threadRequests>, 'attach' | 'image'>;

export function imageRequests(images: ImageStore): ImageRequests {
	return {
		attach: async ({ data, name }) => {
			const { image, ref } = newImage(Buffer.from(data, 'base64'), name);
			callStore(() => images.keep(image));
			return ref;
		},
		image: async ({ id }) => ({ data: createImageReader(images)(id) ?? null }),
	};
}

/** A row, and what refers to it. Throws NOT_AN_IMAGE and IMAGE_TOO_LARGE. */
export function newImage(
	data: Uint8Array,
	name: string | undefined,
	read: typeof checkedMedia = checkedImage,
): { readonly image: NewImage; readonly ref: ImageRef } {
	const facts = read(data, name ?? 'The picture');
	const id = newId('img');
	const ref = { id, ...facts, bytes: data.length, ...(name === undefined ? {} : { name }) };
	return { image: { id, ...facts, name, data }, ref };
}

export function createImageReader(images: ImageStore): ImageData {
	return (id) => {
		const data = images.data(id);
		return data === undefined ? undefined : Buffer.from(data).toString('base64');
	};
}

/**
 * Returns the attachments of a message, with its pictures as the store knows them. Throws TOO_MANY_IMAGES, and
 * IMAGE_MISSING for a picture that is not stored.
 */
export function knownContext(images: ImageStore, context: readonly ContextRef[]): ContextRef[] {
	refuseManyImages(listContextImages(context).length);
	return context.map((ref) => {
		if (ref.kind !== 'image') {
			return ref;
		}
		const row = images.find(ref.id);
		if (row === undefined) {
			throw imageMissing(ref.id);
		}
		const { name, ...facts } = row;
		return {
			kind: 'image',
			...facts,
			id: row.id as ImageId,
			type: row.type as ImageType,
			...(name === null ? {} : { name }),
		};
	});
}

/** The turn's from now on. Throws IMAGE_MISSING for one of another thread. */
export function takeImages(writer: ThreadWriter, turnId: string, images: readonly ImageRef[]): void {
	for (const { id } of images) {
		if (!writer.takeImage(turnId, id)) {
			throw imageMissing(id);
		}
	}
}

function imageMissing(id: string): ProwessError {
	return new ProwessError('IMAGE_MISSING', `the picture ${id} is not stored for this thread`, { imageId: id });
}
