/** Stage 1: may this turn run at all, and with which model. Nothing is asked or sent before the workspace is trusted. */
import { ProwessError } from '../../protocol/errors.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

export async function authResolve(
	turn: Turn,
	deps: TurnDeps,
	signal: AbortSignal,
): Promise<{ readonly models: ModelLine }> {
	if (!deps.workspace().trusted) {
		throw new ProwessError('WORKSPACE_UNTRUSTED', 'the workspace is not trusted, so nothing was read or sent');
	}
	return { models: await deps.models.line(turn.modelId, signal) };
}
