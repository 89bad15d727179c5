/** Stage 5: ask the model, run what it calls, give it the results, until it calls nothing more. */
import { isProwessError } from '../../protocol/errors.ts';
import { historyLimits } from '../history/limits.ts';
import { hostOfTurn } from '../host/host-of-turn.ts';
import { afterOps } from './after-ops.ts';
import { skillToolsNotice, toolsOfTurn } from './tool-split.ts';
import type { Loop, LoopDeps, LoopEnd } from '../loop/loop.ts';
import type { OfferedTools } from '../loop/calls/offered-tools.ts';
import { runLoop } from '../loop/run-loop.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import { estimateTokens } from '../models/windows/token-estimate.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';
import { forgetWords, type GuardedContext } from './context-guard.ts';
import { readSteering } from './read-steering.ts';

export async function executeTurn(
	turn: Turn,
	{ messages, cut, instructions, rules }: GuardedContext,
	tools: OfferedTools,
	models: ModelLine,
	deps: TurnDeps & Pick<LoopDeps, 'onFailover' | 'beginStep'>,
	signal: AbortSignal,
): Promise<LoopEnd> {
	let { mode, skillTools = [] } = turn;
	let offered = tools;
	const tellSkills = () => {
		if (skillTools.length > 0) turn.journal.notice(skillToolsNotice(skillTools, offered));
	};
	tellSkills();
	const loop: Loop = {
		get system() {
			return systemPrompt(mode, turn.agent);
		},
		fixedTokens: historyLimits.fixedTokens + estimateTokens(turn.agent?.instructions ?? ''),
		messages,
		cut,
		get tools() {
			return offered;
		},
		instructions,
		models,
		effort: turn.effort,
		maxIterations: deps.settings()['prowess.agent.maxIterations'],
		journal: turn.journal,
		request: turn.text,
		isPastCut: turn.isPastCut,
		steering: readSteering(turn, deps, instructions),
		beforeRest: (text, isAgain, until) => deps.host.resting(turn, { isAgain, text }, until),
		beforeCompact: (until) => deps.host.compacting(turn.threadId, 'auto', '', until),
	};
	const host = afterOps(hostOfTurn(deps.host, turn), {
		onApproved() {
			mode = 'agent';
			offered = toolsOfTurn({ ...turn, mode, skillTools }, deps);
			turn.journal.setMode(mode);
		},
		onFollowed(left) {
			skillTools = left;
			offered = toolsOfTurn({ ...turn, mode, skillTools }, deps);
			tellSkills();
		},
	});
	const before = turn.journal.usage;
	try {
		return await runLoop(loop, { ...deps, host }, signal);
	} catch (error) {
		const isTooLong = isProwessError(error) && error.code === 'CONTEXT_OVERFLOW' && turn.journal.usage === before;
		// The window was smaller than anybody had said.
		if (isTooLong && estimateTokens(turn.text) > deps.budgets.tokensOf(models.current)) {
			forgetWords(turn, rules);
		}
		throw error;
	}
}
