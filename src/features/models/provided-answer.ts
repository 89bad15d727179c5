/**
 * Gets one answer from a capability in a model's place: an execution of its own, below the execution that asks, with
 * its own rights.
 */
import { type ErrorCode, isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { LLM_SERVICE, ProvidedAnswer } from '../../protocol/ops/definitions/agent/llm.ts';
import type { OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import { subTurnRequests } from '../../protocol/turn/sub-turn.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import type { CapabilityManager } from '../../execution/runs/capability-manager.ts';
import type { AskServer } from './ask-server.ts';
import { PersonCounter } from './person-counter.ts';
import type { Answerer } from './who-answers.ts';

/** The params of `llm.chat` that are for whoever answers, and the form it is to answer in. */
export type AskedOfProvider = Pick<OpParams<'llm.chat'>, 'messages' | 'system' | 'maxTokens' | 'temperature'> &
	Pick<OpParams<'llm.oneshot'>, 'schema'>;

interface ProviderPorts {
	readonly capabilities: Pick<CapabilityManager, 'run'>;
	readonly askServer: AskServer;
}

type Provider = Extract<Answerer, { kind: 'capability' }>;

/**
 * `said` hears the answer before its form is read. Stopped with the op. Rejects as a start does, with the error that the
 * execution ended with, and with DATA_MALFORMED for a result that is no answer, or not in the form; each names the capability.
 */
export async function providedAnswer(
	{ capabilities, askServer }: ProviderPorts,
	provider: Provider,
	{ schema, ...asked }: AskedOfProvider,
	said: (text: string) => void,
	context: OpContext,
): Promise<Pick<OpResult<'llm.oneshot'>, 'text' | 'end' | 'output'>> {
	const { signal } = context;
	if (schema === undefined) {
		const answer = await runProvider(capabilities, provider, asked, context);
		said(answer.text);
		return { ...answer, output: null };
	}
	const { instructions } = await askServer((server) => server.call(subTurnRequests.form, { schema }, signal), signal);
	const system = asked.system === '' ? instructions : `${asked.system}\n\n${instructions}`;
	const { text, end } = await runProvider(capabilities, provider, { ...asked, system }, context);
	said(text);
	const { model } = provider;
	const { output } = await askServer(
		(server) => server.call(subTurnRequests.read, { schema, text, model }, signal),
		signal,
	);
	return { text, end, output };
}

async function runProvider(
	capabilities: ProviderPorts['capabilities'],
	{ type, name, model }: Provider,
	asked: AskedOfProvider,
	context: OpContext,
): Promise<Pick<OpResult<'llm.chat'>, 'text' | 'end'>> {
	const { opId, caller, limitMs, signal } = context;
	const waits = new PersonCounter(context);
	const onWaiting = (isWaiting: boolean) => waits.note(opId, isWaiting ? `${name} asks` : undefined);
	try {
		const { error, result } = await capabilities.run(
			{
				capability: { type, name },
				params: asked,
				caller,
				service: LLM_SERVICE,
				timeout: limitMs,
				onWaiting,
			},
			signal,
		);
		signal.throwIfAborted();
		if (error !== undefined) {
			throw new ProwessError(error.code, error.message, error.facts);
		}
		const answer = ProvidedAnswer.safeParse(result);
		if (!answer.success) {
			throw new ProwessError('DATA_MALFORMED', 'its result is no answer: expected { text }, and end as done or length');
		}
		return answer.data;
	} catch (error) {
		signal.throwIfAborted();
		throw isProwessError(error) ? nameModelInError(model, error) : error;
	} finally {
		onWaiting(false);
	}
}

const notToBeHad: ReadonlySet<ErrorCode> = new Set([
	'CAPABILITY_NOT_FOUND',
	'CAPABILITY_DISABLED',
	'EXECUTOR_NOT_FOUND',
]);

function nameModelInError(model: string, { code, message, facts, cause }: ProwessError): ProwessError {
	const whatToDo = notToBeHad.has(code) ? '. Who answers is said by the setting prowess.capabilities.model' : '';
	return new ProwessError(code, `${model}, in place of a model: ${message}${whatToDo}`, facts, cause);
}
