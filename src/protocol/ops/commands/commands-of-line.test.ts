import assert from 'node:assert/strict';
import { commandsOfLine, commandsToRun } from './commands-of-line.ts';

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

	it('with more commands, words or redirects than run without a shell is one for a shell', () => {
		const echoes = (count: number, join: string) => Array.from({ length: count }, (_, n) => `echo ${n}`).join(join);
		for (const join of ['; ', ' && ', ' | ', '\n']) {
			assert.equal(commandsToRun(echoes(16, join), 'linux')?.chain?.length, 15, join);
			assert.deepEqual(commandsToRun(`cd src && ${echoes(17, join)}`, 'linux'), {
				argv: ['sh', '-c', `cd src && ${echoes(17, join)}`],
			});
		}
		for (const long of [`echo ${'a '.repeat(600)}b`, `echo a ${'> f '.repeat(9)}`.trim()]) {
			assert.deepEqual(commandsToRun(long, 'linux')?.argv, ['sh', '-c', long]);
		}
		assert.equal(commandsToRun(echoes(17, '; '), 'win32')?.chain?.length, 16);
	});

	it('that needs a shell is none where there is no sh', () => {
		assert.equal(commandsOfLine('make *.tmp', 'win32'), undefined);
		assert.deepEqual(commandsOfLine('npm test', 'win32'), { argv: ['npm', 'test'] });
	});
});
