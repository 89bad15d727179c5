/**
 * An answer as it is stored, shown and sent to the model again: without the secrets that the host finds in it. A call still
 * runs with the params that the model gave, because a redacted one would do something else.
 */
import { assertNever } from '../../base/assert-never.ts';
import type { OpHost } from '../host/host-broker.ts';
import type { AssistantPart, ToolCallPart } from '../models/model-port.ts';
import type { OfferedTools } from '../tools/tool-split.ts';
import { parseInput, type ReadCall, nameOnly, readCall } from './calls/read-call.ts';
import { inEnglish } from '../../protocol/text/text.ts';

interface SaidRound {
	readonly parts: readonly AssistantPart[];
	/** The calls among the parts, in their order. */
	readonly calls: readonly ReadCall[];
}

export async function withoutSecrets(
	{ parts, calls }: SaidRound,
	offered: OfferedTools,
	host: Pick<OpHost, 'redacted'>,
	signal: AbortSignal,
): Promise<SaidRound> {
	const said = parts.map(toRedactableWords);
	if (said.every((words) => words === null)) {
		return { parts, calls };
	}
	const clean = await host.redacted(said, signal);
	const kept = parts.map((part, index) => withWords(part, said[index] ?? null, clean[index] ?? null));
	const keptCalls = kept.filter((part) => part.kind === 'toolCall');
	return { parts: kept, calls: calls.map((call, index) => asShown(call, keptCalls[index] ?? call.call, offered)) };
}

/** Words of a part; null where its provider has signed them and would take back no others. */
type RedactableWords = { readonly text: string } | { readonly tool: string; readonly input: unknown } | null;

function toRedactableWords(part: AssistantPart): RedactableWords {
	switch (part.kind) {
		case 'text':
			return { text: part.text };
		case 'thinking':
			return part.metadata === undefined ? { text: part.text } : null;
		case 'toolCall':
			return { tool: part.tool, input: parseInput(part.inputText).value };
		default:
			return assertNever(part);
	}
}

/** The part with its words redacted; the same one where nothing was. */
function withWords(part: AssistantPart, said: RedactableWords, clean: RedactableWords): AssistantPart {
	if (clean === null || JSON.stringify(clean) === JSON.stringify(said)) {
		return part;
	}
	if (part.kind !== 'toolCall') {
		return 'text' in clean ? { ...part, text: clean.text } : part;
	}
	if (!('input' in clean)) {
		return part;
	}
	const { tool, input } = clean;
	return { ...part, tool, inputText: typeof input === 'string' ? input : JSON.stringify(input) };
}

/**
 * Returns the call with everything that is shown of it derived from its redacted words, so that no title holds half of
 * a secret.
 */
function asShown(call: ReadCall, clean: ToolCallPart, offered: OfferedTools): ReadCall {
	if (clean === call.call || call.kind === 'repeated') {
		return call;
	}
	const shown = readCall(clean, offered);
	const input = parseInput(clean.inputText).value;
	const title = 'title' in shown ? shown.title : nameOnly(clean.tool);
	return call.kind === 'bad'
		? {
				...call,
				call: clean,
				input,
				title,
				message: shown.kind === 'bad' ? shown.message : `the input of ${inEnglish(title)} is wrong`,
			}
		: { ...call, call: clean, input, title };
}
