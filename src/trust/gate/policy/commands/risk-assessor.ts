/**
 * Assesses the exact target as a warning for the person who is asked (S0-21). The assessment never allows or refuses
 * anything. Commands are parsed first, through wrappers, shells and pipes, so that a pattern in a text that is searched
 * or printed alarms nobody.
 */
import { type Text, text } from '../../../../protocol/text/text.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { INTERPRETERS, listNames, programName, SHELLS } from './indirect-commands.ts';
import { MAX_ASSESSED_CHARS } from '../limits.ts';
import { listRiskyActs, type RiskReach } from './risky-acts.ts';
import {
	type ScriptWordPlace,
	readScriptCommands,
	type ScriptCommand,
	type ScriptWord,
} from '../../../../protocol/ops/commands/script-commands.ts';
import { unwrapCommands } from '../../../../protocol/ops/commands/wrapped-commands.ts';

export interface Assessment {
	readonly level: 'low' | 'medium' | 'high';
	/** Reasons why the op is risky, the worst first, each once. */
	readonly reasons: readonly Text[];
	/** The risky parts of its commands. */
	readonly marks: readonly ScriptWordPlace[];
	/** Risks from which the sandbox around their command keeps the machine, each once. */
	readonly contained: readonly Text[];
	/** Something would leave this machine. */
	readonly isBeyond: boolean;
}

type AssessedCommandTarget = Extract<OpTarget, { kind: 'command' }>;

interface RiskFinding {
	readonly level: 'medium' | 'high';
	readonly reach: RiskReach;
	readonly why: Text;
	readonly places: readonly ScriptWordPlace[];
}

export function assessTargets(targets: readonly OpTarget[]): Assessment {
	const findings = new Findings();
	targets.filter((target) => target.kind === 'command').forEach((target, index) => findings.look(target, index));
	const forPerson = targets.flatMap((target) =>
		target.kind === 'file' && target.onlyByPerson !== undefined ? [target.onlyByPerson] : [],
	);
	const high = findings.found.filter(({ level }) => level === 'high');
	const sorted = [...high, ...findings.found.filter(({ level }) => level === 'medium')];
	const listOnce = (found: readonly Text[]) => [...new Map(found.map((why) => [JSON.stringify(why), why])).values()];
	return {
		level: high.length + forPerson.length > 0 ? 'high' : sorted.length > 0 ? 'medium' : 'low',
		reasons: listOnce([...forPerson, ...sorted.map(({ why }) => why)]),
		marks: sorted.flatMap(({ places }) => places),
		contained: listOnce(findings.contained.map(({ why }) => why)),
		isBeyond: findings.found.some(({ reach }) => reach === 'away'),
	};
}

const DOWNLOADERS = listNames('curl wget fetch aria2c http https iwr irm invoke-webrequest invoke-restmethod');
const SQL_CLIENTS = listNames('psql mysql mariadb sqlite sqlcmd mongo mongosh clickhouse-client bq duckdb');
const SQL_LOSS =
	/\b(?:drop|truncate)\s+(?:table|database|schema|collection)\b|\bdropDatabase\b|\bdelete\s+from\s+\w+\s*(?:;|$)/gi;
/** Programs that change what their operands name. */
const FILE_CHANGERS = listNames(
	'rm mv cp ln install touch mkdir rmdir chmod chown chgrp tee truncate shred unlink sed',
);
const CODE: readonly (readonly [RegExp, Text])[] = [
	[
		/\b(?:shutil\.rmtree|rmtree|rimraf)\b|\brm(?:dir)?(?:Sync)?\s*\([^)]*recursive/g,
		text('Deletes a folder and everything in it'),
	],
	[
		/\bos\.(?:system|popen|exec\w*)\b|\bsubprocess\b[^;]*shell\s*=\s*True|\bchild_process\b|\b__import__\s*\(|(?<![.\w])(?:eval|exec)\s*\(/g,
		text('Runs code that it builds itself'),
	],
];
const SYSTEM_ACCOUNTS = /\/etc\/(?:passwd|shadow|sudoers)\b/g;
const FORK_BOMB = /:\s*\(\)\s*\{[^}]*\}\s*;\s*:/g;

const DOWNLOADS_AND_RUNS = text('Downloads a program and runs it');
const OUTSIDE = (path: string) => text('Changes something outside the workspace: {path}', { path });

/** Findings in the commands of one op, and in those that they run. */
class Findings {
	readonly found: RiskFinding[] = [];
	readonly contained: RiskFinding[] = [];
	/** Files that an earlier command downloads. */
	readonly #downloaded = new Map<string, ScriptWord>();
	/** First download of a pipe, up to each of its commands. */
	readonly #downloadsInPipes = new Map<ScriptCommand, ScriptCommand | undefined>();
	#target: AssessedCommandTarget | undefined;
	#left = MAX_ASSESSED_CHARS;

	/** `index`: its place among the commands of the op, right after those that feed it. */
	look(target: AssessedCommandTarget, index: number): void {
		const { argv, written, fedBy = [], streams = { reads: [], writes: [] } } = target;
		this.#target = target;
		const feeder = fedBy.reduce<ScriptCommand | undefined>(
			(before, words, each) => ({
				words: toScriptWords(words, index - fedBy.length + each),
				feeder: before,
				writes: [],
			}),
			undefined,
		);
		const words = [...toScriptWords(argv, index), ...filesAt(streams.reads, index)];
		this.#inspect({ words, feeder, writes: filesAt(streams.writes, index) });
		if (written !== undefined) {
			this.#inspect({ words: filesAt(written, index), feeder, writes: [] });
		}
	}

	#inspect(command: ScriptCommand): void {
		const [first, ...rest] = command.words;
		this.#left -= command.words.reduce((sum, { text: word }) => sum + word.length + 1, 0);
		if (this.#left < 0) {
			return;
		}
		for (const { runs } of [...command.words, ...command.writes]) {
			runs.forEach((inner) => this.#inspect(inner));
		}
		this.#written(command);
		if (first === undefined) {
			return;
		}
		const program = normalizeProgramName(first.text);
		const args = rest.map(({ text: word }) => word);
		for (const each of listRiskyActs(program)) {
			const found = each.find(args);
			if (found !== undefined) {
				this.#add(each.level, each.reach, each.why, [first, ...found.map((index) => rest[index])]);
			}
		}
		this.#downloads(program, command);
		this.#operands(program, rest);
		this.#code(program, rest);
		for (const inner of unwrapCommands(program, rest)) {
			this.#inspect({ words: inner, feeder: command.feeder, writes: [] });
		}
		for (const script of listScriptArguments(program, command)) {
			readScriptCommands(script.text.slice(0, MAX_ASSESSED_CHARS), placesIn(script)).forEach((inner) =>
				this.#inspect(inner),
			);
			this.#match(FORK_BOMB, text('Is a fork bomb'), [script], 'machine');
		}
	}

	#downloads(program: string, command: ScriptCommand): void {
		const { words, writes } = command;
		const [first, ...rest] = words;
		const runs = words.flatMap((word) => word.runs).find(isDownload);
		const isRun = SHELLS.has(program) || program === 'eval' || program === 'source' || program === '.';
		if (first !== undefined && runs !== undefined && (isRun || first.runs.includes(runs))) {
			this.#add('high', 'machine', DOWNLOADS_AND_RUNS, [first, ...words.filter((word) => word.runs.includes(runs))]);
		}
		const feeding = this.#downloadBefore(command);
		if (feeding !== undefined && readsItsProgram(program, rest)) {
			this.#add('high', 'machine', DOWNLOADS_AND_RUNS, [...feeding.words, first, ...rest]);
		}
		if (DOWNLOADERS.has(program)) {
			for (const file of [...listDownloadedFiles(rest), ...writes]) {
				this.#downloaded.set(toBaseName(file.text), file);
			}
		}
		const ran = [first, ...(isRun || INTERPRETERS.has(program) ? rest : [])].find(
			(word) => word !== undefined && this.#downloaded.has(toBaseName(word.text)),
		);
		if (ran !== undefined) {
			this.#add('high', 'machine', DOWNLOADS_AND_RUNS, [this.#downloaded.get(toBaseName(ran.text)), ran]);
		}
	}

	/** Finds each command's answer once: a pipe may have thousands of commands. */
	#downloadBefore({ feeder }: ScriptCommand): ScriptCommand | undefined {
		const found = this.#downloadsInPipes;
		const unknown: ScriptCommand[] = [];
		for (let each = feeder; each !== undefined && !found.has(each); each = each.feeder) {
			unknown.push(each);
		}
		for (const each of unknown.toReversed()) {
			const before = each.feeder && found.get(each.feeder);
			found.set(each, before ?? (isDownload(each) ? each : undefined));
		}
		return feeder && found.get(feeder);
	}

	#written({ writes }: ScriptCommand): void {
		for (const word of writes) {
			if (/^\/dev\/(?:tcp|udp)\//.test(word.text)) {
				this.#add('high', 'away', text('Opens a raw connection'), [word]);
			} else if (/^\/dev\/(?:sd|nvme|hd|disk|vd)/.test(word.text)) {
				this.#add('high', 'machine', text('Erases a disk'), [word]);
			} else if (this.#isOutside(word.text)) {
				this.#add('high', 'machine', OUTSIDE(word.text), [word]);
			}
		}
	}

	#operands(program: string, rest: readonly ScriptWord[]): void {
		if (SQL_CLIENTS.has(program)) {
			this.#match(SQL_LOSS, text('Deletes data of a database'), rest, 'workspace');
		}
		if (!QUOTERS.has(program)) {
			this.#match(SYSTEM_ACCOUNTS, text('Touches accounts of the system'), rest.filter(isBare), 'machine');
		}
		if (FILE_CHANGERS.has(program)) {
			const operands = rest.filter(({ text: word }) => !word.startsWith('-'));
			// Files that `cp` and `ln` only read come first; the last operand is written.
			const changed = program === 'cp' || program === 'ln' ? operands.slice(-1) : operands;
			for (const word of changed.filter(({ text: path }) => this.#isOutside(path))) {
				this.#add('high', 'machine', OUTSIDE(word.text), [word]);
			}
		}
	}

	#code(program: string, rest: readonly ScriptWord[]): void {
		if (!INTERPRETERS.has(program)) {
			return;
		}
		const flagged = rest.findIndex(({ text: word }) => /^-[A-Za-z]*[cerpE]$|^--(?:eval|print)$/.test(word));
		if (flagged !== -1) {
			for (const [pattern, why] of CODE) {
				this.#match(pattern, why, rest.slice(flagged + 1, flagged + 2), 'workspace');
			}
		}
	}

	#match(pattern: RegExp, why: Text, words: readonly ScriptWord[], reach: RiskFinding['reach']): void {
		for (const word of words) {
			const placeOf = placesIn(word);
			const found = [...word.text.slice(0, MAX_ASSESSED_CHARS).matchAll(pattern)];
			if (found.length > 0) {
				const places = found.map(({ index, 0: match }) => placeOf(index, index + match.length));
				this.#push({ level: 'high', reach, why, places });
			}
		}
	}

	/** True when the path leads outside the workspace, by its letters alone; nothing is looked up on the disk. */
	#isOutside(path: string): boolean {
		if (/^(?:~|\$\{?HOME\b)/.test(path) || path === '..' || path.startsWith('../')) {
			return !(path.startsWith('..') && staysInside(this.#target?.cwd ?? '.', path));
		}
		const isHarmless = /^\/(?:dev\/(?:null|stdout|stderr|tty)$|tmp\/|var\/tmp\/)/.test(path);
		const folders = path.includes('/..') ? [] : (this.#target?.folders ?? []);
		return (
			path.startsWith('/') && !isHarmless && !folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
		);
	}

	#add(
		level: RiskFinding['level'],
		reach: RiskFinding['reach'],
		why: Text,
		words: readonly (ScriptWord | undefined)[],
	): void {
		const places = words.flatMap((word) => (word === undefined ? [] : [word.place]));
		this.#push({ level, reach, why, places });
	}

	#push(finding: RiskFinding): void {
		const isContained = finding.reach !== 'workspace' && this.#target?.isSandboxed === true;
		(isContained ? this.contained : this.found).push(finding);
	}
}

/** Programs that do nothing with their operands but print or look for them. */
const QUOTERS = listNames('echo printf grep egrep fgrep rg ag git');

/** `python3.12` is `python`, `mkfs.ext4` is `mkfs`. */
function normalizeProgramName(path: string): string {
	return programName(path).replace(/^mkfs\..*|(?<=[a-z])-?\d[\d.]*$/, (end) => (end.startsWith('mkfs') ? 'mkfs' : ''));
}

function isBare({ text: word }: ScriptWord): boolean {
	return !/\s/.test(word);
}

function staysInside(cwd: string, path: string): boolean {
	let depth = cwd === '.' ? 0 : cwd.split('/').length;
	for (const part of path.split('/')) {
		depth += part === '..' ? -1 : part === '.' || part === '' ? 0 : 1;
		if (depth < 0) return false;
	}
	return true;
}

function isDownload({ words: [first] }: ScriptCommand): boolean {
	return first !== undefined && DOWNLOADERS.has(normalizeProgramName(first.text));
}

/** True when the program takes its code from the pipe: `sh`, `bash -s -- x`, `python -`. */
function readsItsProgram(program: string, rest: readonly ScriptWord[]): boolean {
	if (program === 'iex' || program === 'invoke-expression') {
		return true;
	}
	const [first = ''] = rest.map(({ text: word }) => word).filter((word) => !/^-[A-Za-z]*[xeulv]$/.test(word));
	return (
		(SHELLS.has(program) || INTERPRETERS.has(program)) &&
		(first === '' || first === '-' || /^-s$|^\/dev\/stdin$/.test(first))
	);
}

/** Files that a downloader would write. */
function listDownloadedFiles(rest: readonly ScriptWord[]): readonly ScriptWord[] {
	return rest.filter(({ text: word }, index) => {
		const before = rest[index - 1]?.text ?? '';
		const isNamed = /^-[A-Za-z]*o$|^--output(?:-document)?$|^-O$|^-OutFile$/i.test(before);
		return !word.startsWith('-') && (isNamed || /^[a-z]+:\/\//i.test(word));
	});
}

function toBaseName(path: string): string {
	return path.split(/[?#]/)[0]?.split(/[\\/]/).at(-1) ?? '';
}

/** Arguments that are scripts of a shell. */
function listScriptArguments(program: string, { words, feeder }: ScriptCommand): readonly ScriptWord[] {
	const rest = words.slice(1);
	if (program === 'eval') {
		return rest;
	}
	if (program === 'trap') {
		return rest.slice(0, 1);
	}
	if (program === 'alias') {
		return rest.map((word) => ({ ...word, text: word.text.slice(word.text.indexOf('=') + 1) }));
	}
	if (program === 'ssh') {
		const host = rest.findIndex(
			({ text: word }, index) =>
				!word.startsWith('-') && !/^-[bcDEeFIiJLlmOopQRSWw]$/.test(rest[index - 1]?.text ?? ''),
		);
		return host === -1 ? [] : rest.slice(host + 1);
	}
	if (program === 'cmd') {
		return rest.slice(rest.findIndex(({ text: word }) => /^\/[ck]$/i.test(word)) + 1);
	}
	if (!SHELLS.has(program)) {
		return [];
	}
	const flagged = rest.findIndex(({ text: word }) => /^-[a-zA-Z]*c$|^-(?:Command|c)$/i.test(word));
	if (flagged !== -1) {
		return rest.slice(flagged + 1, flagged + 2);
	}
	// Text printed into a shell is the shell's script.
	const feeding = feeder?.words ?? [];
	const isPrinted = readsItsProgram(program, rest) && /^(?:echo|printf)$/.test(feeding[0]?.text ?? '');
	return isPrinted ? feeding.slice(1) : [];
}

function toScriptWords(argv: readonly string[], command: number): readonly ScriptWord[] {
	return argv.map((word, argument) => ({
		text: word,
		place: { command, argument, start: 0, end: word.length },
		runs: [],
	}));
}

/** Words that stand in no argument as it is shown, so nothing of them is marked. */
function filesAt(paths: readonly string[], command: number): readonly ScriptWord[] {
	return paths.map((path) => ({ text: path, place: { command, argument: 0, start: 0, end: 0 }, runs: [] }));
}

/**
 * Returns a function from offsets in a word to its place in the script: exact for a word that is written as it is, the
 * whole word when it contains quotes or escapes.
 */
function placesIn({ text: word, place }: ScriptWord): (start: number, end: number) => ScriptWordPlace {
	return place.end - place.start === word.length
		? (start, end) => ({ ...place, start: place.start + start, end: place.start + end })
		: () => place;
}
