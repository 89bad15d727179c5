import assert from 'node:assert/strict';
import { MAX_ITEMS, MAX_OVERRIDES } from './limits.ts';
import { rankItems } from './precedence.ts';

describe('Of very many items with one name', () => {
	const items = Array.from({ length: MAX_ITEMS }, (_, at) => ({
		path: `/${at}`,
		source: 'project' as const,
		layout: 'prowess' as const,
		manifest: {},
		problems: [],
	}));
	const all = rankItems(items, () => 'skill:a');

	it('the last takes the place of the others, and names the nearest', () => {
		const last = all.at(-1);
		assert.equal(last?.overriddenBy, undefined);
		assert.equal(last?.overrides[0]?.path, `/${MAX_ITEMS - 2}`);
		assert.ok(all.slice(0, -1).every(({ overriddenBy }) => overriddenBy?.path === last?.path));
	});

	it('no list grows with their number', () => {
		assert.ok(all.every(({ overrides }) => overrides.length <= MAX_OVERRIDES));
	});
});
