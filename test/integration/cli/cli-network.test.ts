/** The network of sandboxed commands from the command line: the whole product, with its own proxy and a real site. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { type HttpSite, httpSite } from '../../support/http-site.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess run, when a command connects,', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;
	let site: HttpSite;

	before(function () {
		if (bubblewrap === undefined) this.skip();
	});
	beforeEach(async () => {
		user = new User();
		site = await httpSite();
	});
	afterEach(async () => {
		await server.close();
		await site.close();
	});

	/**
	 * Returns the result the model read of a command that asks the site, through the proxy although the site is on this
	 * machine.
	 */
	async function resultOfCurl(settings: Readonly<Record<string, unknown>>): Promise<string> {
		mkdirSync(user.home, { recursive: true });
		const all = { 'prowess.tools.bubblewrapPath': bubblewrap, ...settings };
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(all));
		const argv = ['curl', '-sS', '--fail-with-body', '--noproxy', '', `http://127.0.0.1:${site.port}/`];
		server = await startModelServer([{ toolCalls: [{ name: 'shell_run', input: { argv } }] }, { text: 'Done.' }]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'x', ['--approve', 'auto']).ended;
		assert.equal(code, 0, stderr);
		const messages = server.requests.at(-1)?.body['messages'] as { role: string; content: unknown }[];
		return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))[0] ?? '';
	}

	it('lets it reach a host that a rule names, and records what went', async () => {
		const host = `127.0.0.1:${site.port}`;
		const rule = `net.connect ${host}`;
		const result = await resultOfCurl({ 'prowess.approvals.allow': [rule], 'prowess.http.allowHosts': [host] });
		assert.match(result, /^hello/);
		const { stdout } = await user.runs(['ledger', 'list', '--json', '--op', 'net.connect']);
		const [outcome, intent] = JSON.parse(stdout) as LedgerRow[];
		assert.deepEqual([intent?.kind, outcome?.kind], ['intent', 'outcome']);
		assert.match(outcome?.output ?? '', /^1 connection, \d+ bytes sent, \d+ received$/);
		assert.match(intent?.input ?? '', /^Connect to 127\.0\.0\.1:\d+ \(for curl /);
	});

	it('refuses another, with the rule that would allow it and what to ask for', async () => {
		const host = `127.0.0.1:${site.port}`;
		const result = await resultOfCurl({ 'prowess.http.allowHosts': [host] });
		assert.match(result, new RegExp(`add the rule "net\\.connect ${host}"`));
		assert.match(result, new RegExp(`needs\\.network \\["${host}"\\]`));
		assert.equal(site.received.length, 0);
	});
});
