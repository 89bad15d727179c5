import assert from 'node:assert/strict';
import { readShellLine } from './read-shell-line.ts';
import { shellLineHint, shownCommands } from './shell-line.ts';

describe('A line in shell syntax', () => {
	for (const line of [
		'',
		' ',
		'a |',
		'a ;; b',
		'; a',
		'a\n&& b',
		'&& a',
		'a & b',
		'a && | b',
		'echo $HOME',
		'echo "$HOME"',
		'echo `id`',
		'make *.ts',
		"test a '<' b",
		String.raw`[ a \> b ]`,
		'FOO=1 ls *.ts',
		'*.sh a',
		'touch a.ts; ls *.ts',
		'touch a.ts; rm *.ts',
		'tar --exclude=*.log a',
		'FOO=1 rm *.ts',
		'cat a > b.ts && ls *.ts',
		'sort -o a *.ts',
		'ls **/*.ts',
		'ls /etc/*',
		'ls ~/*',
		'~/bin/x a',
		'ls ~root/x',
		'A=1 ls ~/x',
		'ls ../*',
		'ls [[:alpha:]]*',
		'ls [z-a]',
		'ls ["a"b]*',
		'ls [!]*',
		'ls a//*',
		'ls *.{a,b}',
		'sort < *.ts',
		'cd ~',
		'(a)',
		'a {b,c}',
		'FOO=$X make',
		'FOO=1',
		'FOO+=1 make',
		'FOO=~/x make',
		'FOO=1 "a=b"',
		'a[0]=1 make',
		'cd src',
		'a && cd src',
		'FOO=1 export A',
		'if a',
		'! a',
		'time a',
		'{ a',
		'[[ a',
		'> x',
		'ls > /dev/tty',
		'cat < /dev/fd/0',
		'cat < /proc/self/environ',
		'sort < /etc/hosts',
		'sort < ~/x',
		'ls > /etc/../dev/tty',
		'ls > ~/a/../x',
		'ls > ~other/x',
		'ls > "~/x"',
		'ls > ~/*.txt',
		'ls > /x/{a,b}',
		'ls > /etc/',
		'ls > ..',
		'ls > a/../../x',
		'ls > ~/x && cat ~/x',
		'ls > ../x; wc -l ../x',
		'ls > *.txt',
		'ls > $X',
		'ls >',
		'ls > ; a',
		'ls 3> x',
		'ls 12> x',
		'ls {fd}> x',
		'ls 2>&-',
		'ls 2>& x',
		'ls <> x',
		'ls << x',
		'ls <<< x',
		'ls <(a)',
		'ls 0> x',
		'ls 1< x',
		"ls $'a'",
		'ls $"a"',
		'make A=~/x',
		'ls a\r',
		'a "b',
		"a 'b",
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

	for (const [line, read] of [
		['a \\b "c\\"\\d" \'e\'\\\'f', { argv: ['a', 'b', 'c"\\d', "e'f"] }],
		['ls *.ts "a*"', { argv: ['ls', '*.ts', 'a*'], patterns: [1] }],
		['rm -f *.tmp src/?.o', { argv: ['rm', '-f', '*.tmp', 'src/?.o'], patterns: [2, 3] }],
		['ls \'*\'* "[a]"?', { argv: ['ls', String.raw`\**`, String.raw`\[a\]?`], patterns: [1, 2] }],
		[
			'cat a; grep -n x src/[ab]*/?.ts > /dev/null | wc -l',
			{
				argv: ['cat', 'a'],
				chain: [
					{
						join: ';',
						argv: ['grep', '-n', 'x', 'src/[ab]*/?.ts'],
						redirects: [{ stream: 'stdout', mode: 'write', path: '/dev/null' }],
						patterns: [3],
					},
					{ join: '|', argv: ['wc', '-l'] },
				],
			},
		],
		['cat ~ ~/a "~/b" x~', { argv: ['cat', '~', '~/a', '~/b', 'x~'], patterns: [1, 2] }],
		[String.raw`cat ~/a\*b`, { argv: ['cat', String.raw`~/a\*b`], patterns: [1] }],
		['a # b', { argv: ['a'] }],
		['a !b x#y {} @{u} a=b $ "$" [', { argv: ['a', '!b', 'x#y', '{}', '@{u}', 'a=b', '$', '$', '['] }],
		['a \\\n b', { argv: ['a', 'b'] }],
		['a;', { argv: ['a'] }],
		['\n# x\na\n\n', { argv: ['a'] }],
		['FOO=1 B="x y" make', { argv: ['env', 'FOO=1', 'B=x y', 'make'] }],
		['ls 2>&1', { argv: ['ls'] }],
		['ls >&2', { argv: ['ls'] }],
		['a>b', { argv: ['a'], redirects: [{ stream: 'stdout', mode: 'write', path: 'b' }] }],
		['a2>b', { argv: ['a2'], redirects: [{ stream: 'stdout', mode: 'write', path: 'b' }] }],
		['a >| "b c"', { argv: ['a'], redirects: [{ stream: 'stdout', mode: 'write', path: 'b c' }] }],
		...(['/etc/x', '~/x', '../x', '../../x/y', '/tmp/x'] as const).map(
			(path) => [`ls > ${path}`, { argv: ['ls'], redirects: [{ stream: 'stdout', mode: 'write', path }] }] as const,
		),
		[
			'ls > /tmp/x; wc -l /tmp/x',
			{
				argv: ['ls'],
				redirects: [{ stream: 'stdout', mode: 'write', path: '/tmp/x' }],
				chain: [{ join: ';', argv: ['wc', '-l', '/tmp/x'] }],
			},
		],
		[
			'a < b >> c 2> /dev/null',
			{
				argv: ['a'],
				redirects: [
					{ stream: 'stdin', mode: 'read', path: 'b' },
					{ stream: 'stdout', mode: 'append', path: 'c' },
					{ stream: 'stderr', mode: 'write', path: '/dev/null' },
				],
			},
		],
		...['a &> b', 'a >& b', 'a > b 2>&1'].map(
			(line) =>
				[
					line,
					{
						argv: ['a'],
						redirects: [
							{ stream: 'stdout', mode: 'write', path: 'b' },
							{ stream: 'stderr', to: 'stdout' },
						],
					},
				] as const,
		),
		...['a 2>&1 | b', 'a |& b'].map(
			(line) =>
				[
					line,
					{
						argv: ['a'],
						redirects: [{ stream: 'stderr', to: 'stdout' }],
						chain: [{ join: '|', argv: ['b'] }],
					},
				] as const,
		),
		[
			'a || b; c\nd && e',
			{
				argv: ['a'],
				chain: [
					{ join: '||', argv: ['b'] },
					{ join: ';', argv: ['c'] },
					{ join: ';', argv: ['d'] },
					{ join: '&&', argv: ['e'] },
				],
			},
		],
	] as const) {
		it(`is read as a shell takes it: ${JSON.stringify(line)}`, () => assert.deepEqual(readShellLine(line), read));
	}

	it('is not read at all when it is very long', () => {
		assert.equal(readShellLine(`echo ${'a'.repeat(20_000)}`), undefined);
	});

	it('is displayed with its files and joins', () => {
		const line = 'a < b 2>> "c d" || e; f 2>&1 | g > ~/h';
		const chain = readShellLine(line);
		assert.equal(chain && shownCommands(chain), line);
	});

	it('is displayed so that arguments and operators differ', () => {
		const chain = readShellLine(`grep '|' a | wc -l && echo "a b"`);
		assert.equal(chain && shownCommands(chain), 'grep "|" a | wc -l && echo "a b"');
	});

	it('leads to the structured form, or to what is not understood', () => {
		assert.match(shellLineHint('a | b'), /give \{"argv":\["a"\],"chain":\[\{"join":"\|","argv":\["b"\]\}\]\}$/);
		assert.match(shellLineHint('a > $b'), /variables and wildcards are not understood$/);
	});
});
