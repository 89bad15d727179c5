/** `prowess trace …`: how turns went, as their server kept it. */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { ParamsOf, RequestDef, ResultOf } from '../../protocol/rpc/message.ts';
import { traceHead, traceLines } from '../../protocol/pages/trace-lines.ts';
import { traceRequests } from '../../protocol/thread/turn-trace.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { readNumberOption } from '../invocation/typed-values.ts';
import { withHost } from '../ports/cli-host.ts';
import { cliLimits } from '../terminal/limits.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { printResult } from '../invocation/print-result.ts';

export const listTraces: CommandAction = async (invocation, context) => {
	const [given] = invocation.operands;
	const threadId = ThreadId.optional().safeParse(given);
	if (!threadId.success) {
		throw new UsageError(`expected a thread id like "thr_…", got "${given}"`);
	}
	const asked = { threadId: threadId.data, limit: readNumberOption(invocation, 'limit', 50, cliLimits.tracedTurns) };
	const { turns } = await callTraceServer(invocation, context, traceRequests.list, asked);
	const formatTurn = (turn: (typeof turns)[number]) =>
		`${traceHead(turn)}${given === undefined ? `  ${turn.threadId}` : ''}\n`;
	return printResult(invocation, context, turns, turns.map(formatTurn).join(''));
};

export const showTrace: CommandAction = async (invocation, context) => {
	const [given = ''] = invocation.operands;
	const turnId = TurnId.safeParse(given);
	if (!turnId.success) {
		throw new UsageError(`expected a turn id like "trn_…", got "${given}"`);
	}
	const trace = await callTraceServer(invocation, context, traceRequests.show, { turnId: turnId.data });
	return printResult(invocation, context, trace, `${traceLines(trace).join('\n')}\n`);
};

async function callTraceServer<D extends RequestDef>(
	invocation: Invocation,
	context: CommandContext,
	def: D,
	params: ParamsOf<D>,
): Promise<ResultOf<D>> {
	return await withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		const server = await host.server(context.signal);
		const limit = deriveSignal(context.signal, { what: def.method, timeoutMs: cliLimits.requestMs });
		try {
			return await server.call(def, params, limit.signal);
		} finally {
			limit.dispose();
		}
	});
}
