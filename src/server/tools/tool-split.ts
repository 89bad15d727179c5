/** Stage 4: which tools the model is offered, and so which calls are accepted. */
import { OP_NAMES, type OpName, ops } from '../../protocol/op-table/ops.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import { isLeftBySkills } from '../../protocol/op-table/skill-tools.ts';
import type { SkillTools } from '../../protocol/ops/skill-tools-left.ts';
import type { Notice } from '../../protocol/thread/items.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import { isPartOfMode, PLAN_OP } from '../../protocol/thread/thread-mode.ts';
import type { ToolDeclaration } from '../models/model-port.ts';
import type { OwnTool } from './own-tool.ts';
import { ReadResult } from './read-result.ts';
import { RareTools } from './rare-tools.ts';
import { describeOpLack, type OpSurroundings, readSurroundings } from './surroundings.ts';
import { declareTools } from './tool-declarations.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

interface RefusalFacts extends Readonly<Record<string, unknown>> {
	/** Mode of the thread that leaves the op out. */
	readonly mode: Mode;
	readonly reason: Text;
}

/** The tools that a model is offered, and so the calls that are accepted. */
export interface OfferedTools {
	readonly ops: ReadonlySet<OpName>;
	/** With those of `own`; without what is declared only once it was looked for. */
	readonly declarations: readonly ToolDeclaration[];
	/** Tools that the loop carries out by itself. */
	readonly own?: readonly OwnTool[];
	/** Among `own`; absent: there are none that have to be looked for. */
	readonly rare?: RareTools;
	/** Why another op is refused, after the name of its tool. */
	refusal(op: OpName): string;
	/** Returns facts about a refusal that the user is shown besides it. Absent or undefined: no facts. */
	refusalFacts?(op: OpName): RefusalFacts | undefined;
}

export function toolsOfTurn(
	turn: Pick<Turn, 'mode' | 'results' | 'agent' | 'left' | 'skillTools' | 'strategy' | 'context'>,
	deps: Pick<TurnDeps, 'hasEditor' | 'settings' | 'workspace'> & { readonly host: Pick<TurnDeps['host'], 'redacted'> },
): OfferedTools {
	const reader = new ReadResult(turn.results, (text, signal) => deps.host.redacted(text, signal));
	const left = turn.left ?? turn.agent?.ops;
	return toolSplit(turn.mode, readSurroundings(deps), [reader], left, turn.skillTools, wantedBy(turn));
}

/** Op that ends a step of a goal, which no other turn is offered. */
export const VERDICT_OP = 'goal.verdict';

/** Returns the rare ops that the turn's strategy and message need, so that the model need not look for them. */
function wantedBy({ strategy, context }: Pick<Turn, 'strategy' | 'context'>): readonly OpName[] {
	const answers: readonly OpName[] = context.some(({ kind }) => kind === 'comment') ? ['editor.comment'] : [];
	switch (strategy) {
		case 'GOAL':
			return ['goal.start', ...answers];
		case 'GOAL_STEP':
			return [VERDICT_OP, ...answers];
		case 'SCHEDULED_TASK':
			return ['schedule.add', ...answers];
		case 'SCRIPT':
			return ['script.run', ...answers];
		default:
			return answers;
	}
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
	const isOfTurn = (name: OpName) => name !== VERDICT_OP || wanted.includes(name);
	const ofThread = ofMode.filter((name) => isOfTurn(name) && (left?.includes(name) ?? true));
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
	// Without a tool there is no result to read on in, and none to look for (S1-14).
	const own = names.length === 0 ? [] : [...more, rare];
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

/** In the modes `ask` and `plan` only what changes nothing; nothing that needs what is not there. */
export function offeredOps(mode: Mode, surroundings: OpSurroundings): readonly OpName[] {
	return OP_NAMES.filter((name) => {
		const def: OpDef = ops[name];
		const isHere = isPartOfMode(mode, name, def) && (name !== PLAN_OP || mode === 'plan');
		return def.tool !== undefined && isHere && describeOpLack(name, surroundings) === undefined;
	});
}

/** Returns true for an op whose tool is told only by name at first, and in full once the model has looked for it. */
export function isRare(name: OpName): boolean {
	const { isRare: rare }: OpDef = ops[name];
	return rare === true;
}
