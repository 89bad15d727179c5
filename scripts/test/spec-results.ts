/**
 * Results of the specs of a run: one line of JSON for each, appended as it ends, so that a run that dies leaves what it
 * knew.
 */

import { appendFileSync, readFileSync } from 'node:fs';

export interface SpecResult {
	/** Relative to the repository. Empty for a hook of the whole run. */
	readonly file: string;
	/** The outermost `describe`, which opens the window and the folder of its specs. Empty for a hook of the whole run. */
	readonly suite: string;
	/** With the titles of everything around it. */
	readonly title: string;
	/** A hook is noted only when it fails. */
	readonly kind: 'spec' | 'hook';
	readonly state: 'passed' | 'failed' | 'skipped';
}

export interface SpecResults {
	/** True when the run came to its end; otherwise nothing counts as passed. */
	readonly done: boolean;
	readonly specs: readonly SpecResult[];
	/** Duration of the specs and hooks of each file, in milliseconds; empty for a run that died. */
	readonly tookMs: Readonly<Record<string, number>>;
}

interface LastLine {
	readonly done: true;
	readonly tookMs: SpecResults['tookMs'];
}

/** Does nothing when nobody has named a file to note it in. */
export function noteSpec(file: string | undefined, result: SpecResult): void {
	if (file !== undefined) appendFileSync(file, `${JSON.stringify(result)}\n`);
}

export function noteEnd(file: string | undefined, tookMs: SpecResults['tookMs']): void {
	const last: LastLine = { done: true, tookMs };
	if (file !== undefined) appendFileSync(file, `${JSON.stringify(last)}\n`);
}

/** Returns the results noted so far. A run that died may have left half a line, which is dropped. */
export function readSpecResults(file: string): SpecResults {
	const lines = readIfThere(file).split('\n').slice(0, -1);
	const noted = lines.map((line) => JSON.parse(line) as SpecResult | LastLine);
	const last = noted.at(-1);
	const specs = noted.flatMap((line) => ('done' in line ? [] : [line]));
	return last !== undefined && 'done' in last
		? { done: true, specs, tookMs: last.tookMs }
		: { done: false, specs, tookMs: {} };
}

function readIfThere(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		// No file: the run died before its first line.
		return '';
	}
}
