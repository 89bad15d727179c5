import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { ops } from '../../protocol/op-table/ops.ts';
import { assessTargets } from '../../trust/gate/policy/commands/risk-assessor.ts';
import { MATCHES_OF_PATTERN } from '../limits.ts';

describe('Wildcards in a command', () => {
	let disk: WorkspaceOnDisk;

	beforeEach(async () => {
		disk = await workspaceOnDisk({
			'a.txt': 'a',
			'b.txt': 'b',
			'B.txt': 'B',
			'a*.txt': 'star',
			'-n.md': '',
			'.hidden.txt': '',
			'.env': 'KEY=canary',
			'src/one.ts': '1',
			'src/deep/two.ts': '2',
		});
	});
	afterEach(() => disk.close());

	const prepare = (argv: readonly string[], patterns: readonly number[], cwd = '.') =>
		disk.ops['shell.run'].prepare(ops['shell.run'].params.parse({ argv, patterns, cwd }), disk.context());
	const wordsOf = async (pattern: string, cwd?: string) => {
		const { detail, targets } = await prepare(['cat', pattern], [1], cwd);
		const [target] = targets;
		assert.ok(detail.kind === 'command' && target?.kind === 'command');
		assert.deepEqual(target.argv, detail.argv);
		return detail.argv.slice(1);
	};

	it('match names that hold line ends and what hides text, which nobody may ask for', async () => {
		for (const name of ['c\nd.txt', 'e\u200ef.txt', 'g\nh/i.txt']) {
			mkdirSync(dirname(join(disk.root, name)), { recursive: true });
			writeFileSync(join(disk.root, name), '');
		}
		assert.deepEqual(await wordsOf('[ce]*.txt'), ['c\nd.txt', 'e\u200ef.txt']);
		assert.deepEqual(await wordsOf('*/i.txt'), ['g\nh/i.txt']);
		await assert.rejects(disk.perform('fs.read', { path: 'c\nd.txt' }), { code: 'PATH_INVALID' });
	});

	for (const [pattern, words] of [
		['*.nothing', ['*.nothing']],
		[String.raw`\*.nothing?`, ['*.nothing?']],
		['none/*', ['none/*']],
		['a.txt/*', ['a.txt/*']],
		['*.txt', ['B.txt', 'a*.txt', 'a.txt', 'b.txt']],
		['./?.txt', ['./B.txt', './a.txt', './b.txt']],
		[String.raw`a\**`, ['a*.txt']],
		['[ab].txt', ['a.txt', 'b.txt']],
		['[!ab].txt', ['B.txt']],
		['[^a-z].txt', ['B.txt']],
		['*.md', ['-n.md']],
		['.h*', ['.hidden.txt']],
		['src/*.ts', ['src/one.ts']],
		['*/*.ts', ['src/one.ts']],
		['s*/*/', ['src/deep/']],
		['s*/deep/two.ts', ['src/deep/two.ts']],
	] as const) {
		it(`become the words that a shell makes of them: ${pattern}`, async () => {
			assert.deepEqual(await wordsOf(pattern), words);
		});
	}

	it('leave the home of the user at its beginning, and what quotes kept from a shell', async () => {
		const home = disk.deps.commands.environment['HOME'] ?? '';
		assert.deepEqual(await wordsOf('~'), [home]);
		assert.deepEqual(await wordsOf(String.raw`~/a\*b`), [`${home}/a*b`]);
		const { targets } = await prepare(['cat', '~/secret', '~/not'], [1]);
		const [target] = targets;
		assert.ok(target?.kind === 'command');
		assert.deepEqual(target.argv, ['cat', `${home}/secret`, '~/not']);
		assert.deepEqual(target.written, ['cat', '~/secret', '~/not']);
	});

	it('become names for a program that changes them, no name a flag, and each is judged', async () => {
		const { detail, targets } = await prepare(['rm', '-f', '?n.md', '*.txt', '.e*'], [2, 3, 4]);
		const [target] = targets;
		assert.ok(detail.kind === 'command' && target?.kind === 'command');
		assert.deepEqual(detail.argv, ['rm', '-f', './-n.md', 'B.txt', 'a*.txt', 'a.txt', 'b.txt', '.env']);
		assert.deepEqual(target.argv, detail.argv);
		assert.deepEqual(target.strays, [{ argument: '.env', isByLink: false }]);
		await assert.rejects(prepare(['rm', '*.txt', '*.nothing'], [1, 2]), {
			code: 'NOT_FOUND',
			message: 'nothing in the workspace matches *.nothing, so nothing was run',
		});
	});

	it('may match nothing where an rm is told to remove what may not be there', async () => {
		for (const flag of ['-f', '-rf', '--force']) {
			const { detail } = await prepare(['rm', flag, 'b.t?t', '*.nothing'], [2, 3]);
			assert.deepEqual(detail.kind === 'command' && detail.argv, ['rm', flag, 'b.txt', '*.nothing']);
		}
		await assert.rejects(prepare(['rm', '-r', '*.nothing'], [2]), { code: 'NOT_FOUND' });
		await assert.rejects(prepare(['mv', '-f', '*.nothing', 'src'], [2]), { code: 'NOT_FOUND' });
	});

	it('keep the warning about the line as it was written', async () => {
		mkdirSync(join(disk.root, 'dist/a'), { recursive: true });
		const { detail, targets } = await prepare(['rm', '-rf', 'dist/*'], [2]);
		assert.deepEqual(detail.kind === 'command' && detail.argv, ['rm', '-rf', 'dist/a']);
		assert.equal(assessTargets(targets).level, 'high');
	});

	it('remove the files that were shown, and no file that came since', async () => {
		const prepared = await prepare(['rm', '*.txt'], [1]);
		writeFileSync(join(disk.root, 'c.txt'), 'c');
		await prepared.run(disk.context());
		assert.deepEqual(
			['a.txt', 'b.txt', 'a*.txt', 'c.txt', '.hidden.txt'].map((name) => existsSync(join(disk.root, name))),
			[false, false, false, true, true],
		);
	});

	it('are looked up where the command runs', async () => {
		assert.deepEqual(await wordsOf('*.ts', 'src'), ['one.ts']);
	});

	it('stay characters in a word that is none of the patterns', async () => {
		const { detail } = await prepare(['echo', '*.txt'], []);
		assert.deepEqual(detail.kind === 'command' && detail.argv, ['echo', '*.txt']);
	});

	it('do not look beyond the workspace through a link', async () => {
		writeFileSync(join(disk.outside, 'theirs.txt'), '');
		symlinkSync(disk.outside, join(disk.root, 'link'));
		await assert.rejects(prepare(['ls', 'link/*'], [1]), { code: 'PATH_OUTSIDE_WORKSPACE' });
	});

	it('that show a secret are judged by it', async () => {
		const { targets } = await prepare(['cat', '.e*'], [1]);
		const [target] = targets;
		assert.deepEqual(target?.kind === 'command' && target.strays?.map(({ argument }) => argument), ['.env']);
	});

	it('are refused where they stand for more words than anybody reads', async () => {
		mkdirSync(join(disk.root, 'many'));
		for (let n = 0; n <= MATCHES_OF_PATTERN; n++) writeFileSync(join(disk.root, 'many', `${n}.txt`), '');
		await assert.rejects(prepare(['wc', 'many/*.txt'], [1]), { code: 'INVALID_PARAMS', message: /matches 1001 names/ });
	});
});
