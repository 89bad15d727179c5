/** `prowess trace …`: how turns went, as their server kept it. */
import { deriveSignal } from '../base/derived-signal.ts';
import { ThreadId, TurnId } from '../protocol/ids.ts';
import type { ParamsOf, RequestDef, ResultOf } from '../protocol/rpc/message.ts';
import { traceRequests, type TurnTrace } from '../protocol/turn-trace.ts';
import type { CommandAction, CommandContext, Invocation } from './command.ts';
import { withHost } from './compose.ts';
import { exitCodes } from './exit-codes.ts';
import { limits } from './limits.ts';
import { UsageError } from './usage-error.ts';
import { visibleLine } from './visible.ts';

export const listTraces: CommandAction = async (invocation, context) => {
	const [given = ''] = invocation.operands;
	const threadId = ThreadId.safeParse(given);
	if (!threadId.success) {
		throw new UsageError(`expected a thread id like "thr_…", got "${given}"`);
	}
	const { turns } = await ask(invocation, context, traceRequests.list, { threadId: threadId.data });
	if (invocation.switches.has('json')) {
		context.terminal.out(`${JSON.stringify(turns, null, 2)}\n`);
	} else {
		for (const turn of turns) {
			context.terminal.out(`${turn.turnId}  ${headOf(turn)}\n`);
		}
	}
	return exitCodes.done;
};

export const showTrace: CommandAction = async (invocation, context) => {
	const [given = ''] = invocation.operands;
	const turnId = TurnId.safeParse(given);
	if (!turnId.success) {
		throw new UsageError(`expected a turn id like "trn_…", got "${given}"`);
	}
	const trace = await ask(invocation, context, traceRequests.show, { turnId: turnId.data });
	if (invocation.switches.has('json')) {
		context.terminal.out(`${JSON.stringify(trace, null, 2)}\n`);
	} else {
		context.terminal.out(`${linesOf(trace as TurnTrace).join('\n')}\n`);
	}
	return exitCodes.done;
};

async function ask<D extends RequestDef>(
	invocation: Invocation,
	context: CommandContext,
	def: D,
	params: ParamsOf<D>,
): Promise<ResultOf<D>> {
	return await withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		const server = await host.server(context.signal);
		const limit = deriveSignal(context.signal, { what: def.method, timeoutMs: limits.requestMs });
		try {
			return await server.call(def, params, limit.signal);
		} finally {
			limit.dispose();
		}
	});
}

function headOf({
	startedAt,
	endedAt,
	status,
	modelId,
	error,
}: Pick<TurnTrace, 'startedAt' | 'endedAt' | 'status' | 'modelId' | 'error'>): string {
	const took = endedAt === null ? '' : `  ${msText(Date.parse(endedAt) - Date.parse(startedAt))}`;
	const code = error === undefined ? '' : `  ${error.code}`;
	return `${startedAt.slice(0, 19).replace('T', ' ')}  ${status}${code}${took}  ${visibleLine(modelId)}`;
}

/** Stages in their order, and what happened in the one that asks the model below it. */
function linesOf(trace: TurnTrace): string[] {
	const stages = trace.stages.flatMap(({ stage, durationMs, outcome, facts }) => [
		`${stage.padEnd(16)}${msText(durationMs).padStart(9)}  ${outcome}${factsText(facts)}`,
		...(isWork(stage) ? trace.items.map(itemLine) : []),
	]);
	const isTold = trace.stages.some(({ stage }) => isWork(stage));
	return [`${trace.turnId}  ${headOf(trace)}`, ...stages, ...(isTold ? [] : trace.items.map(itemLine))];
}

function isWork(stage: string): boolean {
	return stage === 'Execute' || stage === 'FastPath' || stage === 'Compact';
}

function itemLine({ kind, text, status, durationMs, error, opId }: TurnTrace['items'][number]): string {
	const took = durationMs === undefined ? '' : msText(durationMs);
	const end = kind === 'tool' ? `${status ?? ''}${error === undefined ? '' : ` ${error}`}` : 'note';
	const id = opId === undefined ? '' : `  ${opId}`;
	return `  ${took.padStart(23)}  ${end}: ${visibleLine(text)}${id}`;
}

function factsText(facts: Readonly<Record<string, unknown>>): string {
	return Object.entries(facts)
		.map(([name, value]) => `  ${name}=${visibleLine(typeof value === 'string' ? value : JSON.stringify(value))}`)
		.join('');
}

function msText(ms: number): string {
	return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
