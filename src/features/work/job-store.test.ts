import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { processClaimHolder } from '../../store/threads/process-lease-holder.ts';
import { jobMigrations } from './job-migrations.ts';
import { JobStore } from './job-store.ts';

describe('The store of jobs', () => {
	it('lets go of ended jobs after a week, also where only schedules add some', () => {
		const home = tempDir('home');
		const holder = processClaimHolder('cli', home);
		let now = Date.now();
		const store = new JobStore(openMigratedDatabase(join(home, 'work.db'), jobMigrations).db, {
			...holder,
			now: () => now,
		});
		try {
			const job = { kind: 'prompt', key: 'a', payload: {} };
			store.schedule({ name: 'each', pattern: '* * * * *', zone: 'UTC', missed: 'once', job });
			const offer = { kinds: ['prompt'], labels: [], mostAtOnce: 1, mostOfGroup: 1 };
			for (let day = 0; day < 10; day++) {
				now += 24 * 3_600_000;
				store.addDue();
				const { claim } = store.take(offer, new Map()) ?? assert.fail('no job');
				assert.equal(store.settle(claim, { state: 'done', result: null }), true);
			}
			assert.equal(store.state().jobs.length, 8);
		} finally {
			store.dispose();
			holder.dispose();
		}
	});
});
