/**
 * A time to delete old things by. A clock that has jumped ahead makes all that is kept look old, so only what was old already
 * at a look at least a day earlier may go: the home notes when it was looked.
 */
import { join } from 'node:path';
import * as z from '../../protocol/text/zod.ts';
import { readIfThere, replaceDurably } from './durable-file.ts';

const LOOK_GAP_MS = 86_400_000;

/** Milliseconds by the clock. */
const ClockLooks = z.object({
	/** Newest look that another one has followed a day later or more. */
	settled: z.number().optional(),
	/** Look that waits for that. */
	pending: z.number().optional(),
});
export type ClockLooks = z.infer<typeof ClockLooks>;

/** Looks after one at `now`. A look that is later than it was made while the clock was ahead, and counts for nothing. */
export function nextLooks(looks: ClockLooks, now: number): ClockLooks {
	const [settled, pending] = [looks.settled, looks.pending].map((at) =>
		at !== undefined && at <= now ? at : undefined,
	);
	if (pending === undefined) return { settled, pending: now };
	return now - pending < LOOK_GAP_MS ? { settled, pending } : { settled: pending, pending: now };
}

/** Notes a look, and resolves with the time to delete by; undefined: the home has not been looked at for a day yet. */
export async function noteLook(home: string): Promise<number | undefined> {
	const path = join(home, 'clock-looks.json');
	const before = await readLooks(path);
	const looks = nextLooks(before, Date.now());
	if (looks.pending !== before.pending) await replaceDurably(path, `${JSON.stringify(looks)}\n`);
	return looks.settled;
}

/** A damaged note says nothing: then a day is waited again. */
async function readLooks(path: string): Promise<ClockLooks> {
	try {
		return ClockLooks.parse(JSON.parse((await readIfThere(path)) ?? '{}'));
	} catch {
		return {};
	}
}
