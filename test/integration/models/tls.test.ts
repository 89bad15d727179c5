/** Requests over TLS from the real CLI: whose certificate it takes, and where a redirect may lead. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { httpSite, type HttpSite } from '../../support/http-site.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/tls');
const privateCa = { NODE_EXTRA_CA_CERTS: join(fixtures, 'private-ca.pem') };

describe('a request over TLS', function () {
	this.timeout(commandLimitMs);
	const servers: Server[] = [];
	let plain: HttpSite | undefined;
	let model: ModelServer;

	afterEach(async () => {
		await model.close();
		await plain?.close();
		plain = undefined;
		await Promise.all(
			servers.splice(0).map(
				(server) =>
					new Promise((resolve) => {
						server.close(resolve);
						server.closeAllConnections();
					}),
			),
		);
	});

	/** An https server with that certificate, that counts what it is asked. */
	async function secureSite(certificate: string, location?: string) {
		const pem = readFileSync(join(fixtures, `${certificate}.pem`));
		const requests: string[] = [];
		const server = createServer({ key: pem, cert: pem }, (request, response) => {
			requests.push(request.url ?? '');
			response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location });
			response.end('a secure hello');
		});
		servers.push(server);
		await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
		return { host: `localhost:${(server.address() as AddressInfo).port}`, requests };
	}

	/** Returns the results the model reads of one `http_get` each, in the order of the hosts. */
	async function results(hosts: readonly string[], also: readonly string[], env: Record<string, string>) {
		const user = new User();
		const listed = [...hosts, ...also];
		const settings = {
			'prowess.http.allowHosts': listed,
			'prowess.approvals.allow': listed.map((host) => `http.get ${host}`),
		};
		mkdirSync(user.home, { recursive: true });
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
		const calls = hosts.map((host) => ({ name: 'http_get', input: { url: `https://${host}/x` } }));
		model = await startModelServer([{ toolCalls: calls }, { text: 'Good.' }]);
		const { code, stderr } = await user.promptsApart(model.baseUrl, 'x', ['--approve', 'never'], { env }).ended;
		assert.equal(code, 0, stderr);
		const messages = model.requests[1]?.body['messages'] as { role: string; content: string }[];
		return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
	}

	it('is refused when nobody known has signed the certificate, and nothing is sent', async () => {
		const sites = [await secureSite('self-signed'), await secureSite('for-localhost')];
		const answers = await results(
			sites.map(({ host }) => host),
			[],
			{},
		);
		assert.match(answers[0] ?? '', /REQUEST_FAILED.*localhost:\d+ failed: self-signed certificate/);
		assert.match(answers[1] ?? '', /REQUEST_FAILED.*localhost:\d+ failed: unable to verify the first certificate/);
		assert.deepEqual(
			sites.flatMap(({ requests }) => requests),
			[],
		);
	});

	it('takes a private authority from NODE_EXTRA_CA_CERTS, but neither what has expired nor what is for another host', async () => {
		const good = await secureSite('for-localhost');
		const bad = [await secureSite('expired'), await secureSite('for-another-host'), await secureSite('self-signed')];
		const hosts = [good, ...bad].map(({ host }) => host);
		const answers = await results(hosts, [], privateCa);
		assert.match(answers[0] ?? '', /a secure hello/);
		assert.match(answers[1] ?? '', /REQUEST_FAILED.*certificate has expired/);
		assert.match(answers[2] ?? '', /REQUEST_FAILED.*does not match certificate's altnames/);
		assert.match(answers[3] ?? '', /REQUEST_FAILED.*self-signed certificate/);
		assert.deepEqual(good.requests, ['/x']);
		assert.deepEqual(
			bad.flatMap(({ requests }) => requests),
			[],
		);
	});

	it('tells of a redirect to plain http and does not follow it, also where that host is allowed', async () => {
		plain = await httpSite();
		const from = await secureSite('for-localhost', `http://localhost:${plain.port}/secret?token=x`);
		const [answer = ''] = await results([from.host], [`localhost:${plain.port}`], privateCa);
		assert.match(answer, new RegExp(`http://localhost:${plain.port}/secret`));
		assert.deepEqual(plain.received, []);
	});

	it('follows a redirect to another secure host that is allowed, whose certificate is looked at anew', async () => {
		const bad = await secureSite('for-another-host');
		const good = await secureSite('for-localhost');
		const toGood = await secureSite('for-localhost', `https://${good.host}/y`);
		const toBad = await secureSite('for-localhost', `https://${bad.host}/y`);
		const answers = await results([toGood.host, toBad.host], [good.host, bad.host], privateCa);
		assert.match(answers[0] ?? '', /a secure hello/);
		assert.match(answers[1] ?? '', /does not match certificate's altnames/);
		assert.deepEqual([good.requests, bad.requests], [['/y'], []]);
	});
});
