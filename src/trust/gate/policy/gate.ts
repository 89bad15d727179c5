/**
 * The gate: may this happen, must the person be asked, or is it refused. A pure function of what is known; nothing a
 * model says is part of it. Trust is checked before anything is prepared, so it is a function of its own.
 */
import type { Permission } from '../../../protocol/ops/risk.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { isLeftBySkills } from '../../../protocol/op-table/skill-tools.ts';
import { isPartOfMode, MODE_REFUSALS } from '../../../protocol/thread/thread-mode.ts';
import { joinTexts, type Text, text } from '../../../protocol/text/text.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';
import { opOfTarget } from '../targets.ts';
import { answerQuestion, permittedLevel } from './answered.ts';
import { resolveCallerPermissions } from './executions/execution-permissions.ts';
import type { GateDecision, GateInput } from './gate-decision.ts';
import { findOpQuestion } from './op-question.ts';
import { BY_PERSON, isPartOfAll, type GateQuestion } from './question.ts';
import { strictRuleOn } from './rules/strict-rule.ts';

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

export function decideOp(input: GateInput): GateDecision {
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
	const narrowed = leftOutBySkill(input);
	if (narrowed !== undefined) {
		return narrowed;
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
	const forbidden = input.targets.map((each) => input.strict.organisation?.refusalOfTarget(each)).find(Boolean);
	if (forbidden !== undefined) {
		return { kind: 'deny', code: 'DENIED_BY_ORGANISATION', rule: 'organisation', reason: forbidden };
	}
	const question = tightenQuestion(input, findOpQuestion(input));
	if (question === undefined) {
		const reason = text('{level} is allowed in a trusted workspace.', { level: input.def.risk });
		return tightenFlow(input, { kind: 'allow', rule: 'level', reason });
	}
	return tightenFlow(input, answerQuestion(input, question));
}

function tightenFlow(input: GateInput, decision: GateDecision): GateDecision {
	return input.tighten?.(input, decision) ?? decision;
}

/**
 * Denies an op of the agent that a loaded skill leaves out. Ops of a capability are exempt: its own consent says what
 * it may do.
 */
function leftOutBySkill({ op, caller, skillTools = [] }: GateInput): GateDecision | undefined {
	const left = caller.kind === 'agent' ? skillTools.find(({ ops }) => !isLeftBySkills(ops, op)) : undefined;
	if (left === undefined) {
		return undefined;
	}
	const reason =
		left.skills.length === 0
			? text('It is not known which tools skills leave to this thread, so the agent only reads.')
			: text('{skills} leaves out {op} until your next message.', { skills: left.skills.join(', '), op });
	return { kind: 'deny', code: 'DENIED_BY_RULE', rule: 'skill-tools', reason };
}

/**
 * Returns the permission that the caller lacks. A file that the streams of a command read or write needs the permission
 * of the file op, besides that of the command.
 */
function lackingPermission({ op, caller, targets }: GateInput): Permission | undefined {
	const needed = targets.flatMap((target): Permission[] =>
		opOfTarget(op, target) === op || !('access' in target) ? [] : [`workspace.${target.access}`],
	);
	return needed.find((permission) => !resolveCallerPermissions(caller).has(permission));
}

const CALLER_TEXTS = {
	agent: (op: string) => text('{op} is not for the agent.', { op }),
	execution: (op: string) => text('{op} is not for capabilities.', { op }),
	user: (op: string) => text('{op} is not for people.', { op }),
} as const;

/**
 * Returns the question after the strict rules: they may make a question of an allowed op, or leave a question to the
 * person alone.
 */
function tightenQuestion(input: GateInput, question: GateQuestion | undefined): GateQuestion | undefined {
	const { op, def, targets, strict } = input;
	const byPerson = (rule: string, reason: Text): GateQuestion => ({
		rule: question?.rule ?? rule,
		target: question?.target ?? targets[0],
		...BY_PERSON,
		reason: question === undefined ? reason : joinTexts(question.reason, reason),
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
	return permittedLevel(input) === 'manual' ? createManualQuestion(input, question) : question;
}

/** `manual` leaves nothing but reading and SAFE ops without a question, and every question to the person. */
function createManualQuestion(
	{ op, def, targets }: GateInput,
	question: GateQuestion | undefined,
): GateQuestion | undefined {
	const onlyReads = def.effect === 'read' && targets.every((each) => !('access' in each) || each.access === 'read');
	if (question === undefined && (def.risk === 'SAFE' || onlyReads)) {
		return undefined;
	}
	const reason = question?.reason ?? text('{op} does more than read.', { op });
	return {
		rule: question?.rule ?? 'manual',
		reason: joinTexts(reason, text('At the level Manual it needs your approval every time.')),
		target: question?.target ?? targets[0],
		...BY_PERSON,
		isPartOfAll: question === undefined || isPartOfAll(question),
	};
}

/** The path service refuses such paths before; this is the second wall. */
function leavesWorkspace(target: OpTarget): target is OpTarget & { kind: 'file' | 'database' } {
	return (
		(target.kind === 'file' || target.kind === 'database') &&
		(/^(?:[/\\]|[A-Za-z]:)/.test(target.path) || target.path.split(/[\\/]/).includes('..'))
	);
}
