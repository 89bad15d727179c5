/**
 * Decides if the suite notices a mutant: a step runs the likeliest spec files until one fails that is green without it.
 */

import { join } from 'node:path';
import { testLimitsMs } from '../test/limits.ts';
import { mochaArguments, runNoted } from '../test/specs.ts';
import { built } from '../test/steps.ts';
import type { Mutant } from './sample.ts';
import { buildFor, plant, pullOut, takeReached, tree } from './tree.ts';

const minute = 60_000;
/**
 * Rounds in which all mutants are tried, the cheap one first: of which step, most spec files for one mutant, and the longest
 * for one run, since a mutant may never end. Every run tells which places of the sample its files run through, so a second
 * round knows what the first could only guess.
 */
export const rounds = [
	{ name: 'unit', step: 'unit', most: 12, limitMs: 5 * minute },
	{ name: 'integration', step: 'integration', most: 2, limitMs: 8 * minute },
	{ name: 'ui', step: 'ui', most: 1, limitMs: 10 * minute },
	{ name: 'again', step: 'integration', most: 3, limitMs: 8 * minute },
] as const;
type Round = (typeof rounds)[number];
const hooks = { unit: [], integration: [], ui: ['./test/vscode/harness/last-seen.ts'] } as const;
/** Only their specs start the workbench for them. */
const shown = /^src\/(?:extension|webview)\//;
/** Their processes run in a browser, or may not write where they say that they were there. */
const silent = /^src\/(?:webview|executors)\//;

export interface Trial {
	/** `died`: a spec file noticed it. `lived`: none did, though one ran through it. `unreached`: none ran through it. */
	readonly outcome: 'died' | 'lived' | 'unreached';
	/** The spec that failed first, or what else went wrong. */
	readonly by?: Failure;
	/** Spec files that passed with it, and whether it was run through in the same run. */
	readonly passed: readonly { readonly file: string; readonly reached: boolean }[];
	/** Names of rounds. */
	readonly asked: readonly string[];
	readonly tookMs: number;
}

interface Failure {
	/** Empty: no spec failed, but the run did. */
	readonly file: string;
	readonly title: string;
}

/** Results of all runs of spec files so far; grows. */
interface Known {
	/** Results of runs without the mutant, by their files joined with blanks: true when the run was green. */
	readonly greens: Map<string, boolean>;
	/** Numbers of the places that a file runs through. Only of files that had a run for themselves, and passed. */
	readonly reaches: Map<string, readonly number[]>;
}

interface Specs extends Known {
	readonly sample: readonly Mutant[];
	readonly env: NodeJS.ProcessEnv;
	/** Spec files of the step, the likeliest for the mutant first. */
	readonly files: readonly string[];
}

/** Returns the knowledge about the mutant after one more round. */
export async function tryIn(round: Round, mutant: Mutant, before: Trial | undefined, specs: Specs): Promise<Trial> {
	const began = performance.now();
	const passed = [...(before?.passed ?? [])];
	const files = worthARun(round, mutant, passed, specs);
	let died: Failure | undefined;
	try {
		// Unit specs take less than the start of a process; all others have one of their own.
		for (const batch of round.step === 'unit' ? [files] : files.map((file) => [file])) {
			died ??= await diedIn(round, batch, mutant, specs, (file, reached) => passed.push({ file, reached }));
		}
	} finally {
		pullOut(mutant, specs.sample);
	}
	const isReached = passed.some(({ reached }) => reached || silent.test(mutant.file));
	return {
		outcome: died !== undefined ? 'died' : isReached ? 'lived' : 'unreached',
		...(died !== undefined && { by: died }),
		passed,
		asked: [...(before?.asked ?? []), round.name],
		tookMs: Math.round(performance.now() - began) + (before?.tookMs ?? 0),
	};
}

/** Files that are known to run through the mutant come first, those that do not are left out. */
function worthARun({ step, most }: Round, mutant: Mutant, passed: Trial['passed'], specs: Specs): string[] {
	if (step === 'ui' && !shown.test(mutant.file)) return [];
	const reaches = (file: string) =>
		silent.test(mutant.file) ? undefined : specs.reaches.get(file)?.includes(mutant.number);
	const isNew = (file: string) => specs.greens.get(file) !== false && passed.every((one) => one.file !== file);
	const left = specs.files.filter((file) => isNew(file) && reaches(file) !== false);
	return [...left.filter(reaches), ...left.filter((file) => reaches(file) === undefined)].slice(0, most);
}

async function diedIn(
	round: Round,
	files: readonly string[],
	mutant: Mutant,
	specs: Specs,
	onPassed: (file: string, reached: boolean) => void,
): Promise<Failure | undefined> {
	if (files.length === 0) return undefined;
	const { greens, sample } = specs;
	plant(mutant, sample);
	await buildFor(round.step);
	const failure = await failureOf(round, files, specs);
	const reached = takeReached();
	if (failure === undefined) {
		for (const file of files) onPassed(file, reached.includes(mutant.number));
		const [file = ''] = files;
		if (files.length === 1) specs.reaches.set(file, reached);
		if (files.length === 1) greens.set(file, true);
		return undefined;
	}
	const failed = failure.file === '' ? files : [failure.file];
	const known = greens.get(failed.join(' '));
	// Run again: a spec that was green before may have failed by chance.
	if (known === true && round.step !== 'unit') return failureOf(round, failed, specs);
	if (known === undefined) {
		pullOut(mutant, sample);
		await buildFor(round.step);
		greens.set(failed.join(' '), (await failureOf(round, failed, specs)) === undefined);
	}
	if (greens.get(failed.join(' ')) === true) return { ...failure, file: failed[0] ?? '' };
	const others = files.filter((file) => !failed.includes(file));
	return diedIn(round, others, mutant, specs, onPassed);
}

/** Undefined: all is well. */
async function failureOf(
	{ step, limitMs }: Round,
	files: readonly string[],
	{ env }: Specs,
): Promise<Failure | undefined> {
	const choice = { files, testLimitMs: testLimitsMs[step], grep: undefined, jobs: 1, hooks: hooks[step] };
	const { specs, problem } = await runNoted({
		name: files.join(', '),
		args: [...mochaArguments(choice), '--bail'],
		limitMs,
		env: {
			...env,
			...(step === 'integration' && built),
			PROWESS_ARTIFACTS: join(tree, 'artifacts'),
			NODE_COMPILE_CACHE: join(tree, '.tools/compiled'),
		},
		cwd: tree,
		shows: false,
	});
	const failed = specs.find(({ state }) => state === 'failed');
	if (failed !== undefined) return { file: failed.file, title: failed.title };
	return problem === undefined ? undefined : { file: '', title: problem };
}
