/** Stage 4: which tools the model is offered, and so which calls are accepted. */
import { type Text, text } from '../../protocol/text/text.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import type { OfferedTools } from '../loop/calls/offered-tools.ts';
import type { OwnTool } from '../own-tools/own-tool.ts';
import { ReadResult } from '../own-tools/read-result.ts';
import { RareTools } from '../own-tools/rare-tools.ts';
import { lackOf, type Surroundings, surroundingsOf } from '../prompt/surroundings.ts';
import { declareTools, isRare, offeredOps } from '../prompt/tool-declarations.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

export function toolsOfTurn(
	turn: Pick<Turn, 'mode' | 'results' | 'agent' | 'left'>,
	deps: Pick<TurnDeps, 'hasEditor' | 'settings' | 'workspace'> & { readonly host: Pick<TurnDeps['host'], 'redacted'> },
): OfferedTools {
	const reader = new ReadResult(turn.results, (text, signal) => deps.host.redacted(text, signal));
	return toolSplit(turn.mode, surroundingsOf(deps), [reader], turn.left ?? turn.agent?.ops);
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

/** `more`: what else the loop carries out by itself. `left`: ops of a sub-agent; absent: all of the mode. */
export function toolSplit(
	mode: Mode,
	surroundings: Surroundings,
	more: readonly OwnTool[] = [],
	left?: readonly string[],
): OfferedTools {
	const ofMode = offeredOps(mode, surroundings);
	const names = left === undefined ? ofMode : ofMode.filter((name) => left.includes(name));
	const rare = new RareTools(names.filter(isRare));
	const own = [...more, rare];
	return {
		ops: new Set(names),
		declarations: [
			...declareTools(names.filter((name) => !isRare(name))),
			...own.map(({ declaration }) => declaration),
		],
		own,
		rare,
		refusal: (op) => lackOf(op, surroundings) ?? (ofMode.includes(op) ? NOT_LEFT : WHY_NOT[mode]),
		refusalFacts: (op) =>
			lackOf(op, surroundings) === undefined && !ofMode.includes(op) ? { mode, reason: FOR_USER[mode] } : undefined,
	};
}
