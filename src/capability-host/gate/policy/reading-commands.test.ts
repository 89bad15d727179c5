import assert from 'node:assert/strict';
import type { Target } from '../../contract/target.ts';
import { isReadingCommand } from './reading-commands.ts';

type Command = Extract<Target, { kind: 'command' }>;

function reads(line: string, more: Partial<Command> = {}): boolean {
	return isReadingCommand({ kind: 'command', argv: line.split(' '), cwd: '.', isInPlainRepository: true, ...more });
}

describe('A command that only reads', () => {
	for (const line of [
		'find . -exec id ;',
		'find . -delete',
		'find . -name x -fprint o',
		'find / -name x',
		'grep -r key .',
		'grep -f patterns a.txt',
		'grep key .env',
		'rg --pre sh x',
		'rg key',
		'cat ../a',
		'cat /etc/passwd',
		'cat ~/.ssh/id_rsa',
		'cat .env',
		'cat server.key',
		'tail -f a.log',
		'wc --files0-from=x',
		'ls --hyperlink=/etc',
		'./ls',
		'/usr/bin/ls',
		'git -c core.pager=sh log',
		'git -C .. log',
		'git log -p',
		'git log --output=x',
		'git log --show-signature',
		'git show HEAD',
		'git show --stat HEAD:.env',
		'git diff',
		'git diff --ext-diff --stat',
		'git diff --output=x --stat',
		'git branch new',
		'git branch -D main',
		'git branch -d main',
		'git grep key',
		'git status --exec-path=x',
		'node -e 0',
		'node',
		'npm test',
		'constructor x',
		'sort a',
	]) {
		it(`is not "${line}"`, () => assert.equal(reads(line), false));
	}

	for (const line of [
		'ls',
		'ls -la src',
		'ls --color=auto',
		'cat src/a.ts b.ts',
		'head -n 5 a.txt',
		'head -20 a.txt',
		'tail -n20 a.log',
		'wc -l a.txt',
		'grep -n needle src/a.ts',
		'grep -in -A 3 needle src/a.ts',
		'find . -name *.ts -not -path ./node_modules/*',
		'find src -type f -maxdepth 2',
		'pwd',
		'which node',
		'node -v',
		'git status',
		'git status -sb',
		'git log --oneline -10',
		'git log -n 5 -- src',
		'git show --stat HEAD',
		'git diff --stat',
		'git branch -a',
		'git branch --show-current',
		'git blame -L 1,5 src/a.ts',
	]) {
		it(`is "${line}"`, () => assert.equal(reads(line), true));
	}

	it('reads from where it would run', () => {
		assert.equal(reads('cat credentials', { cwd: '.aws' }), false);
	});

	it('reads nothing that was found outside, secret or protected', () => {
		assert.equal(reads('cat notes.txt', { strays: [{ argument: 'notes.txt', isByLink: true }] }), false);
	});

	it('asks git nothing where the repository names programs that git would start', () => {
		const { isInPlainRepository: _, ...command } = {
			kind: 'command',
			argv: ['git', 'status'],
			cwd: '.',
			isInPlainRepository: true,
		} as const;
		assert.equal(isReadingCommand(command), false);
	});

	it('searches what it is fed, not the folder', () => {
		assert.equal(reads('rg needle', { fedBy: [['cat', 'a.txt']] }), true);
		assert.equal(reads('rg needle .', { fedBy: [['cat', 'a.txt']] }), false);
	});
});
