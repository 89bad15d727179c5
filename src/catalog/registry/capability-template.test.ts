import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readCapabilityManifest, readExecutorManifest } from '../../protocol/manifest/read-manifest.ts';
import { strictProblems } from '../../protocol/manifest/strict-skill.ts';
import { workerTools } from '../../protocol/manifest/worker-tools.ts';
import { capabilityTemplate } from './capability-template.ts';

const DESCRIPTIONS = ['Counts lines', 'a: "b" # c\n- [d', '', '\u202Eé'];

describe('A new capability', () => {
	for (const [type, form, beside] of [
		['skill', undefined, ['capability.yaml', 'index.mjs', 'tests/counts-lines.yaml']],
		['skill', 'node-worker', ['capability.yaml', 'index.js', 'tests/counts-lines.yaml']],
		['skill', 'python-worker', ['capability.yaml', 'skill.py', 'tests/counts-lines.yaml']],
		['skill', 'instructions', ['SKILL.md']],
		['power', undefined, ['capability.yaml', 'POWER.md', 'tests/answers.yaml']],
		['talent', undefined, ['capability.yaml', 'TALENT.md', 'knowledge/README.md', 'tests/answers.yaml']],
		['ritual', undefined, ['capability.yaml', 'SKILL.md']],
	] as const) {
		it(`of type ${type} as ${form ?? 'usual'} has a manifest without a problem, whatever is said of it`, () => {
			for (const description of DESCRIPTIONS) {
				const made = capabilityTemplate({ type, name: 'fresh', description, ...(form === undefined ? {} : { form }) });
				assert.equal(made.length, 1);
				const { folder, files } = made[0] ?? assert.fail();
				assert.equal(folder, `${type}/fresh`);
				const { manifest, problems } = readCapabilityManifest(files, { name: 'fresh', type });
				assert.deepEqual(problems, []);
				const said = description === '' && form === 'instructions' ? 'Does fresh' : description;
				assert.deepEqual([manifest?.description, manifest?.type], [said, type]);
				assert.deepEqual(Object.keys(files), beside);
				if (files['SKILL.md'] !== undefined && form === 'instructions') {
					assert.deepEqual(strictProblems(files['SKILL.md'], 'SKILL.md', 'fresh'), []);
				}
				if (manifest?.runtime !== undefined) {
					const tools = workerTools(manifest.runtime, files['index.js'] ?? files['skill.py'] ?? '');
					assert.deepEqual(
						tools.map(({ inputs }) => inputs.map(({ name, type: of, required }) => [name, of, required])),
						[
							[['path', 'string', true]],
							[
								['path', 'string', true],
								['word', 'string', true],
							],
						],
					);
				}
			}
		});
	}

	it('of type executor is a program for the type of its name, and a capability of that type', () => {
		for (const description of DESCRIPTIONS) {
			const [executor, example, ...others] = capabilityTemplate({ type: 'executor', name: 'pipes', description });
			assert.deepEqual([executor?.folder, example?.folder, others], ['executors/pipes', 'pipes/example', []]);
			const read = readExecutorManifest(executor?.files ?? {});
			assert.deepEqual([read.problems, read.manifest?.supportedTypes], [[], ['pipes']]);
			const { manifest, problems } = readCapabilityManifest(example?.files ?? {}, { name: 'example', type: 'pipes' });
			assert.deepEqual([problems, manifest?.type], [[], 'pipes']);
		}
	});
});
