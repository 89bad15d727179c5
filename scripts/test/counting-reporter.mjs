import { relative, sep } from 'node:path';
import Mocha from 'mocha';
import { noteEnd, noteSpec } from './spec-results.ts';

/** The `spec` reporter that also notes how each spec went in the file named in PROWESS_RESULTS. */
export default class CountingReporter extends Mocha.reporters.Spec {
	/** @param {Mocha.Runner} runner @param {Mocha.MochaOptions} options */
	constructor(runner, options) {
		super(runner, options);
		const results = process.env['PROWESS_RESULTS'];
		/** @param {Mocha.Runnable} runnable @param {'passed' | 'failed' | 'skipped'} state */
		const note = (runnable, state) => noteSpec(results, { ...describeRunnable(runnable), state });
		runner.on('pass', (test) => note(test, 'passed'));
		// A hook that fails (the leak check is one) counts as a failure too.
		runner.on('fail', (runnable, error) => {
			note(runnable, 'failed');
			sayWhichFileBroke(runnable, error);
		});
		runner.on('pending', (test) => note(test, 'skipped'));
		/** @type {Map<string, number>} */
		const tookMs = new Map();
		/** @param {Mocha.Runnable} runnable */
		const add = (runnable) => {
			const file = fileOf(runnable);
			if (file !== '') tookMs.set(file, (tookMs.get(file) ?? 0) + (runnable.duration ?? 0));
		};
		runner.on('test end', add);
		runner.on('hook end', add);
		runner.once('end', () => {
			noteEnd(results, Object.fromEntries(tookMs));
		});
	}
}

/** @param {Mocha.Runnable} runnable */
function fileOf({ file }) {
	return file === undefined ? '' : relative(process.cwd(), file).replaceAll(sep, '/');
}

/** @param {Mocha.Runnable & { type?: string }} runnable */
function describeRunnable(runnable) {
	// Expect no methods: a failure outside of every suite came from another process without them.
	const titles = runnable.titlePath?.() ?? [runnable.title];
	const isOfRun = titles.length < 2;
	/** @type {'hook' | 'spec'} */
	const kind = runnable.type === 'hook' ? 'hook' : 'spec';
	return {
		file: isOfRun ? '' : fileOf(runnable),
		suite: isOfRun ? '' : (titles[0] ?? ''),
		title: titles.join(' '),
		kind,
	};
}

/**
 * A file that cannot be loaded, or whose process dies, has no test to blame: mocha does not name it, and says what was wrong
 * with the first one only. @param {Mocha.Runnable} runnable @param {Error & { file?: string }} error
 */
function sayWhichFileBroke({ title }, { file, message, stack }) {
	if (title !== 'Uncaught error outside test suite' || file === undefined) return;
	console.error(`\n✗ ${relative(process.cwd(), file)} broke off:\n${stack ?? message}\n`);
}
