/**
 * A time to delete old things by. A clock that has jumped ahead makes all that is kept look old, so only what was old already
 * at a look that a week of later ones has followed may go: the home notes when it was looked.
 */
import { join } from 'node:path';
import * as z from '../../protocol/text/zod.ts';
import { readIfThere, replaceDurably } from './durable-file.ts';

const LOOK_GAP_MS = 86_400_000;
/** Looks, each a day after the last or more, that a clock which is ahead would have to survive. */
const LATER_LOOKS = 7;

/** Milliseconds by the clock. */
const ClockLooks = z.object({
	/** Newest look that enough others have followed. */
	settled: z.number().optional(),
	/** Looks that wait for that, oldest first. */
	pending: z.array(z.number()).max(LATER_LOOKS).default([]),
});
export type ClockLooks = z.infer<typeof ClockLooks>;

/** Looks after one at `now`. A look that is later than it was made while the clock was ahead, and counts for nothing. */
export function nextLooks({ settled, pending }: ClockLooks, now: number): ClockLooks {
	const known = settled !== undefined && settled <= now ? settled : undefined;
	const past = pending.filter((at) => at <= now);
	const last = past.at(-1);
	if (last !== undefined && now - last < LOOK_GAP_MS) return { settled: known, pending: past };
	const [oldest, ...others] = [...past, now];
	return others.length < LATER_LOOKS
		? { settled: known, pending: [...past, now] }
		: { settled: oldest, pending: others };
}

/** Notes a look, and resolves with the time to delete by; undefined: the home has not been looked at for a week yet. */
export async function noteLook(home: string): Promise<number | undefined> {
	const path = join(home, 'clock-looks.json');
	const before = await readLooks(path);
	const looks = nextLooks(before, Date.now());
	if (looks.pending.join() !== before.pending.join()) await replaceDurably(path, `${JSON.stringify(looks)}\n`);
	return looks.settled;
}

/** A damaged note says nothing: then a week is waited again. */
async function readLooks(path: string): Promise<ClockLooks> {
	try {
		return ClockLooks.parse(JSON.parse((await readIfThere(path)) ?? '{}'));
	} catch {
		return { pending: [] };
	}
}
