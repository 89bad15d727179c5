/** Stage 1: may this turn run at all, and with which model. Nothing is asked or sent before the workspace is trusted. */
import { ProwessError } from '../../protocol/errors.ts';
import type { ModelPort } from '../models/model-port.ts';
import type { Turn, TurnPorts } from '../turn/turn.ts';

export async function authResolve(
	turn: Turn,
	ports: TurnPorts,
	signal: AbortSignal,
): Promise<{ readonly model: ModelPort }> {
	if (!ports.workspace().trusted) {
		throw new ProwessError('WORKSPACE_UNTRUSTED', 'the workspace is not trusted, so nothing was read or sent');
	}
	return { model: await ports.models.resolve(turn.modelId, signal) };
}
