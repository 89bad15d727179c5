/**
 * `npm run mutants`: changes one place of the sources at a time, in a copy of the repository, and runs the specs that are
 * likely to notice. A mutant that lives is a missing spec, or code that means the same.
 * Stryker does not fit: it switches mutants inside the process of the runner, while our programs are bundles whose processes
 * have an environment of their own. Stryker also has no mutants for waits, aborts and codes.
 *   npm run mutants -- --count 30 --seed 7       a sample; the same seed gives the same one (default: 120 of seed 1)
 *   npm run mutants -- --only 3,17               these numbers of the sample
 *   npm run mutants -- --resume                  goes on where an earlier run of the sample has stopped
 *   npm run mutants -- --sample kept.json        the mutants of a kept artifacts/mutants.json, found again where they are now
 */

import { globSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { lineOf, readRecord, reportOf, type Tried, writeRecord } from './mutants/record.ts';
import { foundAgain, sampleOf } from './mutants/sample.ts';
import { specsOf } from './mutants/specs-of.ts';
import { copyTree } from './mutants/tree.ts';
import { rounds, tryIn } from './mutants/trial.ts';
import { artifacts, root } from './setup/paths.mjs';
import { explain, StepFailed } from './setup/step-failed.mjs';
import { setUp } from './test/chosen-steps.ts';
import { steps } from './test/steps.ts';

try {
	await main();
} catch (error) {
	explain(error);
	process.exitCode = 1;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string', default: '1' },
			count: { type: 'string', default: '120' },
			only: { type: 'string' },
			resume: { type: 'boolean', default: false },
			sample: { type: 'string' },
		},
	});
	const record = join(artifacts, 'mutants.json');
	const kept = values.sample === undefined ? undefined : readRecord(resolve(values.sample));
	if (values.sample !== undefined && kept === undefined) {
		throw new StepFailed(`--sample: there is no ${values.sample}`, { advice: `A run leaves one in ${record}.` });
	}
	const seed = kept?.seed ?? wholeNumber('seed', values.seed);
	const earlier = values.resume ? readRecord(record) : undefined;
	if (earlier !== undefined && earlier.seed !== seed) {
		throw new StepFailed(`--resume: ${record} is of --seed ${earlier.seed}`, { advice: 'Give that seed, too.' });
	}
	const sample =
		kept === undefined ? sampleOf(root, seed, wholeNumber('count', values.count)) : foundAgain(root, kept.mutants);
	const gone = (kept?.mutants.length ?? sample.length) - sample.length;
	if (gone > 0) console.log(`${gone} of the sample are gone: their places have changed`);
	const trials = new Map(earlier?.mutants.map(({ number, trial }) => [number, trial]));
	const mutants: Tried[] = sample.map((mutant) => {
		const trial = trials.get(mutant.number);
		return trial === undefined ? mutant : { ...mutant, trial };
	});

	const wanted = steps.filter(({ name }) => rounds.some(({ step }) => step === name));
	const env = await setUp(wanted);
	copyTree(sample);
	const known = { greens: new Map(earlier?.greens), reaches: new Map(earlier?.reaches) };
	const rank = specsOf(root);
	const only = values.only?.split(',').map((number) => wholeNumber('only', number));
	for (const round of rounds) {
		const specs = filesOf(wanted.find(({ name }) => name === round.step)?.files ?? []);
		for (const [at, mutant] of mutants.entries()) {
			const { trial: before } = mutant;
			if (before?.outcome === 'died' || before?.asked.includes(round.name) === true) continue;
			if (only?.includes(mutant.number) === false) continue;
			const files = rank(mutant, specs, round.step === 'unit');
			const trial = await tryIn(round, mutant, before, { ...known, sample, env, files });
			mutants[at] = { ...mutant, trial };
			console.log(`${round.name}: ${lineOf({ ...mutant, trial })} (${Math.round(trial.tookMs / 1000)} s)`);
			writeRecord(record, { seed, mutants, greens: [...known.greens], reaches: [...known.reaches] });
		}
	}
	console.log(`\n${reportOf({ seed, mutants })}`);
}

function filesOf(patterns: readonly string[]): string[] {
	return globSync([...patterns], { cwd: root }).map((file) => file.replaceAll(sep, '/'));
}

function wholeNumber(flag: string, text: string): number {
	const number = Number(text);
	if (text !== '' && Number.isInteger(number) && number >= 0) return number;
	throw new StepFailed(`--${flag}: expected a whole number from 0; got "${text}"`, {
		advice: `For example --${flag} 3.`,
	});
}
