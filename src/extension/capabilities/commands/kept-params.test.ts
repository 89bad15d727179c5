import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { extensionLimits } from '../../editor/limits.ts';
import { KeptParams } from './kept-params.ts';

/** Workspace state in memory. */
function memento(stored?: unknown) {
	const values = new Map<string, unknown>([['prowess.params', stored]]);
	return {
		get: (key: string) => values.get(key),
		update: async (key: string, value: unknown) => void values.set(key, JSON.parse(JSON.stringify(value))),
	} as unknown as ConstructorParameters<typeof KeptParams>[0];
}
const redact = (text: string) => text.replaceAll('hunter2', '[secret]');

describe('The params of the last run', () => {
	it('never hold a secret', async () => {
		const kept = new KeptParams(memento());
		await kept.keep('skill', 'login', { user: 'ann', password: 'hunter2', more: { deep: ['hunter2'] } }, redact);
		assert.deepEqual(kept.get('skill', 'login'), { user: 'ann' });
	});

	it('are nothing where something else was stored', () => {
		for (const stored of ['text', 3, {}, [null, 1, { id: 'skill/a' }, { id: 'skill/a', params: [] }]]) {
			assert.deepEqual(new KeptParams(memento(stored)).get('skill', 'a'), {});
		}
	});

	it('belong to a type and a name, and are replaced by the next run', async () => {
		const kept = new KeptParams(memento());
		await kept.keep('skill', 'a', { x: 1 }, redact);
		await kept.keep('power', 'a', { x: 2 }, redact);
		await kept.keep('skill', 'a', { y: 3 }, redact);
		assert.deepEqual(kept.get('skill', 'a'), { y: 3 });
		assert.deepEqual(kept.get('power', 'a'), { x: 2 });
	});

	it('are forgotten alone, and apart from what is typed and not sent', async () => {
		const state = memento();
		const kept = new KeptParams(state);
		const typed = new KeptParams(state, 'prowess.typedParams');
		await kept.keep('skill', 'a', { x: 1 }, redact);
		await typed.keep('skill', 'a', { x: '2', password: 'hunter2' }, redact);
		await typed.keep('skill', 'b', { x: '3' }, redact);
		assert.deepEqual(typed.get('skill', 'a'), { x: '2' });
		await typed.forget('skill', 'a');
		assert.deepEqual([typed.get('skill', 'a'), typed.get('skill', 'b')], [{}, { x: '3' }]);
		assert.deepEqual(kept.get('skill', 'a'), { x: 1 });
	});

	it('of the capability that ran longest ago are forgotten first', async () => {
		const kept = new KeptParams(memento());
		for (let n = 0; n <= extensionLimits.keptParams; n += 1) {
			await kept.keep('skill', `s${n}`, { n }, redact);
		}
		assert.deepEqual(kept.get('skill', 's0'), {});
		assert.deepEqual(kept.get('skill', 's1'), { n: 1 });
	});
});
