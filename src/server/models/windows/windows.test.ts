import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { llamaCpp } from '../../../../test/support/local-servers.ts';
import { type ModelServer, startModelServer } from '../../../../test/support/model-server.ts';
import { type SaidWindow, Windows } from './windows.ts';

const never = new AbortController().signal;
const DAY_MS = 24 * 3_600_000;

describe('Windows', () => {
	let server: ModelServer;
	let stored: SaidWindow[];
	let at: number;
	let windows: Windows;
	const logged: string[] = [];
	const kept = { all: () => stored, keep: (said: SaidWindow) => void (stored = [said]) };
	const opened = () => new Windows({ kept, log: (message) => logged.push(message), now: () => at });

	beforeEach(async () => {
		server = await startModelServer([], llamaCpp(9_000));
		stored = [];
		at = 1_000;
		logged.length = 0;
		windows = opened();
	});
	afterEach(() => server.close());

	const asked = () => ({ baseUrl: server.baseUrl, modelId: 'scripted' });
	const answering = (event = { system_fingerprint: 'b5180-bc091a4d' }, signal = never) =>
		windows.answering({ server: { ...asked(), headers: {} }, event, listedBy: undefined, wanted: undefined }, signal);

	it('asks again for what a stopped answer had asked', async () => {
		const stop = new AbortController();
		const asking = answering(undefined, stop.signal);
		stop.abort(new Error('stopped'));
		assert.equal(await asking, false);
		assert.equal(windows.of(asked()), undefined);
		assert.deepEqual(logged, []);
		await answering();
		assert.equal(windows.of(asked())?.tokens, 9_000);
	});

	it('goes on when the window cannot be kept, and says so in the log', async () => {
		const full = { all: () => [], keep: () => assert.fail('the disk is full') };
		windows = new Windows({ kept: full, log: (message) => logged.push(message), now: () => at });
		assert.equal(await answering(), false);
		assert.equal(windows.of(asked())?.tokens, 9_000);
		assert.equal(logged.length, 1);
	});

	it('believes nothing that was said by a program it does not know', () => {
		stored = [{ ...asked(), tokens: 5, saidBy: 'later' as 'ollama', saidAt: at }];
		assert.equal(opened().of(asked()), undefined);
	});

	it('asks once, and again when the settings have changed', async () => {
		await answering();
		assert.equal(answering(), undefined);
		windows.forget();
		await answering();
		assert.deepEqual(server.asked, ['/props', '/props']);
	});

	it('knows after a restart what was said, for a week', async () => {
		await answering();
		at += 6 * DAY_MS;
		assert.equal(opened().of(asked())?.tokens, 9_000);
		at += 2 * DAY_MS;
		assert.equal(opened().of(asked()), undefined);
		assert.deepEqual(opened().list(), []);
	});
});
