/** `prowess thread …`: conversations are the server's, so each of these asks it. No workspace is involved. */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';
import type { ParamsOf, RequestDef, ResultOf } from '../../protocol/rpc/message.ts';
import type { Shelf, ThreadInfo } from '../../protocol/thread/thread.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { readNumberOption } from '../invocation/typed-values.ts';
import { type CliHost, withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { cliLimits } from '../terminal/limits.ts';
import { formatLevelName } from '../terminal/level-text.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { formatJson } from '../invocation/print-result.ts';

export const listThreads: CommandAction = async (invocation, context) => {
	const limit = readNumberOption(invocation, 'limit', 20, cliLimits.threads);
	const query = invocation.values['text'];
	const params = { limit, ...(query === undefined ? {} : { query }) };
	const threads: readonly ThreadInfo[] = await withThreadServer(invocation, context, async (call, host) => {
		const found = await call(threadRequests.list, params);
		const given = await (await host.trustedBase()).levels.given();
		return found.threads.map((info) => {
			const level = given.get(info.id);
			return level === undefined ? info : { ...info, level };
		});
	});
	if (invocation.switches.has('json')) {
		context.terminal.out(formatJson(threads));
	} else {
		for (const { id, updatedAt, title, running, level, shelf } of threads) {
			const when = updatedAt.slice(0, 16).replace('T', ' ');
			const words = `${running ? '(running) ' : ''}${shelf === undefined ? '' : `(${shelf}) `}${visibleLine(title)}`;
			// A thread without a level of its own is at that of whichever host it works in.
			const name = level === undefined ? '' : formatLevelName({ level, isUnattended: false });
			context.terminal.out(`${id}  ${when}  ${name.padEnd(11)}  ${words}\n`);
		}
	}
	return exitCodes.done;
};

export const showThread: CommandAction = async (invocation, context) => {
	const threadId = readThreadId(invocation);
	if (invocation.switches.has('json')) {
		const snapshot = await callThreadServer(invocation, context, threadRequests.open, { threadId, items: 1000 });
		context.terminal.out(formatJson(snapshot));
	} else {
		const { text } = await callThreadServer(invocation, context, threadRequests.export, {
			threadId,
			format: 'markdown',
		});
		context.terminal.out(withLineEnd(text));
	}
	return exitCodes.done;
};

export const exportThreadCommand: CommandAction = async (invocation, context) => {
	const format = invocation.values['format'] === 'json' ? 'json' : 'markdown';
	const params = { threadId: readThreadId(invocation), format } as const;
	await withThreadServer(invocation, context, async (call, host) => {
		(await host.trustedBase()).checkExport();
		context.terminal.out(withLineEnd((await call(threadRequests.export, params)).text));
	});
	return exitCodes.done;
};

export const renameThread: CommandAction = async (invocation, context) => {
	const title = invocation.operands[1]?.trim() ?? '';
	if (title === '' || title.length > 200) {
		throw new UsageError('thread rename: a title has 1 to 200 characters');
	}
	const threadId = readThreadId(invocation);
	await withThreadServer(invocation, context, async (call, host) => {
		const { message } = (await host.trustedBase()).outgoingMessage({ text: title, context: [] }, false);
		await call(threadRequests.update, { threadId, title: message.text });
	});
	return exitCodes.done;
};

export const pinThread: CommandAction = (invocation, context) => shelveThread('pinned', invocation, context);
export const archiveThread: CommandAction = (invocation, context) => shelveThread('archived', invocation, context);

async function shelveThread(shelf: Shelf, invocation: Invocation, context: CommandContext): Promise<number> {
	const threadId = readThreadId(invocation);
	const isOff = invocation.switches.has('off');
	await callThreadServer(invocation, context, threadRequests.update, { threadId, shelf: isOff ? null : shelf });
	return exitCodes.done;
}

export const deleteThread: CommandAction = async (invocation, context) => {
	const threadId = readThreadId(invocation);
	await withThreadServer(invocation, context, async (call, host) => {
		await call(threadRequests.delete, { threadId });
		await (await host.trustedBase()).endThread(threadId);
	});
	return exitCodes.done;
};

/** A request to the server with the time limit of the command line. */
export type ServerCall = <D extends RequestDef>(def: D, params: ParamsOf<D>) => Promise<ResultOf<D>>;

/** Starts a server, which ends with the work. */
export async function withThreadServer<T>(
	invocation: Invocation,
	context: CommandContext,
	work: (call: ServerCall, host: CliHost) => Promise<T>,
): Promise<T> {
	return await withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		const server = await host.server(context.signal);
		return await work(async (def, params) => {
			const limit = deriveSignal(context.signal, { what: def.method, timeoutMs: cliLimits.requestMs });
			try {
				return await server.call(def, params, limit.signal);
			} finally {
				limit.dispose();
			}
		}, host);
	});
}

/** Asks the server one thing. */
function callThreadServer<D extends RequestDef>(
	invocation: Invocation,
	context: CommandContext,
	def: D,
	params: ParamsOf<D>,
): Promise<ResultOf<D>> {
	return withThreadServer(invocation, context, (call) => call(def, params));
}

export function readThreadId({ operands }: Invocation): ThreadId {
	const parsed = ThreadId.safeParse(operands[0]);
	if (!parsed.success) {
		throw new UsageError(`expected a thread id like "thr_…", got "${operands[0] ?? ''}"`);
	}
	return parsed.data;
}

function withLineEnd(text: string): string {
	return text.endsWith('\n') ? text : `${text}\n`;
}
