import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { type WorkspaceOnDisk, workspaceOnDisk, writeFiles } from '../../../test/support/workspace-on-disk.ts';
import type { OpParams } from '../../protocol/op-table/ops.ts';
import { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';

describe('the instructions of a workspace', () => {
	let disk: WorkspaceOnDisk;

	const found = (params: Partial<OpParams<'workspace.instructions'>> = {}) =>
		disk.perform('workspace.instructions', { touched: [], told: [], again: [], ...params });
	const told = async (params?: Partial<OpParams<'workspace.instructions'>>) =>
		(await found(params)).files.map(({ path }) => path);

	afterEach(() => disk.close());

	it('are none where nobody wrote any', async () => {
		disk = await workspaceOnDisk({ 'README.md': 'x' });
		assert.deepEqual(await found(), { files: [], again: [], gone: [], offered: [], left: [] });
	});

	it('bring nothing from outside of the workspace, by a link or an import', async () => {
		const outside = tempDir('outside');
		await writeFiles(outside, { 'AGENTS.md': 'Do as I say.', 'notes.md': 'More.' });
		disk = await workspaceOnDisk({ 'CLAUDE.md': `See @../notes.md and @${outside}/notes.md and @~/notes.md.` });
		await symlink(join(outside, 'AGENTS.md'), join(disk.root, 'AGENTS.md'));
		const { files, left } = await found();
		assert.deepEqual(
			files.map(({ path }) => path),
			['CLAUDE.md'],
		);
		assert.deepEqual(left[0], { path: 'AGENTS.md', reason: 'outside' });
		assert.ok(left.every(({ reason }) => reason === 'outside'));
	});

	it('never hold a file of secrets, which is named', async () => {
		disk = await workspaceOnDisk({
			'AGENTS.md': 'Read @.env and @docs/style.md',
			'.env': 'KEY=1',
			'docs/style.md': 'Tabs.',
		});
		const { files, left } = await found();
		assert.deepEqual(
			files.map(({ path, importedBy }) => [path, importedBy]),
			[
				['AGENTS.md', undefined],
				['docs/style.md', 'AGENTS.md'],
			],
		);
		assert.deepEqual(left, [{ path: '.env', reason: 'secret' }]);
	});

	it('name what cannot be read: a folder of that name, a file that is no text', async () => {
		disk = await workspaceOnDisk({ 'CLAUDE.md': 'a\0b' });
		await mkdir(join(disk.root, 'AGENTS.md'));
		assert.deepEqual((await found()).left, [
			{ path: 'AGENTS.md', reason: 'unreadable' },
			{ path: 'CLAUDE.md', reason: 'unreadable' },
		]);
	});

	it('end where imports go round in a circle or too deep', async () => {
		const chain = Object.fromEntries(
			Array.from({ length: 9 }, (_, at) => [`docs/${at}.md`, `${at}: @${at + 1}.md @../AGENTS.md`]),
		);
		disk = await workspaceOnDisk({ 'AGENTS.md': 'Begin: @docs/0.md', ...chain });
		assert.deepEqual(await told(), ['AGENTS.md', ...Array.from({ length: 5 }, (_, at) => `docs/${at}.md`)]);
	});

	it('are cut where a file is too long, which is said', async () => {
		disk = await workspaceOnDisk({ 'AGENTS.md': `Begin ${'x'.repeat(40_000)}` });
		const [file] = (await found()).files;
		assert.equal(file?.text.length, 32_768);
		assert.equal(file?.omitted, 40_006 - 32_768);
	});

	it('are bounded where there are very many rules', async () => {
		const rules = Object.fromEntries(
			Array.from({ length: 90 }, (_, at) => [`.cursor/rules/r${at}.mdc`, `---\nalwaysApply: true\n---\nRule ${at}`]),
		);
		disk = await workspaceOnDisk(rules);
		const { files, left } = await found();
		assert.deepEqual([files.length, left.length], [60, 30]);
		assert.ok(left.every(({ reason }) => reason === 'tooMany'));
	});

	it('take no import from code, an address of mail or the name of a person', async () => {
		disk = await workspaceOnDisk({
			'AGENTS.md': '`@a.md` for me@b.md and @alice\n```\n@c.md\n```\n@d.md',
			...Object.fromEntries(['a.md', 'b.md', 'alice', 'c.md', 'd.md'].map((name) => [name, name])),
		});
		assert.deepEqual(await told(), ['AGENTS.md', 'd.md']);
	});

	it('are those of this and other agents, what two files say alike only once', async () => {
		disk = await workspaceOnDisk({
			'AGENTS.md': 'Use tabs.',
			'CLAUDE.md': 'Use tabs.\n',
			'GEMINI.md': '@AGENTS.md',
			'.claude/CLAUDE.md': 'Test it.',
			'.github/copilot-instructions.md': 'Be brief.',
			'.cursorrules': 'No semicolons.',
		});
		assert.deepEqual(await told(), [
			'AGENTS.md',
			'GEMINI.md',
			'.claude/CLAUDE.md',
			'.github/copilot-instructions.md',
			'.cursorrules',
		]);
	});

	it('by another name, a link to what was told, are not told again', async () => {
		disk = await workspaceOnDisk({ 'AGENTS.md': 'root', 'docs/rules.md': 'docs', 'web/a.ts': '', 'web/src/b.ts': '' });
		const links = { 'CLAUDE.md': 'AGENTS.md', 'web/AGENTS.md': '../CLAUDE.md', 'web/GEMINI.md': '../docs/rules.md' };
		for (const [name, target] of Object.entries(links)) await symlink(target, join(disk.root, name));
		assert.deepEqual(await told(), ['AGENTS.md']);
		assert.deepEqual(await told({ touched: ['web/a.ts'], told: ['AGENTS.md'] }), ['docs/rules.md']);
		assert.deepEqual(await told({ touched: ['web/src/b.ts'], told: ['AGENTS.md', 'docs/rules.md'] }), []);
	});

	it('that name a document that is not there say so, and nothing of what is no document', async () => {
		disk = await workspaceOnDisk({
			'AGENTS.md': 'See @docs/style.md, @docs/there.md, @types/node, @a/b.js and ask @team/docs.',
			'docs/there.md': 'x @../more/Deep.MDC',
		});
		const { files, left } = await found();
		assert.deepEqual(
			files.map(({ path }) => path),
			['AGENTS.md', 'docs/there.md'],
		);
		assert.deepEqual(left, [
			{ path: 'docs/style.md', reason: 'missing' },
			{ path: 'more/Deep.MDC', reason: 'missing' },
		]);
	});

	it('of a folder are told once something below it is worked on, the nearest last', async () => {
		disk = await workspaceOnDisk({
			'AGENTS.md': 'root',
			'packages/AGENTS.md': 'packages',
			'packages/web/CLAUDE.md': 'web',
			'packages/api/AGENTS.md': 'api',
			'packages/web/src/a.ts': '',
		});
		assert.deepEqual(await told(), ['AGENTS.md']);
		assert.deepEqual(await told({ touched: ['packages/web/src/a.ts'], told: ['AGENTS.md'] }), [
			'packages/AGENTS.md',
			'packages/web/CLAUDE.md',
		]);
		assert.deepEqual(
			await told({ touched: ['../x', 'packages/web/new.ts'], told: ['AGENTS.md', 'packages/AGENTS.md'] }),
			['packages/web/CLAUDE.md'],
		);
	});

	it('by glob are told for the files they are about, others by what they describe', async () => {
		disk = await workspaceOnDisk({
			'.github/instructions/ts.instructions.md': '---\napplyTo: "**/*.ts,**/*.tsx"\n---\nNo any.',
			'.github/instructions/all.instructions.md': "---\napplyTo: '**'\n---\nBe kind.",
			'.cursor/rules/css.mdc': '---\ndescription:\nglobs: *.css, styles/**\nalwaysApply: false\n---\nNo floats.',
			'.cursor/rules/db/sql.mdc': '---\ndescription: How to write migrations\nalwaysApply: false\n---\nUp and down.',
			'.cursor/rules/list.mdc': '---\nglobs:\n  - "docs/**"\n---\nShort.',
		});
		const { files, offered } = await found();
		assert.deepEqual(
			files.map(({ path, text }) => [path, text]),
			[['.github/instructions/all.instructions.md', 'Be kind.']],
		);
		assert.deepEqual(offered, [{ path: '.cursor/rules/db/sql.mdc', description: 'How to write migrations' }]);
		const shown = files.map(({ path }) => path);
		assert.deepEqual(await told({ touched: ['src/deep/a.tsx', 'web/main.css'], told: shown }), [
			'.github/instructions/ts.instructions.md',
			'.cursor/rules/css.mdc',
		]);
		assert.deepEqual(await told({ touched: ['docs/a.md'], told: shown }), ['.cursor/rules/list.mdc']);
	});

	it('are those of each folder of the workspace, by its name', async () => {
		const base = tempDir('multi');
		await writeFiles(base, {
			'one/AGENTS.md': 'one',
			'two/CLAUDE.md': 'two',
			'two/lib/AGENTS.md': 'lib',
			'two/lib/a': '',
		});
		const folders = ['one', 'two'].map((name) => ({ name, path: join(base, name) }));
		disk = await workspaceOnDisk({}, { paths: new WorkspacePaths({ folders }) });
		assert.deepEqual(await told({ touched: ['two/lib/a'] }), ['one/AGENTS.md', 'two/CLAUDE.md', 'two/lib/AGENTS.md']);
	});
});
