import assert from 'node:assert/strict';
import { newId } from '../../../protocol/rpc/ids.ts';
import type { RegistryState } from '../items.ts';
import { MAX_FOLLOWED_THREADS } from '../limits.ts';
import { testHost } from '../../../../test/support/host-ports.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { Newcomers } from './newcomers.ts';
import { SeenCapabilities } from './seen-capabilities.ts';

describe('Capabilities that came after the beginning of a thread', () => {
	let [first, later] = [newId('thr'), newId('thr')];
	let state: RegistryState | undefined;
	let off: string[];
	let newcomers: Newcomers;

	const stateOf = (...names: string[]) =>
		({
			capabilities: names.map((name) => ({
				type: 'skill',
				name: name.replace('!', ''),
				path: `/c/${name}`,
				manifest: { modelInvocable: !name.endsWith('!') },
			})),
		}) as unknown as RegistryState;
	beforeEach(() => {
		[state, off] = [stateOf('b', 'c'), ['/c/c']];
		newcomers = new Newcomers({
			registry: {
				known: () => state,
				soonKnown: () => Promise.resolve(state),
				state: () => (state === undefined ? Promise.reject(new Error('closed')) : Promise.resolve(state)),
			},
			seenBefore: new SeenCapabilities(testHost({ home: tempDir('home') }).ports),
			enabled: {
				fingerprint: () => Promise.resolve(off.join()),
				disabled: () => Promise.resolve((path: string) => off.includes(path)),
			},
		});
		[first, later] = [newId('thr'), newId('thr')];
	});

	it('are none as long as nobody has looked, and at the first call of each thread', async () => {
		const found = state;
		state = undefined;
		assert.deepEqual(await newcomers.since(first), []);
		state = found;
		assert.deepEqual(await newcomers.since(first), []);
		state = stateOf('a', 'b', 'c');
		assert.deepEqual(await newcomers.since(later), []);
		assert.deepEqual(await newcomers.since(first), ['skill/a']);
	});

	it('are those that were added or enabled, and not those for people alone', async () => {
		await newcomers.since(first);
		state = stateOf('b', 'c', 'a', 'people!');
		off = [];
		assert.deepEqual(await newcomers.since(first), ['skill/a', 'skill/c']);
		off = ['/c/a', '/c/c'];
		assert.deepEqual(await newcomers.since(first), []);
	});

	it('are forgotten with the oldest of many threads', async () => {
		await newcomers.since(first);
		for (let n = 0; n < MAX_FOLLOWED_THREADS; n += 1) await newcomers.since(newId('thr'));
		state = stateOf('a', 'b');
		assert.deepEqual(await newcomers.since(first), []);
	});
});
