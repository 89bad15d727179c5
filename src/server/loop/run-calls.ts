/** The tool calls of one response: neighbouring reads side by side, everything else alone, results in the order of the calls. */
import { inParallelGroups } from '../../base/parallel-groups.ts';
import { textForModel } from '../../protocol/errors/error-text.ts';
import { newId } from '../../protocol/ids.ts';
import type { ToolResultPart } from '../models/model-port.ts';
import { performCall } from './perform-call.ts';
import type { ReadCall } from './read-call.ts';
import type { Loop, LoopDeps } from './loop.ts';

export async function runCalls(
	calls: readonly ReadCall[],
	loop: Pick<Loop, 'journal'>,
	deps: LoopDeps,
	signal: AbortSignal,
): Promise<ToolResultPart[]> {
	const settled = await inParallelGroups(calls, groupOf, async (call) => {
		signal.throwIfAborted();
		return await runCall(call, loop, deps, signal);
	});
	signal.throwIfAborted();
	return settled.map((each) => {
		if (each.status === 'rejected') {
			throw each.reason;
		}
		return each.value;
	});
}

/** What has no effect may stand beside anything that has none; what the model puts side by side, beside each other. */
function groupOf(call: ReadCall): string | undefined {
	const { group } = call.call;
	return group ?? (call.kind !== 'op' || call.isRead ? 'reads' : undefined);
}

async function runCall(
	read: ReadCall,
	loop: Pick<Loop, 'journal'>,
	deps: LoopDeps,
	signal: AbortSignal,
): Promise<ToolResultPart> {
	const { callId, tool } = read.call;
	switch (read.kind) {
		case 'op':
			return performCall(read, loop, deps, signal);
		case 'document': {
			const itemId = loop.journal.startTool({ opId: newId('op'), callId, tool, title: read.title, input: read.input });
			loop.journal.endTool(itemId, { status: read.isError ? 'failed' : 'done' }, read.text);
			return { callId, tool, text: read.text, isError: read.isError };
		}
		case 'repeated':
			return {
				callId,
				tool,
				text: 'The same call stands before this one; it was run once. See its result.',
				isError: false,
			};
		case 'bad': {
			const error = { code: read.code, message: read.message, facts: {} };
			const opId = newId('op');
			const text = textForModel(error);
			loop.journal.together('process', () => {
				const itemId = loop.journal.startTool({ opId, callId, tool, title: tool, input: read.input });
				loop.journal.endTool(itemId, { status: 'failed', error }, text);
			});
			return { callId, tool, text, isError: true };
		}
	}
}
