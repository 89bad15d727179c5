/** Contract that every ModelPort keeps towards the agent loop, whichever provider implements it. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'mocha';
import type {
	AssistantPart,
	ModelMessage,
	ModelPart,
	ModelPort,
	ModelRequest,
} from '../../src/server/models/model-port.ts';

/** Answers the prompts of this suite; `stall`: begins with some text and never goes on. */
export type Prompt = 'text' | 'call' | 'parallel' | 'empty' | 'stall';

interface Rig {
	readonly model: ModelPort;
	prepare(prompt: Prompt): void;
	/** Resolves when the far end knows that nobody reads any more. */
	ended(): Promise<void>;
	/** Requests the far end has seen. */
	requestCount(): number;
	close(): Promise<void>;
}

const readTool = {
	name: 'fs_read',
	description: 'Read a file.',
	inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

export function ask(prompt: string, ...history: readonly ModelMessage[]): ModelRequest {
	return { system: 'You are helpful.', messages: [...history, { role: 'user', text: prompt }], tools: [readTool] };
}

export function never(): AbortSignal {
	return new AbortController().signal;
}

export async function partsOf(model: ModelPort, request: ModelRequest, signal = never()): Promise<ModelPart[]> {
	const parts: ModelPart[] = [];
	for await (const part of model.stream(request, signal)) {
		parts.push(part);
	}
	return parts;
}

/** Returns the assistant message that the agent loop keeps of an answer. */
export function assistantOf(parts: readonly ModelPart[]): ModelMessage {
	const kept: AssistantPart[] = [];
	let text = '';
	for (const part of parts) {
		switch (part.kind) {
			case 'textDelta':
			case 'thinkingDelta':
				text += part.text;
				break;
			case 'textEnd':
			case 'thinkingEnd': {
				const metadata = part.metadata === undefined ? {} : { metadata: part.metadata };
				kept.push({ kind: part.kind === 'textEnd' ? 'text' : 'thinking', text, ...metadata });
				text = '';
				break;
			}
			case 'toolCall':
				kept.push(part);
				break;
			case 'note':
			case 'offer':
			case 'served':
			case 'finish':
		}
	}
	return { role: 'assistant', parts: kept };
}

export function textOf(parts: readonly ModelPart[]): string {
	return parts.map((part) => (part.kind === 'textDelta' ? part.text : '')).join('');
}

export function callsOf(parts: readonly ModelPart[]) {
	return parts.flatMap((part) => (part.kind === 'toolCall' ? [part] : []));
}

export function modelContract(open: () => Promise<Rig>): void {
	let rig: Rig;
	const run = (prompt: Prompt, request = ask(prompt)) => {
		rig.prepare(prompt);
		return partsOf(rig.model, request);
	};

	beforeEach(async () => {
		rig = await open();
	});
	afterEach(() => rig.close());

	it('asks nobody when the signal is aborted already', async () => {
		const reason = new Error('stopped');
		rig.prepare('text');
		await assert.rejects(partsOf(rig.model, ask('text'), AbortSignal.abort(reason)), reason);
		assert.equal(rig.requestCount(), 0);
	});

	it('ends with an abort and its reason, and lets the far end know', async () => {
		const stop = new AbortController();
		const reason = new Error('stopped');
		rig.prepare('stall');
		await assert.rejects(async () => {
			for await (const part of rig.model.stream(ask('stall'), stop.signal)) {
				if (part.kind === 'textDelta') stop.abort(reason);
			}
		}, reason);
		await rig.ended();
	});

	it('ends the request when its parts are no longer read', async () => {
		rig.prepare('stall');
		for await (const part of rig.model.stream(ask('stall'), never())) {
			if (part.kind === 'textDelta') {
				break;
			}
		}
		await rig.ended();
	});

	it('says that an empty answer is over', async () => {
		const parts = await run('empty');
		assert.deepEqual(callsOf(parts), []);
		assert.equal(textOf(parts), '');
		assert.equal(parts.at(-1)?.kind, 'finish');
	});

	it('streams text as deltas of one block, then finishes', async () => {
		const parts = await run('text');
		const kinds = parts.map(({ kind }) => kind).filter((kind) => !kind.startsWith('thinking'));
		assert.equal(textOf(parts), 'Hello there, world');
		assert.equal(kinds[0], 'textDelta');
		assert.deepEqual(kinds.slice(-2), ['textEnd', 'finish']);
	});

	it('gives a tool call whole', async () => {
		const calls = callsOf(await run('call'));
		assert.deepEqual(
			calls.map(({ tool, inputText }) => [tool, JSON.parse(inputText)]),
			[['fs_read', { path: 'a.ts' }]],
		);
	});

	it('gives parallel calls an id each', async () => {
		const calls = callsOf(await run('parallel'));
		assert.deepEqual(
			calls.map(({ inputText }) => JSON.parse(inputText)),
			[{ path: 'a.ts' }, { path: 'b.ts' }],
		);
		assert.equal(new Set(calls.map(({ callId }) => callId)).size, 2);
	});

	it('takes its own answer and the results back', async () => {
		const first = await run('parallel');
		const results = callsOf(first).map(({ callId, tool }, n) => ({
			callId,
			tool,
			text: `result ${n}`,
			isError: n === 1,
		}));
		const history: ModelMessage[] = [{ role: 'user', text: 'parallel' }, assistantOf(first), { role: 'tool', results }];
		assert.equal(textOf(await run('text', ask('text', ...history))), 'Hello there, world');
	});

	it('reports tokens, and says when they are estimated', async () => {
		const finish = (await run('text')).at(-1);
		assert.ok(finish?.kind === 'finish');
		assert.equal(finish.reason, 'stop');
		assert.ok(finish.usage.inputTokens > 0 && finish.usage.outputTokens > 0);
	});
}
