/** Output of `prowess replay --json`, which the editor reads. */
import * as z from '../text/zod.ts';

/** End of a recording: `full` at its limit, `cut` where its process was killed. */
const RecordingEnd = z.enum(['whole', 'full', 'cut']);

/** Recordings of this home, newest first; what else is known of each is left out here. */
export const RecordedTurns = z.array(z.object({ turns: z.array(z.string()), end: RecordingEnd }));

export const ReplayedTurn = z.object({
	end: RecordingEnd,
	/** Absent: all was the same. */
	difference: z
		.object({
			/** Number of the step in the recording, from 1; 0: none of it. */
			step: z.int(),
			/** Name of the step: a request to a model, an op, an outcome. */
			what: z.string(),
			/** Path in it, as `request.messages[2].text`; empty: all of it. */
			path: z.string(),
			/** Lines with `-` before what was recorded and `+` before what the replay has. */
			lines: z.array(z.string()),
		})
		.optional(),
	/** Requests to models, and ops, that were the same. */
	requests: z.int(),
	ops: z.int(),
	/** Last hash of the chain of the replay; absent: the recording has no end to compare it with. */
	chain: z.string().optional(),
});
export type ReplayedTurn = z.infer<typeof ReplayedTurn>;
