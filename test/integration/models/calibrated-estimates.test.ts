/** A model that counts more tokens than we estimate is shown less: the real server over several turns, an endpoint over HTTP. */
import assert from 'node:assert/strict';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';

const signal = new AbortController().signal;
/** No two sentences are the same: a model that repeats itself is stopped. */
const LONG = Array.from(
	{ length: 450 },
	(_, n) => `On day ${n} the shop sells green tea and black tea to all who ask. `,
).join('');
/** Turns in which a model is measured. */
const MEASURED = 12;

/** Characters of the last request in a thread with two long answers, from a model that counts `perCharacter` tokens. */
async function lastRequest(perCharacter: number): Promise<number> {
	let isLong = true;
	const model = await startModelServer((_n, { text }) => {
		const usage = { input: Math.round(text.length * perCharacter), output: 5 };
		return isLong ? { text: LONG, usage } : { text: 'Yes.', usage };
	});
	const server = await ServerUnderTest.startHere({
		home: tempDir('home'),
		host: new MemoryHost({}),
		modelUrl: model.baseUrl,
		settings: { 'prowess.models.settings': { 'test/scripted': { contextWindow: 32_000 } } },
	});
	const says = async (threadId: ThreadId, text: string) => {
		const { turnId } = await server.peer.call(threadRequests.prompt, { threadId, text }, signal);
		await server.event((event) => event.type === 'turn.end' && event.turnId === turnId);
	};
	const first = await server.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
	await says(first.id, 'What does the shop sell?');
	isLong = false;
	for (let n = 0; n < MEASURED; n += 1) {
		await says(first.id, `Is that all, number ${n}?`);
	}
	isLong = true;
	const second = await server.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
	await says(second.id, 'What does the shop sell?');
	await says(second.id, 'What else does it sell?');
	isLong = false;
	await says(second.id, 'Is that all?');
	await server.stop();
	await model.close();
	return model.requests.at(-1)?.text.length ?? 0;
}

describe('The estimate of tokens', function () {
	this.timeout(60_000);

	it('follows what the model reports, so that a thread that would not fit is cut before it is sent', async () => {
		const [plain, dense] = [await lastRequest(0.22), await lastRequest(0.5)];
		assert.ok(plain > 2 * LONG.length, String(plain));
		assert.ok(dense < 1.5 * LONG.length, String(dense));
	});
});
