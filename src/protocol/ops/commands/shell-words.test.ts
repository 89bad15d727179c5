import assert from 'node:assert/strict';
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
		['sudo', '-u', 'www', 'grep', 'a*', 'b.txt'],
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
