/**
 * Reads `allowed-tools` of a skill for the gate: the acts that a person who agreed to the skill's content has allowed
 * beforehand. An entry stands for the person's answer and for no rule: acts that only a person answers, that touch
 * secrets or that look dangerous are still asked about. An entry that cannot be understood allows nothing.
 */
import { splitOperandPath } from '../commands/plain-operand.ts';
import picomatch from 'picomatch';
import type { OpName } from '../../../../protocol/op-table/ops.ts';
import { opsOfForeignTool } from '../../../../protocol/op-table/foreign-tools.ts';
import type { AllowedBeforehand } from '../../../../contract/ops/caller.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { isProtectedName } from '../../../../machine/paths/names/protected-names.ts';
import { isSecretName } from '../../../../machine/paths/names/secret-names.ts';
import { parseRuleWords } from './argv-pattern.ts';
import { hostMatches } from './allow-rule.ts';
import { createGlobOptions } from './name-pattern.ts';
import { isFilter } from '../commands/filters.ts';
import { runsOtherPrograms } from '../commands/indirect-commands.ts';
import { assessTargets } from '../commands/risk-assessor.ts';

/** Ops that a skill can allow beforehand. None of the others asks a question that may be answered beforehand. */
const ALLOWABLE = ['fs.write', 'fs.edit', 'shell.run', 'http.get'] as const satisfies readonly OpName[];
type AllowableOp = (typeof ALLOWABLE)[number];

export interface AllowedTool {
	/** Entry as the skill writes it: `Bash(git status *)`. */
	readonly text: string;
	readonly op: AllowableOp;
	/** Text in the brackets; undefined: the entry has none. */
	readonly rule: string | undefined;
}

/** Undefined for a tool that is unknown here, or that is not asked for anyway. */
export function readAllowedTool(text: string): AllowedTool | undefined {
	const [, name = '', rule] = /^\s*([\w.]+)\s*(?:\(([^()]*)\))?\s*$/.exec(text) ?? [];
	const ops: readonly string[] = opsOfForeignTool(name) ?? [name.toLowerCase()];
	const op = ALLOWABLE.find((each) => ops.includes(each));
	const inside = rule?.trim();
	const meant = inside === '' || inside === '*' || inside === ':*' ? undefined : inside;
	return op === undefined || (op === 'shell.run' && meant !== undefined && readCommandRule(meant) === undefined)
		? undefined
		: { text: text.trim(), op, rule: meant };
}

interface CommandRule {
	/** The first words of the command. */
	readonly words: readonly string[];
	/** True when other words may follow them. */
	readonly isOpen: boolean;
}

/** `git add *` and `git add:*`: these words, whatever follows; without the star exactly these. */
export function readCommandRule(rule: string): CommandRule | undefined {
	const isOpen = /(?::| )\*$/.test(rule);
	const words = parseRuleWords(isOpen ? rule.slice(0, -2) : rule)?.map(({ text }) => text);
	return words === undefined || words.length === 0 || words.some((word) => word.includes('*'))
		? undefined
		: { words, isOpen };
}

/** The entries that cover all of it, in their own words; undefined when one of the targets is to be asked. */
export function allowedBeforehand(
	{ tools, folder }: AllowedBeforehand,
	op: string,
	targets: readonly OpTarget[],
): readonly string[] | undefined {
	const [own, ...above] = tools.map((each) => coveredBy(each, op, targets, folder));
	return above.every((each) => each !== undefined) ? own : undefined;
}

function coveredBy(
	tools: readonly string[],
	op: string,
	targets: readonly OpTarget[],
	folder: string,
): readonly string[] | undefined {
	const entries = tools.map(readAllowedTool).filter((tool) => tool?.op === op) as readonly AllowedTool[];
	const used = targets.map((target) => entries.find((entry) => isAllowedTarget(entry, target, folder))?.text);
	return targets.length > 0 && used.every((text) => text !== undefined) ? [...new Set(used)] : undefined;
}

function isAllowedTarget({ op, rule }: AllowedTool, target: OpTarget, folder: string): boolean {
	switch (target.kind) {
		case 'command':
			return (
				op === 'shell.run' &&
				(rule === undefined ? isPlainCommand(target, folder) : isNamedByRule(rule, target, folder))
			);
		case 'file':
			return (
				(op === 'fs.write' || op === 'fs.edit') &&
				!target.isSecret &&
				!target.isProtected &&
				(rule === undefined || isAllowedPath(rule, target.path))
			);
		case 'host':
			return op === 'http.get' && (rule === undefined || hostMatches(rule.replace(/^domain:/, ''), target.host));
		case 'database':
		case 'secret':
		case 'mcp':
		case 'capability':
		case 'beyond':
			return false;
	}
}

type AllowedCommandTarget = Extract<OpTarget, { kind: 'command' }>;

/** Without a rule no program is named: what runs others is asked, and what is called by its path, unless it is its own file. */
function isPlainCommand(command: AllowedCommandTarget, folder: string): boolean {
	const [program = '', ...rest] = command.argv;
	return (
		assessTargets([command]).level === 'low' &&
		!runsOtherPrograms(command.argv) &&
		(!/[/\\]/.test(program) || isOwnFile(program, folder)) &&
		(command.fedBy === undefined || isFilter(command.argv)) &&
		rest.every((argument) => isHarmless(argument, command.cwd, folder))
	);
}

function isNamedByRule(rule: string, command: AllowedCommandTarget, folder: string): boolean {
	const { argv, cwd } = command;
	const { words, isOpen } = readCommandRule(rule) ?? { words: [], isOpen: false };
	const rest = argv.slice(words.length);
	return (
		words.length > 0 &&
		words.every((word, index) => word === argv[index]) &&
		(isOpen || rest.length === 0) &&
		assessTargets([command]).level !== 'high' &&
		!givesCode(argv[0] ?? '', rest) &&
		rest.every((argument) => isHarmless(argument, cwd, folder))
	);
}

/** Code in an argument is nothing that anybody agreed to: `python -c …`, `deno eval …`, `awk '{ … }'`, `bash -`. */
function givesCode(program: string, rest: readonly string[]): boolean {
	return (
		runsOtherPrograms([program]) &&
		rest.some((argument) => GIVEN_CODE_FLAG.test(argument) || !/^[\w@%+=:,./~?#&\\-]+$/.test(argument))
	);
}

const GIVEN_CODE_FLAG =
	/^-$|^-[A-Za-z]*[cerpEi]|^--(?:eval|print|exec|command|require|import|loader|experimental-loader)|^eval$/;

/** A path that the file ops would not pass without a question, wherever it stands in the argument, is asked. */
function isHarmless(argument: string, cwd: string, folder: string): boolean {
	if (/[\p{C}\p{Zl}\p{Zp}]/u.test(argument)) {
		return false;
	}
	if (/^https?:\/\/[^@]+$/i.test(argument)) {
		return true;
	}
	const short = /^-{1,2}[A-Za-z]+(?<path>[/~\\.].*)$/.exec(argument)?.groups?.['path'];
	const parts = [argument, short ?? '', ...argument.split(/[:=,]/)].map((part) => part.replace(/^@/, ''));
	return parts.every((part) => isOwnFile(part, folder) || isInWorkspace(part, cwd));
}

function isOwnFile(path: string, folder: string): boolean {
	return folder !== '' && path.startsWith(`${folder}/`) && !splitOperandPath(path).includes('..');
}

function isInWorkspace(path: string, cwd: string): boolean {
	const names = splitOperandPath(path);
	const all = [...splitOperandPath(cwd), ...names];
	return !/^[/\\~]|^[A-Za-z]:[/\\]/.test(path) && !names.includes('..') && !isSecretName(all) && !isProtectedName(all);
}

/** From the root of the workspace; a name alone is meant in every folder. */
function isAllowedPath(rule: string, path: string): boolean {
	const below = rule.replace(/^(?:\.?\/)/, '');
	const patterns = rule.includes('/') ? [below, `${below}/**`] : [below, `**/${below}`];
	return picomatch(patterns, createGlobOptions(false))(path);
}
