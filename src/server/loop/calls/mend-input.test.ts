import assert from 'node:assert/strict';
import { mendInput } from './mend-input.ts';

describe('A command line', () => {
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
