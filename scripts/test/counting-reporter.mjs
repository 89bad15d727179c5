import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';

/**
 * The `spec` reporter that also writes to the file named in PROWESS_RESULTS how it went, after every test, so that a run
 * that dies half-way leaves its state: without `done` it does not count as passed.
 */
export default class CountingReporter extends Mocha.reporters.Spec {
	/** @param {Mocha.Runner} runner @param {Mocha.MochaOptions} options */
	constructor(runner, options) {
		super(runner, options);
		const results = { passed: 0, failed: 0, skipped: 0, done: false };
		const save = () => {
			const file = process.env['PROWESS_RESULTS'];
			if (file !== undefined) writeFileSync(file, JSON.stringify(results));
		};
		runner.on('pass', () => (results.passed++, save()));
		// A hook that fails (the leak check is one) counts as a failure too.
		runner.on('fail', (runnable, error) => {
			results.failed++;
			save();
			sayWhichFileBroke(runnable, error);
		});
		runner.on('pending', () => (results.skipped++, save()));
		runner.once('end', () => ((results.done = true), save()));
		save();
	}
}

/**
 * A file that cannot be loaded, or whose process dies, has no test to blame: mocha does not name it, and says what was wrong
 * with the first one only. @param {Mocha.Runnable} runnable @param {Error & { file?: string }} error
 */
function sayWhichFileBroke({ title }, { file, message, stack }) {
	if (title !== 'Uncaught error outside test suite' || file === undefined) return;
	console.error(`\n✗ ${relative(process.cwd(), file)} broke off:\n${stack ?? message}\n`);
}
