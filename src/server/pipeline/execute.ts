/** Stage 5: ask the model, run what it calls, give it the results, until it calls nothing more. */
import { hostOfTurn } from '../host/op-host.ts';
import type { OfferedTools } from '../loop/offered-tools.ts';
import { runLoop } from '../loop/run-loop.ts';
import type { ModelPort } from '../models/model-port.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { LoopEnd } from '../turn/loop.ts';
import type { Turn, TurnPorts } from '../turn/turn.ts';
import type { GuardedContext } from './context-guard.ts';

export async function execute(
	turn: Turn,
	context: GuardedContext,
	tools: OfferedTools,
	model: ModelPort,
	ports: TurnPorts,
	signal: AbortSignal,
): Promise<LoopEnd> {
	const { mode, journal } = turn;
	const loop = { system: systemPrompt(mode), maxIterations: ports.settings()['prowess.agent.maxIterations'], journal };
	return runLoop(loop, context, tools, model, { ...ports, host: hostOfTurn(ports.host, turn) }, signal);
}
