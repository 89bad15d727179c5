import assert from 'node:assert/strict';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { parseScriptText } from './read-script.ts';

const known = { hasCapability: (type: string, name: string) => Promise.resolve(`${type}/${name}` === 'skill/greet') };
const read = (text: string) => parseScriptText(text, 'a.yaml', known);
const wrong = async (text: string): Promise<string> => {
	const error = await read(text).then(
		() => assert.fail('it was read'),
		(failure: unknown) => failure,
	);
	assert.ok(isProwessError(error), String(error));
	assert.equal(error.code, 'INVALID_PARAMS');
	return error.message;
};
const script = (...lines: string[]) => ['name: x', 'steps:', ...lines].join('\n');

describe('A script', () => {
	for (const [what, text, problem] of [
		['is no YAML', 'name: [', /^a\.yaml:\d+: /],
		['has no steps', 'name: x\nsteps: []', /^a\.yaml:2: steps: /],
		['has a key that nobody knows', 'name: x\nmodel: y\nsteps: []', /a\.yaml:1: there is no "model"/],
		[
			'names an op that is not there',
			script('  - { id: a, op: fs.raed }'),
			/^a\.yaml:3: steps\.0\.op: there is no op "fs\.raed"$/,
		],
		[
			'names an op for capabilities alone',
			script('  - { id: a, op: agent.run, with: { prompt: x } }'),
			/steps\.0\.op: agent\.run is not for scripts/,
		],
		[
			'names a capability that is not there',
			script('  - id: a', '    capability: skill/gone'),
			/^a\.yaml:4: steps\.0\.capability: there is no capability skill\/gone/,
		],
		[
			'has params that the op does not take',
			script('  - id: a', '    op: fs.read', '    with:', '      path: 5'),
			/^a\.yaml:6: steps\.0\.with\.path: /,
		],
		['has neither op nor capability', script('  - id: a'), /steps\.0: expected either "op" or "capability"/],
		[
			'has two steps of one name',
			script('  - { id: a, op: git.status }', '  - { id: a, op: git.status }'),
			/a\.yaml:4: .*two steps "a"/,
		],
		[
			'refers to a step that is not there',
			script("  - { id: a, op: fs.read, with: { path: '${b.path}' } }"),
			/there is no step "b"/,
		],
		[
			'uses a round without rounds',
			script("  - { id: a, op: fs.read, with: { path: '${item}' } }"),
			/\$\{item\} needs "for"/,
		],
		[
			'has steps that wait for each other',
			script('  - { id: a, op: git.status, after: [b] }', '  - { id: b, op: git.status, after: [a] }'),
			/these steps wait for each other: a, b/,
		],
	] as const) {
		it(`is refused with its line and path when it ${what}`, async () => {
			assert.match(await wrong(text), problem);
		});
	}

	it('says all that is wrong at once', async () => {
		const text = script('  - { id: a, op: fs.raed }', '  - { id: b, op: git.statsu }');
		assert.equal((await wrong(text)).split('\n').length, 2);
	});

	it('is shown as what its ops do, in the order in which they run', async () => {
		const { steps, hash } = await read(
			script(
				"  - { id: last, op: fs.read, with: { path: '${find.files}' } }",
				"  - { id: each, op: fs.read, for: [a.txt, b.txt], with: { path: '${item}' } }",
				"  - { id: find, op: fs.find, with: { pattern: '*.md' } }",
				'  - { id: greet, capability: skill/greet, with: { name: Ann } }',
			),
		);
		assert.deepEqual(
			steps.map(({ id, op, line }) => [id, op, line]),
			[
				['each', 'fs.read', 4],
				['find', 'fs.find', 5],
				['last', 'fs.read', 3],
				['greet', 'capability.start', 6],
			],
		);
		assert.match(steps[0]?.title ?? '', /, for each$/);
		assert.equal(steps[3]?.title, 'Run skill greet');
		assert.notEqual(hash, (await read(script('  - { id: a, op: git.status }'))).hash);
	});
});
