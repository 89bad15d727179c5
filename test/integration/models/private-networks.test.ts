/** Model servers in the user's own network, over plain HTTP: the real CLI at a private address of this machine. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { isPrivateNetwork } from '../../../src/protocol/base-url.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const WORD = /your key and your code travel unencrypted to/;

describe('A model server in a private network', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer | undefined;
	let user: User;
	beforeEach(() => {
		user = new User();
	});
	afterEach(async () => {
		await server?.close();
		server = undefined;
	});

	/** Undefined: this machine is in none. */
	const own = Object.values(networkInterfaces())
		.flatMap((addresses) => addresses ?? [])
		.map(({ address, family }) => ({ address, hostname: family === 'IPv6' ? `[${address}]` : address }))
		.find(isPrivateNetwork)?.address;

	it('is asked, and the user is told that key and code travel unencrypted', async function () {
		if (own === undefined) this.skip();
		server = await startModelServer([{ text: 'From the network.' }], { host: own });
		const { code, stdout, stderr } = await user.prompts(server.baseUrl, 'What is in this network?').ended;
		assert.equal(code, 0, stderr);
		assert.match(stdout, /From the network\./);
		assert.match(stderr, WORD);
		assert.ok(stderr.includes(new URL(server.baseUrl).host), stderr);
	});

	it('is named by the doctor; one on this machine and one by https are not', async () => {
		mkdirSync(user.home, { recursive: true });
		const at = (id: string, baseUrl: string) => ({ id, baseUrl, kind: 'openai-compatible', models: ['m'] });
		const providers = [
			at('nas', 'http://nas.local:8080/v1'),
			at('own', 'http://127.0.0.1:9/v1'),
			at('safe', 'https://192.168.0.7/v1'),
		];
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify({ 'prowess.providers': providers }));
		const { stdout } = await user.runs(['doctor']);
		assert.match(stdout, /your key and your code travel unencrypted to nas\.local:8080(?!,)/);
	});

	it('is not spoken of where the model is on this machine', async () => {
		server = await startModelServer([{ text: 'Here.' }]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'What is in this network?').ended;
		assert.equal(code, 0, stderr);
		assert.doesNotMatch(stderr, WORD);
	});

	for (const address of ['http://models.example/v1', 'http://169.254.169.254/v1', 'http://172.32.0.1/v1']) {
		it(`is not what this is, so nothing is sent to it: ${address}`, async () => {
			const { code, stdout, stderr } = await user.prompts(address, 'What is in this network?').ended;
			assert.equal(code, 1);
			assert.match(stdout + stderr, /http is allowed for this machine and private networks only/);
		});
	}
});
