/**
 * Answers a completion request of a capability: a single answer of a model, without tools; asked once more when the
 * answer is not in the form that was asked for.
 */
import { deriveSignal, TimeoutError } from '../../base/time/derived-signal.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ModelCompletion } from '../../protocol/ops/definitions/agent/llm.ts';
import type { ParamsOf, ResultOf } from '../../protocol/rpc/message.ts';
import type { subTurnRequests } from '../../protocol/turn/sub-turn.ts';
import { repairHistory } from '../history/repair.ts';
import type { ModelMessage, ModelPort, ModelRequest } from '../models/model-port.ts';
import { type Wait, withFailover } from '../models/failover/failover.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import { estimateTokens } from '../models/windows/token-estimate.ts';
import { estimateRequest } from '../models/windows/usage.ts';
import { CORRECTIONS, formatCorrection, createOutputError, outputForm } from './output-form.ts';
import type { SubTurnNews } from './sub-turn-journal.ts';

type AskedCompletion = ParamsOf<typeof subTurnRequests.complete>;
type CompletionAnswer = Omit<ModelCompletion, 'model'>;

export async function answerCompletion(
	asked: AskedCompletion,
	line: ModelLine,
	tell: (news: SubTurnNews) => void,
	retry: { readonly wait?: Wait },
	signal: AbortSignal,
): Promise<ResultOf<typeof subTurnRequests.complete>> {
	const form = asked.schema === undefined ? undefined : outputForm(asked.schema);
	const system = [
		asked.system,
		...asked.messages.filter(({ role }) => role === 'system').map(({ content }) => content),
		form?.instructions ?? '',
	].filter((text) => text !== '');
	let messages = toProviderMessages(asked.messages);
	if (messages.length === 0) {
		throw new ProwessError('INVALID_PARAMS', 'messages: expected at least one of the user');
	}
	const limited = deriveSignal(signal, { what: `an answer of ${line.current.id}`, timeoutMs: asked.timeMs });
	let usage: ModelCompletion['usage'] = { inputTokens: 0, outputTokens: 0, estimated: false };
	let calls = 0;
	try {
		for (;;) {
			const request: ModelRequest = {
				system: system.join('\n\n'),
				messages,
				tools: [],
				...(asked.maxTokens === undefined ? {} : { maxOutputTokens: asked.maxTokens }),
				...(asked.temperature === undefined ? {} : { temperature: asked.temperature }),
			};
			const answer = await requestTimedAnswer(
				line,
				request,
				tell,
				{ ...retry, isOneTry: asked.isOneTry === true },
				{ outer: signal, limited: limited.signal },
			);
			calls += 1;
			usage = sumCompletionUsage(usage, answer.usage);
			tell({ kind: 'usage', calls, tokens: usage.inputTokens + usage.outputTokens });
			const whole = { ...answer, usage, model: line.current.id, calls };
			if (form === undefined) {
				return { ...whole, output: null };
			}
			const read = form.read(answer.text);
			if (read.ok) {
				return { ...whole, output: read.value };
			}
			if (calls > CORRECTIONS || answer.end !== 'done') {
				throw createOutputError(
					answer.end === 'done' ? read.problem : `it was cut off (${answer.end})`,
					line.current.id,
				);
			}
			messages = [
				...messages,
				{ role: 'assistant', parts: [{ kind: 'text', text: answer.text }] },
				{ role: 'user', text: formatCorrection(read.problem) },
			];
		}
	} finally {
		limited.dispose();
	}
}

/**
 * Resolves with the model's answer. When the time is up, the text so far is an answer too; rejects with TIMEOUT when no
 * text has come.
 */
async function requestTimedAnswer(
	line: ModelLine,
	request: ModelRequest,
	tell: (news: SubTurnNews) => void,
	{ isOneTry, ...retry }: { readonly wait?: Wait; readonly isOneTry: boolean },
	{ outer, limited }: { readonly outer: AbortSignal; readonly limited: AbortSignal },
): Promise<CompletionAnswer> {
	let text = '';
	try {
		const ask = async (model: ModelPort, onOutput: () => void): Promise<CompletionAnswer> => {
			for await (const part of model.stream(request, limited)) {
				if (part.kind === 'textDelta') {
					onOutput();
					text += part.text;
					tell({ kind: 'text', text: part.text });
				} else if (part.kind === 'finish') {
					const { inputTokens, outputTokens, estimated } = part.usage;
					return {
						text,
						end: part.reason === 'length' ? 'length' : 'done',
						usage: { inputTokens, outputTokens, estimated },
					};
				}
			}
			throw new ProwessError('STREAM_CUT', `the answer of ${model.id} has no end`);
		};
		return await (isOneTry ? ask(line.current, () => {}) : withFailover(line, ask, retry, limited));
	} catch (error) {
		outer.throwIfAborted();
		if (!(limited.reason instanceof TimeoutError)) {
			throw error;
		}
		if (text === '') {
			throw new ProwessError(
				'TIMEOUT',
				`${line.current.id} said nothing for ${limited.reason.timeoutMs} ms`,
				{},
				error,
			);
		}
		const inputTokens = estimateRequest(request);
		return { text, end: 'time', usage: { inputTokens, outputTokens: estimateTokens(text), estimated: true } };
	}
}

/**
 * Returns the messages in the form that providers want: the user begins, and roles alternate. Leaves out system
 * messages.
 */
function toProviderMessages(messages: AskedCompletion['messages']): ModelMessage[] {
	return repairHistory(
		messages
			.filter(({ role }) => role !== 'system')
			.map(({ role, content }) =>
				role === 'assistant' ? { role, parts: [{ kind: 'text', text: content }] } : { role: 'user', text: content },
			),
	);
}

function sumCompletionUsage(a: ModelCompletion['usage'], b: ModelCompletion['usage']): ModelCompletion['usage'] {
	return {
		inputTokens: a.inputTokens + b.inputTokens,
		outputTokens: a.outputTokens + b.outputTokens,
		estimated: a.estimated || b.estimated,
	};
}
