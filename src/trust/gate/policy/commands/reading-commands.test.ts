import assert from 'node:assert/strict';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { isReadingCommand } from './reading-commands.ts';

type Command = Extract<OpTarget, { kind: 'command' }>;

function reads(line: string, more: Partial<Command> = {}): boolean {
	const facts = { isInPlainRepository: true, isInstalled: true } as const;
	return isReadingCommand({ kind: 'command', argv: line.split(' '), cwd: '.', ...facts, ...more });
}

const inSandbox = { isSandboxed: true, hidesSecrets: true } as const;

describe('A command that only reads', () => {
	it('may name what is in the /tmp of its thread, but for secrets', () => {
		const temporaries = ['/tmp/log', '/tmp/.env'];
		for (const line of ['cat /tmp/log', 'tail -n5 a.txt /tmp/log', 'grep -n needle /tmp/log']) {
			assert.equal(reads(line, { ...inSandbox, temporaries }), true, line);
			assert.equal(reads(line, inSandbox), false, line);
		}
		for (const line of ['cat /tmp/.env', 'cat /tmp/other', 'git show --stat /tmp/log', 'sort -o /tmp/log a.txt']) {
			assert.equal(reads(line, { ...inSandbox, temporaries }), false, line);
		}
	});

	for (const line of [
		'find . -exec id ;',
		'find . -delete',
		'find . -name x -fprint o',
		'find / -name x',
		'find -L . -name x',
		'grep -f patterns a.txt',
		'grep key .env',
		'grep -R key .',
		'grep -rn key',
		'grep -r --include=.env key .',
		'grep -e key /etc',
		'rg --pre sh x',
		'rg -L key .',
		'rg -uuu key',
		'rg -z key',
		'rg -e key /etc',
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
		'git log --output=x',
		'git log --show-signature',
		'git log --format=%G?',
		'git log -p --text',
		'git log -p --ext-diff',
		'git log -p --binary',
		'git show --stat HEAD:.env',
		'git show 1a2b3c4',
		'git show 1a2b3c4^{blob}',
		'git diff 1a2b3c4..5d6e7f8',
		'git diff --ext-diff --stat',
		'git diff --output=x --stat',
		'git diff --no-index a b',
		'git branch new',
		'git branch -D main',
		'git branch -d main',
		'git tag v1',
		'git stash',
		'git stash pop',
		'git grep -O key',
		'git grep --text key HEAD',
		'git status --exec-path=x',
		'git reflog expire',
		'sort -o a b',
		'sort --compress-program=sh a',
		'uniq a b',
		'jq import"a"as$a;. a.json',
		'jq -f a.jq b.json',
		'sed -n 1e a.txt',
		'sed -i 1p a.txt',
		'awk {system("id")} a.txt',
		'date 010100002030',
		'hostname evil',
		'tree -o a',
		'xargs sh',
		'npm ls --userconfig=x',
		'node -e 0',
		'node -v -e 0',
		'node',
		'npm test',
		'yarn --version',
		'cargo --version',
		'constructor x',
	]) {
		it(`is not "${line}"`, () => {
			assert.equal(reads(line), false);
			assert.equal(reads(line, inSandbox), false);
		});
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
		'find . -mtime -7',
		'sort -u a.txt',
		'sort a.txt',
		'cut -d, -f1 a.csv',
		'jq -r .scripts package.json',
		'sed -n 1,20p a.txt',
		'pwd',
		'which node',
		'node -v',
		'date +%Y-%m-%d',
		'true',
		'test -f src/a.ts',
		'paste -d, a.csv b.csv',
		'column -t a.txt',
		'unzip -l a.zip',
		'make --version',
		'git check-ignore -v dist',
		'git status',
		'git status -sb',
		'git log --oneline -10',
		'git log --pretty=format:%h%x09%s -5',
		'git log -n 5 -- src',
		'git show --stat HEAD',
		'git diff --stat main..feature',
		'git branch -a',
		'git branch --show-current',
		'git blame -L 1,5 src/a.ts',
	]) {
		it(`is "${line}", in a sandbox or not`, () => {
			assert.equal(reads(line), true);
			assert.equal(reads(line, inSandbox), true);
		});
	}

	for (const line of [
		'git diff',
		'git diff --cached -U5 src',
		'git show HEAD~1',
		'git log -p -3 src/a.ts',
		'git stash show -p stash@{0}',
		'git grep -n needle src',
		'git remote -v',
		'npm ls --depth=0',
		'pip list',
		'ps aux',
	]) {
		it(`is "${line}" in a sandbox only`, () => {
			assert.equal(reads(line), false);
			assert.equal(reads(line, { isSandboxed: true }), true);
		});
	}

	for (const line of ['grep -rn needle src', 'rg -n needle', 'rg needle src', 'diff -u a.txt b.txt', 'ruff check .']) {
		it(`is "${line}" where the sandbox hides every secret file`, () => {
			assert.equal(reads(line, { isSandboxed: true }), false);
			assert.equal(reads(line, inSandbox), true);
		});
	}

	it('reads from where it would run', () => {
		assert.equal(reads('cat credentials', { cwd: '.aws' }), false);
	});

	it('reads nothing that was found outside, secret or protected', () => {
		assert.equal(reads('cat notes.txt', { strays: [{ argument: 'notes.txt', isByLink: true }] }), false);
	});

	it('is no program of the project', () => {
		const command = { kind: 'command', argv: ['ls'], cwd: '.', ...inSandbox } as const;
		assert.equal(isReadingCommand(command), false);
	});

	it('asks git nothing where the repository names programs that git would start', () => {
		const argv = ['git', 'status'];
		const command = { kind: 'command', argv, cwd: '.', isInstalled: true, ...inSandbox } as const;
		assert.equal(isReadingCommand(command), false);
	});

	it('has no hidden character', () => {
		for (const mark of ['\u200B', '\u202E', '\u2028', '\n', '\u001B[2K', '\0']) {
			for (const line of ['ls src', 'git log', 'cat a.txt', 'jq . a.json']) {
				assert.equal(reads(`${line}${mark}`, inSandbox), false, JSON.stringify(line + mark));
			}
		}
	});

	it('searches what it is fed, not the folder', () => {
		assert.equal(reads('rg needle', { fedBy: [['cat', 'a.txt']] }), true);
		assert.equal(reads('grep needle', { fedBy: [['cat', 'a.txt']] }), true);
		assert.equal(reads('rg needle .', { fedBy: [['cat', 'a.txt']] }), false);
	});
});
