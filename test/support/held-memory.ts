/**
 * Measures the memory that this process holds while something runs. The memory that the system gives to the process is
 * no measure: on a busy machine it includes garbage that waits for its collection, which is no growth of the memory
 * held.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const leastPauseMs = 500;
/** Times as long as a look takes, which is long where the heap of many specs is searched: what is looked at must get on. */
const pausePerLook = 20;

/** The most bytes that were held while it worked, above those at its beginning. */
export async function heldDuring(work: () => Promise<unknown>): Promise<number> {
	const before = held();
	let most = 0;
	let timer: NodeJS.Timeout | undefined;
	const look = () => {
		const started = performance.now();
		most = Math.max(most, held());
		timer = setTimeout(look, Math.max(leastPauseMs, (performance.now() - started) * pausePerLook));
	};
	timer = setTimeout(look, leastPauseMs);
	try {
		await work();
	} finally {
		clearTimeout(timer);
	}
	return Math.max(most, held()) - before;
}

function held(): number {
	collect();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}
