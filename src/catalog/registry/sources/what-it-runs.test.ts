import assert from 'node:assert/strict';
import { runsOwnCode } from './what-it-runs.ts';

describe('What a capability runs', () => {
	for (const [type, files, isCode] of [
		['skill', ['SKILL.md'], false],
		['skill', ['SKILL.md', 'index.js'], true],
		['power', ['POWER.md', 'index.js'], false],
		['power', ['SKILL.md', 'index.js'], true],
		['power', ['SKILL.md'], false],
		['talent', ['TALENT.md', 'index.mjs'], false],
		['talent', ['knowledge', 'index.mjs'], true],
		['talent', ['knowledge/a.md'], false],
		['pipeline', ['index.js'], false],
	] as const) {
		it(`is ${isCode ? 'its own code' : 'no code of its own'} in a ${type} with ${files.join(' and ')}`, () => {
			assert.equal(runsOwnCode({ type }, {}, files), isCode);
		});
	}

	it('is its own code where an executor of others runs it, or a worker', () => {
		assert.equal(runsOwnCode({ type: 'power' }, { folder: '/x' }, ['POWER.md']), true);
		assert.equal(runsOwnCode({ type: 'skill', runtime: 'node-worker' }, {}, ['SKILL.md']), true);
	});

	it('is a program of a power that another executor of ours is named for', () => {
		assert.equal(runsOwnCode({ type: 'recipe', executor: 'power' }, {}, ['index.js']), true);
	});
});
