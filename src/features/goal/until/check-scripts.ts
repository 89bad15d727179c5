/** Scripts of a project that a check runs, so that a check which was changed since the user agreed to it is noticed. */
import { realpathSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { listChainCommands } from '../../../protocol/ops/commands/command-chain.ts';
import { readShellLine } from '../../../protocol/ops/commands/read-shell-line.ts';
import {
	INSTALL_SCRIPTS,
	INTERPRETERS,
	programName,
	runsOtherPrograms,
	SHELLS,
} from '../../../trust/gate/policy/commands/indirect-commands.ts';
import { sha256 } from '../../../trust/record/store/chain/canonical-json.ts';
import type { UntilCondition } from '../goal.ts';
import { findInstallation } from './installations.ts';
import { MANIFEST, readManifestScripts, readProjectFile } from './project-files.ts';

/** A hash by the name of each script: a path below the project, or `package.json: test`. Empty hash: there is none. */
export type ScriptMarks = Readonly<Record<string, string>>;

const MANIFEST_RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** Words of a runner that run the script of that name; any other word of `yarn` or `pnpm` may name a script itself. */
const NAMED_BY_ITSELF = /^(?:test|t|tst|start|stop|restart)$/;

const SCRIPT_FILE = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|sh|bash|zsh|fish|ps1|bat|cmd|exs?|jl|r)$/iu;

/** The condition, agreed to with what its check runs now. */
export function agreeToCheck(until: UntilCondition | undefined, folder: string): UntilCondition | undefined {
	return until === undefined || until.check === null
		? until
		: { ...until, scripts: markCheckScripts(until.check, folder) };
}

/** Marks what the check runs, as it is now. */
export function markCheckScripts(check: string, folder: string): ScriptMarks {
	const marks: Record<string, string> = {};
	markLine(check, { root: folder, folder, marks });
	return marks;
}

interface MarkedPlace {
	/** Folder of the project: names are told from here. */
	readonly root: string;
	/** Folder in which a command runs, in the project. */
	readonly folder: string;
	readonly marks: Record<string, string>;
}

/** Names of the scripts that are not what they were. */
export function listChangedScripts(before: ScriptMarks, now: ScriptMarks): readonly string[] {
	const names = new Set([...Object.keys(before), ...Object.keys(now)]);
	return [...names].filter((name) => before[name] !== now[name]).toSorted();
}

function markLine(line: string, place: MarkedPlace): void {
	const read = readShellLine(line);
	// A script of a manifest may need a shell; the words of such a line are looked at all the same.
	const commands =
		read === undefined
			? line.split(/[;&|()\n]+/u).map((part) => part.split(/\s+/u).map((word) => word.replaceAll(/^["']|["']$/gu, '')))
			: listChainCommands(read).map(({ argv }) => [...argv]);
	let at = place;
	for (const argv of commands) {
		const words = argv.filter((word) => word !== '');
		if (words[0] === 'cd') at = enterFolder(words[1] ?? '', at) ?? at;
		const elsewhere = listWorkFolders(words).flatMap((name) => enterFolder(name, at) ?? []);
		// Where a line cannot be read for certain, the folder before counts as well.
		for (const each of new Map([place, at, ...elsewhere].map((one) => [one.folder, one])).values()) {
			markCommand(words, each);
		}
	}
}

/** Before the name of a folder in which a program is told to work. */
const FOLDER_FLAG = /^(?:--(?:prefix|dir|cwd|directory|project|working-dir)|-C|-d)$/u;

/** Folders in which a program is told to work: `npm --prefix web ci`, `make -C web`. */
function listWorkFolders(words: readonly string[]): readonly string[] {
	return words.flatMap((word, index) => {
		const [, attached] = /^(?:--(?:prefix|dir|cwd|directory|project|working-dir)=|-C)(.+)$/u.exec(word) ?? [];
		return attached ?? (FOLDER_FLAG.test(word) ? (words[index + 1] ?? []) : []);
	});
}

/** Undefined: it leads out of the project. */
function enterFolder(name: string, place: MarkedPlace): MarkedPlace | undefined {
	const folder = resolve(place.folder, name);
	return folder === place.root || folder.startsWith(`${place.root}${sep}`) ? { ...place, folder } : undefined;
}

function markCommand(argv: readonly string[], place: MarkedPlace): void {
	const [first = '', ...rest] = argv.slice(argv.findIndex((word) => !/^[A-Za-z_]\w*=/u.test(word)));
	const program = programName(first);
	if (/[/\\]/u.test(first)) {
		markProjectFile(first, place);
	}
	// `time npm ci`, `python3 -m pip install`: any word may be the program.
	const starts = runsOtherPrograms(argv) ? argv.map((_, index) => argv.slice(index)) : [[first, ...rest]];
	for (const [name = '', ...words] of starts) {
		if (MANIFEST_RUNNERS.has(programName(name))) markManifestScript(programName(name), words, place);
		markInstallation(programName(name), words, place);
	}
	if (program === 'make') {
		['Makefile', 'makefile', 'GNUmakefile'].forEach((name) => markProjectFile(name, place, true));
	}
	const at = runsOtherPrograms(argv) ? argv.findIndex((word) => isInterpreter(programName(word))) : -1;
	if (at !== -1) {
		markInterpreted(argv.slice(at), place);
	}
}

function markInstallation(program: string, words: readonly string[], place: MarkedPlace): void {
	const found = findInstallation(program, words, place.folder);
	for (const name of found?.files ?? []) markProjectFile(name, place, true);
	for (const [name, what] of Object.entries(found?.locked ?? {})) place.marks[nameIn(place, name)] = sha256(what);
	for (const folder of found?.manifests ?? []) {
		const inside = enterFolder(folder, place);
		if (inside !== undefined) markScriptsNamed(INSTALL_SCRIPTS, inside);
	}
}

function isInterpreter(name: string): boolean {
	const program = name.replace(/[\d.]+$/u, '');
	return program === 'ts-node' || INTERPRETERS.has(program) || SHELLS.has(program);
}

/** Marks the script that an interpreter runs. Files of other programs are not: what `eslint` reads is what the agent works on. */
function markInterpreted([interpreter = '', ...words]: readonly string[], place: MarkedPlace): void {
	const operand = words.find((word) => !word.startsWith('-'));
	if (SHELLS.has(programName(interpreter)) && words.some((word) => /^-\w*c$/u.test(word))) {
		markLine(operand ?? '', place);
		return;
	}
	for (const word of words.map((each) => each.replace(/^--?[\w-]+=/u, ''))) {
		if (SCRIPT_FILE.test(word) && !word.startsWith('-')) {
			markProjectFile(word, place);
		} else if (word === operand) {
			markProjectFile(word, place, true);
		}
	}
}

function markManifestScript(program: string, words: readonly string[], place: MarkedPlace): void {
	const scripts = readManifestScripts(place.folder);
	const isFolder = (index: number) => FOLDER_FLAG.test(words[index - 1] ?? '');
	const [verb, ...rest] = words.filter((word, index) => !word.startsWith('-') && !isFolder(index));
	const isRun = verb === 'run' || verb === 'run-script' || verb === 'rum';
	const byItself = verb !== undefined && (NAMED_BY_ITSELF.test(verb) || (program !== 'npm' && verb in scripts));
	const name = isRun ? rest[0] : byItself ? (/^ts?t?$/u.test(verb) ? 'test' : verb) : undefined;
	if (name !== undefined) {
		markScriptsNamed([`pre${name}`, name, `post${name}`], place, name);
	}
}

/** `wanted`: the one that counts also where there is none. */
function markScriptsNamed(names: readonly string[], place: MarkedPlace, wanted?: string): void {
	const scripts = readManifestScripts(place.folder);
	for (const script of names) {
		const label = nameIn(place, `${MANIFEST}: ${script}`);
		if (label in place.marks) continue;
		const line = Object.hasOwn(scripts, script) ? scripts[script] : undefined;
		if (line === undefined && script !== wanted) continue;
		place.marks[label] = line === undefined ? '' : sha256(line);
		markLine(line ?? '', place);
	}
}

function nameIn({ root, folder }: MarkedPlace, name: string): string {
	const at = relative(root, folder);
	return at === '' ? name : `${at}${sep}${name}`;
}

/** `onlyExisting`: the word need not name a file. */
function markProjectFile(word: string, { root, folder, marks }: MarkedPlace, onlyExisting = false): void {
	const path = resolve(folder, word);
	const name = relative(root, path);
	if (name === '' || name.startsWith(`..${sep}`) || name === '..' || resolve(root, name) !== path) {
		return;
	}
	const hash = hashFile(root, name);
	if (hash !== undefined || !onlyExisting) {
		marks[name] = hash ?? '';
	}
}

/** Undefined: there is no such file. */
function hashFile(folder: string, name: string): string | undefined {
	const path = resolve(folder, name);
	const found = statSync(path, { throwIfNoEntry: false });
	if (found?.isFile() !== true) {
		return undefined;
	}
	// Where a link leads is a part of what runs.
	return sha256([relative(folder, realpathSync.native(path)), found.size, readProjectFile(folder, name)].join('\n'));
}
