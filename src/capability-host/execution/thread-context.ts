/** What an executor is told of the conversation it works for: the newest messages that fit. */
import type { ThreadContext, ThreadMessage } from '../../protocol/execution.ts';
import type { CapabilityManifest } from '../../protocol/manifest.ts';
import { MAX_CONTEXT_BYTES } from './limits.ts';
import type { StartOptions } from './start-options.ts';

export function contextOf(
	{ messages = [], metadata = {}, caller, parentAgentId, parentAgentInstanceId }: StartOptions,
	manifest: CapabilityManifest,
	path: string,
	executionId: string,
	projectPath: string | undefined,
): ThreadContext {
	const kept: ThreadMessage[] = [];
	let bytes = 0;
	for (const message of messages.toReversed()) {
		bytes += Buffer.byteLength(JSON.stringify(message));
		if (bytes > MAX_CONTEXT_BYTES) break;
		kept.unshift(message);
	}
	return {
		threadId: caller.threadId,
		messages: kept,
		projectPath: projectPath ?? null,
		agentId: parentAgentId ?? null,
		agentInstanceId: parentAgentInstanceId ?? null,
		metadata,
		capability: { name: manifest.name, type: manifest.type, path, config: manifest, executionId },
	};
}
