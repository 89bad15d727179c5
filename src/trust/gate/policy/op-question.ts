/**
 * Decides which property of an op makes a question of it, and who may answer: the strictest property of its targets
 * counts.
 */
import { text } from '../../../protocol/text/text.ts';
import { PLAN_OP } from '../../../protocol/thread/thread-mode.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';
import { type CommandTarget, questionOfCommands } from './commands/command-question.ts';
import { RISK_LEVEL_RULES } from './levels/levels.ts';
import { protectedReason } from './protected-reason.ts';
import { BY_PERSON, type GateQuestion } from './question.ts';
import { computeThreadScope } from './levels/thread-scope.ts';

interface AskedAbout {
	readonly op: string;
	readonly def: Pick<OpDef, 'risk' | 'effect'>;
	readonly caller: Caller;
	readonly targets: readonly OpTarget[];
}

/** Undefined when nothing about the op needs a question. */
export function findOpQuestion({ op, def, caller, targets }: AskedAbout): GateQuestion | undefined {
	const level = RISK_LEVEL_RULES[def.risk];
	const target = targets[0];
	if (op === PLAN_OP) {
		const reason = text('Allowing this approves the plan: the thread changes to the mode Agent, and the agent begins.');
		return { rule: 'plan', reason, target, ...BY_PERSON };
	}
	const files = targets.filter((each) => each.kind === 'file' || each.kind === 'database');
	const guarded = files.filter((file) => file.access === 'write' && file.isProtected);
	const isProtected = guarded.find((file) => !protectedReason(file).grants) ?? guarded[0];
	if (isProtected !== undefined) {
		const { reason, grants } = protectedReason(isProtected);
		return { rule: 'protected-path', reason, target: isProtected, ...BY_PERSON, grants };
	}
	if (level.approval === 'always') {
		const reason = text('It needs your approval every time.');
		return { rule: 'level', reason, target, ...BY_PERSON };
	}
	const forPerson = files.find((file) => file.kind === 'file' && file.onlyByPerson !== undefined);
	if (forPerson?.kind === 'file' && forPerson.onlyByPerson !== undefined) {
		const reason = forPerson.onlyByPerson;
		return { rule: 'only-by-person', reason, target: forPerson, ...BY_PERSON };
	}
	const secret = files.find((file) => file.isSecret);
	if (secret !== undefined) {
		const reason = text('"{path}" usually holds secrets.', { path: secret.path });
		return {
			rule: 'secret-file',
			reason,
			target: secret,
			rules: true,
			grants: true,
			automatic: 'never',
			always: false,
		};
	}
	const commands = targets.filter((each): each is CommandTarget => each.kind === 'command');
	if (commands.length > 0) {
		return questionOfCommands(commands, targets, caller);
	}
	const used = targets.find((each) => each.kind === 'secret');
	if (used !== undefined) {
		const { name, host: receiver } = used;
		const reason =
			receiver === undefined
				? text('The secret "{name}" would be given to the capability.', { name })
				: text('The secret "{name}" would be sent to {host}.', { name, host: receiver });
		return { rule: 'secrets', reason, target: used, rules: true, grants: true, automatic: 'never', always: true };
	}
	const host = targets.filter((each) => each.kind === 'host').find(({ isOpen }) => isOpen !== true);
	if (host !== undefined) {
		const reason =
			host.isHere === true
				? text('{host} is a server on this machine. Asking it needs your approval.', { host: host.host })
				: text('Connecting to {host} needs your approval.', { host: host.host });
		// A connection leaves this machine, so it is not inside the workspace, and no permission level approves it. The
		// exception is `net.connect` outside capabilities, at `full`: a command may run without its sandbox there, so
		// it may connect from inside, too.
		const automatic = op === 'net.connect' && caller.kind !== 'execution' ? 'full' : 'never';
		return { rule: 'hosts', reason, target: host, rules: true, grants: true, automatic, always: true, isBeyond: true };
	}
	const tool = targets.filter((each) => each.kind === 'mcp').find(({ isKnown }) => isKnown !== true);
	if (tool !== undefined) {
		const call = text('The tool "{tool}" belongs to the MCP server "{server}". Calling it needs your approval.', {
			tool: tool.tool,
			server: tool.server,
		});
		const read = text('The MCP server "{server}" has not listed "{uri}". Reading it needs your approval.', {
			server: tool.server,
			uri: tool.tool,
		});
		const sample = text('The MCP server "{server}" asks the model {model}. That needs your approval.', {
			server: tool.server,
			model: tool.tool,
		});
		const reason = op === 'mcp.read' ? read : op === 'mcp.sample' ? sample : call;
		// The host cannot see what an MCP tool does, or where, so no level approves it.
		return { rule: 'mcp', reason, target: tool, rules: true, grants: true, automatic: 'never', always: true };
	}
	if (level.approval === 'pass') {
		return undefined;
	}
	const isWrite = files.some((file) => file.access === 'write');
	const change = files.some((file) => file.kind === 'database')
		? text('Changing databases needs your approval.')
		: text('Changing files needs your approval.');
	return {
		rule: isWrite ? 'writes' : 'level',
		reason: isWrite ? change : text('{op} needs your approval.', { op }),
		target,
		rules: true,
		grants: true,
		automatic: level.automatic ? (isUndoableChange(def, targets) ? 'edit' : 'auto') : 'never',
		always: target !== undefined,
		isUsual: true,
	};
}

/**
 * True for an act that "for this thread" would cover as a whole: changes of ordinary files, whose before-images are
 * kept.
 */
function isUndoableChange(def: AskedAbout['def'], targets: readonly OpTarget[]): boolean {
	return targets.length > 0 && targets.every((target) => computeThreadScope(def, target) === 'fileChanges');
}
