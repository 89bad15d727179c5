/** Stage 5: ask the model, run what it calls, give it the results, until it calls nothing more. */
import { limits } from '../history/limits.ts';
import { hostOfTurn } from '../host/host-of-turn.ts';
import type { LoopDeps, LoopEnd } from '../loop/loop.ts';
import type { OfferedTools } from '../loop/offered-tools.ts';
import { runLoop } from '../loop/run-loop.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';
import type { GuardedContext } from './context-guard.ts';

export async function execute(
	turn: Turn,
	{ messages, cut, instructions }: GuardedContext,
	tools: OfferedTools,
	models: ModelLine,
	deps: TurnDeps & Pick<LoopDeps, 'onFailover'>,
	signal: AbortSignal,
): Promise<LoopEnd> {
	const loop = {
		system: systemPrompt(turn.mode),
		fixedTokens: limits.fixedTokens,
		messages,
		cut,
		tools,
		instructions,
		models,
		maxIterations: deps.settings()['prowess.agent.maxIterations'],
		journal: turn.journal,
	};
	return runLoop(loop, { ...deps, host: hostOfTurn(deps.host, turn) }, signal);
}
