import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { testHost } from '../../../../test/support/host-ports.ts';
import { capabilityFiles, never, writeFiles } from '../../../../test/support/marketplace-scene.ts';
import { builtInExecutors } from '../../executors.ts';
import { CapabilityRegistry } from '../capability-registry.ts';
import { EnabledCapabilities } from './enabled-capabilities.ts';
import { EnabledSource } from './enabled-source.ts';
import { itemsWhile } from './while-off.ts';

describe('a capability that is switched off', () => {
	let registry: CapabilityRegistry;
	let enabled: EnabledCapabilities;
	let source: EnabledSource;
	let own: string;
	let project: string;
	let home: string;

	beforeEach(() => {
		const host = testHost();
		({ home } = host);
		own = join(host.home, 'capabilities/skill/greet');
		project = join(host.workspace, '.prowess/capabilities/skill/greet');
		writeFiles(own, capabilityFiles({ version: '1.0.0' }));
		writeFiles(project, capabilityFiles({ version: '2.0.0' }));
		registry = new CapabilityRegistry({ ports: host.ports, executors: builtInExecutors(host.ports.places.dist) });
		enabled = new EnabledCapabilities(host.home, join(host.ports.places.dist, '../capabilities'));
		source = new EnabledSource(registry, enabled);
	});

	afterEach(() => registry.dispose());

	const found = async () => (await source.find('greet', 'skill'))?.manifest.version;
	const offered = async () => (await source.list()).capabilities.map(({ manifest }) => manifest.version);

	const shown = async () =>
		itemsWhile((await registry.state()).capabilities, await enabled.disabled()).map(
			({ manifest, isOff, overrides }) => `${manifest?.version}${isOff ? ' off' : ''} over ${overrides.length}`,
		);

	it('is shown after the one that counts in its place', async () => {
		assert.deepEqual(await shown(), ['2.0.0 over 1']);
		await enabled.set(project, false, never);
		assert.deepEqual(await shown(), ['1.0.0 over 0', '2.0.0 off over 0']);
		await enabled.set(own, false, never);
		assert.deepEqual(await shown(), ['2.0.0 off over 0', '1.0.0 off over 0']);
		await enabled.set(project, true, never);
		assert.deepEqual(await shown(), ['2.0.0 over 0']);
	});

	it('does not take the place of another of its name', async () => {
		assert.deepEqual([await found(), await offered()], ['2.0.0', ['2.0.0']]);
		await enabled.set(project, false, never);
		assert.deepEqual([await found(), await offered()], ['1.0.0', ['1.0.0']]);
		await enabled.set(project, true, never);
		assert.deepEqual([await found(), await offered()], ['2.0.0', ['2.0.0']]);
	});

	it('is neither offered nor found, and whoever names it or its folder is told', async () => {
		await enabled.set(project, false, never);
		await enabled.set(own, false, never);
		assert.deepEqual(await offered(), []);
		await assert.rejects(source.find('greet', undefined), {
			code: 'CAPABILITY_DISABLED',
			message: /skill greet is switched off/,
		});
		await assert.rejects(source.at(own), { code: 'CAPABILITY_DISABLED' });
		assert.equal(await source.find('absent', undefined), undefined);
	});

	it('stays so when it ships and the next version of what ships lies elsewhere', async () => {
		const versions = ['1.0.0', '1.1.0'].map((version) => {
			const folder = join(tempDir('installation'), version, 'capabilities/skill/shipped');
			writeFiles(folder, capabilityFiles({ name: 'shipped', version }));
			return folder;
		});
		const [before = '', after = ''] = versions;
		await new EnabledCapabilities(home, join(before, '../..')).set(before, false, never);
		const updated = new EnabledCapabilities(home, join(after, '../..'));
		assert.deepEqual([await updated.isEnabled(after), await updated.isEnabled(own)], [false, true]);
		await updated.set(after, true, never);
		assert.deepEqual([await updated.isEnabled(after), await updated.isEnabled(before)], [true, true]);
	});

	it('is any, when the list of them cannot be read', async () => {
		writeFileSync(join(home, 'disabled-capabilities.json'), '{"disabled": "all"}');
		await assert.rejects(source.find('greet', undefined), { code: 'CAPABILITY_DISABLED', message: /cannot be read/ });
		await assert.rejects(source.list(), { code: 'CAPABILITY_DISABLED' });
	});
});
