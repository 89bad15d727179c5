/**
 * Specs that fail are tried once more, with their whole outermost suite, alone, in a new process, window and folder:
 * chance on a busy machine does not fail the run, and a fault of the product does.
 */

import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../setup/paths.mjs';
import { mostRetriedSuites } from './limits.ts';
import { type EndedRun, type FlakySpec, type Outcome, outcomeOf } from './outcome.ts';
import { picturesOf, type Try } from './pictures.ts';
import type { SpecResult } from './spec-results.ts';

/** The failed suites of one spec file. */
export interface Suites {
	readonly file: string;
	/** Their titles: those of the outermost `describe`s. */
	readonly titles: readonly string[];
}

export async function withSecondTry(options: {
	readonly first: EndedRun;
	/** Where the pictures lie. */
	readonly artifacts: string;
	/** Runs these suites again. */
	again(suites: Suites): Promise<EndedRun>;
}): Promise<Outcome> {
	const { first, artifacts, again } = options;
	const suites = failedSuites(first.specs);
	const count = suites.reduce((total, { titles }) => total + titles.length, 0);
	// A run that died has nothing to be trusted, and many failures are no chance.
	if (first.problem !== undefined || count === 0) return outcomeOf(first);
	if (count > mostRetriedSuites) {
		console.log(`\n${count} suites failed: more than ${mostRetriedSuites} are no chance, and are not tried again`);
		return outcomeOf(first);
	}
	let specs = first.specs;
	const problems: string[] = [];
	const flaky: FlakySpec[] = [];
	for (const wanted of suites) {
		console.log(`\n── second try: ${wanted.titles.join(', ')} (${wanted.file}) ──`);
		const second = await again(wanted);
		if (second.problem !== undefined) problems.push(`the second try of ${wanted.file}: ${second.problem}`);
		const both = joinTries(specs, second, wanted);
		specs = both.specs;
		flaky.push(
			...both.flaky.map((spec) => ({ title: spec.title, file: spec.file, pictures: shownIn(artifacts, spec) })),
		);
	}
	return { ...outcomeOf({ ...first, specs }), problems, flaky };
}

/**
 * Returns the failed suites by file, in the order in which they failed. A hook of the whole run belongs to no suite and
 * is not tried again.
 */
function failedSuites(specs: readonly SpecResult[]): Suites[] {
	const failed = specs.filter(({ state, suite }) => state === 'failed' && suite !== '');
	const files = new Set(failed.map(({ file }) => file));
	return [...files].map((file) => ({
		file,
		titles: [...new Set(failed.filter((spec) => spec.file === file).map(({ suite }) => suite))],
	}));
}

/**
 * Joins the results of both tries. A spec that passed in one of the tries counts as passed, and as flaky. Specs that a
 * failed hook kept from running in the first try count as in the second.
 */
function joinTries(
	first: readonly SpecResult[],
	second: EndedRun,
	wanted: Suites,
): { readonly specs: readonly SpecResult[]; readonly flaky: readonly SpecResult[] } {
	const isWanted = ({ file, suite }: SpecResult) => file === wanted.file && wanted.titles.includes(suite);
	// Sort failures last: of two specs with the same title the failed one counts.
	const inOrder = second.specs
		.filter(isWanted)
		.toSorted((a, b) => Number(a.state === 'failed') - Number(b.state === 'failed'));
	const later = new Map(inOrder.map((spec) => [spec.title, spec]));
	const earlier = new Set(first.filter(isWanted).map(({ title }) => title));
	const isWhole = second.done && second.problem === undefined;
	const flaky: SpecResult[] = [];
	const specs = first.flatMap((spec): SpecResult[] => {
		if (!isWanted(spec)) return [spec];
		const again = later.get(spec.title)?.state;
		if (spec.kind === 'hook') {
			// Passing hooks are not noted: a hook passed when the second try ran to its end without its failure.
			if (!isWhole || again === 'failed') return [spec];
			flaky.push(spec);
			return [];
		}
		if (spec.state === 'passed' && again === 'failed') flaky.push(spec);
		if (spec.state !== 'failed' || again !== 'passed') return [spec];
		flaky.push(spec);
		return [{ ...spec, state: 'passed' }];
	});
	const added = [...later.values()].filter(({ title }) => !earlier.has(title));
	// A hook that failed only now had passed before.
	flaky.push(...added.filter(({ kind }) => kind === 'hook'));
	return { specs: [...specs, ...added.filter(({ kind }) => kind === 'spec')], flaky };
}

function shownIn(artifacts: string, { title }: SpecResult): FlakySpec['pictures'] {
	const of = (which: Try) =>
		globSync(picturesOf(which, title), { cwd: artifacts })
			.sort()
			.map((name) => relative(root, join(artifacts, name)));
	return [of('first'), of('second')];
}
