/** Whether a step of the suite notices a mutant: it runs the likeliest spec files until one fails that is green without it. */

import { join } from 'node:path';
import { testLimitsMs } from '../test/limits.ts';
import { mochaArguments, runNoted } from '../test/specs.ts';
import { built } from '../test/steps.ts';
import type { Mutant } from './sample.ts';
import { buildFor, plant, pullOut, tree, wasReached } from './tree.ts';

const minute = 60_000;
/** Most files of each step, and the longest for one run: a mutant may never end. */
export const stages = [
	{ step: 'unit', most: 12, limitMs: 5 * minute },
	{ step: 'integration', most: 4, limitMs: 8 * minute },
	{ step: 'ui', most: 1, limitMs: 10 * minute },
] as const;
type Stage = (typeof stages)[number];
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
	/** Steps that were asked. */
	readonly asked: readonly Stage['step'][];
	readonly tookMs: number;
}

interface Failure {
	/** Empty: no spec failed, but the run did. */
	readonly file: string;
	readonly title: string;
}

interface SpecFiles {
	readonly env: NodeJS.ProcessEnv;
	/** Those of the step, the likeliest for the mutant first. */
	readonly files: readonly string[];
	/** Whether what was run without a mutant was green, by its files; grows. */
	readonly greens: Map<string, boolean>;
}

/** What is known of the mutant after one more step. */
export async function tryIn(stage: Stage, mutant: Mutant, before: Trial | undefined, specs: SpecFiles): Promise<Trial> {
	const began = performance.now();
	const passed = [...(before?.passed ?? [])];
	const isNew = (file: string) => specs.greens.get(file) !== false && passed.every((one) => one.file !== file);
	const files = stage.step === 'ui' && !shown.test(mutant.file) ? [] : specs.files.slice(0, stage.most).filter(isNew);
	let died: Failure | undefined;
	try {
		// Unit specs take less than the start of a process; all others have one of their own.
		for (const batch of stage.step === 'unit' ? [files] : files.map((file) => [file])) {
			died ??= await diedIn(stage, batch, mutant, specs, (file) => passed.push({ file, reached: wasReached() }));
		}
	} finally {
		pullOut(mutant);
	}
	const isReached = passed.some(({ file, reached }) => reached || (silent.test(mutant.file) && file !== ''));
	return {
		outcome: died !== undefined ? 'died' : isReached ? 'lived' : 'unreached',
		...(died !== undefined && { by: died }),
		passed,
		asked: [...(before?.asked ?? []), stage.step],
		tookMs: Math.round(performance.now() - began) + (before?.tookMs ?? 0),
	};
}

async function diedIn(
	stage: Stage,
	files: readonly string[],
	mutant: Mutant,
	{ env, greens }: SpecFiles,
	onPassed: (file: string) => void,
): Promise<Failure | undefined> {
	if (files.length === 0) return undefined;
	plant(mutant);
	await buildFor(stage.step, files);
	const failure = await failureOf(stage, files, env);
	if (failure === undefined) {
		files.forEach(onPassed);
		return undefined;
	}
	const failed = failure.file === '' ? files : [failure.file];
	const known = greens.get(failed.join(' '));
	// One that was green before may have failed by chance.
	if (known === true && stage.step !== 'unit') return failureOf(stage, failed, env);
	if (known === undefined) {
		pullOut(mutant);
		await buildFor(stage.step, failed);
		greens.set(failed.join(' '), (await failureOf(stage, failed, env)) === undefined);
	}
	if (greens.get(failed.join(' ')) === true) return { ...failure, file: failed[0] ?? '' };
	return diedIn(
		stage,
		failed === files ? [] : files.filter((file) => file !== failure.file),
		mutant,
		{ env, files, greens },
		onPassed,
	);
}

/** Undefined: all is well. */
async function failureOf(
	{ step, limitMs }: Stage,
	files: readonly string[],
	env: NodeJS.ProcessEnv,
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
	return failed ?? (problem === undefined ? undefined : { file: '', title: problem });
}
