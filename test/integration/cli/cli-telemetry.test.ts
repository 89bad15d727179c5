/** Telemetry on the command line: a real process that ends must have told its turn. */
import assert from 'node:assert/strict';
import { type HttpSite, httpSite } from '../../support/http-site.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess telemetry', function () {
	this.timeout(commandLimitMs);
	let collector: HttpSite;
	let status = 200;
	let model: ModelServer | undefined;
	beforeEach(async () => {
		status = 200;
		collector = await httpSite((_request, response) => {
			response.statusCode = status;
			response.end('{}');
		});
	});
	afterEach(async () => {
		await collector.close();
		await model?.close();
	});
	const place = () => `http://127.0.0.1:${collector.port}`;

	it('test says what is wrong: no collector, no address, nobody there, a collector that refuses', async () => {
		const user = new User();
		status = 401;
		for (const [words, said] of [
			[[], /Name a collector, or set prowess\.telemetry\./],
			[['collector'], /prowess\.telemetry is no address of a collector/],
			[['http://127.0.0.1:9'], /The request to 127\.0\.0\.1:9 failed/],
			[[place()], /The collector answers with status 401\./],
		] as const) {
			const { code, stdout, stderr } = await user.runs(['telemetry', 'test', ...words]);
			assert.deepEqual([code, stdout], [1, ''], stderr);
			assert.match(stderr, said);
		}
	});

	it('test sends one span with the headers of the settings, and those to no other address', async () => {
		const user = new User();
		const other = await httpSite();
		try {
			user.sets({ 'prowess.telemetry': { endpoint: place(), headers: { 'x-team': 'blue' } } });
			const { code, stdout } = await user.runs(['telemetry', 'test']);
			assert.deepEqual([code, stdout], [0, `${place()} takes telemetry\n`]);
			assert.equal((await user.runs(['telemetry', 'test', `http://127.0.0.1:${other.port}`])).code, 0);
			assert.deepEqual(
				[collector, other].map(({ received }) => received.map(({ path, headers }) => [path, headers['x-team']])),
				[[['/v1/traces', 'blue']], [['/v1/traces', undefined]]],
			);
		} finally {
			await other.close();
		}
	});

	it('has told a turn when the process of the turn has ended', async () => {
		const user = new User();
		user.sets({ 'prowess.telemetry': { endpoint: place() } });
		model = await startModelServer([{ text: 'Done.' }]);
		const { code, stderr } = await user.prompts(model.baseUrl, 'Think about nothing in particular').ended;
		assert.equal(code, 0, stderr);
		assert.deepEqual(
			collector.received.map(({ path }) => path),
			['/v1/traces', '/v1/metrics'],
		);
		assert.match(collector.received[0]?.body ?? '', /"name":"invoke_agent Prowess"/);
	});
});
