/**
 * `npm run house`: how easily a stranger finds their way in the sources, in figures. Fails where one is worse than its bar,
 * which moves towards the goal with each step that reaches it.
 *   npm run house -- --list circles     what stands behind a figure (files, circles, of, words, shared, small, repeats, twins, palette)
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findCircles, joinByFolder, readImports, readSources, roomOf } from './house/graph.ts';
import { functionNames, topLevelNames } from './house/names.ts';
import { findRepeats } from './house/repeats.ts';
import { findTwins } from './house/twins.ts';
import { root } from './setup/paths.mjs';

interface Figure {
	readonly name: string;
	readonly value: number;
	/** Worst value permitted. */
	readonly bar: number;
	readonly goal: number;
	/** A larger value is the better one. Default: a smaller one. */
	readonly isMoreBetter?: true;
	/** For `--list`. */
	readonly key?: string;
	readonly list?: () => readonly string[];
}

const smallLines = 20;

const { values } = parseArgs({ options: { list: { type: 'string' } } });
const figures = measure();
if (values.list === undefined) {
	print(figures);
	process.exitCode = figures.some(isWorse) ? 1 : 0;
} else {
	const keys = figures.flatMap(({ key }) => key ?? []);
	const wanted = figures.find(({ key }) => key === values.list);
	if (wanted?.list === undefined) {
		console.error(`✗ --list: there is no "${values.list}"; choose among ${keys.join(', ')}`);
		process.exitCode = 1;
	}
	for (const line of wanted?.list?.() ?? []) console.log(line);
}

function measure(): Figure[] {
	const sources = readSources(root);
	const graph = readImports(sources);
	const files = findCircles(graph);
	const folders = findCircles(joinByFolder(graph));
	const lengths = new Map([...sources].map(([file, text]) => [file, text.split('\n').length - 1]));
	const all = sum([...lengths.values()]);
	const rooms = new Map<string, number>();
	for (const [file, lines] of lengths) rooms.set(roomOf(file), (rooms.get(roomOf(file)) ?? 0) + lines);
	const functions = [...sources].flatMap(([file, text]) => functionNames(text).map((name) => ({ file, name })));
	const of = functions.filter(({ name }) => /[a-z]Of$/.test(name));
	const words = functions.filter(({ name }) => /^[a-z]+$/.test(name));
	const top = [...sources].flatMap(([file, text]) => topLevelNames(text).map((name) => ({ file, name })));
	const count = Map.groupBy(top, ({ name }) => name);
	const shared = top.filter(({ name }) => (count.get(name)?.length ?? 0) > 1);
	const small = [...lengths].filter(([, lines]) => lines <= smallLines);
	const repeats = findRepeats(sources);
	const twins = findTwins(sources);
	const palette = listPaletteCommands();
	const share = (part: number, whole: number) => (100 * part) / whole;
	const named = (places: readonly { readonly file: string; readonly name: string }[]) =>
		places.map(({ file, name }) => `${name} ${file}`).sort();
	return [
		{ name: 'circles of files', value: files.length, bar: 0, goal: 0, key: 'files', list: () => files.map(String) },
		{
			name: 'folders in circles',
			value: sum(folders.map(({ length }) => length)),
			bar: 0,
			goal: 0,
			key: 'circles',
			list: () => folders.map((circle) => circle.join(' ')),
		},
		{ name: 'biggest folder of src, % of lines', value: share(Math.max(...rooms.values()), all), bar: 16, goal: 16 },
		{
			name: 'functions named …Of, %',
			value: share(of.length, functions.length),
			bar: 0.1,
			goal: 2,
			key: 'of',
			list: () => named(of),
		},
		{
			name: 'functions named by one word, %',
			value: share(words.length, functions.length),
			bar: 1.3,
			goal: 5,
			key: 'words',
			list: () => named(words),
		},
		{
			name: 'top-level names that exist twice, %',
			value: share(shared.length, top.length),
			bar: 0.3,
			goal: 15,
			key: 'shared',
			list: () => named(shared),
		},
		{ name: 'lines of a file, on average', value: all / sources.size, bar: 100, goal: 100, isMoreBetter: true },
		{
			name: `files of at most ${smallLines} lines, %`,
			value: share(small.length, sources.size),
			bar: 4,
			goal: 4,
			key: 'small',
			list: () => small.map(([file, lines]) => `${lines} ${file}`),
		},
		{
			name: 'repeats of six lines, in 1,000 lines',
			value: (1000 * repeats.length) / all,
			bar: 0.1,
			goal: 0.1,
			key: 'repeats',
			list: () => repeats.map(({ lines, places }) => `${lines} lines: ${places.join(' and ')}`),
		},
		{
			name: 'functions written twice',
			value: sum(twins.map(({ length }) => length - 1)),
			bar: 0,
			goal: 0,
			key: 'twins',
			list: () => twins.map((places) => places.map(({ file, name }) => `${name} ${file}`).join(', ')),
		},
		{
			name: 'commands in the palette',
			value: palette.length,
			bar: 60,
			goal: 60,
			key: 'palette',
			list: () => palette,
		},
		{ name: 'lines of src, without specs', value: all, bar: Infinity, goal: Infinity },
	];
}

/** Commands that the palette of VS Code shows, at least in some state. */
function listPaletteCommands(): string[] {
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		readonly contributes: {
			readonly commands: readonly { readonly command: string }[];
			readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
		};
	};
	const { commands, menus } = manifest.contributes;
	const hidden = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
	return commands.map(({ command }) => command).filter((command) => !hidden.has(command));
}

function isWorse({ value, bar, isMoreBetter }: Figure): boolean {
	return isMoreBetter === true ? value < bar : value > bar;
}

function print(of: readonly Figure[]): void {
	console.log(`${'figure'.padEnd(40)}${'now'.padStart(10)}${'bar'.padStart(10)}${'goal'.padStart(10)}`);
	for (const figure of of) {
		const { name, value, bar, goal } = figure;
		const cells = [value, bar, goal].map((number) => shown(number).padStart(10)).join('');
		console.log(`${name.padEnd(40)}${cells}${isWorse(figure) ? '  worse' : ''}`);
	}
}

function shown(number: number): string {
	return Number.isFinite(number) ? String(Math.round(number * 100) / 100) : '–';
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}
