import assert from 'node:assert/strict';
import { commandsOfLine } from './command-line.ts';
import { mendInput } from './mend-input.ts';
import { lineOfWords } from './shell-words.ts';

describe('A list of words', () => {
	for (const [argv, line] of [
		[['rm', '-f', '*.tmp'], 'rm -f *.tmp'],
		[['ls', '&&', 'pwd'], 'ls && pwd'],
		[['echo', 'a', '>', 'f.txt'], 'echo a > f.txt'],
		[['echo', 'a b', '>>f.txt'], "echo 'a b' >>f.txt"],
		[['npm', 'test', '2>&1'], 'npm test 2>&1'],
		[['npm', 'test', '2>/dev/null'], 'npm test 2>/dev/null'],
		[['cat', '~/notes.txt'], 'cat ~/notes.txt'],
		[['ls', '~'], 'ls ~'],
		[['ls', '$HOME'], 'ls $HOME'],
		[['ls', '--directory=$HOME/x'], 'ls --directory=$HOME/x'],
		[['grep', '-rn', 'a|b', 'src', '|', 'head', '-5'], "grep -rn 'a|b' src | head -5"],
		[['grep', '-n', 'foo', 'src/*.ts'], 'grep -n foo src/*.ts'],
		[['cat', 'a.md', '|', 'grep', '-v', '^$', '|', 'wc', '-l'], "cat a.md | grep -v '^$' | wc -l"],
		[['cat', 'a.md', '|', 'grep', '-F', 'x', '>', 'b.md'], 'cat a.md | grep -F x > b.md'],
		[['cat', 'a.md', '|', 'sed', '-E', 's/a/b/', '|', 'sort'], 'cat a.md | sed -E s/a/b/ | sort'],
		[['ls', '|', 'rg', '-t', 'ts', 'x', '|', 'wc', '-l'], 'ls | rg -t ts x | wc -l'],
		[['cat', 'a', '|', 'awk', '-v', 'n=1', '{print $n}', '|', 'sort'], "cat a | awk -v n=1 '{print $n}' | sort"],
		[['wc', '-c', '*.txt'], 'wc -c *.txt'],
		[['find', '.', '-name', '*.ts', '|', 'wc', '-l'], "find . -name '*.ts' | wc -l"],
		[['find', '~', '-name', '*.ts'], "find ~ -name '*.ts'"],
		[['FOO=1', 'npm', 'test'], 'FOO=1 npm test'],
		[['env', 'A=$HOME', 'node', 'a.js'], 'env A=$HOME node a.js'],
		[['mkdir', '-p', 'src/{a,b}'], 'mkdir -p src/{a,b}'],
		[['cd', 'src', '&&', 'ls'], 'cd src && ls'],
		[['source', 'bin/activate'], 'source bin/activate'],
		[['npm', 'start', '&'], 'npm start &'],
		[['sort', '<', 'names.txt'], 'sort < names.txt'],
		[['timeout', '5', 'rm', '-f', '*.tmp'], 'timeout 5 rm -f *.tmp'],
		[['echo', 'home is $HOME'], 'echo "home is $HOME"'],
		[
			['curl', '-H', 'Authorization: Bearer $TOKEN', 'https://a.b/?x=1'],
			'curl -H "Authorization: Bearer $TOKEN" \'https://a.b/?x=1\'',
		],
		[['git', 'log', '|', 'cat'], 'git log | cat'],
		[['xargs', 'rm', '$FILE'], 'xargs rm $FILE'],
		[['kill', '$(cat', 'pid)'], 'kill $(cat pid)'],
		[['diff', '<(ls', 'a b)', '<(ls', 'b)'], "diff <(ls 'a b)' <(ls b)"],
		[['tee', '>(cat)'], 'tee >(cat)'],
		[['(cd', 'sub', '&&', 'ls)'], '(cd sub && ls)'],
		[['if', 'true;', 'then', 'ls;', 'fi'], 'if true; then ls; fi'],
		[['for', 'f', 'in', '*.ts;', 'do', 'wc', '$f;', 'done'], 'for f in *.ts; do wc $f; done'],
		[['echo', "$'a'"], "echo $'a'"],
		[['echo', '`date`'], 'echo `date`'],
		[['test', '-f', 'a.txt', '&&', 'echo', 'yes'], 'test -f a.txt && echo yes'],
		[['[', '-d', 'x', ']', '||', 'mkdir', 'x'], "'[' -d x ']' || mkdir x"],
		[['[[', 'a', '==', '*.txt', ']]'], '[[ a == *.txt ]]'],
		[['!', 'grep', '-q', 'a', 'b'], '! grep -q a b'],
		[['ls', '|', '[', 'a', ']'], "ls | '[' a ']'"],
		[['tr', 'a', '|', '<', 'a.txt'], "tr a '|' < a.txt"],
		[['make', '*.tmp'], 'make *.tmp'],
		[['test', 'a', '<', 'b'], "test a '<' b"],
		[['[', 'b', '>', 'a', ']', '&&', 'ls'], "'[' b '>' a ']' && ls"],
		[['node', 'scripts/*.mjs'], 'node scripts/*.mjs'],
		[['true', '||', 'false', ';', 'ls'], 'true || false ; ls'],
	] as const) {
		it(`is a line where a shell acts on a word: ${argv.join(' ')}`, () => {
			assert.equal(lineOfWords({ argv }), line);
		});
	}

	for (const argv of [
		['grep', '-rn', '*.ts', 'src'],
		['grep', '-E', '^a|b$|$HOME', 'a.txt'],
		['grep', '-rn', '<div>', 'src'],
		['grep', ';', 'a.txt'],
		['grep', '-v', '|', 'a.txt'],
		['grep', '-m', '1', '|', 'a.txt'],
		['rg', '-t', 'ts', '|', 'src'],
		['awk', '-F', ',', '-v', 'n=1', '$1 > n', 'a.csv'],
		['grep', '-rn', '--include=*.ts', 'foo', 'src'],
		['rg', '-g', '*.ts', 'foo'],
		['find', '.', '-name', '*.tmp', '-delete'],
		['find', '.', '-name', '*.tmp', '-exec', 'rm', '{}', ';'],
		['find', '.', '(', '-name', '*.a', '-o', '-name', '*.b', ')'],
		['npx', 'eslint', 'src/**/*.ts'],
		['npx', 'prettier', '--write', 'src/{a,b}/*.ts'],
		['git', 'add', '*.ts'],
		['git', 'commit', '-m', 'Use $HOME > /tmp & more'],
		['git', 'show', 'HEAD~1:a.txt'],
		['git', 'log', '--format=%h > %s'],
		['sed', '-n', '1,$p', 'a.txt'],
		['sed', '-i', 's/*/$x/', 'a.txt'],
		['awk', '{print $1}', 'a.txt'],
		['awk', '-F', '|', '{print $2}', 'a.txt'],
		['jq', '.items[]|.name', 'a.json'],
		['curl', 'https://example.org/?a=1&b=[2]'],
		['sh', '-c', 'rm -f *.tmp && ls > f'],
		['bash', '-lc', 'echo $HOME'],
		['node', '-e', 'console.log(`${1}`)'],
		['node', '-p', '$x'],
		['python3', '-c', 'print(1>0)'],
		['cut', '-d', ';', '-f', '1', 'a.csv'],
		['sort', '-t', '|', 'a.csv'],
		['tr', ';', '|'],
		['expr', '2', '*', '3'],
		['ssh', 'host', 'ls *.txt'],
		['cat', 'a~', 'b=c', 'x#1'],
		['ls', '.'],
	]) {
		it(`stays one where the program reads them: ${argv.join(' ')}`, () => {
			assert.equal(lineOfWords({ argv }), undefined);
		});
	}

	it('is a line with the commands that follow it', () => {
		const chain = [{ join: '|' as const, argv: ['sort', '>', 'b.txt'] }];
		assert.equal(lineOfWords({ argv: ['grep', 'a b', 'a.txt'], chain }), "grep 'a b' a.txt | sort > b.txt");
		assert.equal(lineOfWords({ argv: ['cat', 'a.txt'], chain: [{ join: '|', argv: ['grep', '*'] }] }), undefined);
	});
});

const toFile = (path: string) => ({ stream: 'stdout', mode: 'write', path }) as const;
const errorsToo = { stream: 'stderr', to: 'stdout' } as const;
const tail = { join: '|', argv: ['tail', '-2'] } as const;
const orTail = { join: '||', argv: ['tail', '-2', 'log'] } as const;

describe('A command line', () => {
	for (const [line, expected] of [
		['npm test 2>&1', { argv: ['npm', 'test'] }],
		['cd src && ls -la', { argv: ['ls', '-la'], cwd: 'src' }],
		['cat a.txt | head -3', { argv: ['cat', 'a.txt'], chain: [{ join: '|', argv: ['head', '-3'] }] }],
		['npm start &', { argv: ['npm', 'start'], background: true }],
		[
			'nohup node a.js > log 2>&1 &',
			{ argv: ['nohup', 'node', 'a.js'], redirects: [toFile('log'), errorsToo], background: true },
		],
		['npm test 2>&1 | tail -2', { argv: ['npm', 'test'], redirects: [errorsToo], chain: [tail] }],
		['npm test > log || tail -2 log', { argv: ['npm', 'test'], redirects: [toFile('log')], chain: [orTail] }],
		['cd src; ls', { argv: ['ls'], cwd: 'src' }],
		['cd src\nls > f', { argv: ['ls'], redirects: [toFile('f')], cwd: 'src' }],
		['cat a > /tmp/x', { argv: ['cat', 'a'], redirects: [toFile('/tmp/x')] }],
		['cat a > /dev/stderr', { argv: ['sh', '-c', 'cat a > /dev/stderr'] }],
		['command -v git || echo none', { argv: ['sh', '-c', 'command -v git || echo none'] }],
		['rm -f *.tmp', { argv: ['rm', '-f', '*.tmp'], patterns: [2] }],
		['make *.tmp', { argv: ['sh', '-c', 'make *.tmp'] }],
		['mkdir -p src/{a,b}', { argv: ['bash', '-c', 'mkdir -p src/{a,b}'] }],
		['ls src/**/*.ts', { argv: ['bash', '-O', 'globstar', '-c', 'ls src/**/*.ts'] }],
		['source x && y', { argv: ['bash', '-c', 'source x && y'] }],
		['npm test &> log', { argv: ['npm', 'test'], redirects: [toFile('log'), errorsToo] }],
		['npm test &> $LOG', { argv: ['bash', '-c', 'npm test &> $LOG'] }],
		['echo "a{1,2}" > f', { argv: ['echo', 'a{1,2}'], redirects: [toFile('f')] }],
		['echo "a{1,2}" > *f', { argv: ['sh', '-c', 'echo "a{1,2}" > *f'] }],
		['cd src && node a.js &', { argv: ['node', 'a.js'], cwd: 'src', background: true }],
		['ls; pwd &', { argv: ['sh', '-c', 'ls; pwd &'] }],
	] as const) {
		it(`means what it says: ${line}`, () => {
			assert.deepEqual(commandsOfLine(line, 'linux'), expected);
		});
	}

	it('that needs a shell is none where there is no sh', () => {
		assert.equal(commandsOfLine('make *.tmp', 'win32'), undefined);
		assert.deepEqual(commandsOfLine('npm test', 'win32'), { argv: ['npm', 'test'] });
	});

	it('that sets a variable is refused where there is no env, with what to give instead', () => {
		for (const argv of ['FOO=1 npm test', 'npm test && A=1 B=2 node a.js', ['FOO=1', 'npm', 'test']]) {
			const { refused = '' } = mendInput('shell.run', { argv }, 'win32');
			assert.match(refused, /^argv: Windows has no env, .*: give \{"argv":\["powershell",.*\$env:NAME='value'; /);
		}
		const { value } = mendInput('shell.run', { argv: 'FOO=1 npm test' }, 'linux');
		assert.deepEqual(value, { argv: ['env', 'FOO=1', 'npm', 'test'] });
	});

	it('goes into a folder from the one that the call names', () => {
		const { value } = mendInput('shell.run', { argv: 'cd src && ls', cwd: 'app' }, 'linux');
		assert.deepEqual(value, { argv: ['ls'], cwd: 'app/src' });
	});

	it('in a list of words is refused there, with what to give instead, and never passed on', () => {
		for (const argv of [
			['python3', '*.tmp'],
			['ls', '&&', 'pwd', '>', '$F'],
		]) {
			const { refused = '' } = mendInput('shell.run', { argv }, 'win32');
			assert.match(refused, /^argv: there is no shell: give the program and each argument/);
		}
		const { value } = mendInput('shell.run', { argv: ['ls', '&&', 'pwd'] }, 'win32');
		assert.deepEqual(value, { argv: ['ls'], chain: [{ join: '&&', argv: ['pwd'] }] });
	});
});
