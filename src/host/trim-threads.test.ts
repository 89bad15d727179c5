import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../test/support/temp-dir.ts';
import { newId } from '../protocol/rpc/ids.ts';
import { threadRequests } from '../protocol/thread/thread-requests.ts';
import { linkedPeers } from '../../test/support/linked-peers.ts';
import { trimThreads } from './trim-threads.ts';

const silent = () => {};
const never = new AbortController().signal;

describe('Deleting unused threads', () => {
	it('waits for the end of a thread no longer than it may, and ends it again the next time', async () => {
		const home = tempDir('trim');
		const note = join(home, 'trimmed-threads.json');
		const going = newId('thr');
		writeFileSync(join(home, 'clock-looks.json'), JSON.stringify({ settled: Date.now() - 1, pending: [] }));
		const { near, far } = linkedPeers();
		const there = new Set([going]);
		const { unused, delete: deletion, titles } = threadRequests;
		far.serve(
			{ unused, deletion, titles },
			{
				unused: async () => ({ threadIds: [...there] }),
				deletion: async ({ threadId }) => {
					there.delete(threadId);
					return {};
				},
				titles: async () => ({ threads: [] }),
			},
		);
		const hostOf = (endThread: () => Promise<void>): Parameters<typeof trimThreads>[0] => ({
			home,
			keepDays: 30,
			server: near,
			log: { debug: silent, info: silent, warn: silent, error: silent },
			base: {
				endThread,
				agents: { all: () => Promise.resolve([]), rootOf: (id) => id },
				goals: { list: () => [] },
				recordAct: (_, act) => act(),
			},
		});
		const closing = new AbortController();
		const hangs = async () => {
			closing.abort(new Error('the window is closing'));
			return await new Promise<void>(() => {});
		};
		await trimThreads(hostOf(hangs), closing.signal);
		assert.deepEqual([[...there], JSON.parse(readFileSync(note, 'utf8'))], [[], { threadIds: [going] }]);
		let ended = 0;
		await trimThreads(
			hostOf(async () => void (ended += 1)),
			never,
		);
		assert.deepEqual([ended, JSON.parse(readFileSync(note, 'utf8'))], [1, { threadIds: [] }]);
	});
});
