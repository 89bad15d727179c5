/** Checks that a model calls a tool when it is told to: without calls, the agent can only talk. */
import type { ModelPort } from '../model-port.ts';

const TOOL = {
	name: 'report_ready',
	description: 'Reports that you are ready.',
	inputSchema: { type: 'object', properties: {} },
};

/** Ends the answer with the first call. */
export async function callsTool(model: ModelPort, signal: AbortSignal): Promise<boolean> {
	const text = `Call the tool ${TOOL.name} now. Say nothing else.`;
	const request = { system: 'You work with tools.', messages: [{ role: 'user' as const, text }], tools: [TOOL] };
	for await (const part of model.stream(request, signal)) {
		if (part.kind === 'toolCall') {
			return part.tool === TOOL.name;
		}
	}
	return false;
}
