import assert from 'node:assert/strict';
import { inParallelGroups } from './parallel-groups.ts';

interface TestCall {
	readonly name: string;
	readonly group?: string;
}

/** Calls that end when they are told to; `log` holds what began and what ended. */
function stage() {
	const log: string[] = [];
	const ends = new Map<string, PromiseWithResolvers<string>>();
	const run = async ({ name }: TestCall) => {
		log.push(`+${name}`);
		const end = Promise.withResolvers<string>();
		ends.set(name, end);
		const result = await end.promise.finally(() => log.push(`-${name}`));
		return result;
	};
	const settled = () => new Promise((resolve) => setImmediate(resolve));
	return {
		log,
		run,
		async end(name: string, error?: Error) {
			await settled();
			const end = ends.get(name);
			assert.ok(end !== undefined, `${name} has not begun`);
			if (error === undefined) end.resolve(`result of ${name}`);
			else end.reject(error);
			await settled();
		},
		settled,
	};
}

const done = (name: string) => ({ status: 'fulfilled', value: `result of ${name}` });

describe('calls in parallel groups', () => {
	it('lets one failure, also one that is thrown at once, touch no other', async () => {
		const results = await inParallelGroups(
			['a', 'b', 'c', 'd'],
			(name) => (name === 'd' ? undefined : 'g'),
			(name) => {
				if (name === 'a') throw new Error('at once');
				return name === 'b' ? Promise.reject(new Error('later')) : Promise.resolve(name);
			},
		);
		assert.deepEqual(
			results.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
			['at once', 'later', 'c', 'd'],
		);
	});

	it('runs neighbours of one group side by side, everything else alone, with results in the order of the calls', async () => {
		const { log, run, end, settled } = stage();
		const calls = [
			...[{ name: 'a', group: 'g' }, { name: 'b', group: 'g' }, { name: 'c' }, { name: 'd' }],
			...[
				{ name: 'e', group: 'g' },
				{ name: 'f', group: 'h' },
				{ name: 'g', group: 'h' },
			],
		];
		const running = inParallelGroups(calls, ({ group }: TestCall) => group, run);
		await settled();
		for (const name of ['b', 'a', 'c', 'd', 'e', 'g', 'f']) {
			await end(name);
		}
		assert.deepEqual(
			await running,
			calls.map(({ name }) => done(name)),
		);
		assert.equal(log.join(' '), '+a +b -b -a +c -c +d -d +e -e +f +g -g -f');
	});

	it('runs no more at once than it is told, and all of them in the end', async () => {
		const { log, run, end } = stage();
		const calls = ['a', 'b', 'c'].map((name) => ({ name, group: 'g' }));
		const running = inParallelGroups(calls, ({ group }) => group, run, 2);
		await end('b');
		await end('a');
		await end('c');
		assert.deepEqual(await running, [done('a'), done('b'), done('c')]);
		assert.equal(log.join(' '), '+a +b -b +c -a -c');
	});

	it('has no results of no calls', async () => {
		assert.deepEqual(
			await inParallelGroups(
				[],
				() => 'g',
				() => Promise.resolve(1),
			),
			[],
		);
	});
});
