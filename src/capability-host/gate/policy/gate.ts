/**
 * The gate: may this happen, must the person be asked, or is it refused. A pure function of what is known; nothing a
 * model says is part of it. Trust is checked before anything is prepared, so it is a function of its own.
 */
import type { AllowedBy } from '../../../protocol/approvals/approvals.ts';
import type { Permission } from '../../../protocol/approvals/risk.ts';
import type { ErrorCode } from '../../../protocol/errors.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { isWider, LEVEL_WORDS, narrower, type PermissionLevel } from '../../../protocol/approvals/permission-level.ts';
import { isPartOfMode, MODE_REFUSALS } from '../../../protocol/thread/thread-mode.ts';
import { inTurn, type Text, text } from '../../../protocol/text/text.ts';
import type { Mode } from '../../../protocol/thread/thread.ts';
import type { ApprovalMode } from '../../contract/ports.ts';
import type { Caller } from '../../contract/caller.ts';
import type { Target } from '../../contract/target.ts';
import { type AllowRule, escapeGlob, exactPattern, type RuleScope, ruleCovers } from './rules/allow-rule.ts';
import { allowedBeforehand } from './rules/allowed-tools.ts';
import { opOfTarget } from './rules/op-of-target.ts';
import { isInside, readsUnasked, writesFrom } from './commands/command-question.ts';
import { widerRules } from './rules/offered-rules.ts';
import { questionOf } from './op-question.ts';
import { type AutomaticFrom, BY_PERSON, type Question } from './question.ts';
import { type StrictRules, strictRuleOn } from './rules/strict-rule.ts';
import { permissionsOf } from './levels/permissions.ts';
import { threadScopeOf, threadScopeText } from './levels/thread-scope.ts';

export type GateDecision =
	| {
			readonly kind: 'allow';
			readonly rule: string;
			readonly reason: Text;
			/** What spared the person a question; absent: there was none to ask. */
			readonly allowedBy?: AllowedBy;
	  }
	| {
			readonly kind: 'ask';
			readonly rule: string;
			readonly reason: Text;
			/** What "always" would allow; null: it is not offered. */
			readonly pattern: string | null;
			/** Rules beside it that "always" would save as well, from the narrowest on. */
			readonly wider: readonly string[];
			/** What an answer for the whole thread would cover, in words; null: it counts once only. */
			readonly threadScope: Text | null;
			/** Whether an answer for the turn would cover it; never what the level Auto asks about. */
			readonly isTurnOffered: boolean;
			/** Narrowest permission level at which nobody would be asked; null: at every level somebody is. */
			readonly passesAt: PermissionLevel | null;
	  }
	| {
			readonly kind: 'deny';
			readonly code: ErrorCode;
			readonly rule: string;
			readonly reason: Text;
			/** Only because nobody can be asked; `automatic`: from which level on a session that approves by itself would allow it. */
			readonly unattended?: { readonly automatic: AutomaticFrom };
	  };

export interface GateInput {
	readonly op: string;
	readonly def: Pick<OpDef, 'risk' | 'effect' | 'callers'>;
	readonly caller: Caller;
	readonly targets: readonly Target[];
	readonly mode: ApprovalMode;
	/** What the agent and its capabilities may do in the thread at all; absent: everything that is judged below. */
	readonly threadMode?: Mode;
	/** Chosen for the thread; how much of it counts, the rules below say. */
	readonly level: PermissionLevel;
	readonly rules: readonly AllowRule[];
	/** What the user and the workspace refuse, or want to be asked every time. */
	readonly strict: StrictRules;
	/** The workspace has several folders, and paths begin with the name of one. */
	readonly hasSeveralFolders: boolean;
	/** Whether the person has allowed this for the thread. */
	isGranted(op: string, target: Target): boolean;
	/** Whether the person has allowed for this turn what the level Auto allows; absent: no. */
	readonly isTurnGranted?: boolean;
}

/** Only speaking with the person is possible before the workspace is trusted. */
export function decideTrust(def: Pick<OpDef, 'risk' | 'effect'>, isTrusted: boolean): GateDecision {
	if (isTrusted || (def.risk === 'SAFE' && def.effect === 'interact')) {
		return {
			kind: 'allow',
			rule: 'trust',
			reason: isTrusted ? text('The workspace is trusted.') : text('It only speaks with the user.'),
		};
	}
	return {
		kind: 'deny',
		code: 'WORKSPACE_UNTRUSTED',
		rule: 'trust',
		reason: text('This workspace is not trusted, so nothing in it is read, changed or run.'),
	};
}

export function decide(input: GateInput): GateDecision {
	const { callers } = input.def;
	if (callers !== undefined && !callers.includes(input.caller.kind)) {
		return {
			kind: 'deny',
			code: 'DENIED_BY_RULE',
			rule: 'caller',
			reason: CALLER_TEXTS[input.caller.kind](input.op),
		};
	}
	const outside = input.targets.find(leavesWorkspace);
	if (outside !== undefined) {
		return {
			kind: 'deny',
			code: 'PATH_OUTSIDE_WORKSPACE',
			rule: 'workspace-only',
			reason: text('"{path}" is outside the workspace.', { path: outside.path }),
		};
	}
	if (input.caller.kind === 'user') {
		return { kind: 'allow', rule: 'user', reason: text('The user did it.') };
	}
	const { threadMode = 'agent' } = input;
	if (threadMode !== 'agent' && !isPartOfMode(threadMode, input.op, input.def)) {
		return { kind: 'deny', code: 'DENIED_BY_RULE', rule: 'mode', reason: MODE_REFUSALS[threadMode] };
	}
	const lacking = lackingPermission(input);
	if (lacking !== undefined) {
		const reason = text('{op} needs the permission "{permission}", which the capability does not have.', {
			op: input.op,
			permission: lacking,
		});
		return { kind: 'deny', code: 'DENIED_BY_RULE', rule: 'permissions', reason };
	}
	const refused = strictRuleOn(input.strict.deny, input.op, input.targets);
	if (refused !== undefined) {
		const reason = text('The rule "{rule}" of {source} refuses it.', { rule: refused.text, source: refused.source });
		return { kind: 'deny', code: 'DENIED_BY_RULE', rule: 'deny-rule', reason };
	}
	const question = tightened(input, questionOf(input));
	if (question === undefined) {
		return {
			kind: 'allow',
			rule: 'level',
			reason: text('{level} is allowed in a trusted workspace.', { level: input.def.risk }),
		};
	}
	return answered(input, question);
}

/** What the streams of a command read or write needs the permission of the file op, beside that of the command. */
function lackingPermission({ op, caller, targets }: GateInput): Permission | undefined {
	const needed = targets.flatMap((target): Permission[] =>
		opOfTarget(op, target) === op || !('access' in target) ? [] : [`workspace.${target.access}`],
	);
	return needed.find((permission) => !permissionsOf(caller).has(permission));
}

const SCOPE_WORDS: { readonly [S in RuleScope]: string } = {
	project: 'of this project',
	everywhere: 'of prowess.approvals.allow',
	thread: 'of this thread',
};

const CALLER_TEXTS = {
	agent: (op: string) => text('{op} is not for the agent.', { op }),
	execution: (op: string) => text('{op} is not for capabilities.', { op }),
	user: (op: string) => text('{op} is not for people.', { op }),
} as const;

/** What makes a question of something, or leaves a question to the person alone. */
function tightened(input: GateInput, question: Question | undefined): Question | undefined {
	const { op, def, targets, strict } = input;
	const byPerson = (rule: string, reason: Text): Question => ({
		rule: question?.rule ?? rule,
		target: question?.target ?? targets[0],
		...BY_PERSON,
		reason: question === undefined ? reason : inTurn(question.reason, reason),
	});
	const doubted = strictRuleOn(strict.deny, op, targets, true);
	if (doubted !== undefined) {
		const { text: rule, source } = doubted;
		return byPerson('deny-rule', text('It may do what the rule "{rule}" of {source} refuses.', { rule, source }));
	}
	const asked = strictRuleOn(strict.ask, op, targets, true);
	if (asked !== undefined) {
		const { text: rule, source } = asked;
		return byPerson('ask-rule', text('The rule "{rule}" of {source} asks every time.', { rule, source }));
	}
	const [unreadable] = strict.unreadable;
	if (unreadable !== undefined && !(def.risk === 'SAFE' && targets.length === 0)) {
		const reason = text('Everything needs your approval while this cannot be read: {what}.', { what: unreadable });
		return byPerson('unreadable-rules', reason);
	}
	return permittedLevel(input) === 'manual' ? manually(input, question) : question;
}

/** `manual` leaves nothing but reading and SAFE ops without a question, and every question to the person. */
function manually({ op, def, targets }: GateInput, question: Question | undefined): Question | undefined {
	const onlyReads = def.effect === 'read' && targets.every((each) => !('access' in each) || each.access === 'read');
	if (question === undefined && (def.risk === 'SAFE' || onlyReads)) {
		return undefined;
	}
	const reason = question?.reason ?? text('{op} does more than read.', { op });
	return {
		rule: question?.rule ?? 'manual',
		reason: inTurn(reason, text('At the level Manual it needs your approval every time.')),
		target: question?.target ?? targets[0],
		...BY_PERSON,
	};
}

function answered(asked: GateInput, question: Question): GateDecision {
	if (question.automatic === 'ask') {
		return { kind: 'allow', rule: question.rule, reason: question.reason, allowedBy: { kind: 'reads' } };
	}
	const { op, mode, caller } = asked;
	const targets = answerable(asked.targets, caller);
	const input = { ...asked, targets };
	if (question.rules && targets.length > 0) {
		const used = targets.map((target) => input.rules.find((rule) => ruleCovers(rule, op, target)));
		if (used.every((rule) => rule !== undefined)) {
			return allowedByRules(used);
		}
	}
	const beforehand = caller.kind === 'execution' && question.rules ? caller.beforehand : undefined;
	const allowed = beforehand && allowedBeforehand(beforehand, op, targets);
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
	if (reaches(level, question.automatic) && !(mode === 'ask' && question.isDangerous === true)) {
		if (mode !== 'ask' && mode !== 'never' && !isWider(level, mode)) {
			const reason = text('Approved automatically: this session was started so.');
			return { kind: 'allow', rule: level, reason, allowedBy: { kind: 'host' } };
		}
		const reason = text('Allowed by the permission level {level}.', { level: LEVEL_WORDS[level].name });
		return { kind: 'allow', rule: level, reason, allowedBy: { kind: 'level', level } };
	}
	const target = question.rule === 'commands' ? targets[0] : question.target;
	const pattern = target === undefined ? null : `${op} ${exactPattern(target)}`;
	if (mode !== 'ask') {
		const how =
			question.always && pattern !== null
				? [text('To allow it here, add the rule "{pattern}" to prowess.approvals.allow.', { pattern })]
				: [];
		return {
			kind: 'deny',
			code: 'DENIED_BY_RULE',
			rule: question.rule,
			reason: inTurn(question.reason, text('This session cannot ask.'), ...how),
			unattended: { automatic: question.automatic },
		};
	}
	const isAlwaysOffered = question.always && targets.length === 1;
	return {
		kind: 'ask',
		rule: question.rule,
		reason: question.reason,
		pattern: isAlwaysOffered ? offeredPattern(input, target) : null,
		wider: isAlwaysOffered && target !== undefined ? widerRules(op, target) : [],
		isTurnOffered: isOfTurn,
		threadScope: question.grants && targets.length > 0 ? threadScopeText(op, asked.def, asked.targets) : null,
		passesAt: question.automatic === 'never' || question.isDangerous === true ? null : question.automatic,
	};
}

/** Targets that need an answer: of several commands those that only read need none, nor an ordinary file that one reads. */
export function answerable(targets: readonly Target[], caller: Caller): readonly Target[] {
	const hasCommand = targets.some(({ kind }) => kind === 'command');
	return targets.filter(
		(each) =>
			!(each.kind === 'command' && readsUnasked(each, caller)) &&
			!(hasCommand && each.kind === 'file' && each.access === 'read' && !each.isSecret),
	);
}

/** The level of the thread, as far as the rules of the user and of the workspace permit it. */
function permittedLevel({ level, strict }: GateInput): PermissionLevel {
	return strict.widest === undefined ? level : narrower(level, strict.widest.level);
}

/** What nobody is asked about: the wider of what the host was started with and of the thread's level, as far as rules permit. */
function automaticLevel(input: GateInput): PermissionLevel | undefined {
	const { mode, strict } = input;
	if (mode === 'never') {
		return undefined;
	}
	const own = permittedLevel(input);
	const started = narrower(mode, strict.widest?.level ?? mode);
	return isWider(started, own) ? started : own;
}

function reaches(
	level: PermissionLevel | undefined,
	from: AutomaticFrom,
): level is Exclude<AutomaticFrom, 'ask' | 'never'> {
	return level !== undefined && from !== 'never' && !isWider(from, level);
}

/** What the level Auto would let pass, of the agent itself, where rules permit that level. */
function isPartOfTurn({ caller, strict }: GateInput, question: Question): boolean {
	return (
		caller.kind === 'agent' &&
		question.grants &&
		question.isDangerous !== true &&
		reaches('auto', question.automatic) &&
		!isWider('auto', strict.widest?.level ?? 'full')
	);
}

/** A command that needs no question by itself does not need an answer besides those for what it needs beyond its sandbox. */
function isGrantedForThread(input: GateInput, level: PermissionLevel | undefined): boolean {
	const { targets } = input;
	const granted = targets.filter((target) => isGrantedTarget(input, target));
	return (
		granted.length > 0 && targets.every((target) => granted.includes(target) || runsByItself(input, target, level))
	);
}

function isGrantedTarget({ op, isGranted }: GateInput, target: Target): boolean {
	return (
		isGranted(op, target) ||
		(target.kind === 'file' && isGranted(opOfTarget(op, target), target)) ||
		(target.kind === 'host' && target.isHere !== true && isGranted(CONNECT, target))
	);
}

function runsByItself({ caller }: GateInput, target: Target, level: PermissionLevel | undefined): boolean {
	const isKeptIn = target.kind === 'command' && (caller.kind === 'execution' ? target.isSandboxed : isInside(target));
	const isChange = target.kind === 'file' && !target.isSecret && !target.isProtected;
	return (reaches(level, 'auto') && isKeptIn === true) || (isChange && reaches(level, writesFrom(target)));
}

/** Op of a host that a sandboxed command connects to: a rule for it also covers the host where the command names it beforehand. */
const CONNECT = 'net.connect';

/** The rules for hosts that a command needs, where everything else about it is answered already; otherwise none. */
function rulesForConnections(input: GateInput, level: PermissionLevel | undefined): readonly AllowRule[] {
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
function offeredPattern({ op, def, hasSeveralFolders }: GateInput, target: Target | undefined): string | null {
	if (target === undefined) {
		return null;
	}
	if (threadScopeOf(def, target) === 'fileChanges' && target.kind === 'file') {
		const at = target.path.lastIndexOf('/');
		const folder = target.path.slice(0, Math.max(0, at));
		if (folder !== '' && !(hasSeveralFolders && !folder.includes('/'))) {
			return `${op} ${escapeGlob(folder)}/**`;
		}
	}
	return `${op} ${exactPattern(target)}`;
}

/** The path service refuses such paths before; this is the second wall. */
function leavesWorkspace(target: Target): target is Target & { kind: 'file' | 'database' } {
	return (
		(target.kind === 'file' || target.kind === 'database') &&
		(/^(?:[/\\]|[A-Za-z]:)/.test(target.path) || target.path.split(/[\\/]/).includes('..'))
	);
}
