import assert from 'node:assert/strict';
import type { JobRecord } from '../../contract/ports/work-port.ts';
import { describeAge, jobDetails, jobLines } from './job-lines.ts';

const hostile = 'x\u001b[2J\u202e';
const job: JobRecord = {
	id: `work/prompt/${hostile}`,
	kind: 'prompt',
	labels: [hostile],
	key: hostile,
	payload: { prompt: hostile, folder: hostile },
	group: hostile,
	priority: 0,
	state: 'parked',
	attempts: 1,
	question: undefined,
	result: undefined,
	reason: hostile,
	createdAt: 0,
};
const asks = { digest: '', shown: hostile, title: hostile, yes: 'thread', scope: hostile, options: [hostile] };

describe('The lines of a job', () => {
	it('name who has added it and how long ago in a team, and nobody on one machine', () => {
		const createdAt = Date.now() - 3 * 3_600_000 - 60_000;
		assert.match(jobLines({ ...job, group: 'ann', createdAt }), /, added by ann 3 h ago, /);
		assert.doesNotMatch(jobLines({ ...job, group: undefined, createdAt }), /added/);
	});

	it('are of no time to come where the clock of the database is ahead', () => {
		const ages = [-600_000, 59 * 60_000, 47 * 3_600_000, 49 * 3_600_000].map(describeAge);
		assert.deepEqual(ages, ['0 min', '59 min', '47 h', '2 days']);
	});

	const changes: Readonly<Record<string, Partial<JobRecord>>> = {
		'a question to allow something': { question: { id: 'q', asks: { kind: 'approval', ...asks } } },
		'a question in words': { question: { id: 'q', asks: { kind: 'words', ...asks } } },
		'a result': {
			state: 'done',
			result: {
				threadId: 'thr_1',
				worktree: hostile,
				branch: hostile,
				files: [{ path: hostile, kind: 'added' }],
				changed: 1,
				added: 1,
				removed: 0,
				onlyRead: false,
			},
		},
	};
	for (const [what, change] of Object.entries(changes)) {
		it(`do nothing to the terminal, whatever another machine has written into ${what}`, () => {
			const lines = jobDetails({ ...job, ...change });
			assert.match(lines, /x\\u\{1b\}\[2J\\u\{202e\}/);
			assert.doesNotMatch(lines, /[\u001b\u202e]/);
		});
	}
});
