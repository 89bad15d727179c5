/** The model that an endpoint says has answered, where that is not the model that was asked. */
import * as z from '../text/zod.ts';
import { type Text, text } from '../text/text.ts';

/** Most characters of a name that an endpoint gives; the rest is cut. */
export const SERVED_NAME_CHARS = 120;

export const ServedModel = z.object({
	/** Name that the endpoint was asked for. */
	asked: z.string(),
	/** Name that it gave, as one line. */
	by: z.string(),
});
export type ServedModel = z.infer<typeof ServedModel>;

/**
 * Says which model answered, for a line above the answer.
 * Source: the name in the stream of the endpoint, never the words of the answer.
 */
export function servedText({ asked, by }: ServedModel): Text {
	return text('The endpoint answered with the model {by}; {asked} was asked.', { by, asked });
}
