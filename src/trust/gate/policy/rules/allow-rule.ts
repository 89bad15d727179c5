/**
 * Rules that allow, from `prowess.approvals.allow` or saved for a project: `op pattern`. A rule that cannot be read
 * allows nothing.
 */
import picomatch from 'picomatch';
import { findNearNames } from '../../../../base/text/near-names.ts';
import { canonicalOp, COMMAND_OPS, isOpName, OP_NAMES } from '../../../../protocol/op-table/ops.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { opOfTarget } from '../../targets.ts';
import { argvCover, exactArgvPattern, parseRuleWords } from './argv-pattern.ts';
import { createGlobOptions, namePatternCovers } from './name-pattern.ts';
import { isFilter } from '../commands/filters.ts';
import { assessTargets } from '../commands/risk-assessor.ts';

/** Where it counts. `thread`: it was just saved, and the settings have not been read again yet. */
export type RuleScope = 'project' | 'everywhere' | 'thread';

export interface AllowRule {
	readonly text: string;
	readonly op: string;
	readonly pattern: string;
	readonly scope: RuleScope;
	/** Labels of texts after which it still counts, as `web:example.org` or `mcp:*`; absent: none. */
	readonly after?: readonly string[];
}

const LABEL = String.raw`(?:workspace|files|web|mcp|capability|memory):[^\s,]+`;
/** End of a rule that names labels: `mcp.call github/add_comment after web:example.org,mcp:github`. */
const AFTER_LABELS = new RegExp(String.raw`^(.*\S)\s+after\s+(${LABEL}(?:,${LABEL})*)$`, 's');

export function parseAllowRules(texts: readonly string[], scope: RuleScope = 'everywhere'): AllowRule[] {
	return texts.flatMap((text) => {
		const match = /^\s*([\w.]+)\s+(.*\S)\s*$/s.exec(text);
		const [, op, written] = match ?? [];
		if (op === undefined || written === undefined) {
			return [];
		}
		const [, pattern = written, labels] = AFTER_LABELS.exec(written) ?? [];
		const after = labels === undefined ? {} : { after: labels.split(',') };
		return [{ text: text.trim(), op, pattern, scope, ...after }];
	});
}

/** Returns for each rule that allows nothing the reason, in words. */
export function ignoredAllowRules(texts: readonly string[]): string[] {
	return texts.flatMap((text) => {
		const why = whyIgnored(text);
		return why === undefined ? [] : [`"${text}" is ignored: ${why}`];
	});
}

function whyIgnored(text: string): string | undefined {
	const [, op, pattern] = /^\s*(\S+)\s+(.*\S)\s*$/s.exec(text) ?? [];
	if (op === undefined || pattern === undefined) {
		return 'expected an op and a pattern, such as "shell.run npm test"';
	}
	if (op.includes('*')) {
		return `a rule that allows names one op, such as fs.write; only rules that deny or ask take ${op}`;
	}
	if (canonicalOp(op) !== op) {
		return `the op is called ${canonicalOp(op)}`;
	}
	if (!isOpName(op)) {
		const [near] = findNearNames(op, OP_NAMES);
		return `there is no op "${op}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
	}
	const [rule] = parseAllowRules([text]);
	return COMMAND_OPS.includes(op) && parseRuleWords(rule?.pattern ?? pattern) === undefined
		? 'a quote is not closed'
		: undefined;
}

/** True when the rule covers this target of this op. */
export function ruleCovers(rule: AllowRule, op: string, target: OpTarget): boolean {
	if (rule.op !== opOfTarget(op, target)) {
		return false;
	}
	if (target.kind === 'command') {
		// A rule was agreed to for a command that reads nothing: what it does with input is known of filters only.
		return commandCovered(rule.pattern, target) && (target.fedBy === undefined || isFilter(target.argv));
	}
	if (target.kind === 'host') {
		return target.isHere === true ? rule.pattern.toLowerCase() === target.host : hostMatches(rule.pattern, target.host);
	}
	if (target.kind === 'beyond') {
		return false;
	}
	if (target.kind === 'secret') {
		return rule.pattern === exactPattern(target);
	}
	if (target.kind === 'mcp') {
		// A star stands for tools, never for servers.
		const [server, ...rest] = rule.pattern.split('/');
		const tools = rest.join('/');
		if (target.tool === '') return server === target.server && /^\*{0,2}$/.test(tools);
		return server === target.server && tools !== '' && namePatternCovers(tools, target.tool, { nocase: false });
	}
	if (target.kind === 'capability') {
		return namePatternCovers(rule.pattern, `${target.type}/${target.name}`, { nocase: false });
	}
	if (target.isSecret) {
		// A glob that happens to reach a secret was not meant for it.
		return rule.pattern === exactPattern(target);
	}
	return globMatches(rule.pattern, target.path);
}

function globMatches(pattern: string, name: string): boolean {
	return pattern !== '' && picomatch(pattern, createGlobOptions(false))(name);
}

/**
 * The exact words cover what they show, in a sandbox or not; a link that leads elsewhere they do not show. Further operands
 * are covered in the sandbox only: no list of programs and their flags is long enough to say what they do. They never make a
 * command dangerous that the rule did not name: `git stash **` is not `git stash clear`.
 */
function commandCovered(pattern: string, target: Extract<OpTarget, { kind: 'command' }>): boolean {
	const { argv, cwd, isSandboxed, isGuardedInPart, strays = [] } = target;
	switch (argvCover(pattern, argv, cwd)) {
		case 'exact':
			return !strays.some(({ isByLink }) => isByLink);
		case 'open':
			return (
				isSandboxed === true &&
				isGuardedInPart !== true &&
				strays.length === 0 &&
				assessTargets([target]).level !== 'high'
			);
		case 'none':
			return false;
	}
}

/** The narrowest pattern that covers the target. A secret is bound to where it goes: `github@api.github.com`. */
export function exactPattern(target: OpTarget): string {
	switch (target.kind) {
		case 'command':
			return exactArgvPattern(target.argv);
		case 'host':
			return target.host;
		case 'secret':
			return target.host === undefined ? target.name : `${target.name}@${target.host}`;
		case 'mcp':
			return target.tool === '' ? target.server : `${target.server}/${escapeGlob(target.tool)}`;
		case 'capability':
			return `${target.type}/${escapeGlob(target.name)}`;
		case 'file':
		case 'database':
		case 'beyond':
			return escapeGlob(target.path);
	}
}

/** The glob that matches just this path. */
export function escapeGlob(path: string): string {
	return path.replace(/[\\*?[\]{}()!+@|^$]/g, '\\$&');
}

/** `example.org`, `example.org:8443`, `*.example.org` for what is below it, `*` for every host. Ports are never implied. */
export function hostMatches(pattern: string, host: string): boolean {
	const wanted = pattern.toLowerCase();
	if (wanted === '*' || wanted === host) {
		return true;
	}
	const below = /^\*(?<suffix>\.[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?)$/.exec(wanted)?.groups?.['suffix'];
	return below !== undefined && host.length > below.length && host.endsWith(below);
}
