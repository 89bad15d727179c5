/**
 * Finds what the programs of hooks run in turn, so that a consent covers it: files that their text names, and the scripts
 * of a manifest that a runner such as npm reads. Names that a program makes up as it runs cannot be found.
 */
import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, sep } from 'node:path';
import { readRegularFileSync, readTextOrEmpty } from '../../../../machine/paths/reading/read-regular-file.ts';
import { INSTALL_SCRIPTS } from '../../policy/commands/indirect-commands.ts';
import { FOLLOWED_PROGRAM_BYTES, HOOK_PROGRAMS } from '../limits.ts';

/** A text that names programs: a command of a hook, a script of a manifest, a program. */
interface NamingText {
	readonly text: string;
	/** Folders from which its paths are meant. */
	readonly from: readonly string[];
	/** True for a program written in Python, which names its modules by dots. */
	readonly isPython?: boolean;
}

interface ReachedPrograms {
	/** Real paths, sorted; those that were given are not among them. */
	readonly programs: readonly string[];
	/** Scripts of manifests that are run by their names. */
	readonly scripts: readonly { readonly path: string; readonly name: string; readonly text: string }[];
}

/** Files that a runner reads to learn what to run, by the name of its program. */
const RECIPE_FILES: Readonly<Record<string, readonly string[]>> = {
	make: ['Makefile', 'makefile', 'GNUmakefile'],
	gmake: ['Makefile', 'makefile', 'GNUmakefile'],
	just: ['justfile', '.justfile', 'Justfile'],
	task: ['Taskfile.yml', 'Taskfile.yaml'],
	rake: ['Rakefile'],
	tox: ['tox.ini'],
	nox: ['noxfile.py'],
	deno: ['deno.json', 'deno.jsonc'],
	composer: ['composer.json'],
};
/** Runners of the scripts in package.json, of which only those that are named count. */
const SCRIPT_RUNNERS: ReadonlySet<string> = new Set(['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx', 'node']);
/** Scripts that a runner runs for a word which is not their name. */
const SCRIPTS_OF_WORDS: Readonly<Record<string, readonly string[]>> = {
	...fromWords('t tst it cit install-test install-ci-test', ['test']),
	...fromWords('restart', ['stop', 'start']),
	...fromWords('pack publish', ['prepack', 'prepublishOnly', 'prepare', 'postpack', 'postpublish']),
};
const INSTALL_WORDS: ReadonlySet<string> = new Set(
	'i in ins inst install add ci ic clean-install install-clean it cit install-test install-ci-test update up upgrade'
		.concat(' rebuild rb remove rm un uninstall link ln yarn')
		.split(' '),
);
const PROGRAM_ENDS: ReadonlySet<string> = new Set(
	'.sh .bash .zsh .fish .js .mjs .cjs .jsx .ts .mts .cts .tsx .py .rb .pl .php .lua .ps1 .psm1 .cmd .bat'.split(' '),
);
/** Ends that a program may leave out where it names a module. */
const LEFT_OUT_ENDS = ['', '.js', '.mjs', '.cjs', '.ts', '/index.js', '/index.mjs', '/index.ts'];

/**
 * `commands`: of hooks, with the folder that each runs in. `programs`: real paths that are covered already. `isWithin`: a real
 * path is the project's to change. Stops beyond `HOOK_PROGRAMS`, which nobody could agree to.
 */
export function reachedPrograms(
	commands: readonly NamingText[],
	programs: readonly string[],
	isWithin: (realPath: string) => boolean,
): ReachedPrograms {
	const folders = new Map<string, ReadonlySet<string>>();
	const namesIn = (folder: string) => {
		const names = folders.get(folder) ?? listEntryNames(folder);
		folders.set(folder, names);
		return names;
	};
	const covered = new Set(programs);
	const scripts = new Map<string, ReachedPrograms['scripts'][number]>();
	const waiting: NamingText[] = [...commands, ...programs.flatMap((path) => readProgramText(path, commands))];
	for (const naming of waiting) {
		if (covered.size > programs.length + HOOK_PROGRAMS) break;
		for (const path of namedPrograms(naming, namesIn, isWithin)) {
			if (covered.has(path)) continue;
			covered.add(path);
			waiting.push(...readProgramText(path, commands));
		}
		for (const script of namedScripts(naming, namesIn, isWithin)) {
			const key = `${script.path}\n${script.name}`;
			if (scripts.has(key)) continue;
			scripts.set(key, script);
			waiting.push({ text: script.text, from: [dirname(script.path)] });
		}
	}
	const given = new Set(programs);
	return { programs: [...covered].filter((path) => !given.has(path)).sort(), scripts: [...scripts.values()] };
}

/** A program names files from where it lies, and from where the hook runs. */
function readProgramText(path: string, commands: readonly NamingText[]): NamingText[] {
	// Packages are not followed: nobody could look over what they hold in turn.
	if (path.split(sep).includes('node_modules')) return [];
	const text = readTextOrEmpty(path, FOLLOWED_PROGRAM_BYTES);
	if (text === '' || text.includes('\0')) return [];
	const from = [dirname(path), ...commands.flatMap((command) => command.from)];
	return [{ text, from: [...new Set(from)], ...(extname(path) === '.py' ? { isPython: true } : {}) }];
}

function namedPrograms(
	{ text, from, isPython = false }: NamingText,
	namesIn: (folder: string) => ReadonlySet<string>,
	isWithin: (realPath: string) => boolean,
): string[] {
	const words = listNameWords(withoutVariables(text));
	const modules = isPython ? pythonModules(text) : [];
	const manifests = [...words].flatMap((word) => RECIPE_FILES[basename(word)] ?? []);
	const found = new Set<string>();
	const look = (folder: string, word: string, isSure: boolean) => {
		const [first = ''] = word.split('/').filter((part) => part !== '.');
		if (first !== '..' && !isAbsolute(word) && !namesIn(folder).has(first)) return;
		const real = realFile(isAbsolute(word) ? word : join(folder, word));
		if (real !== undefined && isWithin(real) && (isSure || isRunnableFile(real))) found.add(real);
	};
	for (const folder of from) {
		for (const word of words) {
			const ends = /^\.{1,2}\//.test(word) ? LEFT_OUT_ENDS : [''];
			for (const end of ends) look(folder, `${word}${end}`, false);
			// Programs often find out the folder that stands before: "$(dirname "$0")/lib.sh".
			if (isAbsolute(word)) look(folder, `.${word}`, false);
			if (!word.includes('/')) look(folder, `node_modules/.bin/${word}`, true);
		}
		for (const name of modules) look(folder, name, false);
		for (const name of manifests) look(folder, name, true);
	}
	return [...found];
}

/** Scripts of the nearest package.json, where a runner of scripts and a name of one stand in the text. */
function namedScripts(
	{ text, from }: NamingText,
	namesIn: (folder: string) => ReadonlySet<string>,
	isWithin: (realPath: string) => boolean,
): ReachedPrograms['scripts'] {
	const words = listNameWords(text);
	if (![...words].some((word) => SCRIPT_RUNNERS.has(basename(word)))) return [];
	return from.flatMap((folder) => {
		if (!namesIn(folder).has('package.json')) return [];
		const path = realFile(join(folder, 'package.json'));
		if (path === undefined || !isWithin(path)) return [];
		const all = parseManifestScripts(path);
		const meant = [...words].flatMap((word) =>
			Object.hasOwn(SCRIPTS_OF_WORDS, word) ? (SCRIPTS_OF_WORDS[word] ?? []) : [],
		);
		const installs = [...words].some((word) => INSTALL_WORDS.has(word)) ? INSTALL_SCRIPTS : [];
		const named = [...new Set([...Object.keys(all).filter((name) => words.has(name)), ...meant, ...installs])];
		// They run around it, whether or not anybody names them.
		const around = [...new Set(named.flatMap((name) => [`pre${name}`, name, `post${name}`]))];
		const rc = namesIn(folder).has('.npmrc')
			? [{ path, name: '.npmrc', text: readTextOrEmpty(join(folder, '.npmrc'), 65_536) }]
			: [];
		const scripts = around.flatMap((name) => (all[name] === undefined ? [] : [{ path, name, text: all[name] }]));
		return scripts.length === 0 ? [] : [...scripts, ...rc];
	});
}

function parseManifestScripts(path: string): Readonly<Record<string, string>> {
	try {
		const value: unknown = JSON.parse(readRegularFileSync(path, FOLLOWED_PROGRAM_BYTES).toString('utf8'));
		const scripts = typeof value === 'object' && value !== null && 'scripts' in value ? value.scripts : {};
		return Object.fromEntries(
			Object.entries(scripts ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
		);
	} catch {
		return {};
	}
}

function fromWords(words: string, scripts: readonly string[]): Record<string, readonly string[]> {
	return Object.fromEntries(words.split(' ').map((word) => [word, scripts]));
}

/** A variable before a path mostly holds the folder of the project, or of the program. */
function withoutVariables(text: string): string {
	return text.replaceAll(/\$(?:\w+|\{[^{}\n]{1,200}\})(?=\/)/g, '.');
}

/** Words that may be names of files, without those of options. */
function listNameWords(text: string): ReadonlySet<string> {
	const words = text.split(/["'`\s;|&<>()[\]{}=,$]+/).filter((word) => word !== '' && word.length <= 300);
	return new Set(words.flatMap((word) => [word, word.replace(/^[.:]+(?!\.?\/)|[.:]+$/g, '')]).filter(isName));
}

function isName(word: string): boolean {
	return word !== '' && !word.startsWith('-') && !/^[./]+$/.test(word);
}

/** `from lib.b import c` and `import lib.b` as paths of files. */
function pythonModules(text: string): string[] {
	const found = [...text.matchAll(/^\s*(?:from\s+([\w.]+)\s+import\s+([\w, ]+)|import\s+([\w., ]+))/gm)];
	return found.flatMap(([, from, names = '', imported = '']) => {
		const modules =
			from === undefined ? imported.split(',') : [from, ...names.split(',').map((name) => `${from}.${name.trim()}`)];
		return modules.flatMap((module) => {
			const path = module.trim().replace(/ .*$/, '').replace(/^\.+/, '').replaceAll('.', '/');
			return path === '' ? [] : [`${path}.py`, `${path}/__init__.py`];
		});
	});
}

/** A file that somebody would run, and not one that a program reads. */
function isRunnableFile(path: string): boolean {
	return PROGRAM_ENDS.has(extname(path).toLowerCase()) || (statSync(path).mode & 0o111) !== 0;
}

function realFile(path: string): string | undefined {
	try {
		const real = realpathSync(path);
		return lstatSync(real).isFile() ? real : undefined;
	} catch {
		return undefined;
	}
}

function listEntryNames(folder: string): ReadonlySet<string> {
	let entries: readonly Dirent[] = [];
	try {
		entries = readdirSync(folder, { withFileTypes: true });
	} catch {
		// A folder that is not there names nothing.
	}
	return new Set(entries.map(({ name }) => name));
}
