import { availableParallelism, loadavg } from 'node:os';
import { type Figure, tableOf } from './measure.ts';

/**
 * Runs benchmarks one after the other and writes the figures of each as soon as it ends. Returns the names of those that
 * broke, which are also the last line it writes.
 */
export async function runBenches(
	benches: Readonly<Record<string, () => Promise<Figure[]>>>,
	out: Pick<Console, 'log' | 'error'>,
): Promise<string[]> {
	const broken: string[] = [];
	for (const [name, bench] of Object.entries(benches)) {
		out.error(`measuring ${name} (load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores) …`);
		try {
			for (const line of tableOf(await bench())) out.log(line);
		} catch (error) {
			broken.push(name);
			out.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
		}
	}
	if (broken.length > 0) out.error(`broken: ${broken.join(', ')}`);
	return broken;
}
