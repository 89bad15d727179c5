import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHost } from '../../../../../test/support/host-ports.ts';
import { tempDir } from '../../../../../test/support/temp-dir.ts';
import { isProwessError } from '../../../../protocol/errors/errors.ts';
import { newId } from '../../../../protocol/rpc/ids.ts';
import { ThreadLevels } from './thread-levels.ts';

const never = new AbortController().signal;

describe('The level of a thread', () => {
	let home: string;
	let warnings: string[];
	beforeEach(() => {
		home = tempDir('home');
		warnings = [];
	});
	const file = () => join(home, 'thread-levels.json');
	const host = (level: 'ask' | 'auto' = 'ask') =>
		new ThreadLevels({
			home,
			settings: testHost({ settings: { 'prowess.approvals.level': level } }).ports.settings,
			log: { warn: (message) => void warnings.push(message) },
		});
	async function read(levels: ThreadLevels): Promise<ThreadLevels> {
		await levels.refresh(never);
		return levels;
	}

	it('makes everything a question, and is not lost, while its file is damaged', async () => {
		const id = newId('thr');
		for (const damaged of ['', '{"threads"', '{"threads": [{"id": "thr_x", "level": "Full"}]}', '[]']) {
			writeFileSync(file(), damaged);
			const levels = await read(host());
			assert.match(levels.strict.unreadable[0] ?? '', /thread-levels\.json cannot be read.*Repair it, or move it away/);
			await assert.rejects(levels.set(id, 'full', never), (error) => isProwessError(error));
			assert.equal(readFileSync(file(), 'utf8'), damaged);
		}
		assert.equal(warnings.length, 4);
	});

	it('is that of the settings as long as it was given none', async () => {
		const levels = await read(host('auto'));
		assert.deepEqual([levels.of(newId('thr')), levels.of(null), levels.strict.unreadable], ['auto', 'auto', []]);
	});

	it('is its own, in every host of the home, and in the next one', async () => {
		const [one, other] = [newId('thr'), newId('thr')];
		const running = await read(host());
		await host().set(one, 'full', never);
		assert.equal(running.of(one), 'ask');
		await running.refresh(never);
		assert.deepEqual([running.of(one), running.of(other)], ['full', 'ask']);
		assert.equal((await read(host())).of(one), 'full');
	});

	it('is the last one that was given, and gone with the thread', async () => {
		const id = newId('thr');
		const levels = host('auto');
		const told: string[] = [];
		levels.onDidChange((each) => told.push(each));
		await levels.set(id, 'full', never);
		await levels.set(id, 'manual', never);
		assert.deepEqual([levels.of(id), told], ['manual', [id, id]]);
		await levels.forget(id, never);
		assert.equal((await read(levels)).of(id), 'auto');
	});

	it('is kept for each of many threads that get theirs at once, from two hosts', async () => {
		const ids = Array.from({ length: 20 }, () => newId('thr'));
		const [one, other] = [host(), host()];
		await Promise.all(ids.map((id, at) => (at % 2 === 0 ? one : other).set(id, 'edit', never)));
		const levels = await read(host());
		assert.deepEqual(
			ids.filter((id) => levels.of(id) !== 'edit'),
			[],
		);
	});
});
