import assert from 'node:assert/strict';
import { PageFollowing } from './page-following.ts';

describe('A page that follows what changes elsewhere', () => {
	function scene() {
		const page = { isInSight: true, made: 0 };
		const looks: (PromiseWithResolvers<void> & { readonly signal: AbortSignal })[] = [];
		const changed = (signal: AbortSignal) => {
			const look = { ...Promise.withResolvers<void>(), signal };
			looks.push(look);
			signal.addEventListener('abort', () => look.reject(signal.reason));
			return look.promise;
		};
		const following: PageFollowing = new PageFollowing({
			isInSight: () => page.isInSight,
			refresh: () => {
				page.made += 1;
				following.begin(changed);
			},
		});
		following.begin(changed);
		return { following, looks, page, changed };
	}
	const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

	it('is made again where a look fails, and looked at further', async () => {
		const { looks, page } = scene();
		looks[0]?.reject(new Error('the disk is away'));
		await settled();
		assert.deepEqual([page.made, looks.length], [1, 2]);
		looks[1]?.resolve();
		await settled();
		assert.deepEqual([page.made, looks.length], [2, 3]);
	});

	it('is not looked at while it is hidden, and made again once it is in sight', async () => {
		const { following, looks, page, changed } = scene();
		page.isInSight = false;
		following.noteSight();
		await settled();
		following.begin(changed);
		assert.deepEqual([page.made, looks.length, looks[0]?.signal.aborted], [0, 1, true]);
		page.isInSight = true;
		following.noteSight();
		following.noteSight();
		assert.deepEqual([page.made, looks.length], [1, 2]);
	});

	it('is let go when it is closed, or made as one that follows nothing', async () => {
		const { following, looks, page } = scene();
		following.begin(undefined);
		following.noteSight();
		await settled();
		assert.deepEqual([page.made, looks.length, looks[0]?.signal.aborted], [0, 1, true]);
	});
});
