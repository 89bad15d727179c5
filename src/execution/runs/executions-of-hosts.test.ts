import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { executionsOfHosts, stopInItsHost, writeRecord } from './executions-of-hosts.ts';

const executionId = 'cap_1700000000000_0123abcd';
const never = new AbortController().signal;
const record = { executionId, type: 'skill', name: 'x', startedAt: '2026-01-01T00:00:00.000Z' };

describe('executions of hosts', () => {
	let home: string;
	let folder: string;
	beforeEach(() => {
		home = tempDir('executions');
		folder = join(home, 'executions');
	});

	for (const [what, text] of [
		['is damaged', '{ half'],
		['lacks everything', '{}'],
		['names a process that is gone', JSON.stringify({ ...record, hostPid: 2 ** 30, hostStart: null })],
		[
			'names another execution',
			JSON.stringify({ ...record, executionId: 'cap_1_00000000', hostPid: 1, hostStart: null }),
		],
	] as const) {
		it(`are not what a record says that ${what}; it is removed`, async () => {
			mkdirSync(folder);
			writeFileSync(join(folder, `${executionId}.json`), text);
			writeFileSync(join(folder, `${executionId}.stop`), '');
			await assert.rejects(stopInItsHost(home, executionId, never), { code: 'INVALID_REQUEST' });
			assert.deepEqual(readdirSync(folder), []);
		});
	}

	it('are not those of an earlier process of the same number', async function () {
		if (process.platform !== 'linux') {
			this.skip();
		}
		mkdirSync(folder);
		writeFileSync(
			join(folder, `${executionId}.json`),
			JSON.stringify({ ...record, hostPid: process.pid, hostStart: '1' }),
		);
		assert.deepEqual(await executionsOfHosts(home), []);
		assert.deepEqual(readdirSync(folder), []);
	});

	it('are not those of a host in another container, whose records stay until they are old', async () => {
		mkdirSync(folder);
		const [young, old] = ['cap_2_00000000', 'cap_3_00000000'];
		for (const [id, startedAt] of [
			[young, new Date().toISOString()],
			[old, '2020-01-01T00:00:00.000Z'],
		] as const) {
			const named = { ...record, executionId: id, startedAt, hostPid: process.pid, hostStart: null };
			writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...named, hostPlace: 'other-boot+1' }));
		}
		assert.deepEqual(await executionsOfHosts(home), []);
		assert.deepEqual(readdirSync(folder), [`${young}.json`]);
	});

	it('are not found by what is no id', async () => {
		await writeRecord(home, record);
		await assert.rejects(stopInItsHost(home, `../executions/${executionId}`, never), { code: 'INVALID_REQUEST' });
		assert.equal(readdirSync(folder).length, 1);
	});

	it('leave nothing behind when somebody was killed while writing', async () => {
		mkdirSync(folder);
		writeFileSync(join(folder, `${2 ** 30}-${executionId}.draft`), '{');
		writeFileSync(join(folder, `${process.pid}-${executionId}.draft`), '{');
		writeFileSync(join(folder, `${executionId}.stop`), '');
		assert.deepEqual(await executionsOfHosts(home), []);
		assert.deepEqual(readdirSync(folder), [`${process.pid}-${executionId}.draft`]);
	});

	it('are none where nothing was ever started', async () => {
		assert.deepEqual(await executionsOfHosts(home), []);
	});

	it('are waited for no longer than whoever waits wants', async () => {
		await writeRecord(home, record);
		assert.equal((await executionsOfHosts(home))[0]?.hostPid, process.pid);
		const stop = new AbortController();
		const stopping = stopInItsHost(home, executionId, stop.signal);
		const reason = new Error('enough');
		stop.abort(reason);
		await assert.rejects(stopping, reason);
	});
});
