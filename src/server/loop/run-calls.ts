/** The tool calls of one response: neighbouring reads side by side, everything else alone, results in the order of the calls. */
import { inParallelGroups } from '../../base/parallel-groups.ts';
import type { OpError } from '../../protocol/broker.ts';
import { textForModel } from '../../protocol/errors/error-text.ts';
import { newId } from '../../protocol/ids.ts';
import type { ToolResultPart } from '../models/model-port.ts';
import type { LoopGuard } from './loop-guard.ts';
import { performCall } from './perform-call.ts';
import type { ReadCall } from './read-call.ts';
import type { Loop, LoopDeps } from './loop.ts';

export async function runCalls(
	calls: readonly ReadCall[],
	loop: Pick<Loop, 'journal'>,
	guard: LoopGuard,
	deps: LoopDeps,
	signal: AbortSignal,
): Promise<ToolResultPart[]> {
	const settled = await inParallelGroups(calls, groupOf, async (call) => {
		signal.throwIfAborted();
		return await runCall(call, loop, guard, deps, signal);
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
	guard: LoopGuard,
	deps: LoopDeps,
	signal: AbortSignal,
): Promise<ToolResultPart> {
	const { callId, tool } = read.call;
	switch (read.kind) {
		case 'op':
			return guarded(read, loop, guard, deps, signal);
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
		case 'bad':
			guard.failed();
			return refuse(read, { code: read.code, message: read.message, facts: {} }, loop);
	}
}

async function guarded(
	read: Extract<ReadCall, { kind: 'op' }>,
	loop: Pick<Loop, 'journal'>,
	guard: LoopGuard,
	deps: LoopDeps,
	signal: AbortSignal,
): Promise<ToolResultPart> {
	const verdict = guard.check(read);
	if (verdict.kind === 'block') {
		guard.failed();
		return refuse(read, { code: 'CALL_REPEATED', message: verdict.said, facts: {} }, loop);
	}
	const result = await performCall(read, loop, deps, signal);
	const notes = [verdict.kind === 'warn' ? verdict.said : '', guard.settled(read, result)].filter(
		(note) => note !== '',
	);
	return { ...result, text: [result.text, ...notes].join('\n') };
}

/** Nothing is run; the user and the model read why. */
function refuse(
	{ call, input, ...read }: Exclude<ReadCall, { kind: 'repeated' }>,
	error: OpError,
	loop: Pick<Loop, 'journal'>,
): ToolResultPart {
	const { callId, tool } = call;
	const opId = newId('op');
	const title = read.kind === 'bad' ? tool : read.title;
	const text = textForModel(error);
	loop.journal.together('process', () => {
		const itemId = loop.journal.startTool({ opId, callId, tool, title, input });
		loop.journal.endTool(itemId, { status: 'failed', error }, text);
	});
	return { callId, tool, text, isError: true };
}
