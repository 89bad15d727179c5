import assert from 'node:assert/strict';
import { readShellLine, shellLineHint, shownCommands } from './shell-line.ts';

describe('A line in shell syntax', () => {
	for (const line of [
		'',
		' ',
		'ls >x',
		'ls 2>&1',
		'a; b',
		'a || b',
		'a |',
		'&& a',
		'a & b',
		'a && | b',
		'echo $HOME',
		'echo "$HOME"',
		'echo `id`',
		'ls *.ts',
		'cd ~',
		'(a)',
		'a {b,c}',
		'FOO=1 make',
		'a && FOO=1 make',
		'a "b',
		"a 'b",
		'a \\b',
		'a # b',
		'a !b',
		'a\0'.replace('\0', '<'),
	]) {
		it(`is refused when it needs a shell: ${JSON.stringify(line)}`, () => {
			assert.equal(readShellLine(line), undefined);
		});
	}

	it('is split into words, with quoted text unchanged', () => {
		assert.deepEqual(readShellLine(`git commit -m "a  b" --author='x | y && z' pre"fix"ed "" --k=v`), {
			argv: ['git', 'commit', '-m', 'a  b', '--author=x | y && z', 'prefixed', '', '--k=v'],
		});
	});

	it('is split into a chain of commands', () => {
		assert.deepEqual(readShellLine('ls -la|wc -l  &&make test'), {
			argv: ['ls', '-la'],
			chain: [
				{ join: '|', argv: ['wc', '-l'] },
				{ join: '&&', argv: ['make', 'test'] },
			],
		});
	});

	it('is displayed so that arguments and operators differ', () => {
		const chain = readShellLine(`grep '|' a | wc -l && echo "a b"`);
		assert.equal(chain && shownCommands(chain), 'grep "|" a | wc -l && echo "a b"');
	});

	it('leads to the structured form, or to what is not understood', () => {
		assert.match(shellLineHint('a | b'), /give \{"argv":\["a"\],"chain":\[\{"join":"\|","argv":\["b"\]\}\]\}$/);
		assert.match(shellLineHint('a > b'), /redirections, variables and wildcards are not understood$/);
	});
});
