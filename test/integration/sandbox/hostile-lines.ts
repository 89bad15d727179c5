/** Hostile lines run for real in the sandbox, a few at a time, with everything they could be after beside it. */
import type { CommandLine } from '../../support/command-host.ts';
import { EscapeAttempts, type EscapeOptions } from '../../support/escape-attempts.ts';
import { hostileLines } from '../../support/hostile-lines.ts';

/** Number of lines that share a workspace before it is made anew. */
const BATCH = 8;

interface HostileRun {
	/** Escapes that reached something outside, each with the lines that ran together. */
	readonly through: readonly string[];
	/** Number of lines that ran; the others were refused or are no programs. */
	readonly ran: number;
}

/** Lines by their numbers, in the sandbox only. */
export async function runHostileLines(chosen: readonly number[], options: EscapeOptions): Promise<HostileRun> {
	const through: string[] = [];
	const waiting = [...chosen];
	let ran = 0;
	const work = async () => {
		const attempts = await EscapeAttempts.create({ ...options, isSandboxOnly: true });
		try {
			for (let batch = waiting.splice(0, BATCH); batch.length > 0; batch = waiting.splice(0, BATCH)) {
				let lines: readonly CommandLine[] = [];
				const reached = await attempts.hostile((places) => {
					const all = hostileLines(places);
					const mine = batch.flatMap((index) => (all[index] === undefined ? [] : [all[index]]));
					lines = mine;
					return mine;
				});
				ran += reached.ran;
				if (reached.effects.length > 0) {
					through.push(`${reached.effects.join(', ')}\n\t${lines.map((line) => line.join(' ')).join('\n\t')}`);
				}
			}
		} finally {
			await attempts.close();
		}
	};
	// A host for whom nothing is left would be started for nothing.
	await Promise.all(chosen.length > BATCH ? [work(), work()] : [work()]);
	return { through, ran };
}
