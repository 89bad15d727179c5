/** Processor time of this process, in milliseconds: what else the machine does is not in it. */

export function processorMs(work: () => void): number {
	const before = process.cpuUsage();
	work();
	return since(before);
}

/** Does the work; `p99` is what a turn of the loop took meanwhile, but for one in a hundred. */
export async function turnsDuring<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly p99: number }> {
	const took: number[] = [];
	let last = process.cpuUsage();
	const beat = setInterval(() => {
		took.push(since(last));
		last = process.cpuUsage();
	}, 10);
	try {
		const result = await work();
		return { result, p99: took.sort((a, b) => a - b)[Math.floor(took.length * 0.99) - 1] ?? 0 };
	} finally {
		clearInterval(beat);
	}
}

function since(before: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}
