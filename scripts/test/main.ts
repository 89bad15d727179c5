/** Runs the wanted steps, each to its end whatever the others did, and ends with the line `N passed, N failed`. */

import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { artifacts, compiled } from '../setup/paths.mjs';
import { explain, StepFailed } from '../setup/step-failed.mjs';
import { asSpecFiles, choose, filesOf, setUp, stepsThatRun } from './chosen-steps.ts';
import type { Outcome } from './outcome.ts';
import { runSteps } from './run-steps.ts';
import { testEnvironment } from './steps.ts';

try {
	const outcome = await main();
	console.log(`\n${outcome.passed} passed, ${outcome.failed} failed`);
	process.exitCode = outcome.failed === 0 ? 0 : 1;
} catch (error) {
	explain(error);
	console.log('\n0 passed, 1 failed');
	process.exitCode = 1;
}

async function main(): Promise<Outcome> {
	const { values, positionals: specs } = parseArgs({
		allowPositionals: true,
		options: {
			only: { type: 'string', multiple: true, default: [] },
			check: { type: 'boolean', default: false },
			grep: { type: 'string' },
			jobs: { type: 'string' },
		},
	});
	const jobs = values.jobs === undefined ? undefined : Number(values.jobs);
	if (jobs !== undefined && (!Number.isInteger(jobs) || jobs < 1)) {
		throw new StepFailed(`--jobs: expected a whole number from 1; got "${values.jobs}"`, {
			advice: '1 runs spec files one after the other.',
		});
	}
	const named = [...values.only.flatMap((names) => names.split(',')), ...(values.check ? ['check'] : [])];
	const given = asSpecFiles(specs);
	const running = stepsThatRun(given);
	const wanted = choose(named.length === 0 ? running : named);
	if (given.length > 0 && !wanted.some(({ name }) => running.includes(name))) {
		const advice = `They belong to ${running.join(', ')}.`;
		throw new StepFailed(`${named.join(', ')} does not run ${given.join(', ')}`, { advice });
	}
	const settingUp = setUp(wanted);
	// Prevent an unhandled rejection: each step that waits for the set-up reports the failure.
	settingUp.catch(() => {});
	for (const earlier of [artifacts, compiled]) rmSync(earlier, { recursive: true, force: true });
	mkdirSync(artifacts, { recursive: true });
	return runSteps(wanted, {
		// Checks, build and package need nothing but the repository, and go on beside the set-up.
		environmentOf: (step) =>
			step.files === undefined && step.needs.length === 0 ? Promise.resolve(testEnvironment()) : settingUp,
		filesOf: (step) => (given.length === 0 ? (step.files ?? []) : filesOf(step, given)),
		grep: values.grep,
		jobs,
		// No second try when files are named: their user looks at each run.
		hasSecondTry: given.length === 0,
	});
}
