import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../test/support/temp-dir.ts';
import { commandEnvironment, fixedEnvironment } from './environment.ts';

describe('the environment of a command', () => {
	it('holds nothing of the host that is not on the list', () => {
		const secret = [
			'GITHUB_TOKEN',
			'AWS_SECRET_ACCESS_KEY',
			'OPENAI_API_KEY',
			'NODE_OPTIONS',
			'LD_PRELOAD',
			'DYLD_INSERT_LIBRARIES',
		];
		const loader = [
			'VSCODE_IPC_HOOK',
			'ELECTRON_RUN_AS_NODE',
			'GIT_DIR',
			'npm_config_registry',
			'BASH_ENV',
			'PYTHONPATH',
			'SSH_AUTH_SOCK',
			'IFS',
		];
		const host = Object.fromEntries([...secret, ...loader].map((name) => [name, 'x']));
		assert.deepEqual(commandEnvironment(host, 'linux'), fixedEnvironment);
	});

	it('keeps what programs need, without places that mean the current folder', () => {
		const host = {
			PATH: ':/usr/bin:.:bin:/bin:',
			HOME: '/home/a b',
			LC_ALL: 'C',
			PAGER: 'less',
			https_proxy: 'http://u:p@h',
			NO_PROXY: 'x',
		};
		assert.deepEqual(commandEnvironment(host, 'linux'), {
			PATH: '/usr/bin:/bin',
			HOME: '/home/a b',
			LC_ALL: 'C',
			NO_PROXY: 'x',
			...fixedEnvironment,
		});
	});

	it('knows the names of Windows in any case', () => {
		const environment = commandEnvironment(
			{ Path: String.raw`C:\Windows;.;;D:\bin`, SystemRoot: 'C:', Secret: 'x' },
			'win32',
		);
		assert.deepEqual(environment, { PATH: String.raw`C:\Windows;D:\bin`, SystemRoot: 'C:', ...fixedEnvironment });
	});

	it('lets no editor wait that a configuration of git names, and uses the one that the command names', function () {
		this.timeout(30_000);
		const root = tempDir('editors');
		const host = { PATH: process.env['PATH'], HOME: root };
		const git = (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
			const identity = {
				GIT_AUTHOR_NAME: 'a',
				GIT_AUTHOR_EMAIL: 'a@b',
				GIT_COMMITTER_NAME: 'a',
				GIT_COMMITTER_EMAIL: 'a@b',
			};
			const env = { ...commandEnvironment(host, process.platform), ...identity, ...more };
			const { status, stderr } = spawnSync('git', [...args], { cwd: root, env, encoding: 'utf8', timeout: 20_000 });
			return { status, stderr };
		};
		execFileSync('git', ['init', '-q', root]);
		const waits = `sh -c 'sleep 60'`;
		git(['config', 'core.editor', waits]);
		git(['config', 'sequence.editor', waits]);
		writeFileSync(join(root, 'a'), 'a');
		git(['add', 'a']);
		for (const args of [
			['commit'],
			['commit', '--allow-empty', '-e', '-m', 'x'],
			['config', '--edit'],
			['tag', '-a', 'v1'],
		]) {
			const { status, stderr } = git(args);
			// The exit code of "config" says nothing of a failed editor.
			assert.ok(status !== 0 || args[0] === 'config', args.join(' '));
			if (args[0] !== 'tag') {
				assert.match(stderr, /No editor can be opened here\. Give the message with -m/, args.join(' '));
			}
		}
		for (const message of ['one', 'two', 'three']) {
			assert.equal(git(['commit', '--allow-empty', '-qm', message]).status, 0);
		}
		assert.match(git(['rebase', '-i', 'HEAD~1']).stderr, /No editor can be opened here/);
		assert.match(git(['commit', '--allow-empty', '--amend']).stderr, /No editor can be opened here/);
		for (const [args, more] of [
			[['-c', 'core.editor=true', 'commit', '--allow-empty', '--amend'], {}],
			[['commit', '--allow-empty', '--amend'], { GIT_EDITOR: 'true' }],
			[['commit', '--allow-empty', '--amend'], { EDITOR: 'true' }],
			[['commit', '--allow-empty', '--amend'], { VISUAL: 'true', EDITOR: 'false' }],
			[['commit', '--allow-empty', '--amend', '--no-edit'], {}],
			[['-c', 'core.editor=true', 'rebase', '-i', 'HEAD~1'], {}],
			[['-c', 'sequence.editor=true', 'rebase', '-i', 'HEAD~1'], {}],
			[['rebase', '-i', 'HEAD~1'], { GIT_SEQUENCE_EDITOR: 'true' }],
			[['rebase', '-i', 'HEAD~1'], { GIT_EDITOR: 'true' }],
			[['rebase', '-i', 'HEAD~1'], { EDITOR: 'true' }],
		] as const) {
			const { status, stderr } = git(args, more);
			assert.equal(status, 0, `${args.join(' ')} ${JSON.stringify(more)}: ${stderr}`);
		}
	});
});
