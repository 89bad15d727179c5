import assert from 'node:assert/strict';
import { join } from 'node:path';
import { factsByKey, fittingMessages } from '../../../test/support/fitting-set.ts';
import { memories, messages } from '../../../test/support/recall-set.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { memoryMigrations } from './memory-migrations.ts';
import { fuseRankings, MemoryStore } from './memory-store.ts';
import type { NewMemory } from './memory.ts';

const DAY = 86_400_000;

describe('MemoryStore', () => {
	const open: { dispose(): void }[] = [];
	afterEach(() => open.splice(0).forEach((db) => db.dispose()));
	const storeAt = (home: string, now?: () => number) => {
		const { db } = openMigratedDatabase(join(home, 'memory.db'), memoryMigrations);
		open.push(db);
		return new MemoryStore(db, now);
	};
	const memory = (text: string, more: Partial<NewMemory> = {}): NewMemory => ({
		text,
		project: '/p',
		kind: 'fact',
		state: 'kept',
		by: 'user',
		...more,
	});
	const recalled = (store: MemoryStore, query: string, project = '/p', told: readonly string[] = []) =>
		store.recall({ query, project, told }).map(({ text }) => text);

	it('recalls nothing that waits in the inbox, and recalls it once it is accepted', () => {
		const store = storeAt(tempDir('home'));
		const { id } = store.note(memory('Use pnpm to install packages', { state: 'inbox', by: 'agent' }));
		assert.deepEqual(recalled(store, 'install a package'), []);
		assert.deepEqual(
			store.list({ project: '/p' }).map(({ state }) => state),
			['inbox'],
		);
		store.accept(id);
		assert.deepEqual(recalled(store, 'install a package'), ['Use pnpm to install packages']);
		assert.equal(store.accept(id), undefined);
	});

	it('keeps the memories of projects apart, and recalls those of the user in each', () => {
		const store = storeAt(tempDir('home'));
		store.note(memory('The staging server is staging.acme.test'));
		store.note(memory('The staging server is staging.other.test', { project: '/other' }));
		store.note(memory('The user wants staging to be tried first', { project: '' }));
		assert.deepEqual(recalled(store, 'where is staging?', '/other'), [
			'The staging server is staging.other.test',
			'The user wants staging to be tried first',
		]);
		assert.deepEqual(recalled(store, 'where is staging?', ''), ['The user wants staging to be tried first']);
	});

	it('recalls at most five, none that the thread was told, and none that says nothing of the message', () => {
		const store = storeAt(tempDir('home'));
		const ids = Array.from({ length: 8 }, (_, n) => store.note(memory(`Deployment step ${n} needs the VPN`)).id);
		store.note(memory('Invoices are rendered to PDF'));
		assert.equal(recalled(store, 'how does the deployment work?').length, 5);
		assert.deepEqual(recalled(store, 'how does the deployment work?', '/p', ids), []);
		assert.deepEqual(recalled(store, 'hello there'), []);
	});

	it('recalls preferences whatever the message says, where there is room', () => {
		const store = storeAt(tempDir('home'));
		store.note(memory('Answer in German', { kind: 'preference', project: '' }));
		Array.from({ length: 8 }, (_, n) => store.note(memory(`Deployment step ${n} needs the VPN`)));
		assert.deepEqual(recalled(store, 'rename this variable'), ['Answer in German']);
		const together = recalled(store, 'how does the deployment work?');
		assert.equal(together.length, 5);
		assert.ok(together.includes('Answer in German'));
	});

	it('forgets what has expired', () => {
		let now = Date.UTC(2026, 0, 1);
		const home = tempDir('home');
		const store = storeAt(home, () => now);
		store.note(memory('The freeze ends soon, deploy nothing', { expiresInDays: 3 }));
		now += 2 * DAY;
		assert.equal(recalled(store, 'may I deploy?').length, 1);
		now += DAY;
		assert.deepEqual(recalled(store, 'may I deploy?'), []);
		assert.deepEqual(store.list({}), []);
		assert.equal(store.note(memory('The freeze ends soon, deploy nothing')).isKnown, false);
	});

	it('notes one text once, and takes it out of the inbox when the user adds it', () => {
		const store = storeAt(tempDir('home'));
		const first = store.note(memory('Use tabs', { state: 'inbox', by: 'agent' }));
		assert.deepEqual(store.note(memory('Use tabs', { state: 'inbox', by: 'agent' })), { ...first, isKnown: true });
		assert.deepEqual(store.note(memory('Use tabs')), { id: first.id, state: 'kept', isKnown: false });
		assert.equal(store.list({}).length, 1);
	});

	it('sees what another process notes and forgets', () => {
		const home = tempDir('home');
		const [mine, theirs] = [storeAt(home), storeAt(home)];
		assert.deepEqual(recalled(mine, 'use tabs'), []);
		const ids = Array.from({ length: 600 }, (_, n) => theirs.note(memory(`Use tabs in folder ${n}`)).id);
		assert.equal(recalled(mine, 'use tabs').length, 5);
		ids.slice(1).forEach((id) => theirs.forget(id));
		assert.deepEqual(recalled(mine, 'use tabs'), ['Use tabs in folder 0']);
	});

	it('refuses more than fit into the inbox', () => {
		const store = storeAt(tempDir('home'));
		const note = (n: number) => store.note(memory(`Note ${n}`, { state: 'inbox', by: 'agent' }));
		Array.from({ length: 200 }, (_, n) => note(n));
		assert.throws(() => note(200), { code: 'MEMORY_FULL' });
		store.note(memory('The user has room'));
	});

	it('recalls little that is beside the point, nothing for a message that needs nothing, and still what is asked for', () => {
		const store = storeAt(tempDir('home'));
		const keys = new Map(Object.entries(factsByKey).map(([key, text]) => [store.note(memory(text)).id, key]));
		const recalls = fittingMessages.map(([query, ...fits]) => {
			const found = store.recall({ query, project: '/p', told: [] }).map(({ id }) => keys.get(id) ?? '');
			return { query, fits, found, beside: found.filter((key) => !fits.includes(key)) };
		});
		const all = recalls.flatMap(({ found }) => found).length;
		const beside = recalls.flatMap((each) => each.beside);
		assert.ok(beside.length <= 0.15 * all, `${beside.length} of ${all}`);
		const asked = recalls.filter(({ fits }) => fits.length > 0);
		const isFound = asked.filter(({ fits, found }) => found.includes(fits[0] ?? ''));
		assert.ok(isFound.length >= 0.96 * asked.length, `${isFound.length} of ${asked.length}`);
		for (const message of [
			'Explain this file',
			'Continue',
			'Why is the app slow?',
			'How do I change the version?',
			'Danke',
		]) {
			assert.deepEqual(recalls.find(({ query }) => query === message)?.found, [], message);
		}
	});

	it('finds more by words and similarity together than by either alone', () => {
		const store = storeAt(tempDir('home'));
		const keys = new Map(Object.entries(memories).map(([key, text]) => [store.note(memory(text)).id, key]));
		const share = (halves: 'both' | 'words' | 'similarity') =>
			messages.filter(([query, wanted]) =>
				store.recall({ query, project: '/p', told: [] }, halves).some(({ id }) => keys.get(id) === wanted),
			).length / messages.length;
		const [both, words, similarity] = [share('both'), share('words'), share('similarity')];
		assert.ok(both > words && both > similarity, JSON.stringify({ both, words, similarity }));
		assert.ok(both >= 0.84, String(both));
	});
});

describe('Rankings of memories', () => {
	it('become one in which a number that two of them hold comes first', () => {
		const rankings = [
			{ numbers: [1, 2], weight: 1 },
			{ numbers: [3, 2], weight: 1 },
		];
		assert.deepEqual(fuseRankings(rankings), [2, 1, 3]);
	});
});
