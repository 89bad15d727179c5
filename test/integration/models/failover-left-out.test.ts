/**
 * A provider that refuses a part of the request, in a chain of three, through the real server and real HTTP: the part is left
 * out and the same provider answers; nobody else is asked, and a tool that has run does not run again.
 */
import assert from 'node:assert/strict';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';

const signal = new AbortController().signal;

/** Refusal by the provider, and the field of a request that is left out afterwards. */
const refusals = {
	'a parameter': { entry: { error: 400, message: "Unsupported parameter: 'temperature'" }, field: 'temperature' },
	'all tools': { entry: { error: 400, message: 'm does not support tools' }, field: 'tools' },
} as const satisfies Record<string, { readonly entry: ScriptEntry; readonly field: string }>;

const write = { name: 'fs_write', input: { path: 'made.txt', content: 'once\n' } };
const done: ScriptEntry = { text: 'First here.' };

describe('A chain of three in which the first provider', function () {
	this.timeout(30_000);
	let server: ServerUnderTest | undefined;
	let models: ModelServer[] = [];

	afterEach(async () => {
		await server?.stop();
		await Promise.all(models.map((model) => model.close()));
	});

	for (const [what, { entry, field }] of Object.entries(refusals)) {
		for (const [place, script, writes] of [
			['before the first byte', [entry, done], 0],
			['after a tool', [{ toolCalls: [write] }, entry, done], 1],
		] as const) {
			it(`refuses ${what} ${place} answers without it, and nobody else is asked`, async () => {
				models = await Promise.all([startModelServer(script), startModelServer([]), startModelServer([])]);
				const host = new MemoryHost({});
				server = await ServerUnderTest.startHere({
					home: tempDir('home'),
					host,
					modelUrl: '',
					settings: {
						'prowess.providers': models.map(({ baseUrl }, at) => ({
							id: `p${at}`,
							baseUrl,
							kind: 'openai-compatible',
							models: ['m'],
						})),
						'prowess.models.fallback': [
							{ provider: 'p1', model: 'm' },
							{ provider: 'p2', model: 'm' },
						],
						'prowess.models.settings': { 'p0/m': { temperature: 0.5 } },
					},
				});
				const { id } = await server.peer.call(threadRequests.create, { modelId: 'p0/m' }, signal);
				await server.peer.call(threadRequests.prompt, { threadId: id, text: 'Make the file' }, signal);
				const end = await server.event(({ type }) => type === 'turn.end');
				assert.equal(end.type === 'turn.end' && end.outcome, 'done');
				const { items } = await server.peer.call(threadRequests.open, { threadId: id }, signal);
				assert.deepEqual(
					items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])),
					['First here.'],
				);
				assert.equal(host.performed.filter(({ op }) => op === 'fs.write').length, writes);
				const [first, ...others] = models.map(({ requests }) => requests.map(({ body }) => Object.hasOwn(body, field)));
				assert.deepEqual(first, [...script.slice(1).map(() => true), false]);
				assert.deepEqual(others, [[], []]);
			});
		}
	}
});
