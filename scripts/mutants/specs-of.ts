/** Which spec files are likely to notice a mutant: those that load its file, the nearest and those of the same words first. */

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Mutant } from './sample.ts';

interface Texts {
	readonly distancesFrom: (file: string) => ReadonlyMap<string, number>;
	readonly wordsOf: (file: string) => ReadonlySet<string>;
	/** Returns the weight of a word that two files share: greater, the fewer spec files have it. */
	readonly weightOf: (word: string) => number;
	readonly read: (file: string) => string;
}

/** Specs of the text of sources: they would see that it was changed, and not what it does. */
const ofText = new Set(['test/arrows.test.ts', 'test/bundles.test.ts', 'test/test-outputs.test.ts']);
const searched = ['src/**/*.{ts,tsx}', 'test/**/*.ts', 'scripts/**/*.ts'];
/** The bundles name the entries of all programs. */
const ignored = ['test/fixtures/**', 'scripts/build/**'];
/** Files that a file builds or starts although its text does not name them. */
const started: Readonly<Record<string, readonly string[]>> = {
	'test/webview/support/site.ts': ['src/webview/main.ts', 'src/webview/pages.ts', 'src/webview/math/math.ts'],
	'src/catalog/executors.ts': globSync('src/executors/*/main.ts', {
		cwd: join(import.meta.dirname, '../..'),
	}),
};
/** Imports that are still there when a file runs, workers, and the entries of programs. */
const loads =
	/(?:^(?:import|export) (?!type )[^'"]*?|import\(\s*|new URL\(|[wW]orkerUrl\()'(\.[^']*\.tsx?)'|'(src\/[^']*\.ts)'/gm;
/** They start the package, which holds everything. */
const inWorkbench = 'test/vscode/';
/** A spec file that is not further away is about the file itself. */
const nearby = 1;

/** Spec files for a mutant, the likeliest first. `specs` are those of a step, relative to the repository. */
export function specsOf(root: string): (mutant: Mutant, specs: readonly string[], isNearestFirst: boolean) => string[] {
	const texts = readTexts(root);
	return (mutant, specs, isNearestFirst) => {
		const distances = texts.distancesFrom(mutant.file);
		const words = wordsAround(mutant, texts.read(mutant.file));
		const scored = specs
			.filter((file) => (distances.has(file) || file.startsWith(inWorkbench)) && !ofText.has(file))
			.map((file) => {
				const far = distances.get(file) ?? Infinity;
				const sharedWith = (those: ReadonlySet<string>) => sumOf([...words.intersection(those)].map(texts.weightOf));
				return {
					file,
					far: isNearestFirst || far <= nearby ? far : nearby + 1,
					// A long file has every word by chance, and the name of a file says what it is about.
					score: sharedWith(texts.wordsOf(file)) / Math.sqrt(texts.wordsOf(file).size) + sharedWith(wordsIn(file)) / 3,
				};
			});
		return scored
			.toSorted((one, other) => one.far - other.far || other.score - one.score || (one.file < other.file ? -1 : 1))
			.map(({ file }) => file);
	};
}

function readTexts(root: string): Texts {
	const files = globSync(searched, { cwd: root, exclude: ignored }).map((file) => file.replaceAll(sep, '/'));
	const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
	const loadedBy = new Map<string, string[]>();
	for (const [file, text] of texts) {
		const written = [...text.matchAll(loads)].map(
			([, near, far]) => far ?? relative(root, resolve(root, dirname(file), near ?? '')).replaceAll(sep, '/'),
		);
		for (const to of [...written, ...(started[file] ?? [])]) {
			loadedBy.set(to, [...(loadedBy.get(to) ?? []), file]);
		}
	}
	const specs = files.filter((file) => file.endsWith('.test.ts'));
	const words = new Map(specs.map((file) => [file, wordsIn(`${file} ${texts.get(file) ?? ''}`)]));
	const having = new Map<string, number>();
	for (const word of words.values().flatMap((all) => [...all])) having.set(word, (having.get(word) ?? 0) + 1);
	return {
		distancesFrom(file) {
			const distances = new Map([[file, 0]]);
			for (const [at, far] of distances) {
				for (const next of loadedBy.get(at) ?? []) if (!distances.has(next)) distances.set(next, far + 1);
			}
			return distances;
		},
		wordsOf: (file) => words.get(file) ?? new Set(),
		weightOf: (word) => Math.log(specs.length / (having.get(word) ?? specs.length)),
		read: (file) => texts.get(file) ?? '',
	};
}

/** Returns the words of the file's name and exports, and of the names and texts near the mutant. */
function wordsAround({ file, within, start, end }: Mutant, source: string): Set<string> {
	const [before, after] = [source.lastIndexOf('\n}\n', start), source.indexOf('\n}\n', end)];
	const declaration = source.slice(Math.max(0, before), after < 0 ? undefined : after);
	const texts = [...declaration.matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([text]) => text);
	const exported = [...source.matchAll(/^export (?:async )?\w+\*? (\w+)/gm)].map(([, name]) => name);
	const place = file.split('/').slice(2);
	return wordsIn([...place, within, ...exported, ...texts].join(' '));
}

/** Whole names, and the words that they are made of, as of one thing. */
function wordsIn(text: string): Set<string> {
	const names = text.match(/[A-Za-z][A-Za-z0-9_]{3,}/g) ?? [];
	const parts = names.flatMap((name) => name.match(/[A-Z]?[a-z]{3,}/g) ?? []);
	return new Set([...names, ...parts].map((word) => word.toLowerCase().replace(/s$/, '')));
}

function sumOf(numbers: readonly number[]): number {
	return numbers.reduce((sum, one) => sum + one, 0);
}
