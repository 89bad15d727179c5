/** The answers that spare a person the question: rules, consents, what was allowed for the thread or turn, the level. */
import {
	isWiderLevel,
	LEVEL_WORDS,
	pickNarrowerLevel,
	type PermissionLevel,
} from '../../../protocol/ops/permission-level.ts';
import { joinTexts, text } from '../../../protocol/text/text.ts';
import type { AllowedBeforehand, Caller } from '../../../contract/ops/caller.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';
import { opOfTarget } from '../targets.ts';
import { isKeptByWall, isKeptInside, readsUnasked, writesFrom } from './commands/command-question.ts';
import type { GateDecision, GateInput } from './gate-decision.ts';
import { levelInHost } from './levels/level-in-force.ts';
import { computeThreadScope, threadScopeText } from './levels/thread-scope.ts';
import { type AutomaticFrom, isPartOfAll, type GateQuestion } from './question.ts';
import { type AllowRule, escapeGlob, exactPattern, type RuleScope, ruleCovers } from './rules/allow-rule.ts';
import { allowedBeforehand } from './rules/allowed-tools.ts';
import { widerRules } from './rules/offered-rules.ts';

const SCOPE_WORDS: { readonly [S in RuleScope]: string } = {
	project: 'of this project',
	everywhere: 'of prowess.approvals.allow',
	thread: 'of this thread',
};

/** The level of the thread, as far as the rules of the user and of the workspace permit it. */
export function permittedLevel({ level, strict }: GateInput): PermissionLevel {
	return strict.widest === undefined ? level : pickNarrowerLevel(level, strict.widest.level);
}

/** Answer to a question: what was allowed before lets it pass; else the person is asked, or it is refused where none can be. */
export function answerQuestion(asked: GateInput, question: GateQuestion): GateDecision {
	if (question.automatic === 'ask') {
		return { kind: 'allow', rule: question.rule, reason: question.reason, allowedBy: { kind: 'reads' } };
	}
	const { op, mode, caller } = asked;
	const targets = pickAnswerableTargets(asked.targets, caller);
	const input = { ...asked, targets };
	if (question.rules && targets.length > 0) {
		const used = targets.map((target) => input.rules.find((rule) => ruleCovers(rule, op, target)));
		if (used.every((rule) => rule !== undefined)) {
			return allowedByRules(used);
		}
	}
	const allowed = question.rules
		? agreedTo(asked)
				.map((beforehand) => allowedBeforehand(beforehand, op, targets))
				.find((words) => words !== undefined)
		: undefined;
	if (allowed !== undefined) {
		const words = allowed.map((text) => `"${text}"`).join(', ');
		return {
			kind: 'allow',
			rule: 'allowed-tools',
			reason: text('The user agreed to {words} together with the capability.', { words }),
		};
	}
	const level = automaticLevel(input);
	if (question.grants && isGrantedForThread(input, level)) {
		const reason = text('The user allowed it for this thread.');
		return { kind: 'allow', rule: 'thread-grant', reason, allowedBy: { kind: 'thread' } };
	}
	const isOfTurn = isPartOfTurn(input, question);
	if (isOfTurn && input.isTurnGranted === true) {
		const reason = text('The user allowed it for this turn.');
		return { kind: 'allow', rule: 'turn-grant', reason, allowedBy: { kind: 'turn' } };
	}
	const connecting = question.grants ? rulesForConnections(input, level) : [];
	if (connecting.length > 0) {
		return allowedByRules(connecting);
	}
	if (isLevelReached(level, question.automatic) && !(mode === 'ask' && question.isDangerous === true)) {
		if (mode !== 'ask' && mode !== 'never' && !isWiderLevel(level, mode)) {
			const reason = text('Approved automatically: this session was started so.');
			return { kind: 'allow', rule: level, reason, allowedBy: { kind: 'host' } };
		}
		const reason = text('Allowed by the permission level {level}.', { level: LEVEL_WORDS[level].name });
		return { kind: 'allow', rule: level, reason, allowedBy: { kind: 'level', level } };
	}
	const target = question.rule === 'commands' ? targets[0] : question.target;
	const pattern = target === undefined ? null : `${op} ${exactPattern(target)}`;
	if (mode !== 'ask') {
		const { widest } = asked.strict;
		const isTooWide =
			widest !== undefined && question.automatic !== 'never' && !isLevelReached(widest.level, question.automatic);
		const why = isTooWide ? [text('{source} permits no wider level.', { source: widest.source })] : [];
		const how =
			question.always && pattern !== null
				? [text('To allow it here, add the rule "{pattern}" to prowess.approvals.allow.', { pattern })]
				: [];
		return {
			kind: 'deny',
			code: 'DENIED_BY_RULE',
			rule: question.rule,
			reason: joinTexts(question.reason, text('This session cannot ask.'), ...why, ...how),
			unattended: { automatic: isTooWide ? 'never' : question.automatic },
		};
	}
	const isAlwaysOffered = question.always && targets.length === 1;
	return {
		kind: 'ask',
		rule: question.rule,
		reason: question.reason,
		isReasonUsual: question.isUsual === true,
		pattern: isAlwaysOffered ? proposeAllowPattern(input, target) : null,
		wider: isAlwaysOffered && target !== undefined ? widerRules(op, target) : [],
		isTurnOffered: isOfTurn,
		isPartOfAll: isPartOfAll(question),
		threadScope: question.grants && targets.length > 0 ? threadScopeText(op, asked.def, asked.targets) : null,
		passesAt: question.automatic === 'never' || question.isDangerous === true ? null : question.automatic,
	};
}

/** With the content of the capability that asks, or of the skills whose instructions the agent follows. */
function agreedTo({ caller, loaded = [] }: GateInput): readonly AllowedBeforehand[] {
	return caller.kind !== 'execution' ? loaded : caller.beforehand === undefined ? [] : [caller.beforehand];
}

/** Targets that need an answer: of several commands those that only read need none, nor an ordinary file that one reads. */
export function pickAnswerableTargets(targets: readonly OpTarget[], caller: Caller): readonly OpTarget[] {
	const hasCommand = targets.some(({ kind }) => kind === 'command');
	return targets.filter(
		(each) =>
			!(each.kind === 'command' && readsUnasked(each, caller)) &&
			!(hasCommand && each.kind === 'file' && each.access === 'read' && !each.isSecret),
	);
}

/**
 * Returns the level up to which nobody is asked: the wider of the one that the host was started with and that of the
 * thread, as far as rules permit.
 */
function automaticLevel(input: GateInput): PermissionLevel {
	const { mode, strict } = input;
	return levelInHost({ level: permittedLevel(input), widest: strict.widest?.level ?? 'full' }, mode);
}

function isLevelReached(level: PermissionLevel, from: AutomaticFrom): level is Exclude<AutomaticFrom, 'ask' | 'never'> {
	return from !== 'never' && !isWiderLevel(from, level);
}

/** True when the level Auto would let the op of the agent itself pass, and rules permit that level. */
function isPartOfTurn({ caller, strict }: GateInput, question: GateQuestion): boolean {
	return (
		caller.kind === 'agent' &&
		question.grants &&
		question.isDangerous !== true &&
		isLevelReached('auto', question.automatic) &&
		!isWiderLevel('auto', strict.widest?.level ?? 'full')
	);
}

/** A command that needs no question by itself does not need an answer besides those for what it needs beyond its sandbox. */
function isGrantedForThread(input: GateInput, level: PermissionLevel): boolean {
	const { targets } = input;
	const granted = targets.filter((target) => isGrantedTarget(input, target));
	return (
		granted.length > 0 && targets.every((target) => granted.includes(target) || runsByItself(input, target, level))
	);
}

function isGrantedTarget({ op, isGranted }: GateInput, target: OpTarget): boolean {
	return (
		isGranted(op, target) ||
		(target.kind === 'file' && isGranted(opOfTarget(op, target), target)) ||
		(target.kind === 'host' && target.isHere !== true && isGranted(CONNECT, target))
	);
}

function runsByItself({ caller }: GateInput, target: OpTarget, level: PermissionLevel): boolean {
	const isKeptIn =
		target.kind === 'command' && (caller.kind === 'execution' ? isKeptByWall(target) : isKeptInside(target));
	const isChange = target.kind === 'file' && !target.isSecret && !target.isProtected;
	return (
		(isLevelReached(level, 'auto') && isKeptIn === true) || (isChange && isLevelReached(level, writesFrom(target)))
	);
}

/** Op of a host that a sandboxed command connects to: a rule for it also covers the host where the command names it beforehand. */
const CONNECT = 'net.connect';

/** The rules for hosts that a command needs, where everything else about it is answered already; otherwise none. */
function rulesForConnections(input: GateInput, level: PermissionLevel): readonly AllowRule[] {
	const { op, targets, rules } = input;
	if (!targets.some(({ kind }) => kind === 'command')) {
		return [];
	}
	const used = targets.map((target) =>
		rules.find((rule) => ruleCovers(rule, target.kind === 'host' ? CONNECT : op, target)),
	);
	const isAnswered = targets.every(
		(target, index) =>
			used[index] !== undefined || isGrantedTarget(input, target) || runsByItself(input, target, level),
	);
	return isAnswered ? used.filter((rule) => rule !== undefined) : [];
}

function allowedByRules(used: readonly AllowRule[]): GateDecision {
	const rules = used.map(({ text, scope }) => ({ rule: text, scope }));
	return {
		kind: 'allow',
		rule: 'allow-rule',
		reason: text('Allowed by {rules}.', {
			rules: rules.map(({ rule, scope }) => `"${rule}" ${SCOPE_WORDS[scope]}`).join(', '),
		}),
		allowedBy: { kind: 'rules', rules },
	};
}

/**
 * A change in a folder is offered for the whole folder: who says "always" to one file is asked about its neighbour next.
 * At the root it stays the file, because the root is everything.
 */
function proposeAllowPattern({ op, def, hasSeveralFolders }: GateInput, target: OpTarget | undefined): string | null {
	if (target === undefined) {
		return null;
	}
	if (computeThreadScope(def, target) === 'fileChanges' && target.kind === 'file') {
		const at = target.path.lastIndexOf('/');
		const folder = target.path.slice(0, Math.max(0, at));
		if (folder !== '' && !(hasSeveralFolders && !folder.includes('/'))) {
			return `${op} ${escapeGlob(folder)}/**`;
		}
	}
	return `${op} ${exactPattern(target)}`;
}
