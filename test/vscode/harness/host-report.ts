/**
 * Reports the results of the specs in an extension host: reads them from the file that the host's runner writes, prints
 * and notes them.
 */

import { existsSync, readFileSync } from 'node:fs';
import { noteEnd, noteSpec } from '../../../scripts/test/spec-results.ts';
import type { HostResults } from './host-results.ts';

export function readResults(file: string): HostResults {
	if (!existsSync(file)) return { done: false, specs: [] };
	return JSON.parse(readFileSync(file, 'utf8')) as HostResults;
}

/** Prints each test, notes it where PROWESS_RESULTS says, and sets the exit code. `where` the specs run. */
export function report({ done, specs }: HostResults, where: string): void {
	const noted = process.env['PROWESS_RESULTS'];
	for (const { suite, title, kind, state, ms, error = '' } of specs) {
		if (state === 'passed') console.log(`  ✔ ${title} (${ms}ms)`);
		else if (state === 'skipped') console.log(`  - ${title}`);
		else console.log(`  ✖ ${title}\n${error.replaceAll(/^/gm, '      ')}`);
		noteSpec(noted, { file: where, suite, title, kind, state });
	}
	const isWhole = done && specs.some(({ state }) => state !== 'skipped');
	if (isWhole) noteEnd(noted, {});
	else console.error('no whole result from the extension host; see artifacts/');
	process.exitCode = isWhole && specs.every(({ state }) => state !== 'failed') ? 0 : 1;
}
