/**
 * What this process holds while something runs. The memory that the system gives it would not tell: on a busy machine garbage
 * waits there for its collection, and that is no growth of what is held.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const sampleMs = 500;

/** The most bytes that were held while it worked, above those at its beginning. */
export async function heldDuring(work: () => Promise<unknown>): Promise<number> {
	const before = held();
	let most = 0;
	const timer = setInterval(() => (most = Math.max(most, held())), sampleMs);
	try {
		await work();
	} finally {
		clearInterval(timer);
	}
	return Math.max(most, held()) - before;
}

function held(): number {
	collect();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}
