import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { FollowedRows } from './followed-rows.ts';

describe('The rows of a view', () => {
	it('stay as they are until the new ones are made: what is called on one finds it', async () => {
		const view = new View();
		await view.shows('one');
		const followed = view.rows.follow();
		await setImmediate();
		assert.deepEqual([view.told, await view.rows.ask()], [0, ['one']]);
		view.make('two');
		await followed;
		assert.deepEqual([view.told, await view.rows.ask()], [1, ['two']]);
	});

	it('are not made known again when they are the same', async () => {
		const view = new View();
		await view.shows('one');
		const followed = view.rows.follow();
		await view.makes('one');
		await followed;
		assert.equal(view.told, 0);
	});

	it('that change while they are made are made once more, and the last are shown', async () => {
		const view = new View();
		await view.shows('one');
		const first = view.rows.follow();
		await setImmediate();
		const others = [view.rows.follow(), view.rows.follow()];
		view.make('two');
		await Promise.all([first, ...others]);
		assert.deepEqual([view.told, await view.rows.ask()], [1, ['two']]);
		await view.makes('three');
		await setImmediate();
		assert.deepEqual([view.told, await view.rows.ask(), view.waiting], [2, ['three'], 0]);
	});

	it('that change while the first are made are made once more', async () => {
		const view = new View();
		const asked = view.rows.ask();
		await setImmediate();
		const followed = view.rows.follow();
		view.make('one');
		assert.deepEqual(await asked, ['one']);
		await view.makes('two');
		await followed;
		assert.deepEqual([view.told, await view.rows.ask()], [1, ['two']]);
	});

	it('that nobody sees are not made, but when somebody does', async () => {
		const view = new View();
		await view.rows.follow();
		await view.shows('one');
		await view.rows.ask();
		await setImmediate();
		assert.equal(view.waiting, 0);
		const followed = view.rows.follow();
		await view.makes('two');
		await followed;
		await view.rows.follow();
		await view.rows.follow();
		assert.deepEqual([view.told, view.waiting], [1, 0]);

		assert.deepEqual(await view.rows.ask(), ['two']);
		await view.makes('three');
		await setImmediate();
		assert.deepEqual([view.told, await view.rows.ask(), view.waiting], [2, ['three'], 0]);
	});

	it('that cannot be made are asked for with the reason, and are there again when they can', async () => {
		const view = new View();
		await view.shows('one');
		const followed = view.rows.follow();
		await view.fails();
		await followed;
		assert.equal(view.told, 1);

		const asked = assert.rejects(view.rows.ask(), /the disk is gone/);
		await view.fails();
		await asked;
		const again = view.rows.ask();
		await view.makes('one');
		assert.deepEqual([await again, view.told], [['one'], 1]);
	});
});

/** Makes rows when it is told which. */
class View {
	readonly #making: PromiseWithResolvers<readonly string[]>[] = [];
	readonly rows = new FollowedRows<string>(
		() => {
			const making = Promise.withResolvers<readonly string[]>();
			this.#making.push(making);
			return making.promise;
		},
		() => this.told++,
	);
	told = 0;

	/** Rows that were asked for and are not made yet. */
	get waiting(): number {
		return this.#making.length;
	}

	make(row: string): void {
		this.#begun().resolve([row]);
	}

	async makes(row: string): Promise<void> {
		await setImmediate();
		this.make(row);
	}

	async fails(): Promise<void> {
		await setImmediate();
		this.#begun().reject(new Error('the disk is gone'));
	}

	async shows(row: string): Promise<void> {
		const asked = this.rows.ask();
		await this.makes(row);
		await asked;
	}

	#begun(): PromiseWithResolvers<readonly string[]> {
		const making = this.#making.shift();
		assert.ok(making, 'nothing is being made');
		return making;
	}
}
