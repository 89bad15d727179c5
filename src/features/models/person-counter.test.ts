import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import { PersonCounter } from './person-counter.ts';

describe('The effects of a sub-turn that wait for a person', () => {
	function counter() {
		const waits: string[] = [];
		let open = 0;
		const own = new PersonCounter({
			async waitForPerson(reason, wait) {
				waits.push(reason);
				open += 1;
				const result = await wait();
				open -= 1;
				return result;
			},
		});
		const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
		return { own, waits, open: async () => (await settled(), open) };
	}

	it('make their op wait once, for as long as any of them does', async () => {
		const { own, waits, open } = counter();
		const [a, b] = [newId('op'), newId('op')];
		own.note(a, 'writes ask');
		own.note(b, 'commands ask');
		own.note(a, undefined);
		assert.equal(await open(), 1);
		own.note(b, undefined);
		assert.deepEqual([await open(), waits], [0, ['writes ask']]);
	});

	it('make it wait again when another one asks later', async () => {
		const { own, waits, open } = counter();
		const a = newId('op');
		own.note(a, 'first');
		own.note(a, undefined);
		own.note(a, undefined);
		own.note(a, 'second');
		assert.deepEqual([await open(), waits], [1, ['first', 'second']]);
		own.note(a, undefined);
		assert.equal(await open(), 0);
	});
});
