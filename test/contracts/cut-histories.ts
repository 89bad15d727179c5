/** Threads made at random, cut in each way by the code that cuts them, sent by each provider's code, judged as its vendor would. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ProviderKind } from '../../src/protocol/turn/models.ts';
import { storedAt } from '../../src/server/history/messages.ts';
import { leavingUpTo, standIn } from '../../src/server/history/pinned-head.ts';
import { repairHistory } from '../../src/server/history/repair.ts';
import { cutResults, selectHistory } from '../../src/server/history/select.ts';
import type { ModelMessage } from '../../src/server/models/model-port.ts';
import { ask, partsOf } from './model-contract.ts';
import { startRawEndpoint } from './raw-endpoint.ts';
import { storedImage, storedThreads } from './stored-threads.ts';
import { streamedText } from './streamed-text.ts';
import { vendorRules } from './vendor-rules.ts';

const modelIds: Readonly<Record<ProviderKind, string>> = {
	anthropic: 'claude-sonnet-4-5',
	openai: 'gpt-5',
	google: 'gemini-2.5-pro',
	'openai-compatible': 'qwen3',
};
const kinds = Object.keys(modelIds) as ProviderKind[];

/** Number of threads that were cut in each way. */
type Cuts = Record<'whole' | 'shortened' | 'dropped' | 'squeezed' | 'compacted' | 'restored' | 'results', number>;

/** Arbitrary events of a thread before its next request. */
const fate = fc.record({
	/** Places at which it is compacted, one after the other. */
	compactedAt: fc.array(fc.nat(24), { maxLength: 2 }),
	/** True when the thread is read from the store again, as after a restart. */
	isRestored: fc.boolean(),
	budgetTokens: fc.oneof(fc.integer({ min: 100, max: 3_000 }), fc.integer({ min: 3_000, max: 15_000 })),
	/** Window of the model, in tokens; the newest results are cut to their share of it. Undefined: they are not cut. */
	resultsIn: fc.option(fc.integer({ min: 1_000, max: 32_000 }), { nil: undefined }),
});

/** Sends `runs` threads to all vendors. Throws for the first that one of them would refuse, as small as it can be made. */
export async function sendCutHistories(runs: number, seed: number): Promise<Cuts> {
	const endpoint = await startRawEndpoint();
	endpoint.images.set(storedImage.id, 'VVNS');
	const models = kinds.map((kind) => ({ kind, model: endpoint.model(kind, modelIds[kind]) }));
	const cuts: Cuts = { whole: 0, shortened: 0, dropped: 0, squeezed: 0, compacted: 0, restored: 0, results: 0 };
	try {
		await fc.assert(
			fc.asyncProperty(storedThreads(new URL(endpoint.baseUrl).origin), fate, async (thread, happens) => {
				const messages = cutHistory(thread, happens, cuts);
				for (const { kind, model } of models) {
					endpoint.answers = [{ chunks: [streamedText[kind]('Done.')] }];
					await partsOf(model, { ...ask(''), messages });
					const [body = {}, ...again] = endpoint.requests;
					const sent = JSON.stringify(body);
					endpoint.forget();
					assert.deepEqual(again, [], kind);
					// Half of a character is written as an escape.
					assert.doesNotMatch(sent, /\\ud[89a-f]/i, kind);
					try {
						vendorRules[kind](body);
					} catch (error) {
						throw new Error(`${kind} refuses ${sent}`, { cause: error });
					}
				}
			}),
			{ numRuns: runs, seed },
		);
	} finally {
		await endpoint.close();
	}
	return cuts;
}

/** Cuts a thread as the stages of a turn do, from the stored thread to the request. */
function cutHistory(
	thread: readonly ModelMessage[],
	{ compactedAt, isRestored, budgetTokens, resultsIn }: typeof fate extends fc.Arbitrary<infer F> ? F : never,
	cuts: Cuts,
): readonly ModelMessage[] {
	let messages: readonly ModelMessage[] = withPrompt(repairHistory(positioned(thread)));
	for (const at of compactedAt) {
		const leaving = leavingUpTo(messages, at);
		if (leaving !== undefined) {
			cuts.compacted += 1;
			messages = [...standIn(leaving, budgetTokens), ...messages.slice(leaving.messages.length)];
		}
		if (isRestored) {
			cuts.restored += 1;
			messages = withPrompt(repairHistory(positioned(JSON.parse(JSON.stringify(messages)) as ModelMessage[])));
		}
	}
	const last = messages.at(-1);
	if (resultsIn !== undefined && last?.role === 'tool') {
		cuts.results += 1;
		messages = [...messages.slice(0, -1), { role: 'tool', results: cutResults(last.results, resultsIn, budgetTokens) }];
	}
	const { messages: shown, cut } = selectHistory(messages, budgetTokens);
	cuts.shortened += cut.shortened > cut.dropped ? 1 : 0;
	cuts.dropped += cut.dropped > 0 ? 1 : 0;
	cuts.squeezed += cut.squeezed === undefined ? 0 : 1;
	cuts.whole += shown === messages ? 1 : 0;
	return shown;
}

function positioned(messages: readonly ModelMessage[]): readonly ModelMessage[] {
	return messages.map((message, index) => storedAt(message, index));
}

/** A request is made when it is the model's turn to speak. */
function withPrompt(messages: readonly ModelMessage[]): readonly ModelMessage[] {
	const last = messages.at(-1);
	return last === undefined || last.role === 'assistant'
		? [...messages, storedAt({ role: 'user', text: 'And now?' }, messages.length)]
		: messages;
}
