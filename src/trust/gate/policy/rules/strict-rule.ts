/**
 * Rules that tighten: one entry of `prowess.approvals.deny` or `.ask`, or of a workspace's `.prowess/policy.yaml`. They are
 * read the other way round than rules that allow: in doubt they cover. `op pattern`; the op may be `fs.*` or `*`.
 */
import picomatch from 'picomatch';
import { canonicalOp, COMMAND_OPS, OP_NAMES } from '../../../../protocol/op-table/ops.ts';
import { isWiderLevel, type PermissionLevel } from '../../../../protocol/ops/permission-level.ts';
import type { Organisation } from '../../../../contract/ports/organisation.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { opOfTarget } from '../../targets.ts';
import { parseRuleWords } from './argv-pattern.ts';
import { runsOtherPrograms } from '../commands/indirect-commands.ts';
import { exactPattern } from './allow-rule.ts';
import { createGlobOptions, namePatternCovers } from './name-pattern.ts';
import { type Cover, strictlyCovered } from './strict-command.ts';

export interface StrictRule {
	readonly text: string;
	readonly op: string;
	readonly pattern: string;
	/** Whose rule it is, in words: for the reason. */
	readonly source: string;
	/** Folder of a workspace with several, to whose paths the rule is limited. */
	readonly folder?: string;
}

/** Widest permission level that a rule permits. */
export interface WidestLevel {
	readonly level: PermissionLevel;
	/** Whose rule it is, in words. */
	readonly source: string;
}

/** Rules that tighten, from one source or from all together. */
export interface StrictRules {
	readonly deny: readonly StrictRule[];
	readonly ask: readonly StrictRule[];
	/** Rules and settings that could not be read, in words: as long as there is any, everything is asked. */
	readonly unreadable: readonly string[];
	/** Wider levels are forbidden; absent: none is. */
	readonly widest?: WidestLevel;
	/** Judge of what an organisation forbids of the targets themselves; absent: none has set rules. */
	readonly organisation?: Pick<Organisation, 'refusalOfTarget'>;
}

export const NO_STRICT_RULES: StrictRules = { deny: [], ask: [], unreadable: [] };

/** Rules of several sources count together: none can take anything from another. */
export function mergeStrictRules(parts: readonly StrictRules[]): StrictRules {
	return {
		deny: parts.flatMap(({ deny }) => deny),
		ask: parts.flatMap(({ ask }) => ask),
		unreadable: parts.flatMap(({ unreadable }) => unreadable),
		...pickNarrowestLevel(parts.flatMap(({ widest }) => widest ?? [])),
		...pickOrganisation(parts),
	};
}

/** A machine has one organisation at most. */
function pickOrganisation(parts: readonly StrictRules[]): Pick<StrictRules, 'organisation'> {
	const organisation = parts.find((part) => part.organisation !== undefined)?.organisation;
	return organisation === undefined ? {} : { organisation };
}

function pickNarrowestLevel(all: readonly WidestLevel[]): Pick<StrictRules, 'widest'> {
	const [first, ...others] = all;
	return first === undefined
		? {}
		: { widest: others.reduce((least, each) => (isWiderLevel(least.level, each.level) ? each : least), first) };
}

/** The rule, or in words why it is none. */
export function parseStrictRule(text: string, source: string, folder?: string): StrictRule | string {
	const [, name, pattern] = /^\s*([\w.*]+)\s+(\S|\S.*\S)\s*$/s.exec(text) ?? [];
	if (name === undefined || pattern === undefined) {
		return `"${text}" is no rule: expected "op pattern", e.g. "shell.run git push"`;
	}
	const op = canonicalOp(name);
	const problem = opPatternProblem(name);
	if (problem !== undefined) {
		return `"${text}": ${problem}`;
	}
	if (COMMAND_OPS.some((each) => opCovers(op, each)) && parseRuleWords(pattern) === undefined) {
		return `"${text}": a quote is not closed`;
	}
	return { text: text.trim(), op, pattern, source, ...(folder === undefined ? {} : { folder }) };
}

/** The first rule that covers any of what the op would touch; with `isInDoubt` also one that may cover it. */
export function strictRuleOn(
	rules: readonly StrictRule[],
	op: string,
	targets: readonly OpTarget[],
	isInDoubt = false,
): StrictRule | undefined {
	return rules.find(
		(rule) =>
			(isAnything(rule.pattern) && opCovers(rule.op, op)) ||
			targets.some(
				(target) =>
					opCoversAct(rule.op, opOfTarget(op, target)) &&
					(isAnything(rule.pattern) || strictRuleCovers(rule, target, isInDoubt)),
			),
	);
}

/** Ops that change files by another name: what tightens those on the right tightens them, too. */
const ACTS_AS: Readonly<Record<string, readonly string[]>> = {
	'editor.refactor': ['fs.edit'],
	'agent.apply': ['fs.write', 'fs.edit', 'fs.delete'],
};

/** True when what is said of ops by that name is said of this op, or of one that it stands for. */
export function opCoversAct(rule: string, op: string): boolean {
	return [op, ...(ACTS_AS[op] ?? [])].some((each) => opCovers(rule, each));
}

function strictRuleCovers({ pattern, folder }: StrictRule, target: OpTarget, isInDoubt: boolean): boolean {
	switch (target.kind) {
		case 'command': {
			const cover = commandCover(pattern, target);
			return cover === 'yes' || (isInDoubt && cover === 'maybe');
		}
		case 'host':
			return hostCovers(pattern.toLowerCase(), target.host);
		case 'secret':
			return secretCovers(pattern, target);
		case 'file':
		case 'database': {
			const path = folder === undefined ? target.path : findPathBelow(folder, target.path);
			return path !== undefined && pathCovers(pattern, path, target.access === 'write');
		}
		case 'beyond':
			return pathCovers(pattern, target.path, target.access === 'write');
		case 'mcp':
			return toolCovers(pattern, target);
		case 'capability':
			return [target.name, `${target.type}/${target.name}`].some((name) =>
				namePatternCovers(pattern, name, { nocase: true }),
			);
	}
}

/**
 * Returns how far the pattern covers a command. Text fed into a program that runs its input counts like an argument:
 * `echo "git push" | sh`.
 */
function commandCover(pattern: string, { argv, fedBy = [], streams }: Extract<OpTarget, { kind: 'command' }>): Cover {
	const isProgram = runsOtherPrograms(argv);
	const feeding = isProgram ? fedBy : [];
	const covers = [
		strictlyCovered(pattern, argv),
		...feeding.map((writer) => strictlyCovered(pattern, [...argv, writer.slice(1).join(' ')])),
		// Neither the output of other programs nor the content of a file can be read beforehand.
		...(isProgram && (streams?.reads.length ?? 0) > 0 ? (['maybe'] as const) : []),
		...feeding.map(([writer]): Cover => (writer === 'echo' || writer === 'printf' ? 'no' : 'maybe')),
	];
	return covers.includes('yes') ? 'yes' : covers.includes('maybe') ? 'maybe' : 'no';
}

/** In words, why a pattern of ops covers none; undefined when it is one. */
export function opPatternProblem(pattern: string): string | undefined {
	const op = canonicalOp(pattern);
	if (!/\*/.test(op) && !OP_NAMES.some((known) => known === op)) {
		return `there is no op "${pattern}"`;
	}
	return /^(?:\*|\w+(?:\.\w+)*(?:\.\*)?)$/.test(op) ? undefined : 'an op is written like fs.write, fs.* or *';
}

/** `rule` as `opPatternProblem` found it right. */
export function opCovers(rule: string, op: string): boolean {
	return rule === '*' || rule === op || (rule.endsWith('.*') && op.startsWith(rule.slice(0, -1)));
}

function isAnything(pattern: string): boolean {
	return pattern === '*' || pattern === '**';
}

/** A name alone is meant as that server with all its tools. A list holds all tools, so only a rule for all of them covers it. */
function toolCovers(pattern: string, { server, tool }: Extract<OpTarget, { kind: 'mcp' }>): boolean {
	if (tool === '') return namePatternCovers(pattern.replace(/\/\*{1,2}$/, ''), server, { nocase: true });
	return namePatternCovers(pattern.includes('/') ? pattern : `${pattern}/**`, `${server}/${tool}`, { nocase: true });
}

/** `isChange`: what changes a folder changes what lies in it, so a rule for something below covers it too. */
function pathCovers(pattern: string, path: string, isChange: boolean): boolean {
	const plain = pattern.replace(/^\.\//, '').replace(/\/+$/, '');
	if (picomatch([plain, `${plain}/**`], createGlobOptions(true))(path)) {
		return true;
	}
	return isChange && (path === '.' || plain.toLowerCase().startsWith(`${path.toLowerCase()}/`));
}

/** A name alone is meant wherever the secret would go. */
function secretCovers(pattern: string, target: Extract<OpTarget, { kind: 'secret' }>): boolean {
	return [target.name, exactPattern(target)].some(
		(name) => pattern === name || (pattern.includes('*') && namePatternCovers(pattern, name, { nocase: true })),
	);
}

/** Without a port every port of the host is meant. */
function hostCovers(pattern: string, host: string): boolean {
	const bare = /:\d+$/.test(pattern) ? host : host.replace(/:\d+$/, '');
	if (pattern.startsWith('*.') && (bare.endsWith(pattern.slice(1)) || bare === pattern.slice(2))) {
		return true;
	}
	return bare === pattern || (pattern.includes('*') && namePatternCovers(pattern, bare, { nocase: true }));
}

function findPathBelow(folder: string, path: string): string | undefined {
	return path === folder ? '.' : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}
