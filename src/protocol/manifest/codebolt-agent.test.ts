import assert from 'node:assert/strict';
import { CODEBOLT_RIGHTS, readCodeboltAgent } from './codebolt-agent.ts';
import { readCapabilityManifest } from './read-manifest.ts';

const read = (written: string) => readCodeboltAgent(written, 'codeboltagent.yaml');
const place = { name: 'folder', type: undefined };
const manifestOf = (written: string) => readCapabilityManifest({ 'codeboltagent.yaml': written }, place);

describe('The codeboltagent.yaml of an agent', () => {
	it('is a manifest with the rights that its calls can use, and with a message as its input', () => {
		const { manifest, problems } = manifestOf(
			'title: Simple Agent\nunique_id: Simple_Agent\nversion: 1.2\ndescription: Does it.\ntags:\n  - web\n  - 3\nauthor: me\nmetadata:\n  agent_routing: { worksonblankcode: true }\nactions: []\n',
		);
		const { name, type, executor, version, tags, permissions, level, inputs } = manifest ?? assert.fail();
		assert.deepEqual([name, type, executor, version, tags], ['simple-agent', 'agent', 'codebolt', '1.2', ['web', '3']]);
		assert.deepEqual({ permissions, level }, CODEBOLT_RIGHTS);
		assert.deepEqual(
			inputs.map((input) => [input.name, input.type, input.required]),
			[['message', 'string', false]],
		);
		assert.deepEqual(
			problems.map(({ message }) => message),
			['the folder is called "folder"; the name in the file counts'],
		);
	});

	for (const [what, written, name, description] of [
		['nothing', '', 'folder', ''],
		['no title', 'description: It does.', 'folder', 'It does.'],
		['a title alone', 'title: The Agent', 'the-agent', 'The Agent'],
		['only a long description', 'title: A\nlongDescription: |\n  Lines\n  of it', 'a', 'Lines\nof it'],
		['a colon that YAML refuses', 'title: B\ndescription: Use it: always', 'b', 'Use it: always'],
		['a tab that YAML refuses', 'title: C\ndescription: c\nmetadata:\n\tx: 1', 'c', 'c'],
		['a list', '- a\n- b', 'folder', ''],
		['a name of another script alone', 'unique_id: エージェント\ntitle: E', 'e', 'E'],
		['fields of other kinds', 'title: [x]\nunique_id: 7\ndescription: {}\nversion: []\nauthor: {}\ntags: web', '7', ''],
	] as const) {
		it(`is read with ${what}`, () => {
			const { manifest, problems } = manifestOf(written);
			assert.deepEqual([manifest?.name, manifest?.description], [name, description], JSON.stringify(problems));
			assert.deepEqual(
				problems.filter(({ severity }) => severity === 'error'),
				[],
			);
		});
	}

	it('is cut where it is too long, and says so', () => {
		const { fields, problems } = read(
			`title: ${'t'.repeat(100)}\nauthor: ${'a'.repeat(300)}\ndescription: ${'d'.repeat(9_000)}`,
		);
		assert.deepEqual([String(fields['name']).length, String(fields['author']).length], [64, 200]);
		assert.ok(String(fields['description']).length < 2_000);
		assert.deepEqual(
			problems.map(({ path }) => path[0]),
			['description', 'author'],
		);
	});

	it('counts for nothing beside a manifest of ours', () => {
		const texts = {
			'codeboltagent.yaml': 'title: Theirs',
			'capability.yaml': 'name: ours\ntype: skill\nversion: 1.0.0\n',
		};
		assert.equal(readCapabilityManifest(texts, place).manifest?.name, 'ours');
	});
});
