import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { testHost } from '../../../test/support/host-ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { Quotas } from './quotas.ts';

describe('Judgements that the user overrules', () => {
	const open: Quotas[] = [];
	afterEach(() => open.splice(0).forEach((quotas) => quotas.close()));
	const on = { isOff: false, isNews: false };
	const read = { kind: 'fastPath', name: 'read' } as const;

	function overrulesOf(home: string, project = tempDir('project'), errors: string[] = []) {
		const quotas = new Quotas({
			home,
			...testHost({}).ports,
			workspace: { folders: [{ name: 'work', path: project }] },
			log: { error: (message) => errors.push(message) },
		});
		open.push(quotas);
		return quotas.overrules;
	}

	it('stop nobody where their file cannot be opened: everything is on, and the log says why', () => {
		const home = tempDir('home');
		mkdirSync(join(home, 'usage.db'));
		const errors: string[] = [];
		const overrules = overrulesOf(home, undefined, errors);
		assert.deepEqual(overrules.standing(read), on);
		assert.deepEqual(overrules.count(read, 'trn_1'), on);
		overrules.told(read);
		assert.equal(errors.length, 3);
		assert.throws(() => overrules.list());
	});

	it('count once for each turn, whoever tells of it', () => {
		const home = tempDir('home');
		const project = tempDir('project');
		const [one, other] = [overrulesOf(home, project), overrulesOf(home, project)];
		for (const overrules of [one, other, one]) {
			assert.deepEqual(overrules.count(read, 'trn_1'), on);
		}
		assert.deepEqual(
			other.list().map(({ kind, name, times }) => [kind, name, times]),
			[['fastPath', 'read', 1]],
		);
	});

	it('switch a fast path or strategy off with the third one, in that project and for all processes', () => {
		const home = tempDir('home');
		const project = tempDir('project');
		const link = join(tempDir('links'), 'project');
		symlinkSync(project, link);
		const [one, other, elsewhere] = [overrulesOf(home, project), overrulesOf(home, link), overrulesOf(home)];
		const goal = { kind: 'strategy', name: 'GOAL' } as const;
		for (const judgement of [read, goal]) {
			one.count(judgement, 'trn_1');
			assert.deepEqual(other.count(judgement, 'trn_2'), on);
			assert.deepEqual(one.count(judgement, 'trn_3'), { isOff: true, isNews: true });
			assert.deepEqual(other.standing(judgement), { isOff: true, isNews: true });
			other.told(judgement);
			assert.deepEqual(one.standing(judgement), { isOff: true, isNews: false });
			assert.deepEqual(elsewhere.standing(judgement), on);
		}
		assert.equal(other.restore(read), true);
		assert.deepEqual(one.standing(read), on);
		assert.equal(one.restore(read), false);
		assert.equal(elsewhere.restore(goal, project), true);
		rmSync(link);
	});

	it('leave guards, claims and memories as they are, however often', () => {
		const overrules = overrulesOf(tempDir('home'));
		for (const kind of ['loop', 'claim', 'memory'] as const) {
			for (let at = 0; at < 5; at += 1) overrules.count({ kind, name: '' }, `trn_${at}`);
			assert.deepEqual(overrules.standing({ kind, name: '' }), on);
		}
		assert.ok(overrules.list().every(({ times, isOff }) => times === 5 && !isOff));
	});
});
