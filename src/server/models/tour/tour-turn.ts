/** Where the script stands, read from the conversation alone: the user's words and what each call of this turn came to. */
import { toolName } from '../../../protocol/op-table/op-tool.ts';
import type { OpName } from '../../../protocol/op-table/ops.ts';
import type { ModelRequest } from '../model-port.ts';

export interface TourResult {
	readonly text: string;
	readonly isError: boolean;
}

export interface TourTurn {
	/** Without what was added to it. */
	readonly prompt: string;
	/** Undefined while the call has not been made. */
	result(label: string): TourResult | undefined;
	/** In `ask` mode only the tools that read are there. */
	has(op: OpName): boolean;
}

export function readTurn(request: ModelRequest): TourTurn {
	const { messages, tools } = request;
	const start = messages.findLastIndex(({ role }) => role === 'user');
	const user = messages[start];
	const results = new Map<string, TourResult>();
	for (const message of messages.slice(start + 1)) {
		if (message.role === 'tool') {
			for (const { callId, text, isError } of message.results) {
				results.set(parseCallLabel(callId), { text, isError });
			}
		}
	}
	const declared = new Set(tools.map(({ name }) => name));
	return {
		// References come after the text, in tags.
		prompt: user?.role === 'user' ? (user.text.split('\n\n<')[0] ?? '').trim() : '',
		result: (label) => results.get(label),
		has: (op) => declared.has(toolName(op)),
	};
}

/** Unique in the thread, and the same for the same history. */
export function tourCallId(label: string, historyLength: number): string {
	return `tour_${label}_${historyLength}`;
}

function parseCallLabel(callId: string): string {
	return /^tour_(\w+)_\d+$/.exec(callId)?.[1] ?? callId;
}

/** Next answer of the tour. The turn is over when `calls` is empty. */
export interface TourAnswer {
	readonly text: string;
	readonly calls: readonly TourCall[];
	/**
	 * Offer of a connected model: to `answer` a question that the script does not cover, or to begin `work` after the
	 * tour.
	 */
	readonly offersModel?: 'answer' | 'work';
}

export interface TourCall {
	/** Names the result in the turn. */
	readonly label: string;
	readonly op: OpName;
	readonly input: Readonly<Record<string, unknown>>;
}
