/** Adds a request beside the conversation to what a thread at rest has used. */
import { readStoredUsage } from '../../protocol/thread/stored-thread.ts';
import { usageBeside } from '../loop/total-usage.ts';
import type { ModelPort, ModelUsage } from '../models/model-port.ts';
import type { ThreadHold } from './thread-hold.ts';

export function addSpent(hold: ThreadHold, used: ModelUsage, model: ModelPort): void {
	const before = readStoredUsage(hold.row());
	// The turn before it was over.
	const ofTurn = { turnCost: before?.turnCost, requestCost: before?.requestCost };
	const usage = { ...usageBeside(before, used, model), ...ofTurn };
	hold.change('process', () => {
		hold.writer.change({ usage: JSON.stringify(usage) });
		return [{ type: 'usage', usage }];
	});
}
