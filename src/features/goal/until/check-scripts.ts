/** Scripts of a project that a check runs, so that a check which was changed since the user agreed to it is noticed. */
import { realpathSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { listChainCommands } from '../../../protocol/ops/commands/command-chain.ts';
import { readShellLine } from '../../../protocol/ops/commands/read-shell-line.ts';
import {
	INTERPRETERS,
	programName,
	runsOtherPrograms,
	SHELLS,
} from '../../../trust/gate/policy/commands/indirect-commands.ts';
import { sha256 } from '../../../trust/record/store/chain/canonical-json.ts';
import type { UntilCondition } from '../goal.ts';
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
	markLine(check, folder, marks);
	return marks;
}

/** Names of the scripts that are not what they were. */
export function listChangedScripts(before: ScriptMarks, now: ScriptMarks): readonly string[] {
	const names = new Set([...Object.keys(before), ...Object.keys(now)]);
	return [...names].filter((name) => before[name] !== now[name]).toSorted();
}

function markLine(line: string, folder: string, marks: Record<string, string>): void {
	const read = readShellLine(line);
	// A script of a manifest may need a shell; the words of such a line are looked at all the same.
	const commands =
		read === undefined
			? line.split(/[;&|()\n]+/u).map((part) => part.split(/\s+/u).map((word) => word.replaceAll(/^["']|["']$/gu, '')))
			: listChainCommands(read).map(({ argv }) => [...argv]);
	for (const argv of commands) {
		markCommand(
			argv.filter((word) => word !== ''),
			folder,
			marks,
		);
	}
}

function markCommand(argv: readonly string[], folder: string, marks: Record<string, string>): void {
	const [first = '', ...rest] = argv.slice(argv.findIndex((word) => !/^[A-Za-z_]\w*=/u.test(word)));
	const program = programName(first);
	if (/[/\\]/u.test(first)) {
		markProjectFile(first, folder, marks);
	}
	if (MANIFEST_RUNNERS.has(program)) {
		markManifestScript(program, rest, folder, marks);
	}
	if (program === 'make') {
		['Makefile', 'makefile', 'GNUmakefile'].forEach((name) => markProjectFile(name, folder, marks, true));
	}
	const at = runsOtherPrograms(argv) ? argv.findIndex((word) => isInterpreter(programName(word))) : -1;
	if (at !== -1) {
		markInterpreted(argv.slice(at), folder, marks);
	}
}

function isInterpreter(name: string): boolean {
	const program = name.replace(/[\d.]+$/u, '');
	return program === 'ts-node' || INTERPRETERS.has(program) || SHELLS.has(program);
}

/** Marks the script that an interpreter runs. Files of other programs are not: what `eslint` reads is what the agent works on. */
function markInterpreted(
	[interpreter = '', ...words]: readonly string[],
	folder: string,
	marks: Record<string, string>,
): void {
	const operand = words.find((word) => !word.startsWith('-'));
	if (SHELLS.has(programName(interpreter)) && words.some((word) => /^-\w*c$/u.test(word))) {
		markLine(operand ?? '', folder, marks);
		return;
	}
	for (const word of words.map((each) => each.replace(/^--?[\w-]+=/u, ''))) {
		if (SCRIPT_FILE.test(word) && !word.startsWith('-')) {
			markProjectFile(word, folder, marks);
		} else if (word === operand) {
			markProjectFile(word, folder, marks, true);
		}
	}
}

function markManifestScript(
	program: string,
	words: readonly string[],
	folder: string,
	marks: Record<string, string>,
): void {
	const scripts = readManifestScripts(folder);
	const [verb, ...rest] = words.filter((word) => !word.startsWith('-'));
	const isRun = verb === 'run' || verb === 'run-script' || verb === 'rum';
	const byItself = verb !== undefined && (NAMED_BY_ITSELF.test(verb) || (program !== 'npm' && verb in scripts));
	const name = isRun ? rest[0] : byItself ? (/^ts?t?$/u.test(verb) ? 'test' : verb) : undefined;
	if (name === undefined) {
		return;
	}
	for (const script of [`pre${name}`, name, `post${name}`]) {
		const label = `${MANIFEST}: ${script}`;
		if (label in marks) continue;
		const line = scripts[script];
		if (line === undefined && script !== name) continue;
		marks[label] = line === undefined ? '' : sha256(line);
		markLine(line ?? '', folder, marks);
	}
}

/** `onlyExisting`: the word need not name a file. */
function markProjectFile(word: string, folder: string, marks: Record<string, string>, onlyExisting = false): void {
	const path = resolve(folder, word);
	const name = relative(folder, path);
	if (name === '' || name.startsWith(`..${sep}`) || name === '..' || resolve(folder, name) !== path) {
		return;
	}
	const hash = hashFile(folder, name);
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
