/**
 * Tests the channels to executors: which inherited channel works, Node's own with real executors, and a port with
 * strangers at it.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { builtInExecutors } from '../../../src/catalog/executors.ts';
import { channelWorks, inheritedChannel } from '../../../src/execution/processes/inherited-channel.ts';
import { probeSandbox, type SandboxState } from '../../../src/machine/sandbox/sandbox.ts';
import type { InheritedChannel } from '../../../src/execution/processes/waiting-channel.ts';
import { frameLimits } from '../../../src/protocol/execution/execution.ts';
import { consentText } from '../../support/consent-text.ts';
import { ExecutionScene, fixtureExecutor, slow } from '../../support/execution-scene.ts';
import { testHost } from '../../support/host-ports.ts';
import { waitUntilGone } from '../../support/processes.ts';
import { seeded, shuffled } from '../../support/seeded.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';

const bwrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';
const flags: SandboxState = { sandbox: 'permission', bwrap: undefined };
const root = join(import.meta.dirname, '../../..');
const skill = builtInExecutors(join(root, 'dist')).find(({ name }) => name === 'skill')?.executor ?? assert.fail();
const asks = `
export const execute = async ({ count }, { op, progress, signal }) => {
	progress('here');
	if (count === undefined) return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
	return await Promise.all(Array.from({ length: count }, (_, n) => op('x.y', { n })));
};`;

describe('The inherited channel of a machine', function () {
	this.timeout(60_000);
	const { log } = testHost().ports;
	const tries = (working: readonly InheritedChannel[]) => {
		const tried: InheritedChannel[] = [];
		return {
			tried,
			works: (kind: InheritedChannel) => {
				tried.push(kind);
				return Promise.resolve(working.includes(kind));
			},
		};
	};

	it('is the descriptor where that works, and is tried once', async () => {
		const home = tempDir('home');
		const { tried, works } = tries(['descriptor', 'ipc']);
		assert.equal(await inheritedChannel(home, flags, log, works), 'descriptor');
		assert.equal(await inheritedChannel(home, flags, log, works), 'descriptor');
		assert.deepEqual(tried, ['descriptor']);
	});

	it("is Node's own where the descriptor does not work, and is tried anew within other walls", async () => {
		const home = tempDir('home');
		const { tried, works } = tries(['ipc']);
		assert.equal(await inheritedChannel(home, flags, log, works), 'ipc');
		assert.equal(await inheritedChannel(home, flags, log, works), 'ipc');
		assert.deepEqual(tried, ['descriptor', 'ipc']);
		await inheritedChannel(home, { sandbox: 'none', bwrap: undefined }, log, works);
		assert.deepEqual(tried, ['descriptor', 'ipc', 'descriptor', 'ipc']);
	});

	it('is the descriptor where nothing works, which is not kept', async () => {
		const home = tempDir('home');
		assert.equal(await inheritedChannel(home, flags, log, tries([]).works), 'descriptor');
		assert.equal(await inheritedChannel(home, flags, log, tries(['ipc']).works), 'ipc');
	});

	for (const broken of ['', '{', 'null', '[]', '{"on":1}', '{"channel":"ipc"}', '{"on":"elsewhere","channel":"ipc"}']) {
		it(`is tried anew when what was kept of it is ${broken === '' ? 'empty' : broken}`, async () => {
			const home = tempDir('home');
			writeFileSync(join(home, 'channel.json'), broken);
			assert.equal(await inheritedChannel(home, flags, log, tries(['descriptor']).works), 'descriptor');
			assert.match(readFileSync(join(home, 'channel.json'), 'utf8'), /"channel":"descriptor"/);
		});
	}

	it('is tried with a process behind the same walls', async () => {
		const walls = [flags, ...(existsSync(bwrap) ? [await probeSandbox([bwrap])] : [])];
		for (const state of walls) {
			for (const kind of ['descriptor', 'ipc'] as const) {
				assert.equal(await channelWorks(kind, state), true, `${kind} in ${state.sandbox}`);
			}
		}
		for (const program of ['/bin/false', '/no/such/program']) {
			assert.equal(
				await channelWorks('descriptor', { sandbox: 'bwrap', bwrap: { file: program, filter: undefined } }),
				false,
			);
		}
	});
});

describe("An executor over Node's own channel", function () {
	this.timeout(60_000);
	let scene: ExecutionScene;
	const made = (options: Partial<ConstructorParameters<typeof ExecutionScene>[0]> = {}) => {
		scene = new ExecutionScene({ executor: '', channel: 'ipc', ...options });
		scene.writes('index.js', asks);
		return scene;
	};
	const ofSkills = { deps: { executorFor: () => Promise.resolve(skill) } };
	afterEach(() => scene.close());

	it('gets an answer to each of its ops, and gives its result', async () => {
		const { success, result } = await made(ofSkills).run({ count: 60 });
		assert.deepEqual([success, (result as unknown[]).length], [true, 60]);
	});

	it('is handed over by a process that stood by', async () => {
		made({ ...ofSkills, standby: true });
		await scene.run({ count: 1 });
		const pid = await waitFor('a process to stand by', () => scene.manager.standbyPids[0]);
		const id = await scene.start({ count: 1 });
		assert.equal((await scene.manager.wait(id)).success, true);
		assert.equal(scene.manager.info(id).pid, pid);
	});

	it('is stopped, and heard of no more', async () => {
		made({ ...ofSkills, perform: slow });
		const id = await scene.start({});
		await waitFor('its first word', () => scene.progress.length > 0);
		const pid = scene.manager.info(id).pid ?? 0;
		await scene.manager.stop(id);
		assert.equal(scene.manager.status(id), 'stopped');
		await waitUntilGone([pid]);
	});

	it('works within the sandbox of the system', async function () {
		if (!existsSync(bwrap)) this.skip();
		const { success, result, error } = await made({ ...ofSkills, sandbox: await probeSandbox([bwrap]) }).run({
			count: 3,
		});
		assert.ok(success, JSON.stringify(error));
		assert.equal((result as unknown[]).length, 3);
	});

	for (const [what, params, about] of [
		['a line that is no JSON', { text: '{bad\n' }, /not JSON/],
		["a message for Node's own reader", { text: '{"cmd":"NODE_HANDLE","type":"net.Socket"}\n' }, /a frame that is/],
		['a line without an end', { text: 'x'.repeat(1_000_000), times: 8 }, /payload/i],
	] as const) {
		it(`that writes ${what} past Node loses its process, and the host goes on (R-09)`, async () => {
			const before = process.memoryUsage().rss;
			const result = await made({ executor: 'writes-past-node' }).run(params);
			assert.equal(result.error?.code, 'PROTOCOL_VIOLATION');
			assert.match(result.error?.message ?? '', about);
			assert.ok(process.memoryUsage().rss - before < 60_000_000);
			await scene.close();
		});
	}
});

describe('An executor that asks for a port', function () {
	this.timeout(60_000);
	let scene: ExecutionScene;
	const executor = { ...fixtureExecutor('through-a-port'), channel: 'loopback' as const };
	const made = (options: Partial<ConstructorParameters<typeof ExecutionScene>[0]> = {}) => {
		scene = new ExecutionScene({
			executor: '',
			...options,
			deps: { executorFor: () => Promise.resolve(executor), ...options.deps },
		});
		return scene;
	};
	afterEach(() => scene.close());

	interface Waiting {
		readonly id: string;
		readonly port: number;
		/** Lets it connect, with these headers instead of its own. */
		connects(headers?: Readonly<Record<string, string>>): void;
	}
	async function waiting(options?: Parameters<typeof made>[0]): Promise<Waiting> {
		made(options);
		const id = await scene.start();
		const said = await waitFor('its port', () => /^{.*}$/m.exec(scene.manager.output(id))?.[0]);
		const { port, go, inEnvironment } = JSON.parse(said) as { port: number; go: string; inEnvironment: boolean };
		assert.equal(inEnvironment, false, 'the token stands in the environment');
		const connects: Waiting['connects'] = (headers = {}) => {
			writeFileSync(`${go}.new`, JSON.stringify(headers));
			// Whole when it is there.
			renameSync(`${go}.new`, go);
		};
		return { id, port, connects };
	}
	async function knock(port: number): Promise<Socket> {
		const socket = connect(port, '127.0.0.1');
		await once(socket, 'connect');
		return socket.on('error', () => undefined);
	}
	async function answerTo(port: number, said: string | Buffer): Promise<string> {
		const socket = await knock(port);
		let answer = '';
		socket.setEncoding('latin1').on('data', (text: string) => void (answer += text));
		socket.end(said);
		if (!socket.closed) await once(socket, 'close');
		return answer;
	}
	const request = (port: number, lines: readonly string[], method = 'GET') =>
		[
			`${method} /exec HTTP/1.1`,
			...(lines.some((line) => line.startsWith('host:')) ? [] : [`host: 127.0.0.1:${port}`]),
			...['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'],
			...['sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-protocol: prowess.execution.v1'],
			...[...lines, '', ''],
		].join('\r\n');
	const isClosed = (port: number) => assert.rejects(knock(port), { code: 'ECONNREFUSED' });
	const forged = `authorization: Bearer ${'A'.repeat(43)}`;

	it('connects by it and runs; the port is closed as soon as it has', async () => {
		const ports: number[] = [];
		const { id, port, connects } = await waiting({
			perform: async ({ opId }) => {
				await isClosed(ports[0] ?? 0);
				return { status: 'done', opId, result: 'done', durationMs: 0, receipt: { writer: '', seq: 1, hash: '' } };
			},
		});
		ports.push(port);
		const idle = await knock(port);
		connects();
		assert.equal((await scene.manager.wait(id)).result, 'done');
		if (!idle.closed) await once(idle, 'close');
		await isClosed(port);
	});

	it('is not kept from it by strangers, who are sent away and recorded', async () => {
		const { id, port, connects } = await waiting();
		assert.match(await answerTo(port, request(port, [forged])), /^HTTP\/1.1 403 /);
		assert.match(await answerTo(port, request(port, ['origin: http://evil.example'])), /^HTTP\/1.1 403 /);
		assert.match(await answerTo(port, request(port, ['host: evil.example', forged])), /^HTTP\/1.1 403 /);
		await answerTo(port, Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'latin1'));
		connects();
		const { success, error } = await scene.manager.wait(id);
		assert.ok(success, JSON.stringify(error));
		const notes = scene.notes.filter((text) => text.includes('at its port'));
		assert.deepEqual(
			notes.map((text) => /token|page|not HTTP/.exec(text)?.[0]),
			['token', 'page', 'page', 'not HTTP'],
		);
	});

	it('ends when strangers do not stop', async () => {
		const { id, port } = await waiting();
		for (let at = 0; at < 5; at += 1) {
			await answerTo(port, request(port, [], 'POST'));
		}
		const { error } = await scene.manager.wait(id);
		assert.equal(error?.code, 'PROTOCOL_VIOLATION');
		assert.match(error?.message ?? '', /tried 5 times without the token/);
		await isClosed(port);
	});

	for (const [what, headers] of [
		['a token of its own making', { authorization: `Bearer ${'A'.repeat(43)}` }],
		['the origin of a page', { origin: 'http://localhost:3000' }],
		['the marks of a page', { 'sec-fetch-site': 'cross-site' }],
		['another name of this machine', { host: 'localhost' }],
	] as const) {
		it(`is not let in with ${what}`, async () => {
			const { id, port, connects } = await waiting({ deps: { connectTimeoutMs: 4_000 } });
			connects(headers);
			assert.equal((await scene.manager.wait(id)).error?.code, 'CONNECTION_FAILED');
			await isClosed(port);
			assert.match(scene.notes.join('\n'), /at its port; sent away/);
		});
	}

	it('is not let in late', async () => {
		const { id, port } = await waiting({ deps: { connectTimeoutMs: 4_000 } });
		const { error } = await scene.manager.wait(id);
		assert.equal(error?.code, 'CONNECTION_FAILED');
		assert.match(error?.message ?? '', /did not connect within 4000 ms/);
		await isClosed(port);
	});

	it('leaves no port when it is stopped before it has connected', async () => {
		const { id, port } = await waiting();
		await scene.manager.stop(id);
		await isClosed(port);
	});

	it('does not start where the sandbox keeps it from every port, and nobody is asked', async () => {
		made({
			sandbox: { sandbox: 'bwrap', bwrap: { file: '/usr/bin/bwrap', filter: undefined } },
			approvalMode: 'ask',
			person: { approve: () => assert.fail('somebody was asked') },
		});
		await assert.rejects(scene.start(), { code: 'INVALID_EXECUTOR_CONFIG' });
	});

	it('says so where somebody agrees to it', async () => {
		const shown: string[] = [];
		made({
			approvalMode: 'ask',
			person: {
				approve({ detail }) {
					shown.push(consentText(detail));
					return Promise.resolve({ kind: 'deny' });
				},
			},
		});
		await assert.rejects(scene.start(), { code: 'DENIED_BY_USER' });
		assert.match(shown.join(), /opens a port on this machine \(127\.0\.0\.1\)/);
	});
});

describe('An executor package with a client library of its own', function () {
	this.timeout(60_000);
	const name = 'with-a-client-library';
	let scene: ExecutionScene;
	const made = (options: Partial<ConstructorParameters<typeof ExecutionScene>[0]> = {}) => {
		scene = new ExecutionScene({ executor: 'never-connects', ...options });
		const folder = join(scene.host.home, 'capabilities/executors', name);
		cpSync(join(root, 'test/fixtures/executors', name), folder, { recursive: true });
		cpSync(realpathSync(join(root, 'node_modules/ws')), join(folder, 'node_modules/ws'), { recursive: true });
		return scene;
	};
	afterEach(() => scene.close());

	it('runs from its copy, and each of its ops gets its own answer, in whatever order they end (R-17)', async () => {
		const random = seeded(20_261_123);
		const waiting: (() => void)[] = [];
		made({
			perform: async ({ opId, params }) => {
				await new Promise<void>((resolve) => {
					waiting.push(resolve);
					if (waiting.length === frameLimits.dispatchesInFlight) {
						for (const end of shuffled(random, waiting.splice(0))) setImmediate(end);
					}
				});
				const { asked: answer } = params as { asked: string };
				return random() < 0.5
					? { status: 'done', opId, result: { answer }, durationMs: 0, receipt: { writer: '', seq: 1, hash: '' } }
					: { status: 'failed', opId, error: { code: 'INTERNAL', message: answer, facts: {} }, durationMs: 0 };
			},
		});
		const { result, error } = await scene.run({ rounds: 4, atOnce: frameLimits.dispatchesInFlight });
		const { from, wrong } = (result ?? {}) as { from?: string; wrong?: string[] };
		assert.deepEqual(wrong, [], JSON.stringify(error));
		assert.ok(from?.startsWith(join(scene.host.home, 'snapshots')), from);
	});

	it('is stopped while it waits for an op', async () => {
		made({ perform: slow });
		const id = await scene.start({ rounds: 1, atOnce: 1 });
		await waitFor('it to run', () => scene.manager.status(id) === 'running');
		const { pid } = scene.manager.info(id);
		await scene.manager.stop(id);
		assert.equal(scene.manager.status(id), 'stopped');
		await waitUntilGone([pid ?? 0]);
	});
});
