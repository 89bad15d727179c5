import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import { problemText } from '../../protocol/manifest/problem.ts';
import { testHost } from '../../../test/support/host-ports.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { RUN_BY } from '../../protocol/execution/execution.ts';
import { builtInExecutors } from '../executors.ts';
import { CapabilityRegistry, type RegistryDeps } from './capability-registry.ts';
import { describeItemErrors, isInForce, type RegistryState } from './items.ts';
import { MAX_SKILL_DEPTH, RESCAN_MS } from './limits.ts';

const manifest = (name: string, type = 'skill', more = '') =>
	`name: ${name}\ntype: ${type}\nversion: 1.0.0\ndescription: d\n${more}`;

/** A hundred thousand changes of a file, and a new capability now and then. */
const STORM = `
	const { mkdirSync, utimesSync, writeFileSync } = require('node:fs');
	const folder = process.argv[1];
	const put = (name) => {
		mkdirSync(folder + '/' + name);
		writeFileSync(folder + '/' + name + '/index.js', '');
		writeFileSync(folder + '/' + name + '/capability.yaml', 'name: ' + name + '\\ntype: skill\\n');
	};
	for (let at = 0; at < 100_000; at += 1) {
		utimesSync(folder + '/a/capability.yaml', at, at);
		if (at % 2_500 === 0) put('n' + at);
	}
	put('z');
`;

describe('The registry of capabilities', function () {
	this.timeout(30_000);
	let host: ReturnType<typeof testHost>;
	let deps: RegistryDeps;
	let registry: CapabilityRegistry;
	let trust: { isTrusted: boolean };
	let workspaceChanged: Emitter<void>;
	let project: string;
	let global: string;
	let builtIn: string;
	let userHome: string;
	const write = (path: string, text: string | Buffer) => {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	};
	const puts = (root: string, name: string, type = 'skill', more = '') => {
		write(join(root, type, name, RUN_BY.get(type)?.[0] ?? 'index.js'), '');
		write(join(root, type, name, 'capability.yaml'), manifest(name, type, more));
	};
	/** Lists the capabilities in force, as `type:name source`. */
	const inForce = ({ capabilities }: RegistryState) =>
		capabilities.filter(isInForce).map(({ type, name, source }) => `${type}:${name} ${source}`);
	const broken = ({ capabilities }: RegistryState) =>
		capabilities.filter((each) => each.manifest === undefined).map(describeItemErrors);

	beforeEach(() => {
		host = testHost();
		trust = { isTrusted: true };
		workspaceChanged = new Emitter();
		const { places, log } = host.ports;
		const workspace = {
			folders: [{ name: 'app', path: host.workspace }],
			get isTrusted() {
				return trust.isTrusted;
			},
			onDidChange: workspaceChanged.event,
		};
		deps = { ports: { workspace, places, log }, executors: builtInExecutors(places.dist).slice(0, 1) };
		registry = new CapabilityRegistry(deps);
		project = join(host.workspace, '.prowess/capabilities');
		global = join(places.home, 'capabilities');
		builtIn = join(places.dist, '../capabilities');
		userHome = places.userHome;
	});
	afterEach(() => registry.dispose());

	describe('finds', () => {
		it('nothing of a workspace before it is trusted, and all of it at once after that', async () => {
			trust.isTrusted = false;
			puts(project, 'a');
			puts(global, 'b');
			write(join(host.workspace, '.claude/skills/c/SKILL.md'), '---\nname: c\ndescription: d\n---\n');
			const seen: string[][] = [];
			const listening = registry.onDidChange((state) => void seen.push(inForce(state)));
			assert.deepEqual(inForce(await registry.state()), ['skill:b global']);
			trust.isTrusted = true;
			workspaceChanged.fire();
			assert.deepEqual(inForce(await registry.state()), ['skill:a project', 'skill:b global', 'skill:c project']);
			assert.deepEqual(seen.length, 1);
			listening.dispose();
		});

		it('what lies in every place of every layout', async () => {
			puts(builtIn, 'one');
			puts(join(userHome, '.codebolt/capabilities'), 'two', 'power');
			puts(global, 'three', 'talent');
			puts(join(host.workspace, '.codebolt/capabilities'), 'four');
			write(join(project, 'five/capability.yml'), manifest('five', 'pipeline'));
			for (const [at, folder] of ['.claude', '.agents', '.github'].entries()) {
				write(join(host.workspace, folder, `skills/group/p${at}/SKILL.md`), '---\ndescription: d\n---\n');
			}
			for (const [at, folder] of ['.claude', '.agents', '.copilot', '.gemini/antigravity'].entries()) {
				write(join(userHome, folder, `skills/u${at}/SKILL.md`), '---\ndescription: d\n---\n');
			}
			assert.deepEqual(inForce(await registry.state()), [
				'pipeline:five project',
				'power:two global',
				'skill:four project',
				'skill:one built-in',
				'skill:p0 project',
				'skill:p1 project',
				'skill:p2 project',
				'skill:u0 global',
				'skill:u1 global',
				'skill:u2 global',
				'skill:u3 global',
				'talent:three global',
			]);
		});

		it('by name and type, of several types the first of the alphabet, and nothing for what is no name', async () => {
			puts(project, 'a', 'talent');
			puts(project, 'a', 'power');
			assert.equal((await registry.find('a', undefined))?.manifest.type, 'power');
			assert.equal((await registry.find('a', 'talent'))?.manifest.type, 'talent');
			assert.equal(await registry.find('a', 'skill'), undefined);
			assert.equal(await registry.find('../a', undefined), undefined);
		});

		it('what was written the moment before', async () => {
			assert.equal(await registry.find('a', undefined), undefined);
			puts(project, 'a');
			assert.equal((await registry.find('a', undefined))?.source, 'project');
			puts(project, 'a', 'skill', 'level: SAFE\n');
			assert.equal((await registry.find('a', undefined))?.manifest.level, 'SAFE');
			rmSync(join(project, 'skill/a'), { recursive: true });
			assert.equal(await registry.find('a', undefined), undefined);
		});
	});

	describe('of several with one name', () => {
		it('has the project go before the user, and the user before the product, and says who takes whose place', async () => {
			for (const root of [builtIn, global, project]) puts(root, 'a');
			const [first, second, third] = (await registry.state()).capabilities;
			const places = [builtIn, global, project].map((root) => join(root, 'skill/a'));
			assert.equal(first?.path, places[2]);
			assert.deepEqual(first?.overrides, [
				{ path: places[1], source: 'global' },
				{ path: places[0], source: 'built-in' },
			]);
			assert.deepEqual(second?.overriddenBy, { path: places[2], source: 'project' });
			assert.deepEqual(third?.overriddenBy, { path: places[2], source: 'project' });
			assert.deepEqual(first?.problems, []);
			assert.deepEqual((await registry.find('a', 'skill'))?.overrides, first?.overrides);
		});

		it('takes none away for one that cannot be used', async () => {
			puts(global, 'a');
			puts(project, 'a', 'skill', 'level: HIGH\n');
			const state = await registry.state();
			assert.deepEqual(inForce(state), ['skill:a global']);
			assert.match(broken(state)[0] ?? '', /capability\.yaml:5: level: /);
		});

		it('adds a skill of a folder of skills only where its name is free', async () => {
			const skill = '---\nname: a\ndescription: d\n---\n';
			puts(global, 'a');
			write(join(host.workspace, '.claude/skills/a/SKILL.md'), skill);
			const [first, second] = (await registry.state()).capabilities;
			assert.deepEqual([first?.source, second?.overriddenBy?.source], ['global', 'global']);
			rmSync(join(global, 'skill/a'), { recursive: true });
			write(join(userHome, '.claude/skills/a/SKILL.md'), skill);
			write(join(host.workspace, '.agents/skills/a/SKILL.md'), skill);
			const [winner] = (await registry.state()).capabilities;
			assert.equal(winner?.path, join(host.workspace, '.agents/skills/a'));
		});

		it('has skills of other tools, in whatever case their file is written', async () => {
			const skill = (name: string) => `---\nname: ${name}\ndescription: d\n---\n`;
			const roots = ['.gemini/skills', '.cline/skills', '.kilocode/skills', '.cursor/skills'];
			for (const [at, root] of roots.entries()) {
				write(join(host.workspace, root, `p${at}/SKILL.md`), skill(`p${at}`));
				write(join(userHome, root, `u${at}/skill.md`), skill(`u${at}`));
			}
			const names = inForce(await registry.state());
			for (const at of roots.keys()) {
				assert.ok(names.includes(`skill:p${at} project`) && names.includes(`skill:u${at} global`), names.join());
			}
		});

		it('has commands and prompt files that are one file each, only where their name is free', async () => {
			const { workspace } = host;
			write(join(workspace, '.claude/commands/git/commit.md'), 'Commit it.\n');
			write(join(workspace, '.claude/commands/README.md'), 'About these.\n');
			write(join(workspace, '.github/prompts/form.prompt.md'), 'Make ${input:name}.\n');
			write(join(workspace, '.github/prompts/notes.md'), 'No prompt.\n');
			write(join(workspace, '.github/prompts/taken.prompt.md'), 'Not this.\n');
			write(join(userHome, '.claude/commands/mine.md'), 'Mine.\n');
			symlinkSync(join(userHome, '.claude/commands/mine.md'), join(workspace, '.claude/commands/link.md'));
			puts(global, 'taken');
			const expected = ['skill:form project', 'skill:git-commit project', 'skill:mine global', 'skill:taken global'];
			const state = await registry.state();
			assert.deepEqual(inForce(state), expected);
			assert.deepEqual(
				state.capabilities.filter(isInForce).flatMap(({ problems }) => problems),
				[],
			);
			assert.match(broken(state).join(), /it is a link; a capability may hold no links/);
			const form = state.capabilities.find(({ name }) => name === 'form');
			assert.equal(form?.path, join(workspace, '.github/prompts/form.prompt.md'));
			assert.equal((await registry.at(form.path)).manifest.argumentHint, '[name]');
			trust.isTrusted = false;
			workspaceChanged.fire();
			assert.deepEqual(inForce(await registry.state()), expected.slice(2));
		});

		it('warns of characters that nobody sees, and of what is wrong in the front matter of a command', async () => {
			const { workspace } = host;
			write(join(workspace, '.claude/skills/odd/SKILL.md'), '---\nname: odd\ndescription: d\n---\nDo\u200b it.\n');
			const command = '---\ndescription: Reads: all\nallowed-tools:\n  - Read\n---\nRead\u{e0041} it.\n';
			write(join(workspace, '.claude/commands/read.md'), command);
			write(join(workspace, '.claude/commands/seen.md'), '---\ndescription: Grüße 👩‍🚀\n---\nSay it.\n');
			const found = (await registry.state()).capabilities.filter(isInForce);
			assert.deepEqual(
				found.map(({ name, problems }) => [name, problems.map(problemText)]),
				[
					['odd', ['SKILL.md:5: it holds the character U+200B, which nobody sees']],
					[
						'read',
						[
							'Nested mappings are not allowed in compact mappings; read line by line instead; nothing of allowed-tools is allowed',
							'it holds the character U+E0041, which nobody sees',
						],
					],
					['seen', []],
				],
			);
			assert.ok(found.every(({ problems }) => problems.every(({ severity }) => severity === 'warning')));
		});

		it('may be written in UTF-16, and is searched for hidden characters then, too', async () => {
			const big = (content: string) => Buffer.from(content, 'utf16le').swap16();
			const skill = (name: string, says: string) =>
				`\ufeff---\r\nname: ${name}\r\ndescription: Gr\u00fc\u00dfe\r\n---\r\n${says}\r\n`;
			write(join(host.workspace, '.agents/skills/little/SKILL.md'), Buffer.from(skill('little', 'Do it.'), 'utf16le'));
			write(join(host.workspace, '.agents/skills/big/SKILL.md'), big(skill('big', 'Do \u200bit.')));
			write(
				join(host.workspace, '.agents/skills/half/SKILL.md'),
				Buffer.from(skill('half', 'It is \ud83d.'), 'utf16le'),
			);
			const { capabilities } = await registry.state();
			const found = capabilities.filter(isInForce).map(({ name, problems }) => [name, problems.length]);
			assert.deepEqual(found, [
				['big', 1],
				['little', 0],
			]);
			assert.equal((await registry.find('little', undefined))?.manifest.description, 'Gr\u00fc\u00dfe');
			assert.match(JSON.stringify(capabilities.map(({ problems }) => problems)), /no UTF-8/);
		});

		it('is one item when a link leads to it from another place, and takes the place of nothing', async () => {
			write(join(host.workspace, '.agents/skills/a/SKILL.md'), '---\nname: a\ndescription: d\n---\n');
			for (const folder of ['.claude/skills', '.prowess/capabilities/skill']) {
				mkdirSync(join(host.workspace, folder), { recursive: true });
				symlinkSync(join(host.workspace, '.agents/skills/a'), join(host.workspace, folder, 'a'));
			}
			const found = (await registry.state()).capabilities.filter(({ name }) => name === 'a');
			assert.deepEqual(
				found.map(({ path, overrides, problems }) => [path, overrides, problems]),
				[[join(host.workspace, '.agents/skills/a'), [], []]],
			);
		});

		it('takes the last of the same place, every time the same, with a warning (R-56)', async () => {
			for (const folder of ['x', 'y']) {
				puts(project, folder);
				write(join(project, 'skill', folder, 'capability.yaml'), manifest('a'));
			}
			for (let time = 0; time < 3; time += 1) {
				const [first, second] = (await registry.refresh()).capabilities;
				assert.equal(first?.path, join(project, 'skill/y'));
				assert.match(
					second?.problems.map(({ message }) => message).join('\n') ?? '',
					/another skill:a in .*y, and that one is in force/,
				);
			}
		});
	});

	describe('goes on with all others when one', () => {
		for (const [what, text, problem] of [
			['has ten megabytes', Buffer.alloc(10_000_000, 'a: b\n'), /10000000 bytes, the limit is 262144/],
			['is no text', Buffer.from([0x6e, 0xff, 0xfe]), /no UTF-8/],
			['holds a NUL', Buffer.from('name: a\0\n'), /:1: a NUL character/],
			['has tabs', Buffer.from('name: a\ninputs:\n\t- x\n'), /:3: /],
			['has types of its own', Buffer.from('name: !ruby/object x\n'), /:1: .*tag/i],
			['has a list for a name', Buffer.from('name: [a]\ntype: skill\n'), /:1: name: /],
		] as const) {
			it(`${what} (R-55)`, async () => {
				puts(project, 'good');
				write(join(project, 'skill/bad/capability.yaml'), text);
				const state = await registry.state();
				assert.deepEqual(inForce(state), ['skill:good project']);
				assert.match(broken(state)[0] ?? '', problem);
				await assert.rejects(registry.find('bad', 'skill'), { code: 'INVALID_CAPABILITY_CONFIG', message: problem });
			});
		}

		it('has a folder for a manifest, or a link', async () => {
			mkdirSync(join(project, 'skill/folder/capability.yaml'), { recursive: true });
			puts(project, 'good');
			mkdirSync(join(project, 'skill/link'));
			symlinkSync(join(project, 'skill/good/capability.yaml'), join(project, 'skill/link/capability.yaml'));
			const state = await registry.state();
			assert.deepEqual(inForce(state), ['skill:good project']);
			assert.equal(broken(state).length, 2);
		});

		it('holds nothing at all', async () => {
			mkdirSync(join(project, 'skill/empty'), { recursive: true });
			puts(project, 'good');
			assert.match(broken(await registry.state())[0] ?? '', /there is none of capability\.yaml, .*index\.js/);
		});

		it('is a skill with nothing to run', async () => {
			puts(global, 'a');
			puts(project, 'a');
			rmSync(join(project, 'skill/a/index.js'));
			const reason = /skill\/a\/capability\.yaml:1: there is nothing to run: none of index\.js, .*SKILL\.md/;
			const state = await registry.state();
			assert.deepEqual(inForce(state), ['skill:a global']);
			assert.deepEqual(
				(await registry.list()).capabilities.map(({ path }) => path),
				[join(global, 'skill/a')],
			);
			assert.match(join(project, 'skill/a', broken(state)[0] ?? ''), reason);
			rmSync(join(global, 'skill/a'), { recursive: true });
			await assert.rejects(registry.find('a', 'skill'), { code: 'INVALID_CAPABILITY_CONFIG', message: reason });
			await assert.rejects(registry.at(join(project, 'skill/a')), { code: 'INVALID_CAPABILITY_CONFIG' });
			write(join(project, 'skill/a/index.ts'), '');
			assert.equal((await registry.find('a', 'skill'))?.source, 'project');
		});

		for (const [type, enough, lack] of [
			['power', 'POWER.md', 'POWER.md, index.js, index.mjs, index.ts, SKILL.md'],
			['talent', 'knowledge/dates.md', 'TALENT.md, index.js, index.mjs, index.ts, SKILL.md, knowledge'],
		] as const) {
			it(`is a ${type} with nothing to go by`, async () => {
				write(join(project, type, 'a/capability.yaml'), manifest('a', type));
				const state = await registry.state();
				assert.deepEqual(inForce(state), []);
				const problem = `capability.yaml:1: there is nothing to run: none of ${lack} is in the folder`;
				assert.deepEqual(broken(state), [problem]);
				write(join(project, type, 'a', enough), 'Be exact.');
				assert.equal((await registry.find('a', type))?.source, 'project');
			});
		}

		it('is not one of ours to judge: another type, or another executor, may need no program', async () => {
			write(join(project, 'pipeline/a/capability.yaml'), manifest('a', 'pipeline'));
			write(join(project, 'skill/b/capability.yaml'), manifest('b', 'skill', 'executor: mine\n'));
			assert.deepEqual(inForce(await registry.state()), ['pipeline:a project', 'skill:b project']);
		});

		it('is a link that leads nowhere', async () => {
			puts(project, 'good');
			symlinkSync('../gone', join(project, 'skill/lost'));
			const state = await registry.state();
			assert.deepEqual(inForce(state), ['skill:good project']);
			assert.deepEqual(broken(state), ['it is a link that leads nowhere: ../gone']);
			await assert.rejects(registry.find('lost', 'skill'), {
				code: 'INVALID_CAPABILITY_CONFIG',
				message: `${join(project, 'skill/lost')}: it is a link that leads nowhere: ../gone`,
			});
		});

		it('has a manifest that is a link, wherever that leads', async () => {
			for (const [name, target] of [
				['lost', 'gone.yaml'],
				['linked', 'index.js'],
			] as const) {
				write(join(project, 'skill', name, 'index.js'), '');
				symlinkSync(target, join(project, 'skill', name, 'capability.yaml'));
			}
			assert.deepEqual(broken(await registry.state()), [
				'capability.yaml:1: it is a link; a capability may hold no links',
				'capability.yaml:1: it is a link that leads nowhere; a capability may hold no links',
			]);
		});

		it('is the folder of a type, and a link that leads nowhere or out of the workspace', async () => {
			puts(global, 'far');
			puts(project, 'good');
			symlinkSync('gone', join(project, 'power'));
			symlinkSync(join(global, 'skill'), join(project, 'talent'));
			const skills = join(host.workspace, '.claude/skills');
			mkdirSync(skills, { recursive: true });
			symlinkSync('gone', join(skills, 'lost'));
			const state = await registry.state();
			assert.deepEqual(inForce(state), ['skill:far global', 'skill:good project']);
			assert.deepEqual(state.problems, [
				`${join(project, 'power')}: it is a link that leads nowhere: gone`,
				`${join(project, 'talent')}: it is a link that leads out of the workspace, to ${join(global, 'skill')}`,
				`${join(skills, 'lost')}: it is a link that leads nowhere: gone`,
			]);
		});

		it('leads out of the workspace', async () => {
			puts(global, 'far');
			puts(project, 'good');
			symlinkSync(join(global, 'skill/far'), join(project, 'skill/far'));
			const state = await registry.state();
			assert.deepEqual(inForce(state), ['skill:far global', 'skill:good project']);
			assert.match(broken(state)[0] ?? '', /leads out of the workspace/);
		});

		it('is a folder of capabilities that leads out of the workspace', async () => {
			puts(global, 'far', 'talent');
			mkdirSync(dirname(project), { recursive: true });
			symlinkSync(global, project);
			const state = await registry.state();
			assert.deepEqual(inForce(state), ['talent:far global']);
		});

		it('is a link to itself, or to a folder above it (R-56)', async () => {
			puts(project, 'good');
			symlinkSync('loop', join(project, 'skill/loop'));
			symlinkSync('..', join(project, 'skill/up'));
			const skills = join(host.workspace, '.claude/skills');
			write(join(skills, 'group/one/SKILL.md'), '---\ndescription: d\n---\n');
			symlinkSync('..', join(skills, 'group/back'));
			assert.deepEqual(inForce(await registry.state()), ['skill:good project', 'skill:one project']);
		});

		it('cannot be read (R-56)', async function () {
			if (process.getuid?.() === 0) {
				// Root reads everything: what the system would refuse is a link that leads to itself.
				puts(project, 'good');
				mkdirSync(join(project, 'skill/closed'));
				symlinkSync('capability.yaml', join(project, 'skill/closed/capability.yaml'));
			} else {
				puts(project, 'good');
				puts(project, 'closed');
				chmodSync(join(project, 'skill/closed'), 0);
			}
			assert.deepEqual(inForce(await registry.state()), ['skill:good project']);
			if (process.getuid?.() !== 0) chmodSync(join(project, 'skill/closed'), 0o700);
		});

		it('is renamed again and again while it looks (R-56)', async () => {
			for (let at = 0; at < 40; at += 1) puts(project, `a${at}`);
			const folder = join(project, 'skill/a0');
			let isLooking = true;
			const renaming = (async () => {
				while (isLooking) {
					renameSync(folder, `${folder}-moved`);
					await new Promise((resolve) => setImmediate(resolve));
					renameSync(`${folder}-moved`, folder);
					await new Promise((resolve) => setImmediate(resolve));
				}
			})();
			for (let time = 0; time < 20; time += 1) {
				const state = await registry.refresh();
				assert.ok(inForce(state).length >= 39);
				assert.deepEqual(state.problems, []);
			}
			isLooking = false;
			await renaming;
			assert.equal(inForce(await registry.refresh()).length, 40);
		});

		it('lies too deep among folders of skills', async () => {
			const skills = join(host.workspace, '.agents/skills');
			const deep = Array.from({ length: MAX_SKILL_DEPTH - 1 }, (_, at) => `d${at}`).join('/');
			write(join(skills, deep, 'last/SKILL.md'), '---\ndescription: d\n---\n');
			write(join(skills, deep, 'more/toodeep/SKILL.md'), '---\ndescription: d\n---\n');
			assert.deepEqual(inForce(await registry.state()), ['skill:last project']);
		});
	});

	describe('knows executors', () => {
		const executor = (root: string, name: string, types: string, more = '') =>
			write(join(root, 'executors', name, 'executor.yaml'), `name: ${name}\nsupportedTypes: ${types}\n${more}`);

		it('of which the last registered runs a type, and the others only what names them', async () => {
			executor(global, 'a', '[skill, pipeline]');
			executor(project, 'b', '[pipeline]');
			executor(project, 'c', '[pipeline]');
			const { executors } = await registry.state();
			assert.deepEqual(
				executors.map(({ name, source, runs }) => [name, source, runs.join()]),
				[
					['skill', 'built-in', ''],
					['a', 'global', 'skill'],
					['b', 'project', ''],
					['c', 'project', 'pipeline'],
				],
			);
			assert.match(
				executors[2]?.problems.map(({ message }) => message).join() ?? '',
				/pipeline are run by the executor c/,
			);
			assert.equal((await registry.executorFor('pipeline', undefined))?.folder, join(project, 'executors/c'));
			assert.equal((await registry.executorFor('pipeline', 'a'))?.folder, join(global, 'executors/a'));
			assert.equal((await registry.executorFor('skill', 'skill'))?.folder, undefined);
			assert.equal(await registry.executorFor('pipeline', 'skill'), undefined);
			assert.equal(await registry.executorFor('nothing', undefined), undefined);
		});

		it('that are not built yet, with a warning', async () => {
			executor(project, 'b', '[pipeline]', 'entryPoint: out/main.js\n');
			const warned = async () => (await registry.state()).executors.at(-1)?.problems.map(({ message }) => message);
			assert.deepEqual(await warned(), ['out/main.js is not there']);
			write(join(project, 'executors/b/out/main.js'), '');
			assert.deepEqual(await warned(), []);
		});

		it('that are broken, and says which types those would have run', async () => {
			executor(project, 'b', '[pipeline]', 'entryPoint: ../x.js\n');
			write(join(project, 'executors/c/readme.md'), '');
			await assert.rejects(registry.executorFor('pipeline', undefined), {
				code: 'INVALID_EXECUTOR_CONFIG',
				message: /executor\.yaml:3: /,
			});
			await assert.rejects(registry.executorFor('x', 'c'), {
				code: 'INVALID_EXECUTOR_CONFIG',
				message: /none of executor\.yaml/,
			});
		});

		it('by the type that only they run: no capability is of the type executors', async () => {
			puts(project, 'a', 'executors');
			assert.deepEqual(inForce(await registry.state()), []);
		});
	});

	describe('while somebody listens', () => {
		const heard = () => {
			const states: string[][] = [];
			const listening = registry.onDidChange((state) => void states.push(inForce(state)));
			return { states, listening, last: () => states.at(-1)?.join() };
		};

		it('tells what comes, changes and goes, also in folders that were not there', async () => {
			const { last, listening } = heard();
			assert.deepEqual(inForce(await registry.state()), []);
			puts(project, 'a');
			await waitFor('a to be told', () => last() === 'skill:a project');
			puts(global, 'b');
			await waitFor('b to be told', () => last() === 'skill:a project,skill:b global');
			puts(project, 'a', 'skill', 'level: HIGH\n');
			await waitFor('a to be broken', () => last() === 'skill:b global');
			rmSync(join(global, 'skill'), { recursive: true });
			await waitFor('b to be gone', () => last() === '');
			listening.dispose();
		});

		it('looks once a second at most, however much happens (R-53)', async () => {
			puts(project, 'a');
			const { listening, states, last } = heard();
			await registry.state();
			const began = performance.now();
			await once(spawn(process.execPath, ['--eval', STORM, join(project, 'skill')], { stdio: 'inherit' }), 'exit');
			await waitFor('the last of them to be told', () => last()?.endsWith('skill:z project'));
			const seconds = (performance.now() - began) / RESCAN_MS;
			// Three scans beyond one per second: one was under way when the storm began, one was due, and one follows
			// its end.
			assert.ok(states.length <= seconds + 3, `${states.length} in ${seconds} s`);
			listening.dispose();
		});

		it('finds what changes in a folder that the system is not asked to watch (R-53)', async () => {
			const polling = new CapabilityRegistry({ ...deps, watching: { folders: 1, pollMs: 100, pollShare: 1 } });
			try {
				let last = '';
				polling.onDidChange((state) => (last = inForce(state).join()));
				await polling.state();
				// More of them than there are looks at the beginning.
				for (const more of ['level: SAFE\n', 'level: HIGH\n', '', 'level: HIGH\n', '']) {
					puts(project, 'a', 'skill', more);
					const expected = more.includes('HIGH') ? '' : 'skill:a project';
					await waitFor(`"${expected}" to be told`, () => last === expected);
				}
			} finally {
				polling.dispose();
			}
		});

		it('tells nothing when nothing is another than before', async () => {
			puts(project, 'a');
			const { listening, states } = heard();
			await registry.state();
			write(join(project, 'skill/a/readme.md'), 'x');
			puts(project, 'a');
			await registry.refresh();
			await registry.refresh();
			assert.deepEqual(states, []);
			listening.dispose();
		});
	});

	it('shares one look among all that ask at the same time', async () => {
		puts(project, 'a');
		const states = await Promise.all(Array.from({ length: 50 }, () => registry.refresh()));
		assert.ok(new Set(states).size <= 2);
	});

	describe('asked for what there is within a time', () => {
		const count = 500;
		const names = async (withinMs?: number) => {
			const { capabilities, isComplete } = await registry.list(withinMs);
			return { isComplete, found: capabilities.map(({ manifest: { name }, source }) => `${name} ${source}`) };
		};
		/** While it looks for the first time, and has found something. */
		const someOfThem = async () => {
			for (;;) {
				const some = await names(1);
				assert.equal(some.isComplete, false, 'it had found all before it was asked');
				if (some.found.length > 0) return some.found;
			}
		};
		beforeEach(() => {
			puts(global, 'mine');
			for (let at = 0; at < count; at += 1) puts(project, `a${at}`);
		});

		it('names what it has read by then, and all of them once it has read them', async () => {
			const looking = names();
			const some = await someOfThem();
			const all = await looking;
			assert.deepEqual([all.isComplete, all.found.length], [true, count + 1]);
			assert.ok(some.every((each) => all.found.includes(each)));
		});

		it('names nothing of a workspace that is trusted no more', async () => {
			const looking = names();
			while (!(await someOfThem()).some((each) => each.endsWith(' project')));
			trust.isTrusted = false;
			workspaceChanged.fire();
			assert.deepEqual(await names(1), { isComplete: false, found: [] });
			await looking;
			assert.deepEqual(await names(20_000), { isComplete: true, found: ['mine global'] });
		});
	});

	it('answers nobody after its end', async () => {
		registry.dispose();
		await assert.rejects(registry.state(), { code: 'REGISTRY_NOT_INITIALIZED' });
	});
});
