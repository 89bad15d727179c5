/**
 * User of a server: the thread that questions are put to, and the gate that is asked about hosts. Only while somebody
 * uses a server may it ask for anything.
 */
import type { HostGate } from '../../machine/sandbox/network/command-network.ts';
import type { SamplingAnswer, SamplingRequest } from './sampling/sampling-request.ts';
import type { McpAsker } from './consent/mcp-consent.ts';

export interface McpUser extends McpAsker {
	readonly hosts: HostGate;
	/** Span that a call hangs below, in the form of W3C Trace Context; undefined: the server is told of none. */
	readonly traceparent?: string | undefined;
	/** Puts a question of the server. Rejects with DENIED_BY_USER or APPROVAL_EXPIRED when there is no answer. */
	answer(question: string, options: readonly string[]): Promise<string>;
	/** Has a model answer the server, as an op of the user's. Rejects with MCP_SAMPLING_REFUSED, as the gate, or as the model does. */
	sample(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>;
}
