/**
 * Record of the results of a sample so far, in a file that is written after each mutant because a run takes long; and
 * the reports made from it.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mutant } from './sample.ts';
import { kinds } from './sites.ts';
import type { Trial } from './trial.ts';

export interface Tried extends Mutant {
	readonly trial?: Trial;
}

interface MutantRecord {
	readonly seed: number;
	readonly mutants: readonly Tried[];
	/** Spec files that were run without what fails, and whether they were green. */
	readonly greens: readonly (readonly [file: string, isGreen: boolean])[];
	/** Spec files, and the numbers of the mutants whose places they run through. */
	readonly reaches: readonly (readonly [file: string, numbers: readonly number[]])[];
}

const outcomes = ['died', 'lived', 'unreached'] as const;
const shownChars = 90;

export function readRecord(file: string): MutantRecord | undefined {
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as MutantRecord) : undefined;
}

export function writeRecord(file: string, record: MutantRecord): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify(record, undefined, '\t')}\n`);
}

/** Returns one line that names the mutant and its outcome. */
export function lineOf({ number, kind, file, line, within, old, new: to, trial }: Tried): string {
	const change = `${shortened(old)} → ${to === '' ? '(nothing)' : shortened(to)}`;
	const by = trial?.by === undefined ? '' : ` by ${trial.by.file}`;
	return `${number}. ${trial?.outcome ?? 'not tried'}${by}: ${kind} at ${file}:${line} (${within || 'top'}): ${change}`;
}

/** A row for each kind and one for all, then every mutant that did not die, with the spec files that passed with it. */
export function reportOf({ seed, mutants }: Pick<MutantRecord, 'seed' | 'mutants'>): string {
	const rowOf = (name: string, of: readonly Tried[]) =>
		[name, ...outcomes.map((outcome) => of.filter(({ trial }) => trial?.outcome === outcome).length)]
			.map((cell) => String(cell).padEnd(11))
			.join('');
	const left = mutants.filter(({ trial }) => trial !== undefined && trial.outcome !== 'died');
	return [
		['kind', ...outcomes].map((cell) => cell.padEnd(11)).join(''),
		...kinds.map((kind) =>
			rowOf(
				kind,
				mutants.filter((mutant) => mutant.kind === kind),
			),
		),
		rowOf('all', mutants),
		'',
		...left.flatMap((mutant) => [lineOf(mutant), ...passedWith(mutant)]),
		'',
		`--seed ${seed}: ${mutants.filter(({ trial }) => trial?.outcome === 'died').length} of ${mutants.length} died`,
	].join('\n');
}

function passedWith({ trial }: Tried): string[] {
	return (trial?.passed ?? []).map(({ file, reached }) => `     ${reached ? 'ran through it' : 'passed'}: ${file}`);
}

function shortened(text: string): string {
	const line = text.replaceAll(/\s+/g, ' ');
	return line.length > shownChars ? `${line.slice(0, shownChars)}…` : line;
}
