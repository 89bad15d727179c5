import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
	type Files,
	filesBelow,
	indexFolder,
	marketplaceScene,
	never,
	writeFiles,
} from '../../../../test/support/marketplace-scene.ts';
import { httpSite } from '../../../../test/support/http-site.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';

const skill = (name: string, more = '') => `---\nname: ${name}\ndescription: does ${name}\n${more}---\nDo it.\n`;
const claude = (...plugins: unknown[]) => JSON.stringify({ name: 'tools', owner: { name: 'them' }, plugins });

async function offered(location: string, over: Parameters<typeof marketplaceScene>[1] = {}) {
	const { items: all, indexes } = await marketplaceScene([location], over).marketplace.search({}, never);
	// Each plugin is offered, too, as one thing.
	const items = all.filter(({ type }) => type !== 'plugins');
	return {
		plugins: all.filter(({ type }) => type === 'plugins').map(({ name }) => name),
		names: items.map(({ type, name }) => `${type}/${name}`),
		problems: indexes[0]?.problems ?? [],
		items,
	};
}

function folderWith(files: Files): string {
	const folder = tempDir('plugins');
	writeFiles(folder, files);
	return folder;
}

describe('the plugins of others', () => {
	it('are offered as their skills: those in skills/, and those that are named', async () => {
		const folder = folderWith({
			'.claude-plugin/marketplace.json': claude(
				{ name: 'one', source: './plugins/one', author: { name: 'Ada' } },
				{ name: 'two', source: './', strict: false, skills: ['./documents/pdf', './more'] },
			),
			'plugins/one/.claude-plugin/plugin.json': '{"name":"one","version":"2.0.0"}',
			'plugins/one/skills/lint/SKILL.md': skill('lint'),
			'plugins/one/hooks/hooks.json': '{}',
			'documents/pdf/SKILL.md': skill('pdf'),
			'more/xlsx/SKILL.md': skill('xlsx'),
			'more/none/README.md': 'no skill',
		});
		const { names, problems, items } = await offered(folder);
		assert.deepEqual([names, problems], [['skill/lint', 'skill/pdf', 'skill/xlsx'], []]);
		assert.deepEqual([items[0]?.author, items[0]?.description, items[0]?.index], ['Ada', 'does lint', 'tools']);
	});

	it('are found where Copilot and Codex have them', async () => {
		const folder = folderWith({
			'.agents/plugins/marketplace.json': claude(
				{ name: 'codex', source: { source: 'local', path: './plugins/codex' } },
				{ name: 'climbs', source: { source: 'local', path: '../codex' } },
				{ name: 'placeless', source: { source: 'local' } },
			),
			'plugins/codex/.codex-plugin/plugin.json': '{"name":"codex","version":"2.0.0"}',
			'plugins/codex/skills/lint/SKILL.md': skill('lint'),
		});
		const { names, plugins, problems } = await offered(folder);
		assert.deepEqual([names, plugins, problems.length], [['skill/lint'], ['codex'], 2]);
		const copilot = folderWith({
			'.github/plugin/plugin.json': '{"name":"copilot","version":"2.1.0","skills":["./skills/fix/"]}',
			'skills/fix/SKILL.md': skill('fix'),
		});
		assert.deepEqual((await offered(copilot)).plugins, ['copilot']);
	});

	it('may be a single skill, at the top of its folder', async () => {
		const alone = folderWith({ 'SKILL.md': skill('alone'), 'run.sh': 'echo hi\n', 'docs/a.md': 'a' });
		const { marketplace, home } = marketplaceScene([alone]);
		await marketplace.install({ capability: { name: 'alone' }, scope: 'global' }, never);
		assert.deepEqual(Object.keys(filesBelow(join(home, 'capabilities'))).sort(), [
			'skill/alone/SKILL.md',
			'skill/alone/docs/a.md',
			'skill/alone/run.sh',
		]);
		const both = folderWith({ 'SKILL.md': skill('top'), 'below/SKILL.md': skill('below') });
		const { names, problems } = await offered(both);
		assert.deepEqual(names, ['skill/below']);
		assert.match(problems.join(), /the capability at its top is not offered, because others lie below it/);
	});

	it('may be a single skill in a marketplace, which is offered by itself', async () => {
		const folder = folderWith({
			'.claude-plugin/marketplace.json': claude({ name: 'reflect', source: './plugins/reflect' }),
			'plugins/reflect/.claude-plugin/plugin.json': '{"name":"reflect","version":"2.0.0"}',
			'plugins/reflect/SKILL.md': skill('reflect'),
			'plugins/reflect/scripts/look.sh': 'echo hi\n',
		});
		const { names, plugins, problems } = await offered(folder);
		assert.deepEqual([names, plugins, problems], [['skill/reflect'], [], []]);
		const { marketplace, home } = marketplaceScene([folder]);
		await marketplace.install({ capability: { name: 'reflect' }, scope: 'global' }, never);
		const installed = Object.keys(filesBelow(join(home, 'capabilities')));
		assert.ok(installed.includes('skill/reflect/SKILL.md'), installed.join());
		assert.ok(installed.includes('skill/reflect/scripts/look.sh'), installed.join());
	});

	it('cost only themselves when they are wrong, climb out, or lie elsewhere', async () => {
		const folder = folderWith({
			'.claude-plugin/marketplace.json': claude(
				{ name: 'climbs', source: '../../elsewhere' },
				{ name: 'github', source: { source: 'github', repo: 'a/b' } },
				{ source: './nameless' },
				{ name: 'named', source: './', strict: false, skills: ['../../../etc'] },
				{ name: 'good', source: './good' },
			),
			'good/skills/a/SKILL.md': skill('a'),
			'good/skills/b/SKILL.md': skill('../b'),
			'good/skills/c/SKILL.md': skill('a'),
		});
		const { names, problems } = await offered(folder);
		assert.deepEqual(names, ['skill/a']);
		assert.deepEqual(
			problems.map((problem) => /plugins\.\d|name: expected|there twice/.exec(problem)?.[0]),
			['plugins.0', 'plugins.2', 'plugins.3', 'name: expected', 'there twice'],
		);
	});

	it('are looked for below pluginRoot only where their source does not begin with ./', async () => {
		const folder = folderWith({
			'.claude-plugin/marketplace.json': JSON.stringify({
				name: 'tools',
				metadata: { pluginRoot: './plugins' },
				plugins: [
					{ name: 'a', source: './plugins/a' },
					{ name: 'b', source: 'b' },
				],
			}),
			'plugins/a/skills/one/SKILL.md': skill('one'),
			'plugins/b/skills/two/SKILL.md': skill('two'),
		});
		assert.deepEqual(await offered(folder).then(({ names, problems }) => [names, problems]), [
			['skill/one', 'skill/two'],
			[],
		]);
	});

	it('are named with the reason when nothing of them is offered', async () => {
		const folder = folderWith({
			'.claude-plugin/marketplace.json': claude(
				{ name: 'gone', source: './gone' },
				{ name: 'other', source: './other' },
				{ name: 'empty', source: './empty' },
				{ name: 'hub', source: { source: 'github', repo: 'a/b' } },
				{ name: 'part', source: { source: 'git-subdir', url: 'https://example.org/c.git', path: 'plugins/d' } },
				{ name: 'package', source: { source: 'npm', package: '@a/b' } },
			),
			'other/.lsp.json': '{}',
			'empty/README.md': 'Nothing.',
		});
		const { names, plugins, problems } = await offered(folder);
		assert.deepEqual([names, plugins], [[], ['hub', 'package', 'part']]);
		assert.deepEqual(
			problems.map((problem) => problem.replace(/^.*: plugins\.\d: /, '')),
			[
				'"gone": there is no folder gone',
				'"other" has nothing that is taken: no skill, command, agent, hook or MCP server; in it lie .lsp.json; its LSP servers are not',
				'"empty" has nothing that is taken: no skill, command, agent, hook or MCP server; in it lie README.md',
			],
		);
	});

	it('are found by whether they hold programs', async () => {
		const folder = folderWith({
			'.claude-plugin/marketplace.json': claude(
				{ name: 'words', source: './words' },
				{ name: 'works', source: './works' },
			),
			'words/skills/say/SKILL.md': skill('say'),
			'works/skills/run/SKILL.md': skill('run'),
			'works/skills/run/scripts/run.py': 'print(1)',
			'works/skills/told/SKILL.md': skill('told'),
		});
		const { items } = await marketplaceScene([folder]).marketplace.search({ scripts: true }, never);
		assert.deepEqual(
			items.map(({ type, name }) => `${type}/${name}`),
			['skill/run', 'plugins/works'],
		);
	});

	it('offer a skill once that several of them name', async () => {
		const folder = folderWith({
			'.claude-plugin/marketplace.json': claude(
				{ name: 'papers', source: './', strict: false, skills: ['./skills/pdf', './skills/docx'] },
				{ name: 'more', source: './', strict: false, skills: ['./skills/docx', './skills/xlsx'] },
			),
			'skills/pdf/SKILL.md': skill('pdf'),
			'skills/docx/SKILL.md': skill('docx'),
			'skills/xlsx/SKILL.md': skill('xlsx'),
			'skills/hidden/SKILL.md': skill('hidden'),
		});
		const { names, problems } = await offered(folder);
		assert.deepEqual([names, problems], [['skill/docx', 'skill/pdf', 'skill/xlsx'], []]);
	});

	it('may be only skills, in whatever folders, named as their folders where they do not say it', async () => {
		const folder = folderWith({
			'README.md': 'Skills.',
			'skills/.curated/pdf/SKILL.md': skill('pdf'),
			'skills/.curated/pdf/examples/SKILL.md': skill('no-other'),
			'deep/in/folders/Hook-Work/SKILL.md': skill('Hook Work'),
			'plain/skill.md': '---\ndescription: Does it\n---\nDo it.',
			'тест/SKILL.md': skill('тест'),
			'untold/SKILL.md': 'Do it.',
			'bad/SKILL.md': skill('../bad'),
			'lights/POWER.md':
				'---\nname: lights\ndisplayName: Lights\ndescription: Switches\nkeywords: [home]\n---\nSwitch.\n',
			'node_modules/x/SKILL.md': skill('x'),
		});
		const { names, problems, items } = await offered(folder);
		assert.deepEqual(names, ['skill/hook-work', 'power/lights', 'skill/pdf', 'skill/plain', 'skill/тест']);
		assert.equal(problems.length, 2);
		assert.match(problems[0] ?? '', /bad.*name: expected/);
		assert.match(problems[1] ?? '', /untold.*there is no description/);
		assert.deepEqual([items[0]?.index, items[1]?.tags], [folder.split('/').at(-1), ['home']]);
		const { marketplace, home } = marketplaceScene([folder]);
		for (const name of ['plain', 'тест']) await marketplace.install({ capability: { name }, scope: 'global' }, never);
		assert.deepEqual(Object.keys(filesBelow(join(home, 'capabilities'))), [
			'skill/plain/skill.md',
			'skill/тест/SKILL.md',
		]);
	});

	it('may be one alone, as Agent Plugins 1.0 has it', async () => {
		const folder = folderWith({
			'plugin.json': '{"$schema":"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json","name":"solo"}',
			'mcp.json': '{}',
			'skills/greet/SKILL.md': skill('greet'),
			'skills/greet/references/how.md': 'so',
		});
		const { marketplace, home } = marketplaceScene([folder]);
		const installed = await marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never);
		assert.deepEqual([installed.type, installed.isEnabled], ['skill', false]);
		assert.deepEqual(Object.keys(filesBelow(join(home, 'capabilities'))), [
			'skill/greet/SKILL.md',
			'skill/greet/references/how.md',
		]);
	});

	it('are updated when their content is another one, also under the same version', async () => {
		const folder = folderWith({ 'plugin.json': '{"name":"solo"}', 'skills/greet/SKILL.md': skill('greet') });
		const { marketplace } = marketplaceScene([folder]);
		await marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never);
		const ref = { name: 'greet', scope: 'global' } as const;
		assert.equal(await marketplace.previewUpdate(ref, never), undefined);
		writeFiles(folder, { 'skills/greet/more.md': 'new' });
		assert.deepEqual((await marketplace.previewUpdate(ref, never))?.diff.files.added, ['more.md']);
		assert.equal((await marketplace.update(ref, undefined, never)).previousVersion, '1.0.0');
	});

	it('are not installed with links, and not read through one that leads out', async () => {
		const outside = folderWith({ 'SKILL.md': skill('stolen') });
		const folder = folderWith({ 'plugin.json': '{"name":"solo"}', 'skills/greet/SKILL.md': skill('greet') });
		symlinkSync('/etc/passwd', join(folder, 'skills/greet/passwd'));
		symlinkSync(outside, join(folder, 'skills/stolen'));
		assert.deepEqual((await offered(folder)).names, ['skill/greet']);
		const { marketplace } = marketplaceScene([folder]);
		await assert.rejects(marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never), /no links/);
	});

	it('are not taken where the settings want a signature', async () => {
		const folder = folderWith({ 'plugin.json': '{"name":"solo"}', 'skills/greet/SKILL.md': skill('greet') });
		const { marketplace } = marketplaceScene([{ location: folder, key: `${'A'.repeat(43)}=` }]);
		await assert.rejects(marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never), {
			code: 'DOWNLOAD_FAILED',
			message: /not signed/,
		});
	});
});

describe('an index in a Git repository', () => {
	function git(folder: string, ...args: string[]): string {
		const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
		const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main'];
		return execFileSync('git', [...who, ...args], {
			cwd: folder,
			env,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		}).trim();
	}

	function repository(files: Files): string {
		const folder = folderWith(files);
		git(folder, 'init', '--quiet');
		git(folder, 'add', '--all', '--force');
		git(folder, 'commit', '--quiet', '-m', 'x');
		return folder;
	}

	const plugin = { '.claude-plugin/plugin.json': '{"name":"solo"}', 'skills/greet/SKILL.md': skill('greet') };

	it('is read at its commit, and installed without being checked out', async () => {
		const folder = repository({ ...plugin, 'skills/greet/run.sh': 'echo hi\n', '.gitattributes': '* text eol=crlf\n' });
		writeFiles(folder, { 'skills/greet/uncommitted.md': 'x' });
		const { marketplace, home, ledger } = marketplaceScene([`git+file://${folder}`]);
		await marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never);
		assert.deepEqual(Object.keys(filesBelow(join(home, 'capabilities'))), [
			'skill/greet/SKILL.md',
			'skill/greet/run.sh',
		]);
		assert.equal(ledger.rows[0]?.op, 'marketplace.read');
		const [store] = readdirSync(join(home, 'marketplace/repositories')).filter((name) => !name.endsWith('.db'));
		assert.equal(readdirSync(join(home, 'marketplace/repositories', store ?? '')).includes('skills'), false);
	});

	it('is read from one folder of it, and from one without a working copy', async () => {
		const folder = repository({
			'a/skills/greet/SKILL.md': skill('greet'),
			'a/.claude-plugin/plugin.json': '{"name":"solo"}',
			'b/SKILL.md': skill('other'),
		});
		assert.deepEqual((await offered(`git+file://${folder}#main:a`)).names, ['skill/greet']);
		assert.deepEqual((await offered(`git+file://${folder}#:a/skills`)).names, ['skill/greet']);
		const bare = `${folder}-bare`;
		git(folder, 'clone', '--quiet', '--bare', folder, bare);
		for (const location of [bare, `file://${bare}`, `file://${folder}`]) {
			assert.deepEqual((await offered(location)).names, ['skill/greet', 'skill/other'], location);
		}
		assert.deepEqual((await offered(`${bare}#:a/skills`)).names, ['skill/greet']);
		assert.deepEqual((await offered(`git+file://${folder}#:b`)).names, ['skill/other']);
		const { problems } = await offered(`git+file://${folder}#main:../a`);
		assert.match(problems.join(), /does not lie below it/);
	});

	it('may hold only skills', async () => {
		const folder = repository({
			'skills/.curated/greet/SKILL.md': skill('greet'),
			'other/SKILL.md': skill('other'),
			'README.md': 'Skills.',
		});
		const { names, problems, items } = await offered(`git+file://${folder}`);
		assert.deepEqual([names, problems], [['skill/greet', 'skill/other'], []]);
		assert.equal(items[0]?.index, folder.split('/').at(-1));
		const { marketplace } = marketplaceScene([`git+file://${folder}`]);
		await marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never);
	});

	it('is read at a branch or tag, and anew when it has moved', async () => {
		const folder = repository(plugin);
		git(folder, 'branch', 'stable');
		writeFiles(folder, { 'skills/other/SKILL.md': skill('other') });
		git(folder, 'add', '--all');
		git(folder, 'commit', '--quiet', '-m', 'more');
		assert.deepEqual((await offered(`git+file://${folder}#stable`)).names, ['skill/greet']);
		assert.deepEqual((await offered(`git+file://${folder}`)).names, ['skill/greet', 'skill/other']);
		for (const [ref, about] of [
			['gone', /couldn't find remote ref|cannot read the repository/],
			['--upload-pack=touch x', /is not a branch or tag/],
			['a..b', /is not a branch or tag/],
		] as const) {
			assert.match((await offered(`git+file://${folder}#${ref}`)).problems[0] ?? '', about);
		}
	});

	it('may hold an index of ours with archives', async () => {
		const folder = await indexFolder([{}]);
		git(folder, 'init', '--quiet');
		git(folder, 'add', '--all');
		git(folder, 'commit', '--quiet', '-m', 'x');
		const { marketplace } = marketplaceScene([`git+file://${folder}`]);
		assert.equal(
			(await marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never)).version,
			'1.0.0',
		);
	});

	it('brings no link into the home', async () => {
		const linked = folderWith(plugin);
		symlinkSync('/etc/passwd', join(linked, 'skills/greet/passwd'));
		git(linked, 'init', '--quiet');
		git(linked, 'add', '--all');
		git(linked, 'commit', '--quiet', '-m', 'x');
		const { marketplace, home } = marketplaceScene([`git+file://${linked}`]);
		await assert.rejects(marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never), {
			code: 'EXTRACTION_FAILED',
			message: /link or a special file/,
		});
		assert.deepEqual(readdirSync(join(home, 'capabilities/skill')), []);
	});

	it('runs nothing that the repository or the machine configures', async () => {
		const folder = repository({ ...plugin, '.gitattributes': '* filter=evil diff=evil export-subst\n' });
		const mark = join(tempDir('mark'), 'mark');
		git(folder, 'config', 'uploadpack.packObjectsHook', `touch ${mark}`);
		git(folder, 'config', 'filter.evil.smudge', `touch ${mark}`);
		mkdirSync(join(folder, '.git/hooks'), { recursive: true });
		writeFiles(folder, { '.git/hooks/post-checkout': `#!/bin/sh\ntouch ${mark}\n` });
		const { marketplace } = marketplaceScene([`git+file://${folder}`]);
		await marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never);
		assert.equal(readdirSync(join(mark, '..')).length, 0);
	});

	it('is fetched over http from the address that was judged, by a name nobody else knows', async () => {
		const folder = repository(plugin);
		const { port, close } = await httpSite((request, response) => {
			const url = new URL(request.path, 'http://market.test');
			const answer = execFileSync('git', ['http-backend'], {
				input: request.body,
				env: {
					PATH: process.env['PATH'] ?? '',
					GIT_PROJECT_ROOT: join(folder, '..'),
					GIT_HTTP_EXPORT_ALL: '1',
					PATH_INFO: url.pathname,
					QUERY_STRING: url.search.slice(1),
					REQUEST_METHOD: request.method,
					CONTENT_TYPE: request.headers['content-type'] ?? '',
					GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
				},
			});
			const end = answer.indexOf('\r\n\r\n');
			for (const line of answer.subarray(0, end).toString('latin1').split('\r\n')) {
				const [name = '', value = ''] = line.split(': ');
				if (name !== 'Status') response.setHeader(name, value);
			}
			response.end(answer.subarray(end + 4));
		});
		try {
			const { names, problems } = await offered(
				`git+http://market.test:${port}/${folder.split('/').at(-1) ?? ''}/.git`,
			);
			assert.deepEqual([names, problems], [['skill/greet'], []]);
		} finally {
			await close();
		}
	});

	it('is asked for only over https, and not on this machine, and sent nowhere else', async () => {
		const { port, received, close } = await httpSite((_request, response) =>
			response.writeHead(302, { location: 'http://other.test/x.git/info/refs' }).end(),
		);
		try {
			assert.match((await offered(`http://public.test/x.git`)).problems[0] ?? '', /only https is accepted/);
			assert.match((await offered(`https://inner.test/x.git`)).problems[0] ?? '', /on this machine or its network/);
			assert.match((await offered('git+ssh://market.test/x')).problems[0] ?? '', /neither an absolute path/);
			assert.match((await offered('git+file://--upload-pack=x')).problems[0] ?? '', /cannot read the repository/);
			assert.match((await offered(`http://market.test:${port}/x.git`)).problems[0] ?? '', /cannot read the repository/);
			assert.equal(received.length, 1);
		} finally {
			await close();
		}
	});
});
