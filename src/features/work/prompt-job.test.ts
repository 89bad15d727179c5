import assert from 'node:assert/strict';
import { toFirstMessageId, toJobThreadId, toWorktreeName } from './prompt-job.ts';

const uuid = '0197f2a4-6d1c-7c3e-9f00-0123456789ab';

describe('The names of what belongs to a job', () => {
	const namesOf = (id: string, group: string | undefined) =>
		[toJobThreadId, toFirstMessageId, toWorktreeName].map((name) => name({ id, group }));

	it('are those of its id on one machine', () => {
		assert.deepEqual(namesOf(`job_${uuid}`, undefined), [`thr_${uuid}`, `itm_${uuid}`, 'job-9f000123456789ab']);
	});

	it('lead nobody in a team into the thread or worktree of another job, whatever UUID they choose', () => {
		const own = namesOf(`work/prompt/in-a/${uuid}`, 'ann');
		assert.deepEqual(namesOf(`work/prompt/in-a/${uuid}`, 'ann'), own);
		const others = [
			namesOf(`work/prompt/in-a/${uuid}`, 'bob'),
			namesOf(`work/prompt/gpu/in-a/${uuid}`, 'ann'),
			namesOf(`work/prompt/in-a/${uuid}`, undefined),
		];
		for (const names of others) names.forEach((name, index) => assert.notEqual(name, own[index]));
	});
});
