import assert from 'node:assert/strict';
import { tempDir } from '../../../../../test/support/temp-dir.ts';
import { newId } from '../../../../protocol/rpc/ids.ts';
import { MAX_LOADED_TURNS } from '../limits.ts';
import { LoadedSkills } from './loaded-skills.ts';

describe('Skills that were loaded', () => {
	const signal = new AbortController().signal;
	const log = { warn: () => {} };
	const threadId = newId('thr');
	const agent = (turnId = newId('trn')) => ({ kind: 'agent', threadId, turnId }) as const;
	const loading = (turnId = newId('trn')) => ({
		threadId,
		turnId,
		folder: '/s/a',
		data: '/d',
		allowedTools: ['Bash(node:*)'],
	});

	it('allow nothing beforehand in another turn', async () => {
		const skills = new LoadedSkills({ home: tempDir('skills'), log });
		const first = agent();
		await skills.add(loading(first.turnId), signal);
		assert.deepEqual(skills.allowedTo(agent()), []);
		assert.deepEqual(skills.allowedTo({ kind: 'user', threadId }), []);
		assert.deepEqual(skills.allowedTo(first), [{ tools: [['Bash(node:*)']], folder: '/s/a' }]);
	});

	it('allow nothing beforehand once very many turns have loaded others', async () => {
		const skills = new LoadedSkills({ home: tempDir('skills'), log });
		const first = agent();
		await skills.add(loading(first.turnId), signal);
		for (let n = 0; n < MAX_LOADED_TURNS; n += 1) await skills.add(loading(), signal);
		assert.deepEqual(skills.allowedTo(first), []);
	});

	it('are readable for their thread alone, after a restart of the host too', async () => {
		const home = tempDir('skills');
		await new LoadedSkills({ home, log }).add(loading(), signal);
		const later = new LoadedSkills({ home, log });
		assert.deepEqual(await later.foldersFor(agent(), signal), { folders: ['/s/a'], data: ['/d'] });
		assert.deepEqual(await later.foldersFor({ ...agent(), threadId: newId('thr') }, signal), { folders: [], data: [] });
		await later.forget(threadId, signal);
		assert.deepEqual(await later.foldersFor(agent(), signal), { folders: [], data: [] });
	});
});
