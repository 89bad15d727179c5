import assert from 'node:assert/strict';
import { whoAnswers } from './who-answers.ts';

describe('Who answers a capability that asks a model', () => {
	const settings = (model: string, ...providers: string[]) => ({
		'prowess.capabilities.model': model,
		'prowess.capabilities.modelProviders': providers,
	});
	const mine = 'capability:skill/mine';

	for (const wrong of [
		'capability:',
		'capability:skill',
		'capability:skill/',
		'capability:/mine',
		'capability:a/b/c',
	]) {
		it(`is not said by ${JSON.stringify(wrong)}`, () => {
			assert.throws(() => whoAnswers(wrong, settings('', 'skill/mine'), false), { code: 'INVALID_PARAMS' });
			assert.throws(() => whoAnswers(undefined, settings(wrong), false), {
				code: 'INVALID_PARAMS',
				message: /prowess\.capabilities\.model/,
			});
		});
	}

	it('is no capability that only the one who asks has named', () => {
		assert.throws(() => whoAnswers(mine, settings('', 'skill/other'), false), { code: 'DENIED_BY_RULE' });
	});

	it('is no capability for one that provides llm, whatever the user or it has named', () => {
		assert.throws(() => whoAnswers(mine, settings(mine), true), { code: 'INVALID_REQUEST' });
		assert.deepEqual(whoAnswers(undefined, settings(mine), true), { kind: 'model', model: null });
	});

	it('is who is named, else who was chosen, else the model of the thread', () => {
		const capability = { kind: 'capability', model: mine, type: 'skill', name: 'mine' };
		assert.deepEqual(whoAnswers('a/b', settings(mine), false), { kind: 'model', model: 'a/b' });
		assert.deepEqual(whoAnswers(mine, settings('a/b', 'skill/mine'), false), capability);
		assert.deepEqual(whoAnswers(mine, settings(mine), false), capability);
		assert.deepEqual(whoAnswers(undefined, settings(mine), false), capability);
		assert.deepEqual(whoAnswers(undefined, settings('a/b'), false), { kind: 'model', model: 'a/b' });
		assert.deepEqual(whoAnswers(undefined, settings(''), false), { kind: 'model', model: null });
	});
});
