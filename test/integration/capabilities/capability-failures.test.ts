/**
 * Tests the report of a skill that fails: the code, what failed, where in its files, and what to do. Uses real
 * executors.
 */
import assert from 'node:assert/strict';
import { CapabilityScene } from '../../support/capability-scene.ts';

describe('Of a skill that fails', function () {
	this.timeout(60_000);
	let scene: CapabilityScene;
	beforeEach(async () => {
		scene = await CapabilityScene.open();
	});
	afterEach(() => scene.close());

	for (const [what, name, text, code, message] of [
		[
			'an ES module that does not parse',
			'index.mjs',
			'export function execute() {\n\tconst x = ;\n}\n',
			'SYNTAX_ERROR',
			/^index\.mjs:2:12: SyntaxError: Unexpected token ';'$/,
		],
		[
			'a CommonJS module that does not parse',
			'index.js',
			'exports.execute = () => {\n  return = 1;\n};\n',
			'SYNTAX_ERROR',
			/^index\.js:2:10: SyntaxError: Unexpected token '='$/,
		],
		[
			'TypeScript that Node cannot run',
			'index.ts',
			'export function execute() {}\nenum A { B }\n',
			'SYNTAX_ERROR',
			/^index\.ts:2: SyntaxError .*TypeScript enum is not supported/,
		],
		[
			'a text that it cannot read itself',
			'index.js',
			"export const execute = () => JSON.parse('{');\n",
			'EXECUTION_FAILED',
			/^index\.js:1:35: SyntaxError: Expected property name/,
		],
		[
			'no function to be run',
			'index.js',
			'export const run = () => 1;\nexport default { start() {} };\n',
			'INVALID_ACTION_BLOCK',
			/^index\.js exports default \(an object with start\), run \(a function\); expected a function: .*execute\(params/,
		],
		[
			'an error while it is loaded',
			'index.js',
			"import './lib/a.mjs';\nexport const execute = () => 1;\n",
			'EXECUTION_FAILED',
			/^lib\/a\.mjs:2:7: no settings$/,
		],
		[
			'a mistake that it makes',
			'index.js',
			'const inner = (x) => x.y.z;\nexport const execute = () => inner({});\n',
			'EXECUTION_FAILED',
			/^index\.js:1:26: TypeError: Cannot read properties of undefined/,
		],
		[
			'a result that is no JSON',
			'index.js',
			'export const execute = () => ({ n: 10n });\n',
			'EXECUTION_FAILED',
			/^the result is no JSON; return plain data: Do not know how to serialize a BigInt/,
		],
		[
			'a result that is a function',
			'index.js',
			'export const execute = () => () => 1;\n',
			'EXECUTION_FAILED',
			/^the result is a function, which is no JSON; return plain data/,
		],
		[
			'what it threw that is no error',
			'index.js',
			'export const execute = () => { throw { status: 7 }; };\n',
			'EXECUTION_FAILED',
			/^it threw \{ status: 7 \}$/,
		],
		[
			'a file that it wants to read itself',
			'index.js',
			"import { readFileSync } from 'node:fs';\nexport const execute = () => readFileSync('/etc/hostname');\n",
			'EXECUTION_FAILED',
			/^index\.js:2:30: it reads no files but its own .*host\.fs\.read/,
		],
		[
			'its own end',
			'index.js',
			'export const execute = () => process.exit(0);\n',
			'EXECUTION_FAILED',
			/code 0 before returning a result; something in it called process\.exit$/,
		],
		['nothing at all', 'index.js', '', 'INVALID_ACTION_BLOCK', /^index\.js exports nothing; expected/],
	] as const) {
		it(`there is said what and where, with the code: ${what}`, async () => {
			scene.capability('skill', 'fails', {
				'capability.yaml': 'name: fails\ntype: skill\nversion: 1.0.0\n',
				'lib/a.mjs': "const a = 1;\nthrow new Error('no settings');\n",
				[name]: text,
			});
			const { success, error } = await scene.run('fails');
			assert.deepEqual([success, error?.code], [false, code], error?.message);
			assert.match(error?.message ?? '', message);
		});
	}

	const READS = `async function readsIt({ host }) {
	return await host.fs.read({ path: 'gone.txt' });
}
export const execute = async (params, context) => await readsIt(context);
`;
	for (const [what, name, manifest, files, output] of [
		[
			'the lines of its own that led to an op that was not done',
			'fails',
			'name: fails\ntype: skill\nversion: 1.0.0\npermissions: [workspace.read]\n',
			{ 'index.js': READS },
			/^OpFailure: .*gone\.txt.*\n( {4}at async readsIt \(index\.js:2:9\)\n {4}at async (Module\.)?execute \(index\.js:4:51\)\n)$/,
		],
		[
			'no line of ours where none is its own',
			'advises',
			'name: advises\ntype: talent\nversion: 1.0.0\nlevel: MONITORED\npermissions: [llm]\n',
			{ 'TALENT.md': 'Advise.\n' },
			/^OpFailure: no model is connected.*\n$/,
		],
	] as const) {
		it(`its author reads ${what}`, async () => {
			scene.capability(name === 'fails' ? 'skill' : 'talent', name, { 'capability.yaml': manifest, ...files });
			const { success, executionId } = await scene.run(name);
			assert.equal(success, false);
			assert.match(scene.base.capabilities.output(executionId), output);
		});
	}
});
