/** Tools of languages, as far as they only tell of themselves, of packages and of files, and run nothing of the project. */
import { PATHS, type CommandReading } from './reading.ts';

const VERSION_READING: CommandReading = { flags: /^(?:-v|-V|--version)$/, oneOf: /./, operands: [] };
const ABOUT_READINGS: readonly CommandReading[] = [{ flags: /^--version$/, oneOf: /./, operands: [] }];

/** Versions and lists of installed packages: of those that the project does not choose the program of. */
export const TOOL_READINGS: Readonly<Record<string, readonly CommandReading[]>> = {
	// Reads the file and runs nothing of it.
	node: [
		VERSION_READING,
		{ flags: /^-c$|^--check$/, oneOf: /^-c$|^--check$/, operands: PATHS, count: [1, 1], only: 'sandbox' },
	],
	...Object.fromEntries(
		'gcc g++ clang make cmake curl tar bash docker java javac'.split(' ').map((name) => [name, ABOUT_READINGS]),
	),
	npm: [
		VERSION_READING,
		...['ls', 'list'].map((word): CommandReading => ({
			words: [word],
			letters: 'g',
			valued: { '--depth': 'number' },
			flags: /^--(?:all|global|json|long|parseable|prod|omit=\w+)$/,
			operands: [/^@?[\w./-]+$/],
			only: 'sandbox',
		})),
	],
	python: [VERSION_READING],
	python3: [VERSION_READING],
	ruby: [VERSION_READING],
	php: [VERSION_READING],
	perl: [VERSION_READING],
	pip: [VERSION_READING, ...pipLists()],
	pip3: [VERSION_READING, ...pipLists()],
	ruff: [
		{
			words: ['check'],
			letters: 'q',
			flags: /^--(?:quiet|no-fix|no-cache|statistics|output-format=\w+)$/,
			operands: PATHS,
			only: 'hidden',
		},
		{
			words: ['format'],
			flags: /^--(?:check|diff|quiet)$/,
			oneOf: /^--(?:check|diff)$/,
			operands: PATHS,
			only: 'hidden',
		},
	],
};

function pipLists(): readonly CommandReading[] {
	return [
		{ words: ['list'], flags: /^--(?:format=\w+|user|local|not-required)$/, operands: [], only: 'sandbox' },
		{ words: ['freeze'], flags: /^--(?:user|local|all)$/, operands: [], only: 'sandbox' },
		{ words: ['show'], operands: [/^[\w.-]+$/], count: [1, 20], only: 'sandbox' },
	];
}
