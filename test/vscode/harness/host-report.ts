/** What became of the specs in an extension host: read from the file that its runner writes, printed, and counted. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { HostResults } from './host-results.ts';

export function readResults(file: string): HostResults {
	if (!existsSync(file)) return { done: false, passed: [], failed: [], skipped: [] };
	return JSON.parse(readFileSync(file, 'utf8')) as HostResults;
}

/** Prints each test, leaves the counts where PROWESS_RESULTS says, and sets the exit code. */
export function report({ done, passed, failed, skipped }: HostResults): void {
	for (const { title, ms } of passed) console.log(`  ✔ ${title} (${ms}ms)`);
	for (const title of skipped) console.log(`  - ${title}`);
	for (const { title, error } of failed) console.log(`  ✖ ${title}\n${error.replaceAll(/^/gm, '      ')}`);
	const isWhole = done && passed.length + failed.length > 0;
	if (!isWhole) console.error('no whole result from the extension host; see artifacts/');
	const counts = { passed: passed.length, failed: failed.length, skipped: skipped.length, done: isWhole };
	if (process.env['PROWESS_RESULTS'] !== undefined) {
		writeFileSync(process.env['PROWESS_RESULTS'], JSON.stringify(counts));
	}
	process.exitCode = isWhole && failed.length === 0 ? 0 : 1;
}
