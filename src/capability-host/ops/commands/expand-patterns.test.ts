import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../../test/support/workspace-on-disk.ts';
import { ops } from '../../../protocol/ops.ts';
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
