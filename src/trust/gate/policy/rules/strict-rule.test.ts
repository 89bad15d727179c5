import assert from 'node:assert/strict';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { parseStrictRule, strictRuleOn } from './strict-rule.ts';

function covers(text: string, op: string, ...targets: OpTarget[]): boolean {
	const rule = parseStrictRule(text, 'a test');
	assert.ok(typeof rule !== 'string', text);
	return strictRuleOn([rule], op, targets) !== undefined;
}
const command = (...argv: string[]): OpTarget => ({ kind: 'command', argv, cwd: '.' });
const file = (path: string, access: 'read' | 'write' = 'write'): OpTarget => ({
	kind: 'file',
	access,
	path,
	absolutePath: `/w/${path}`,
	isSecret: false,
	isProtected: false,
});

describe('a rule that tightens', () => {
	for (const text of [
		'',
		'shell.run',
		'fs.wirte src',
		'shell.run "git',
		'f*s.x src',
		'** src',
		'fs.write\n',
		'*.write x',
	]) {
		it(`is none when it reads ${JSON.stringify(text)}, and says so`, () => {
			assert.equal(typeof parseStrictRule(text, 'a test'), 'string');
		});
	}

	for (const argv of [
		['git', 'push'],
		['git', 'push', '--force', 'origin'],
		['/usr/bin/git', 'push'],
		['GIT.exe', 'push'],
		['sudo', '-n', 'git', 'push'],
		['env', 'A=b', 'git', 'push'],
		['sh', '-c', 'cd x && git push -f'],
		['bash', '-c', 'echo $(git push)'],
	]) {
		it(`for "git push" covers ${argv.join(' ')}`, () => {
			assert.equal(covers('shell.run git push', 'shell.run', command(...argv)), true);
			assert.equal(covers('shell.* git push *', 'shell.run', command(...argv)), true);
		});
	}

	for (const argv of [['git', 'pull'], ['git'], ['gitk', 'push'], ['echo', 'git', 'push']]) {
		it(`for "git push" does not cover ${argv.join(' ')}`, () => {
			assert.equal(covers('shell.run git push', 'shell.run', command(...argv)), false);
		});
	}

	for (const [pattern, path] of [
		['secrets', 'secrets/a/b.txt'],
		['Secrets/', 'secrets/a.txt'],
		['**/*.pem', 'a/B.PEM'],
		['src/**', 'src/.hidden/x'],
		['./src', 'src/a.ts'],
		['src/secret/**', 'src'],
		['src/secret', '.'],
		['*', 'anything'],
	] as const) {
		it(`for the path ${pattern} covers changing ${path}`, () => {
			assert.equal(covers(`fs.* ${pattern}`, 'fs.move', file('other'), file(path)), true);
		});
	}

	it('covers what is written into a program that runs it, as far as it can be seen', () => {
		const fed = (argv: string[], ...fedBy: string[][]): OpTarget => ({ kind: 'command', argv, cwd: '.', fedBy });
		const verdict = (target: OpTarget) => covers('shell.run git push', 'shell.run', target);
		assert.equal(verdict(fed(['sh'], ['echo', 'git push -f'])), true);
		assert.equal(verdict(fed(['xargs', 'git'], ['echo', 'push'])), true);
		assert.equal(verdict(fed(['bash', '-s'], ['printf', '%s', 'cd x && git push'], ['cat'])), true);
		assert.equal(verdict(fed(['wc'], ['echo', 'git push'])), false);
		assert.equal(verdict(fed(['git'], ['echo', 'push'])), false);
	});

	it('on writing, editing or deleting files covers ops that do it by another name', () => {
		for (const [rule, op, expected] of [
			['fs.edit', 'editor.refactor', true],
			['fs.delete', 'editor.refactor', false],
			['fs.write', 'agent.apply', true],
			['fs.edit', 'agent.apply', true],
			['fs.delete', 'agent.apply', true],
			['fs.*', 'agent.apply', true],
			['fs.read', 'agent.apply', false],
		] as const) {
			assert.equal(covers(`${rule} src`, op, file('src/a.ts')), expected, `${rule} ${op}`);
			assert.equal(covers(`${rule} src`, op, file('a.ts')), false, `${rule} ${op}`);
		}
	});

	it('lets a folder be read of which it guards a part', () => {
		assert.equal(covers('fs.* src/secret', 'fs.list', file('src', 'read')), false);
		assert.equal(covers('fs.* src/secret', 'fs.read', file('srcs/secret', 'read')), false);
	});

	it('with * covers an op that touches nothing', () => {
		assert.equal(covers('user.ask *', 'user.ask'), true);
		assert.equal(covers('* **', 'todo.write'), true);
		assert.equal(covers('user.ask x', 'user.ask'), false);
	});

	it('covers every port of a host it names without one, and the host itself with what is below it', () => {
		for (const [pattern, host, expected] of [
			['example.org', 'example.org:8443', true],
			['example.org:81', 'example.org', false],
			['*.example.org', 'example.org', true],
			['*.Example.org', 'a.example.org:81', true],
			['example.org', 'evil-example.org', false],
		] as const) {
			assert.equal(covers(`* ${pattern}`, 'http.get', { kind: 'host', host }), expected, `${pattern} ${host}`);
		}
	});

	it('of a secret counts wherever it would go', () => {
		assert.equal(covers('* github', 'http.get', { kind: 'secret', name: 'github', host: 'a.org' }), true);
		assert.equal(covers('* github@b.org', 'http.get', { kind: 'secret', name: 'github', host: 'a.org' }), false);
	});

	it('with a star in a host or a secret covers each that it names', () => {
		for (const [pattern, target, expected] of [
			['exam*.org', { kind: 'host', host: 'example.org:81' }, true],
			['*example.org', { kind: 'host', host: 'evil-example.org' }, true],
			['*:81', { kind: 'host', host: 'a.org:81' }, true],
			['*:81', { kind: 'host', host: 'a.org' }, false],
			['aws_*', { kind: 'secret', name: 'AWS_KEY', host: 'a.org' }, true],
			['*@a.org', { kind: 'secret', name: 'github', host: 'a.org' }, true],
			['*@a.org', { kind: 'secret', name: 'github', host: 'b.org' }, false],
		] as const) {
			assert.equal(covers(`http.get ${pattern}`, 'http.get', target), expected, pattern);
		}
	});

	it('of a folder of a workspace with several counts below that folder only', () => {
		const rule = parseStrictRule('fs.write src', 'a test', 'app');
		assert.ok(typeof rule !== 'string');
		const on = (path: string) => strictRuleOn([rule], 'fs.write', [file(path)]) !== undefined;
		assert.deepEqual(['app/src/a.ts', 'app', 'lib/src/a.ts', 'application/src/a'].map(on), [true, true, false, false]);
	});
});
