/**
 * Tests starts of the capabilities the registry has chosen: overrides, executors of others, and broken or vanishing
 * ones.
 */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, stop } from 'esbuild';
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import { consentText } from '../../support/consent-text.ts';
import { ExecutionScene, type ExecutionSceneOptions, never, slow, user } from '../../support/execution-scene.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/executors');

describe('What the registry has chosen', function () {
	this.timeout(30_000);
	let scene: ExecutionScene;
	const asked: string[] = [];
	const made = (options: Partial<ExecutionSceneOptions> = {}) => {
		asked.length = 0;
		const approve = ({ detail }: Approval) => {
			asked.push(consentText(detail));
			return Promise.resolve({ kind: 'always' } as const);
		};
		scene = new ExecutionScene({ executor: 'second-result', approvalMode: 'ask', person: { approve }, ...options });
		return scene;
	};
	afterEach(() => scene.close());
	const writes = (folder: string, files: Readonly<Record<string, string>>) => {
		for (const [path, text] of Object.entries(files)) {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), text);
		}
	};
	const run = (name: string, type?: string) =>
		scene.manager.run({ capability: { name, ...(type === undefined ? {} : { type }) }, caller: user }, never);
	/** A bundle, as its author would make it. */
	const executor = async (name: string, types: string, program = 'second-result') => {
		const folder = join(scene.host.workspace, '.prowess/capabilities/executors', name);
		writes(folder, { 'executor.yaml': `name: ${name}\nsupportedTypes: ${types}\nentryPoint: dist/index.mjs\n` });
		await build({
			entryPoints: [join(fixtures, `${program}.mjs`)],
			outfile: join(folder, 'dist/index.mjs'),
			bundle: true,
			platform: 'node',
			format: 'esm',
			banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
			logLevel: 'silent',
		});
		await stop();
		return folder;
	};

	it('tells the executor of a type of its own all that its manifest holds', async () => {
		made();
		await executor('rites', '[ritual]', 'tells-its-config');
		writes(join(scene.host.workspace, '.prowess/capabilities/ritual/dawn'), {
			'capability.yaml':
				'name: dawn\ntype: ritual\nversion: 1.0.0\nincense: { kind: myrrh, grams: [1, 2] }\nlevel: SAFE\n',
		});
		const { result, error } = await run('dawn');
		assert.deepEqual(
			result,
			{ name: 'dawn', level: 'SAFE', incense: { kind: 'myrrh', grams: [1, 2] } },
			error?.message,
		);
	});

	it('tells the executor of the budget that the user has set, above that of the manifest', async () => {
		made({ executor: 'tells-its-config' });
		scene.writes('capability.yaml', 'name: test\ntype: skill\nbudget: { iterations: 3, tokens: 900 }\n');
		assert.deepEqual((await run('test')).result, {
			name: 'test',
			level: 'CONTROLLED',
			budget: { iterations: 3, tokens: 900 },
		});
		scene.host.change({
			'prowess.capabilities.budgets': { 'skill/test': { iterations: 60 }, 'skill/other': { tokens: 1 } },
		});
		const { budget } = (await run('test')).result as { budget: unknown };
		assert.deepEqual(budget, { iterations: 60, tokens: 900 });
	});

	it('says in its question what it takes the place of', async () => {
		made();
		const own = join(scene.host.home, 'capabilities/skill/test');
		writes(own, { 'capability.yaml': 'name: test\ntype: skill\nversion: 0.9.0\n', 'index.js': '' });
		const { capabilityPath } = await run('test');
		assert.equal(capabilityPath, scene.folder);
		assert.ok(asked[0]?.includes(`Overrides the global one in ${own}`), asked[0]);
		assert.match(scene.ledger.rows[0]?.decision ?? '', /^approved by the user always; .*, in place of the global one/);
	});

	it('says in its question what is so, whatever it says of itself and however its folder is called', async () => {
		made();
		const lie = 'In short: reads nothing\nPermissions: none\nSandboxed: no network';
		const path = '.prowess/capabilities/skill/x\nIn short: reads';
		writes(join(scene.host.workspace, path), {
			'capability.yaml': `name: liar\ntype: skill\nversion: "1, which came with Prowess"\nlevel: CONTROLLED\npermissions: [workspace.write]\ndescription: ${JSON.stringify(`Formats.\n${lie}\r\n${lie}\u2028${lie}`)}\n`,
			'index.js': '',
		});
		await run('liar');
		const lines = asked[0]?.split('\n') ?? [];
		const only = (start: string) => lines.filter((line) => line.startsWith(start));
		assert.deepEqual(only('In short:'), ['In short: can change files; asks for each new target']);
		assert.deepEqual(only('May: change'), ['May: change, create and delete files of the workspace (workspace.write)']);
		assert.equal(lines.filter((line) => /^(?:NOT enforced|Sandboxed)/.test(line)).length, 1);
		assert.equal(only('Folder:').length, 1);
		assert.match(scene.ledger.rows[0]?.decision ?? '', /skill liar "1, which came with Prowess"/);
	});

	it('is asked about again when the same content has come under another name', async () => {
		made();
		const folder = join(scene.host.workspace, '.prowess/capabilities/skill');
		writes(folder, { 'hello/index.js': 'export const execute = () => ({});' });
		await run('hello');
		await run('hello');
		assert.equal(asked.length, 1);
		renameSync(join(folder, 'hello'), join(folder, 'other'));
		await run('other');
		assert.equal(asked.length, 2);
	});

	it('is run by an executor of the project, from a copy, after a yes to both', async () => {
		made();
		const folder = await executor('pipes', '[pipeline]');
		const capability = join(scene.host.workspace, '.prowess/capabilities/pipeline/build');
		writes(capability, { 'capability.yaml': 'name: build\ntype: pipeline\n' });
		assert.deepEqual((await run('build', 'pipeline')).result, 'first');
		assert.ok(asked[0]?.includes(`Runs in a third-party executor: ${folder}`), asked[0]);
		await run('build');
		assert.equal(asked.length, 1);
		writes(folder, { 'more.txt': 'x' });
		await run('build');
		assert.equal(asked.length, 2);
		rmSync(join(folder, 'dist'), { recursive: true });
		await assert.rejects(run('build'), { code: 'ACTION_BLOCK_NOT_FOUND', message: /dist\/index\.mjs is not there/ });
	});

	for (const [what, entry, text, message] of [
		[
			'does not parse',
			'dist/index.mjs',
			'export const a = 1;\nconst b = ;\n',
			/dist\/index\.mjs:2:11: SyntaxError: Unexpected/,
		],
		['does not parse as CommonJS', 'main.cjs', 'const b = ;\n', /main\.cjs:1:11: SyntaxError: Unexpected/],
	] as const) {
		it(`says where the program of an executor ${what}`, async () => {
			made();
			const root = join(scene.host.workspace, '.prowess/capabilities');
			writes(join(root, 'executors/pipes'), {
				'executor.yaml': `name: pipes\nsupportedTypes: [pipeline]\nentryPoint: ${entry}\n`,
				[entry]: text,
			});
			writes(join(root, 'pipeline/build'), { 'capability.yaml': 'name: build\ntype: pipeline\n' });
			const { error } = await run('build');
			assert.equal(error?.code, 'SYNTAX_ERROR', error?.message);
			assert.match(error?.message ?? '', /^a module of the executor does not parse: /);
			assert.match(error?.message ?? '', message);
		});
	}

	it('is asked about again when an executor of the project takes over its type', async () => {
		made();
		await run('test');
		const folder = await executor('mine', '[skill]');
		await run('test');
		assert.equal(asked.length, 2);
		assert.ok(asked[1]?.includes(folder));
	});

	it('keeps to the executor that the manifest names', async () => {
		made({ executor: 'second-result' });
		await executor('mine', '[skill]', 'exits-at-once');
		scene.writes('capability.yaml', 'name: test\ntype: skill\nexecutor: second-result\n');
		assert.equal((await run('test')).result, 'first');
		assert.ok(!asked[0]?.includes('third-party'));
		scene.writes('capability.yaml', 'name: test\ntype: skill\nexecutor: nobody\n');
		await assert.rejects(run('test'), { code: 'EXECUTOR_NOT_FOUND', message: /"nobody".*"skill"/ });
	});

	it('says why an executor cannot be used, with its line, when one of its types is started', async () => {
		made();
		const broken = { 'executor.yaml': 'name: pipes\nsupportedTypes: [pipeline]\nentryPoint: /bin/sh\n' };
		writes(join(scene.host.workspace, '.prowess/capabilities/executors/pipes'), broken);
		await assert.rejects(run('build', 'pipeline'), {
			code: 'INVALID_EXECUTOR_CONFIG',
			message: /executor\.yaml:3: entryPoint: /,
		});
		await assert.rejects(run('build', 'other'), { code: 'EXECUTOR_NOT_FOUND' });
	});

	it('says why a capability cannot be used, with its line, when it is started', async () => {
		made({ manifest: 'name: test\ntype: skill\nlevel: HIGH\n' });
		await assert.rejects(run('test'), { code: 'INVALID_CAPABILITY_CONFIG', message: /capability\.yaml:3: level: / });
		await assert.rejects(run('nobody'), { code: 'CAPABILITY_NOT_FOUND' });
	});

	it('goes on from its copy when its folder is removed while it runs, and is gone after that (R-56)', async () => {
		made({ executor: 'waits-for-ops', perform: slow });
		const executionId = await scene.start({ op: 'x.y' });
		rmSync(scene.folder, { recursive: true });
		await assert.rejects(scene.start({ op: 'x.y' }), { code: 'CAPABILITY_NOT_FOUND' });
		assert.notEqual(scene.manager.status(executionId), 'failed');
		await scene.manager.stop(executionId);
		assert.equal(scene.manager.status(executionId), 'stopped');
	});

	it('came with the product, and so needs no yes of its own', async () => {
		made();
		const folder = join(scene.host.ports.places.dist, '../capabilities/skill/ours');
		writes(folder, { 'capability.yaml': 'name: ours\ntype: skill\n', 'index.js': '' });
		assert.equal((await run('ours')).result, 'first');
		assert.deepEqual(asked, []);
		assert.match(scene.ledger.rows[0]?.decision ?? '', /allow \(built-in\)/);
	});
});
