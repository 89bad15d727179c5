/** All 60 tasks of our own, with each scripted model; `npm test` has a sample of them. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalReport } from '../../../src/cli/eval/eval-report.ts';
import { evalModels } from '../../support/eval-models.ts';
import { ownTaskNames, writeOwnTasks } from '../../support/eval-tasks.ts';
import { type Script, startModelServer } from '../../support/model-server.ts';
import { User } from './cli-process.ts';

describe('An evaluation of 60 tasks in three languages', function () {
	this.timeout(0);
	const evaluates = async (user: User, script: Script): Promise<EvalReport> => {
		user.sets();
		writeOwnTasks(join(user.root, 'set'), ownTaskNames);
		const model = await startModelServer(script);
		try {
			const of = ['--base-url', model.baseUrl, '--model', 'scripted', '--jobs', '2', '--json'];
			return JSON.parse((await user.runs(['eval', 'run', join(user.root, 'set'), ...of])).stdout) as EvalReport;
		} finally {
			await model.close();
		}
	};
	const count = ({ tasks }: EvalReport, at: number | null) => tasks.filter(({ passedAt }) => passedAt === at).length;

	it('is passed by the one that is right at once, twice with the same report', async () => {
		const reports = [await evaluates(new User(), evalModels.oracle), await evaluates(new User(), evalModels.oracle)];
		assert.equal(reports[0] && count(reports[0], 1), ownTaskNames.length);
		assert.deepEqual(reports[1]?.tasks, reports[0]?.tasks);
	});

	it('is passed at the second try by the one that is wrong at first', async () => {
		assert.equal(count(await evaluates(new User(), evalModels.twoTries), 2), ownTaskNames.length);
	});

	it('is passed through calls that are no good', async () => {
		const report = await evaluates(new User(), evalModels.messy);
		assert.ok(ownTaskNames.length - count(report, null) >= 0.95 * ownTaskNames.length, JSON.stringify(report.tasks));
	});

	it('is passed by nobody who cheats, and lets nothing out', async () => {
		const user = new User();
		const aim = join(user.root, 'outside.txt');
		assert.equal(count(await evaluates(user, evalModels.hostile(aim)), null), ownTaskNames.length);
		assert.equal(existsSync(aim), false);
	});
});
