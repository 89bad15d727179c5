/** Threads as a store could hold them after any model, failure and restart, made at random, with what vendors sign. */
import * as fc from 'fast-check';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { ImageRef } from '../../src/protocol/ops/images.ts';
import type { AssistantPart, ModelMessage, ToolResultPart } from '../../src/server/models/model-port.ts';

/** Reference to a picture that is stored; `lostImage` refers to a picture that is gone. */
export const storedImage: ImageRef = { id: newId('img'), type: 'image/png', bytes: 3, width: 640, height: 480 };
const lostImage: ImageRef = { id: newId('img'), type: 'image/jpeg', bytes: 4, width: 4, height: 3, name: 'shot.jpg' };

/** Prefix of signatures made by another address; they must not be sent to this one. */
export const FOREIGN = 'foreign';

/** Ids as vendors, proxies and models without ids of their own give them: again in each answer, or alike once they are sent. */
const callId = fc.constantFrom('call', 'call_0', 'call_0_2', 'toolu_1', 'fs.read:0', 'fs_read:0', 'x'.repeat(80), '');
const words = fc.constantFrom('', ' ', '\n\n', 'words', 'more words', '👩‍🚀 goes on');
const long = fc.nat(400).map((count) => 'wide 👩‍🚀 '.repeat(count));
const text = fc.oneof({ weight: 3, arbitrary: words }, { weight: 1, arbitrary: long });
const images = fc.constantFrom([storedImage], [lostImage], [storedImage, storedImage]);
const inputText = fc.oneof(
	fc.constantFrom('', '{}', '{"path":"a.ts"}', '[1]', '"a.ts"', '{"path":"a.t'),
	long.map((content) => JSON.stringify({ path: 'a.ts', content, edits: [{ old: content }] })),
);

/** `origin`: the address that the requests go to. */
export function storedThreads(origin: string): fc.Arbitrary<readonly ModelMessage[]> {
	const part = partFrom(origin);
	const message: fc.Arbitrary<ModelMessage> = fc.oneof(
		{ weight: 3, arbitrary: fc.record({ role: fc.constant('user' as const), text }) },
		{ weight: 1, arbitrary: fc.record({ role: fc.constant('user' as const), text, images }) },
		{ weight: 1, arbitrary: fc.tuple(words, text, words).map(([own, attached, rules]) => told(own, attached, rules)) },
		{ weight: 3, arbitrary: fc.array(part, { maxLength: 4 }).map((parts) => ({ role: 'assistant' as const, parts })) },
		{
			weight: 1,
			arbitrary: fc.array(result, { maxLength: 4 }).map((results) => ({ role: 'tool' as const, results })),
		},
	);
	// Most calls are answered, some in part.
	const round = fc
		.tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.array(result, { minLength: 4, maxLength: 4 }), fc.nat(4))
		.map(([parts, results, answered]): ModelMessage[] => [
			{ role: 'assistant', parts },
			{ role: 'tool', results: resultsOf(parts, results).slice(0, answered) },
		]);
	const piece = fc.oneof(
		message.map((one) => [one]),
		round,
		round,
	);
	return fc.array(piece, { maxLength: 16, size: '+1' }).map((pieces) => pieces.flat());
}

function told(own: string, attached: string, rules: string): ModelMessage {
	return { role: 'user', text: own + attached + rules, ownChars: own.length, rulesChars: rules.length };
}

const result: fc.Arbitrary<ToolResultPart> = fc
	.record({
		callId,
		tool: fc.constantFrom('fs_read', 'shell'),
		text,
		isError: fc.boolean(),
		images: fc.option(images, { nil: undefined, freq: 4 }),
	})
	.map(({ images: pictures, ...rest }) => (pictures === undefined ? rest : { ...rest, images: pictures }));

function resultsOf(parts: readonly AssistantPart[], results: readonly ToolResultPart[]): ToolResultPart[] {
	const calls = parts.filter((part) => part.kind === 'toolCall');
	return calls.flatMap((call, index) => {
		const one = results[index];
		return one === undefined ? [] : [{ ...one, callId: call.callId, tool: call.tool }];
	});
}

function partFrom(origin: string): fc.Arbitrary<AssistantPart> {
	const from = fc.constantFrom(
		{ from: origin, mark: 'own' },
		{ from: origin, mark: 'own' },
		{ from: 'https://elsewhere.example', mark: FOREIGN },
	);
	const metadata = fc
		.tuple(from, fc.nat(1_000_000))
		.chain(([{ from: address, mark }, n]) =>
			fc.constantFrom<Readonly<Record<string, unknown>> | undefined>(
				undefined,
				{ anthropic: { signature: `${mark}-${n}`, from: address } },
				{ anthropic: { redactedData: `${mark}-${n}`, from: address } },
				{ openai: { itemId: `rs_${n}`, reasoningEncryptedContent: `${mark}-${n}`, from: address } },
				{ google: { thoughtSignature: `${mark}-${n}`, from: address } },
				{ openaiCompatible: { from: address } },
			),
		);
	const signed = (part: AssistantPart, own: Readonly<Record<string, unknown>> | undefined): AssistantPart =>
		own === undefined ? part : { ...part, metadata: own };
	return fc.oneof(
		fc.tuple(text, metadata).map(([said, own]) => signed({ kind: 'text', text: said }, own)),
		fc.tuple(text, metadata).map(([thought, own]) => signed({ kind: 'thinking', text: thought }, own)),
		fc
			.tuple(callId, fc.constantFrom('fs_read', 'shell'), inputText, metadata)
			.map(([id, tool, input, own]) => signed({ kind: 'toolCall', callId: id, tool, inputText: input }, own)),
	);
}
