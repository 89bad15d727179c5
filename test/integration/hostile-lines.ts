/** Hostile lines run for real in the sandbox, a few at a time, with everything they could be after beside it. */
import assert from 'node:assert/strict';
import type { CommandLine } from '../support/command-host.ts';
import { EscapeAttempts } from '../support/escape-attempts.ts';
import { hostileLines } from '../support/hostile-lines.ts';

/** As many share a workspace, until it is made anew. */
const BATCH = 8;

/** Fails with the lines that reached something outside. Resolves with how many ran; the others were refused or are no programs. */
export async function runHostileLines(bubblewrap: string, chosen: readonly number[]): Promise<number> {
	const through: string[] = [];
	const waiting = [...chosen];
	let ran = 0;
	const work = async () => {
		const attempts = await EscapeAttempts.create(bubblewrap, true);
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
	await Promise.all([work(), work()]);
	assert.deepEqual(through, []);
	return ran;
}
