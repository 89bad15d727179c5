import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { findTerminalProgram } from '../../machine/sandbox/pseudo-terminal.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { findAskedTerminal } from './asked-terminal.ts';

const alone = [{ commands: [{ argv: ['top'] }] }];
const find = () => '/usr/bin/script';

describe('a terminal that a command asks for', () => {
	it('is refused by name where the machine has no program that makes one', () => {
		const folder = tempDir();
		const [busybox, script] = [join(folder, 'busybox'), join(folder, 'script')];
		writeFileSync(busybox, '');
		symlinkSync(busybox, script);
		const places = [join(folder, 'none'), script];
		assert.equal(findTerminalProgram(places), undefined, 'the one of busybox hides how a program ended');
		assert.throws(
			() => findAskedTerminal({ pipelines: alone, hasOwnProcesses: true }, () => findTerminalProgram(places)),
			{ code: 'COMMAND_NOT_FOUND', facts: { program: 'script' }, message: /"script" of util-linux.*leave out tty/ },
		);
	});

	it('is refused outside of the sandbox, whose end ends all that ran in it', () => {
		assert.throws(() => findAskedTerminal({ pipelines: alone, hasOwnProcesses: false }, find), {
			code: 'INVALID_STATE',
		});
	});

	it('is refused beside pipes and redirects', () => {
		const piped = [{ commands: [{ argv: ['a'] }, { argv: ['b'] }] }];
		const redirected = [
			{ commands: [{ argv: ['a'], redirects: [{ stream: 'stdout' as const, mode: 'write' as const, path: 'x' }] }] },
		];
		for (const pipelines of [piped, redirected]) {
			assert.throws(() => findAskedTerminal({ pipelines, hasOwnProcesses: true }, find), { code: 'INVALID_PARAMS' });
		}
		const chained = [...alone, ...alone];
		assert.equal(findAskedTerminal({ pipelines: chained, hasOwnProcesses: true }, find), '/usr/bin/script');
	});
});
