import assert from 'node:assert/strict';
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
});
