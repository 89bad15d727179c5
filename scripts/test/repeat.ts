/**
 * `npm run test:repeat`: runs specs many times beside busy processes, each time in another order, and says which failed how
 * often. A spec that fails here would one day fail for somebody else.
 *   npm run test:repeat                                         all specs in the real VS Code, ten times
 *   npm run test:repeat -- test/vscode/ui/chat.test.ts --grep 'a title' --times 3
 *   --busy 0      beside nothing (default: 2 processes)         --seed 7      an order that was seen before
 */

import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { killGroup, startInGroup } from '../setup/child-processes.mjs';
import { artifacts } from '../setup/paths.mjs';
import { explain, StepFailed } from '../setup/step-failed.mjs';
import { asSpecFiles, choose, filesOf, setUp, stepsThatRun } from './chosen-steps.ts';
import { type Outcome, sum } from './outcome.ts';
import type { Step } from './steps.ts';

const makers = ['build', 'package'];

try {
	await main();
} catch (error) {
	explain(error);
	console.log('\n0 passed, 1 failed');
	process.exitCode = 1;
}

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			times: { type: 'string', default: '10' },
			busy: { type: 'string', default: '2' },
			seed: { type: 'string', default: String(Date.now() % 100_000) },
			grep: { type: 'string' },
		},
	});
	const times = wholeNumber('times', values.times, 1);
	const busy = wholeNumber('busy', values.busy, 0);
	const seed = wholeNumber('seed', values.seed, 0);
	const given = asSpecFiles(positionals);
	const running = given.length === 0 ? ['host', 'ui'] : stepsThatRun(given);
	const wanted = choose(running).filter(({ name }) => running.includes(name));
	const made = choose(makers).filter(({ groups }) => groups.some((group) => running.includes(group)));

	const env = await setUp(wanted);
	rmSync(artifacts, { recursive: true, force: true });
	mkdirSync(artifacts, { recursive: true });
	const runOf = (step: Step, order: number) =>
		step.run({
			env,
			grep: values.grep,
			jobs: 1,
			files: given.length === 0 ? (step.files ?? []) : filesOf(step, given),
			seed: order,
			hasSecondTry: false,
		});
	const before = sum(await inTurn(made, (step) => runOf(step, seed)));
	if (before.failed > 0) throw new StepFailed(before.problems.join('\n'), { advice: 'Mend the build first.' });

	const stop = beBusy(busy);
	try {
		const rounds: Outcome[] = [];
		for (let round = 0; round < times; round += 1) {
			console.log(`\n── ${round + 1} of ${times}, in the order of --seed ${seed + round} ──`);
			rounds.push(sum(await inTurn(wanted, (step) => runOf(step, seed + round))));
		}
		report(rounds, seed);
	} finally {
		stop();
	}
}

async function inTurn(steps: readonly Step[], run: (step: Step) => Promise<Outcome>): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const step of steps) outcomes.push(await run(step));
	return outcomes;
}

/** Processes that want the whole of a processor each, and end with this one. Their last word says whose they are. */
function beBusy(count: number): () => void {
	const busy = Array.from({ length: count }, () =>
		startInGroup(process.execPath, ['--eval', 'for (;;);', artifacts], { stdio: 'ignore' }),
	);
	return () => busy.forEach((child) => killGroup(child));
}

function report(rounds: readonly Outcome[], seed: number): void {
	const seeds = new Map<string, number[]>();
	for (const [round, { failures, problems }] of rounds.entries()) {
		for (const what of [...failures, ...problems]) seeds.set(what, [...(seeds.get(what) ?? []), seed + round]);
	}
	console.log('');
	const worstFirst = [...seeds].toSorted(([, one], [, other]) => other.length - one.length);
	for (const [what, failed] of worstFirst) {
		console.log(`✗ failed ${failed.length} of ${rounds.length} times (--seed ${failed.join(', ')}): ${what}`);
	}
	const { passed, failed } = sum(rounds);
	console.log(`\n${passed} passed, ${failed} failed`);
	process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

function wholeNumber(flag: string, text: string, least: number): number {
	const number = Number(text);
	if (text !== '' && Number.isInteger(number) && number >= least) return number;
	throw new StepFailed(`--${flag}: expected a whole number from ${least}; got "${text}"`, {
		advice: `For example --${flag} ${least + 2}.`,
	});
}
