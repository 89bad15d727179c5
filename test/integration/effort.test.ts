/** How hard a model thinks, chosen for a thread: the real CLI, its server, and an endpoint over HTTP. */
import assert from 'node:assert/strict';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { commandLimitMs, eventsOf, User } from './cli-process.ts';

describe('The effort of thinking', function () {
	this.timeout(2 * commandLimitMs);
	let server: ModelServer;
	let user: User;
	beforeEach(async () => {
		user = new User();
		server = await startModelServer(() => ({ text: 'Yes.' }));
	});
	afterEach(() => server.close());

	const asked = () => server.requests.map(({ body }) => body['reasoning_effort']);

	it('is refused as a wrong command where it is none', async () => {
		const result = await user.prompts(server.baseUrl, 'hi there', ['--effort', 'extreme']).ended;
		assert.equal(result.code, 2);
		assert.match(result.stderr, /--effort takes off, low, medium, high; got "extreme"/);
		assert.deepEqual(asked(), []);
	});

	it('is asked for in its thread alone, until it is chosen anew', async () => {
		const first = await user.prompts(server.baseUrl, 'Is water wet?', ['--json', '--effort', 'high']).ended;
		assert.equal(first.code, 0, first.stderr);
		const begun = eventsOf(first).find((event) => event.type === 'thread.changed');
		assert.ok(begun?.type === 'thread.changed');
		assert.equal(begun.info.effort, 'high');
		const thread = ['--thread', begun.info.id];
		await user.prompts(server.baseUrl, 'Is ice wet?', thread).ended;
		await user.prompts(server.baseUrl, 'Is fog wet?', [...thread, '--effort', 'off']).ended;
		await user.prompts(server.baseUrl, 'Is snow wet?').ended;
		assert.deepEqual(asked(), ['high', 'high', 'none', undefined]);
	});
});
