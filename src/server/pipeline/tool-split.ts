/** Stage 4: which tools the model is offered, and so which calls are accepted. */
import { type OpName, ops } from '../../protocol/ops.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import { isLeftBySkills } from '../../protocol/ops/skill-tools.ts';
import type { SkillTools } from '../../protocol/ops/skill-tools-left.ts';
import type { Notice } from '../../protocol/thread/items.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import type { OfferedTools } from '../loop/calls/offered-tools.ts';
import type { OwnTool } from '../own-tools/own-tool.ts';
import { ReadResult } from '../own-tools/read-result.ts';
import { RareTools } from '../own-tools/rare-tools.ts';
import { describeOpLack, type OpSurroundings, readSurroundings } from '../prompt/surroundings.ts';
import { declareTools, isRare, offeredOps } from '../prompt/tool-declarations.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

export function toolsOfTurn(
	turn: Pick<Turn, 'mode' | 'results' | 'agent' | 'left' | 'skillTools' | 'strategy'>,
	deps: Pick<TurnDeps, 'hasEditor' | 'settings' | 'workspace'> & { readonly host: Pick<TurnDeps['host'], 'redacted'> },
): OfferedTools {
	const reader = new ReadResult(turn.results, (text, signal) => deps.host.redacted(text, signal));
	const left = turn.left ?? turn.agent?.ops;
	return toolSplit(turn.mode, readSurroundings(deps), [reader], left, turn.skillTools, wantedBy(turn));
}

/** Returns the rare ops that carry out the turn's strategy, so that the model need not look for them. */
function wantedBy({ strategy }: Pick<Turn, 'strategy'>): readonly OpName[] {
	return strategy === 'GOAL' ? ['goal.start'] : strategy === 'SCRIPT' ? ['script.run'] : [];
}

/** Said once where skills leave out some of the tools, with those that there are. */
export function skillToolsNotice(skillTools: readonly SkillTools[], { ops: offered }: OfferedTools): Notice {
	const skills = skillTools.flatMap((each) => each.skills).join(', ');
	const tools = [...offered].filter((op) => (ops[op] as OpDef).isHousekeeping !== true).join(', ');
	const text = `Until your next message the agent has only these tools, because it follows ${skills}: ${tools}.`;
	return { level: 'info', text, actions: [], skillTools: { skills, tools } };
}

const WHY_NOT: { readonly [M in Mode]: string } = {
	agent: 'is for plan mode; carry out what the user wants',
	ask: 'is not available in ask mode, which only reads',
	plan: 'is not available in plan mode before the user has approved a plan; propose one with plan_write',
};

const NOT_LEFT = 'is not among the tools of this thread; work without it, and say so';

const FOR_USER: { readonly [M in Mode]: Text } = {
	agent: text('This is for the mode Plan.'),
	ask: text('In the mode Ask the agent only reads and answers.'),
	plan: text('In the mode Plan nothing is changed before you approve a plan.'),
};

/** `more`: what else the loop carries out by itself. `left`: ops of a sub-agent; absent: all of the mode. `skillTools`: what skills leave of them. `wanted`: rare ones that are offered like others. */
export function toolSplit(
	mode: Mode,
	surroundings: OpSurroundings,
	more: readonly OwnTool[] = [],
	left?: readonly string[],
	skillTools: readonly SkillTools[] = [],
	wanted: readonly OpName[] = [],
): OfferedTools {
	const ofMode = offeredOps(mode, surroundings);
	const ofThread = left === undefined ? ofMode : ofMode.filter((name) => left.includes(name));
	const leavingOut = (op: string) => skillTools.find((each) => !isLeftBySkills(each.ops, op));
	const names = ofThread.filter((name) => leavingOut(name) === undefined);
	const whyNot = (op: OpName) => {
		const skills = ofThread.includes(op) ? leavingOut(op)?.skills : undefined;
		return skills === undefined
			? ofMode.includes(op)
				? NOT_LEFT
				: WHY_NOT[mode]
			: `is left out by ${skills.join(', ') || 'a skill'} until the user's next message; work without it, and say so`;
	};
	const isNamedOnly = (name: OpName) => isRare(name) && !wanted.includes(name);
	const rare = new RareTools(names.filter(isNamedOnly));
	const own = [...more, rare];
	return {
		ops: new Set(names),
		declarations: [
			...declareTools(names.filter((name) => !isNamedOnly(name))),
			...own.map(({ declaration }) => declaration),
		],
		own,
		rare,
		refusal: (op) => describeOpLack(op, surroundings) ?? whyNot(op),
		refusalFacts: (op) =>
			describeOpLack(op, surroundings) === undefined && !ofMode.includes(op)
				? { mode, reason: FOR_USER[mode] }
				: undefined,
	};
}
