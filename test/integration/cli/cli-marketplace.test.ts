import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capabilityFiles, writeFiles } from '../../support/marketplace-scene.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess marketplace', function () {
	this.timeout(5 * commandLimitMs);

	it('packs, indexes, finds, installs, refuses to run before it is switched on, updates and removes', async () => {
		const user = new User();
		// Path as typed in the workspace; the folder lies beside it.
		const from = ['--from', '../public'];
		const market = async (words: readonly string[], code = 0) => {
			const result = await user.runs(['marketplace', ...words]);
			assert.equal(result.code, code, result.stderr);
			return result;
		};
		const publish = async (version: string, permissions: readonly string[]) => {
			writeFiles(join(user.root, 'greet'), capabilityFiles({ version, permissions }));
			await market(['pack', join(user.root, 'greet'), '--out', join(user.root, 'public')]);
			await market(['index', join(user.root, 'public'), '--name', 'ours']);
		};
		await publish('1.0.0', []);
		const found = JSON.parse((await market(['search', 'hello', '--json', ...from])).stdout) as {
			items: { name: string }[];
		};
		assert.deepEqual(
			found.items.map(({ name }) => name),
			['greet'],
		);
		assert.match(
			(await market(['show', 'greet@1.0.0', ...from])).stdout,
			/permissions: +none[^]*capability\.yaml[^]*# greet/,
		);
		assert.match((await market(['install', 'greet', ...from])).stdout, /It is disabled/);
		const refused = await user.runs(['capability', 'run', 'greet', '--trust', '--approve', 'auto']);
		assert.deepEqual([refused.code, /CAPABILITY_DISABLED/.test(refused.stderr)], [1, true], refused.stderr);
		await market(['enable', 'greet']);
		await publish('1.1.0', ['http']);
		assert.match(
			(await market(['update', ...from])).stdout,
			/1\.0\.0 -> 1\.1\.0[^]*\+ permission http[^]*It is disabled/,
		);
		assert.match((await market(['rollback', 'greet'])).stdout, /1\.0\.0/);
		await market(['remove', 'greet']);
		assert.equal(existsSync(join(user.home, 'capabilities/skill/greet')), false);
	});

	it('takes a repository of skills as an index, and folds many problems into a line', async () => {
		const user = new User();
		const skills = join(user.root, 'skills');
		writeFiles(skills, {
			'writing/letters/SKILL.md': '---\nname: letters\ndescription: Writes letters\n---\nWrite.\n',
		});
		const found = await user.runs(['marketplace', 'search', 'letters', '--from', skills]);
		assert.match(found.stdout, /^skill +letters .*\(skills\)$/m);
		const missing = Array.from({ length: 8 }, (_, n) => ({
			name: `p${n}`,
			source: `./${n}`,
		}));
		const others = join(user.root, 'others');
		writeFiles(others, { 'marketplace.json': JSON.stringify({ name: 'others', plugins: missing }) });
		const lines = async (...more: string[]) =>
			(await user.runs(['marketplace', 'search', '--from', others, ...more])).stderr
				.split('\n')
				.filter((line) => /others/.test(line));
		const folded = await lines();
		assert.equal(folded.length, 6);
		assert.equal(folded.at(-1), 'prowess: and 3 more of others; --problems shows all');
		assert.equal((await lines('--problems')).length, 8);
	});

	it('finds by index and by what is asked for, and installs from the index behind the @', async () => {
		const user = new User();
		const skill = (name: string) => `---\nname: ${name}\ndescription: Says ${name}\n---\nSay it.\n`;
		user.writes('ours/hello/SKILL.md', skill('hello'));
		const from = ['--from', 'ours'];
		const found = async (...words: string[]) =>
			(
				JSON.parse((await user.runs(['marketplace', 'search', ...words, ...from, '--json'])).stdout) as {
					items: { name: string }[];
				}
			).items.map(({ name }) => name);
		assert.deepEqual(await found('--index', 'ours'), ['hello']);
		assert.deepEqual(await found('--index', 'ours', '--asks', 'nothing-like-it'), []);
		assert.ok((await found('--asks', 'shell')).includes('hello'));
		const missing = await user.runs(['marketplace', 'install', 'hello@theirs', ...from]);
		assert.match(missing.stderr, /no version theirs/);
		const installed = await user.runs(['marketplace', 'install', 'hello@ours', ...from]);
		assert.equal(installed.code, 0, installed.stderr);
	});

	for (const type of ['power', 'talent']) {
		it(`installs and runs a ${type} that is a program, as a skill is`, async () => {
			const user = new User();
			const folder = join(user.root, 'analysis');
			const about = ['name: analysis', `type: ${type}`, 'version: 1.0.0', 'description: Counts', 'level: MONITORED'];
			writeFiles(folder, {
				'capability.yaml': `${[...about, 'permissions: [workspace.read]'].join('\n')}\n`,
				'index.js': 'module.exports = { execute: async ({ n }, { capability }) => `${capability.type} ${n + 1}` };\n',
				'SKILL.md': '---\nname: analysis\ndescription: Counts\n---\nHow it is used.\n',
			});
			const runs = async (...words: string[]) => {
				const ended = await user.runs(words);
				assert.equal(ended.code, 0, ended.stderr);
				return ended.stdout;
			};
			await runs('marketplace', 'pack', folder, '--out', join(user.root, 'public'));
			await runs('marketplace', 'index', join(user.root, 'public'), '--name', 'ours');
			await runs('marketplace', 'install', 'analysis', '--from', '../public');
			await runs('marketplace', 'enable', 'analysis');
			const asked = await user.runs(['capability', 'run', 'analysis', '--trust']);
			assert.match(asked.stderr, /DENIED_BY_RULE/);
			const ran = await runs(
				...['capability', 'run', 'analysis', '--trust', '--approve', 'auto', '--params', '{"n":1}'],
			);
			assert.equal(ran, `${type} 2\n`);
		});
	}

	it('says at an update that its index does not offer it any more, and leaves it', async () => {
		const user = new User();
		const skill = (name: string) => `---\nname: ${name}\ndescription: Says ${name}\n---\nSay it.\n`;
		user.writes('ours/hello/SKILL.md', skill('hello'));
		user.writes('ours/other/SKILL.md', skill('other'));
		const from = ['--from', 'ours'];
		assert.equal((await user.runs(['marketplace', 'install', 'skill/hello', ...from])).code, 0);
		rmSync(join(user.workspace, 'ours/hello'), { recursive: true });
		const updated = await user.runs(['marketplace', 'update', ...from]);
		assert.match(updated.stderr, /skill\/hello is no longer offered by .*ours; what is installed stays as it is/);
		assert.match((await user.runs(['marketplace', 'list'])).stdout, /skill +hello/);
	});

	it('installs, enables and removes a plugin as one thing, and says what of it is not taken', async () => {
		const user = new User();
		const skill = (name: string) => `---\nname: ${name}\ndescription: Says ${name}\n---\nSay it.\n`;
		user.writes('ours/.claude-plugin/marketplace.json', '{"name":"team","plugins":[{"name":"kit","source":"./kit"}]}');
		user.writes('ours/kit/skills/one/SKILL.md', skill('one'));
		user.writes('ours/kit/skills/two/SKILL.md', skill('two'));
		user.writes('ours/kit/skills/bad/SKILL.md', skill('bad'));
		user.writes('ours/kit/skills/bad/.npmrc', 'x=1\n');
		user.writes('ours/kit/commands/go.md', 'Go.\n');
		user.writes('ours/kit/.mcp.json', '{"mcpServers":{"db":{"command":"node","args":["db.mjs"]}}}');
		user.writes('ours/kit/.lsp.json', '{}');
		const hook = '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"./guard"}]}]}}';
		user.writes('ours/kit/hooks/hooks.json', hook);
		const from = ['--from', 'ours'];
		const pinned = await user.runs(['marketplace', 'install', 'kit', '--content', 'a'.repeat(64), ...from]);
		assert.match(pinned.stderr, /plugins\/kit is not what was shown/);
		const shown = await user.runs(['marketplace', 'show', 'kit', ...from]);
		assert.match(shown.stdout, /brings:\n +skill +bad [^]*command +go [^]*hook +PreToolUse +runs: .\/guard/);
		const searched = await user.runs(['marketplace', 'search', '--type', 'plugin', ...from]);
		assert.match(searched.stdout, /^plugin {3}kit /);
		const installed = await user.runs(['marketplace', 'install', 'kit@team', ...from]);
		assert.equal(installed.code, 0, installed.stderr);
		assert.match(
			installed.stdout,
			/server +db +runs: node db.mjs\nnot taken: LSP servers, 1 files .*\.npmrc\n.*disabled/,
		);
		const states = async () =>
			(
				JSON.parse((await user.runs(['marketplace', 'list', '--json'])).stdout) as {
					name: string;
					type: string;
					isEnabled: boolean;
				}[]
			).map(({ name, type, isEnabled }) => [type, name, isEnabled]);
		const usable = async () =>
			(await user.runs(['capability', 'list'])).stdout.match(/kit:\w+(?!.*disabled)/g)?.toSorted();
		assert.match((await user.runs(['marketplace', 'list'])).stdout, /^plugin {3}kit .*disabled/);
		assert.deepEqual([await states(), await usable()], [[['plugins', 'kit', false]], undefined]);
		const enabled = await user.runs(['marketplace', 'enable', 'kit']);
		assert.match(enabled.stdout, /kit is enabled\nIts hooks do not run yet:[^]*prowess mcp allow kit\.db/);
		await user.runs(['marketplace', 'disable', 'kit', '--part', 'skill:two']);
		assert.deepEqual([await states(), await usable()], [[['plugins', 'kit', true]], ['kit:bad', 'kit:go', 'kit:one']]);
		assert.match((await user.runs(['mcp', 'list'])).stdout, /kit\.db/);
		assert.match((await user.runs(['hooks', 'list'])).stdout, /kit.*not allowed; does not run\n +PreToolUse: .\/guard/);
		assert.equal((await user.runs(['marketplace', 'remove', 'kit'])).stdout, 'Removed kit.\n');
		assert.deepEqual(await states(), []);
	});

	it('says where it has looked when there is nothing like that', async () => {
		const { code, stdout, stderr } = await new User().runs(['marketplace', 'search', 'unheard-of']);
		assert.deepEqual([code, stdout], [0, '']);
		assert.match(stderr, /no match in prowess; --from searches one more index/);
	});

	it('gives a failure as JSON on standard output when JSON was asked for, with the same exit code', async () => {
		const user = new User();
		const failed = async (...words: string[]) => {
			const { code, stdout, stderr } = await user.runs([...words, '--json']);
			const { success, error } = JSON.parse(stdout) as { success: boolean; error: { code: string; message: string } };
			assert.deepEqual([success, stderr, error.message !== ''], [false, '', true]);
			return [code, error.code];
		};
		assert.deepEqual(await failed('marketplace', 'show', 'unheard-of'), [1, 'CAPABILITY_NOT_FOUND']);
		assert.deepEqual(await failed('marketplace', 'rollback', 'unheard-of'), [1, 'NOT_FOUND']);
		assert.deepEqual(await failed('marketplace', 'show', 'Not A Name'), [2, 'INVALID_PARAMS']);
		assert.deepEqual(await failed('marketplace', 'list', '--scpoe', 'project'), [2, 'INVALID_PARAMS']);
		assert.deepEqual(await failed('ledger', 'show', 'op_none'), [1, 'NOT_FOUND']);
	});

	it('says in its exit code that something is not there, not allowed, or cannot be meant', async () => {
		const user = new User();
		const empty = join(user.root, 'empty');
		mkdirSync(empty);
		const missing = await user.runs(['marketplace', 'install', 'absent', '--from', empty]);
		assert.deepEqual([missing.code, /CAPABILITY_NOT_FOUND/.test(missing.stderr)], [1, true], missing.stderr);
		const climbing = await user.runs(['marketplace', 'install', '../absent']);
		assert.deepEqual([climbing.code, /expected lower-case letters/.test(climbing.stderr)], [2, true], climbing.stderr);
		const untrusted = await user.runs(['marketplace', 'install', 'absent', '--scope', 'project']);
		assert.deepEqual([untrusted.code, /WORKSPACE_UNTRUSTED/.test(untrusted.stderr)], [1, true], untrusted.stderr);
		writeFileSync(join(user.root, 'key'), 'no key');
		const unsigned = await user.runs(['marketplace', 'index', empty, '--key', join(user.root, 'key')]);
		assert.deepEqual([unsigned.code, /no private key in PEM form/.test(unsigned.stderr)], [1, true], unsigned.stderr);
		assert.equal(existsSync(join(empty, 'index.json')), false);
	});
});
