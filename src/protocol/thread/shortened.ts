/** Pieces of a thread that the model is shown the beginning and the end of. They stay whole where people read them. */
import { ItemId } from '../rpc/ids.ts';
import * as z from '../text/zod.ts';

const Kind = z.enum(['result', 'input', 'answer', 'attachment']);
const Count = z.int().nonnegative();
/** Characters of the whole, and of what is left of it. */
const shortenedSizes = { before: Count, after: Count };

const ShortenedPart = z.object({
	kind: Kind,
	title: z.string(),
	/** Call that it belongs to; absent: none, or one that cannot be told from others. */
	itemId: ItemId.optional(),
	...shortenedSizes,
});
export type ShortenedPart = z.infer<typeof ShortenedPart>;

/** All of them are counted; of very many, `parts` are those that lost most, in their order. */
export const Shortened = z.object({ parts: z.array(ShortenedPart), counts: z.record(Kind, Count), ...shortenedSizes });
export type Shortened = z.infer<typeof Shortened>;
