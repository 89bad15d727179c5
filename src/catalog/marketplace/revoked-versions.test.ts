import assert from 'node:assert/strict';
import { join } from 'node:path';
import { indexFolder, marketplaceScene, never } from '../../../test/support/marketplace-scene.ts';
import { ManagedRules } from '../../machine/organisation/managed-rules.ts';
import { buildIndex, writeIndex } from './build-index.ts';

describe('A version that was taken back', () => {
	const global = { scope: 'global' } as const;

	async function installed(over: Parameters<typeof marketplaceScene>[1] = {}) {
		const folder = await indexFolder([{ version: '1.0.0' }, { version: '1.1.0' }]);
		const scene = marketplaceScene([folder], over);
		const { path } = await scene.marketplace.install({ capability: { name: 'greet' }, ...global }, never);
		await scene.enabled.set(path, true, never);
		return { ...scene, folder, path };
	}

	async function revoke(folder: string, revoked: readonly string[]): Promise<void> {
		await writeIndex(folder, await buildIndex(folder, { name: 'test', revoked }, never));
	}

	it('is disabled as soon as its index is read, with the reason, and is not switched on again', async () => {
		const { marketplace, enabled, folder, path } = await installed();
		let changes = 0;
		enabled.onDidChange(() => (changes += 1));
		assert.equal(await enabled.isEnabled(path), true);
		await revoke(folder, ['skill/greet@1.1.0']);
		const { items, indexes } = await marketplace.search({ refresh: true }, never);
		assert.equal(await enabled.isEnabled(path), false);
		assert.equal(changes, 1);
		assert.match(
			indexes[0]?.problems.join() ?? '',
			/^disabled: skill\/greet 1\.1\.0 was revoked by .*: no reason is given$/,
		);
		const refused = { code: 'CAPABILITY_DISABLED', message: /skill\/greet 1\.1\.0 was revoked by/ };
		await assert.rejects(enabled.require(path, 'the skill greet'), refused);
		await assert.rejects(enabled.set(path, true, never), refused);
		assert.deepEqual(
			items.map(({ version, versions }) => [version, versions]),
			[['1.0.0', ['1.0.0']]],
		);
	});

	it('stays disabled while its index cannot be read, and returns when the index says so', async () => {
		const { marketplace, enabled, folder, path } = await installed();
		await revoke(folder, ['skill/greet']);
		await marketplace.search({ refresh: true }, never);
		await writeIndex(folder, { prowessIndex: 1, name: '', capabilities: [] });
		await marketplace.search({ refresh: true }, never);
		assert.equal(await enabled.isEnabled(path), false);
		await writeIndex(folder, { ...(await buildIndex(folder, { name: 'test' }, never)), revoked: [] });
		await marketplace.search({ refresh: true }, never);
		assert.equal(await enabled.isEnabled(path), true);
	});

	it('stays revoked when its index is built anew', async () => {
		const folder = await indexFolder([{}]);
		await revoke(folder, ['skill/greet@1.0.0']);
		const { revoked } = await buildIndex(folder, { name: 'test', revoked: ['skill/other'] }, never);
		assert.deepEqual(revoked, [
			{ type: 'skill', name: 'greet', version: '1.0.0' },
			{ type: 'skill', name: 'other' },
		]);
	});

	it('by the organisation is disabled without any index', async () => {
		const { home, path } = await installed();
		const organisation = new ManagedRules({ organisation: 'Example', revoked: ['skill/greet@1.1.0'] }, '/etc/x');
		const { enabled } = marketplaceScene([], { home, organisation });
		assert.equal(await enabled.isEnabled(path), false);
		await assert.rejects(enabled.require(path, 'the skill greet'), {
			message: 'skill/greet 1.1.0 was revoked by your organisation (Example).',
		});
	});

	it('is not installed, nor from a marketplace or publisher that the organisation leaves out', async () => {
		const folder = await indexFolder([{}]);
		const tries = async (rules: object) => {
			const organisation = new ManagedRules({ organisation: 'Example', ...rules }, '/etc/x');
			const { marketplace } = marketplaceScene([folder], { organisation });
			return await marketplace.install({ capability: { name: 'greet' }, ...global }, never).then(
				() => 'installed',
				(error: unknown) => (error as { code: string }).code,
			);
		};
		assert.equal(await tries({}), 'installed');
		assert.equal(await tries({ revoked: ['skill/greet'] }), 'DENIED_BY_ORGANISATION');
		assert.equal(await tries({ publishers: [`${'A'.repeat(43)}=`] }), 'DENIED_BY_ORGANISATION');
		assert.equal(await tries({ marketplaces: [join(folder, '*')] }), 'CAPABILITY_NOT_FOUND');
		assert.equal(await tries({ marketplaces: [folder] }), 'installed');
	});
});
