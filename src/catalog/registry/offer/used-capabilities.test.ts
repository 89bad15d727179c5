import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHost } from '../../../../test/support/host-ports.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { HALF_USED_AFTER_MS, MAX_USED_CAPABILITIES } from '../limits.ts';
import { UsedCapabilities } from './used-capabilities.ts';

describe('Which capabilities were used in a project', () => {
	const pdf = { type: 'skill', name: 'pdf' };
	let home: string;
	let now: number;
	const usedIn = (folder: string | undefined) => {
		const { ports } = testHost({ home });
		const folders = folder === undefined ? [] : [{ name: 'w', path: folder }];
		return new UsedCapabilities({ ...ports, workspace: { ...ports.workspace, folders } }, () => now);
	};
	const file = () => join(home, 'used', readdirSync(join(home, 'used'))[0] ?? '');

	beforeEach(() => {
		home = tempDir('home');
		now = 1_000;
	});

	it('is known to the next process, and only for that project', async () => {
		const used = usedIn('/a');
		used.note(pdf);
		used.note(pdf);
		assert.deepEqual([...(await used.here())], [['skill/pdf', { count: 2, lastAt: 1_000, weight: 2 }]]);
		assert.deepEqual([...(await usedIn('/a').here()).keys()], ['skill/pdf']);
		assert.equal((await usedIn('/b').here()).size, 0);
	});

	it('fades with time and grows with each use', async () => {
		const used = usedIn('/a');
		used.note(pdf);
		await used.settled();
		now += HALF_USED_AFTER_MS;
		assert.equal((await used.here()).get('skill/pdf')?.weight, 0.5);
		used.note(pdf);
		assert.deepEqual((await used.here()).get('skill/pdf'), { count: 2, lastAt: now, weight: 1.5 });
	});

	it('is bounded: the latest stay', async () => {
		const used = usedIn('/a');
		for (let n = 0; n < MAX_USED_CAPABILITIES + 5; n += 1) {
			now += 1;
			used.note({ type: 'skill', name: `s${n}` });
		}
		const here = await used.here();
		assert.equal(here.size, MAX_USED_CAPABILITIES);
		assert.ok(!here.has('skill/s4') && here.has('skill/s5'));
	});

	it('is nothing without a project, and with a file that is damaged', async () => {
		const nowhere = usedIn(undefined);
		nowhere.note(pdf);
		assert.equal((await nowhere.here()).size, 0);
		const used = usedIn('/a');
		used.note(pdf);
		await used.settled();
		for (const text of ['{', '[["skill/pdf",{"count":-1}]]']) {
			writeFileSync(file(), text);
			assert.equal((await used.here()).size, 0);
		}
		used.note(pdf);
		assert.equal((await used.here()).get('skill/pdf')?.count, 1);
	});
});
