/** Pictures that go with a message of the user: those given with it, and those of files that were added to it. */
import { ProwessError } from '../../protocol/errors.ts';
import { type ContextRef, listContextImages } from '../../protocol/thread/context.ts';
import { type ImageRef, MAX_IMAGES } from '../../protocol/ops/images.ts';
import type { ModelPort } from '../models/model-port.ts';
import type { readContext } from '../prompt/user-message.ts';
import type { TurnJournal } from '../turn/journal.ts';

type Attached = Pick<Awaited<ReturnType<typeof readContext>>, 'pictures' | 'refused'>;

/** Files beyond the number of pictures that a message takes stay out; what is not shown to the model is told to the user. */
export function attachedImages(
	context: readonly ContextRef[],
	{ pictures, refused }: Attached,
	journal: TurnJournal,
): ImageRef[] {
	const given = listContextImages(context);
	const room = Math.max(0, MAX_IMAGES - given.length);
	for (const error of refused) {
		journal.notice({ level: 'warning', text: error.message, actions: [], error });
	}
	if (pictures.length > room) {
		const count = given.length + pictures.length;
		const message = `the message has ${count} pictures, ${MAX_IMAGES} are allowed; the last were left out`;
		const error = { code: 'TOO_MANY_IMAGES' as const, message, facts: { count, limit: MAX_IMAGES } };
		journal.notice({ level: 'warning', text: message, actions: [], error });
	}
	const kept = pictures
		.slice(0, room)
		.flatMap(({ data, name }) => journal.keepImage(Buffer.from(data, 'base64'), name) ?? []);
	return [...given, ...kept];
}

/** Throws IMAGES_NOT_TAKEN for pictures of the user where the model is known to take none: they would be the point of the message. */
export function refuseImages(context: readonly ContextRef[], { id, takesImages }: ModelPort): void {
	if (takesImages === false && listContextImages(context).length > 0) {
		throw new ProwessError('IMAGES_NOT_TAKEN', `the model ${id} takes no pictures`, { model: id });
	}
}
