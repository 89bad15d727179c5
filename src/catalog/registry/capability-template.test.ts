import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readCapabilityManifest } from '../../protocol/manifest/read-manifest.ts';
import { capabilityTemplate } from './capability-template.ts';

describe('A new capability', () => {
	for (const [type, beside] of [
		['skill', ['index.mjs']],
		['power', ['POWER.md']],
		['talent', ['TALENT.md', 'knowledge/README.md']],
		['ritual', ['SKILL.md']],
	] as const) {
		it(`of type ${type} has a manifest without a problem, whatever is said of it`, () => {
			for (const description of ['Counts lines', 'a: "b" # c\n- [d', '', '\u202Eé']) {
				const files = capabilityTemplate({ type, name: 'fresh', description });
				const { manifest, problems } = readCapabilityManifest(files, { name: 'fresh', type });
				assert.deepEqual(problems, []);
				assert.equal(manifest?.description, description);
				assert.equal(manifest?.type, type);
				assert.deepEqual(Object.keys(files), ['capability.yaml', ...beside]);
			}
		});
	}
});
