/** Acts of the user on a run of the thread on the screen: its page, another run, other inputs, a script; and the thread's browser. */
import * as vscode from 'vscode';
import { isPlainData } from '../../../base/text/lenient.ts';
import type { CapabilityManager } from '../../../execution/runs/capability-manager.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { viewRequests } from '../../../protocol/pages/chat-view.ts';
import type { OpId, ThreadId } from '../../../protocol/rpc/ids.ts';
import type { Peer, RequestHandlers } from '../../../protocol/rpc/peer.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';
import type { RunNode } from '../../capabilities/commands/run-capability.ts';

interface RunActPorts {
	executions(): Promise<Pick<CapabilityManager, 'list' | 'find'>>;
	shownThread(): ThreadId | null;
	server(): Promise<Peer>;
	showBrowser(of: ThreadId): void;
}

/** Capability of a run, with what it was given. */
interface RunCall {
	readonly capability: { readonly name: string; readonly type?: string };
	readonly tool: string | undefined;
	readonly params: Readonly<Record<string, unknown>>;
}

export function createRunActRequests(ports: RunActPorts): Pick<RequestHandlers<typeof viewRequests>, 'runAct'> {
	return {
		runAct: async ({ opId, act }, signal) => {
			const threadId = ports.shownThread();
			if (act === 'watch') {
				if (threadId !== null) ports.showBrowser(threadId);
				return {};
			}
			const executions = await ports.executions();
			const known = executions.list().find((each) => each.startedBy === opId && each.threadId === threadId);
			if (act === 'open') {
				if (known === undefined) {
					throw new ProwessError(
						'NOT_FOUND',
						vscode.l10n.t('This run is from before the window was loaded. Its result is kept in the chat only.'),
						{ opId },
					);
				}
				await vscode.commands.executeCommand('prowess.showExecution', { executionId: known.executionId });
				return {};
			}
			const { capability, tool, params } =
				known === undefined
					? await readStoredCall(ports, threadId, opId, signal)
					: {
							capability: { name: known.name, type: known.type },
							tool: known.tool,
							params: isPlainData(known.params) ? known.params : {},
						};
			const node: RunNode = {
				kind: 'capability',
				capability: await executions.find(capability),
				answers: { tool, params, ...(act === 'again' ? {} : { act }) },
			};
			// Not waited for: it lasts as long as the run, and says by itself what went wrong.
			void vscode.commands.executeCommand('prowess.runCapability', node);
			return {};
		},
	};
}

/** Reads a call of an earlier host from the thread. Secrets were taken out of it, so that one may have to be typed again. */
async function readStoredCall(
	{ server }: RunActPorts,
	threadId: ThreadId | null,
	opId: OpId,
	signal: AbortSignal,
): Promise<RunCall> {
	const call =
		threadId === null ? null : (await (await server()).call(threadRequests.output, { threadId, opId }, signal)).input;
	const { name, type, tool, params } = isPlainData(call) ? call : {};
	if (typeof name !== 'string') {
		throw new ProwessError('NOT_FOUND', vscode.l10n.t('This run is no longer stored.'), { opId });
	}
	const [first = '', second] = name.split('/', 2);
	const typed =
		typeof type === 'string' ? { name, type } : second === undefined ? { name } : { name: second, type: first };
	return {
		capability: typed,
		tool: typeof tool === 'string' ? tool : undefined,
		params: isPlainData(params) ? params : {},
	};
}
