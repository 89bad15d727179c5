/** Pictures and files that the user pastes, drops or picks: pictures are stored at once, so that a draft has them when this page is gone. */
import { viewRequests } from '../../protocol/pages/chat-view.ts';
import { listContextImages } from '../../protocol/thread/context.ts';
import { imageTooLarge, type ImageRef, MAX_IMAGE_BYTES, refuseManyImages } from '../../protocol/ops/images.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { type ActionContext, orShow } from './asking.ts';
import type { DraftActions } from './draft-actions.ts';

export type PictureActions = ReturnType<typeof pictureActions>;

/** Picture before it is stored. */
export interface GivenPicture {
	readonly file: Blob;
	/** Absent of one that was pasted. */
	readonly name?: string;
}

export function pictureActions(asking: ActionContext, drafts: DraftActions) {
	const { peer, store, signal } = asking;

	async function storePicture({ file, name }: GivenPicture): Promise<ImageRef> {
		if (file.size > MAX_IMAGE_BYTES) {
			throw imageTooLarge(name ?? 'The picture', file.size);
		}
		const data = await base64Of(file);
		return await peer.call(threadRequests.attach, { data, ...(name === undefined ? {} : { name }) }, signal);
	}

	return {
		/** Adds them to the draft, in order; the first that cannot be sent is shown with its reason, and ends it. */
		async attach(threadId: ThreadId | null, pictures: readonly GivenPicture[]): Promise<void> {
			const attach = drafts.attachLater(threadId);
			const attachPictures = async () => {
				refuseManyImages(listContextImages(drafts.of(threadId).refs).length + pictures.length);
				for (const picture of pictures) {
					const ref = await storePicture(picture);
					attach([{ kind: 'image', ...ref }]);
				}
			};
			await orShow(asking, attachPictures());
		},
		/** Adds what the user picks in the dialog of the editor. */
		async pick(threadId: ThreadId | null): Promise<void> {
			const attach = drafts.attachLater(threadId);
			const picked = await orShow(asking, peer.call(viewRequests.pickFiles, {}, signal));
			if (picked !== undefined && picked.refs.length > 0) {
				attach(picked.refs);
				store.dispatch({ type: 'focusInput' });
			}
		},
		/** Undefined: it is no longer stored, or nobody can say. A chip without a picture says enough. */
		async bytesOf({ id, type }: ImageRef): Promise<Blob | undefined> {
			try {
				const { data } = await peer.call(threadRequests.image, { id }, signal);
				return data === null
					? undefined
					: new Blob([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))], { type });
			} catch {
				return undefined;
			}
		},
	};
}

function base64Of(file: Blob): Promise<string> {
	return new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => {
			const url = typeof reader.result === 'string' ? reader.result : '';
			resolve(url.slice(url.indexOf(',') + 1));
		};
		reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
		reader.readAsDataURL(file);
	});
}
