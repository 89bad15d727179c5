/** Part of the conversation that an executor is told: the newest messages that fit, without secrets (S3-05). */
import type { ThreadContext, ThreadMessage } from '../../../protocol/execution/execution.ts';
import type { CapabilityManifest, ContextWish } from '../../../protocol/capability/manifest.ts';
import type { Redactor } from '../../../trust/record/redaction/redactor.ts';
import { BYTES_PER_TOKEN, MAX_CONTEXT_MESSAGES, MAX_CONTEXT_TOKENS } from '../../processes/limits.ts';
import type { StartOptions, ThreadFacts } from '../start/start-options.ts';

/** From the newest back, up to the first that does not fit. A newest one that is too long by itself is cut. */
export function messagesFor(
	messages: readonly ThreadMessage[],
	wish: ContextWish,
	redactor: Redactor,
): ThreadMessage[] {
	const kept: ThreadMessage[] = [];
	let left = MAX_CONTEXT_TOKENS * BYTES_PER_TOKEN;
	const most = { full: MAX_CONTEXT_MESSAGES, last: 1, none: 0 }[wish];
	for (const message of messages.toReversed().slice(0, most)) {
		const clean = redactor.redactDeep(message) as ThreadMessage;
		const bytes = Buffer.byteLength(JSON.stringify(clean));
		if (bytes <= left) {
			kept.unshift(clean);
		} else if (kept.length === 0) {
			const { payload: _, ...rest } = clean;
			const text = Buffer.from(clean.content).subarray(0, left).toString('utf8');
			return [{ ...rest, content: `${text.replace(/\uFFFD$/, '')} […]` }];
		} else {
			break;
		}
		left -= bytes;
	}
	return kept;
}

/** Reads the facts of the thread; returns none for a capability with `context: none`. */
export async function readFactsFor(
	wish: ContextWish,
	redactor: Redactor,
	read: () => Promise<ThreadFacts>,
): Promise<ThreadFacts> {
	return wish === 'none' ? {} : (redactor.redactDeep(await read()) as ThreadFacts);
}

/** Part of the thread that it is told, and the agent that wants it: that of the execution it was started by, when one was. */
interface ToldExecution extends Pick<ThreadContext, 'messages'> {
	readonly metadata: ThreadFacts;
	readonly parentAgentId: string | undefined;
	readonly parentAgentInstanceId: string | undefined;
}

/** Where the executor finds things of the capability. */
interface CapabilityPaths {
	readonly path: string;
	readonly pluginPath: string | undefined;
	readonly pluginData: string | undefined;
}

export function createThreadContext(
	{ caller }: StartOptions,
	{ parentAgentId, parentAgentInstanceId, messages, metadata }: ToldExecution,
	{ name, type, config }: Pick<CapabilityManifest, 'name' | 'type'> & { readonly config: unknown },
	{ path, pluginPath, pluginData }: CapabilityPaths,
	executionId: string,
	projectPath: string | undefined,
): ThreadContext {
	return {
		threadId: caller.threadId,
		messages,
		projectPath: projectPath ?? null,
		agentId: parentAgentId ?? null,
		agentInstanceId: parentAgentInstanceId ?? null,
		metadata: { ...metadata },
		capability: {
			name,
			type,
			path,
			config,
			executionId,
			...(pluginPath === undefined ? {} : { pluginPath }),
			...(pluginData === undefined ? {} : { pluginData }),
		},
	};
}
