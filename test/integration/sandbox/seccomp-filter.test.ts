/** The filter of system calls in a real kernel: each call is made by a program behind it, and by the same one without it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seccompFilter } from '../../../src/machine/sandbox/seccomp-filter.ts';
import { tempDir } from '../../support/temp-dir.ts';

const bwrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';
const EPERM = 1;
const EAFNOSUPPORT = 97;

/** Numbers of this machine; each of these calls has another answer than EPERM where nothing filters it. */
const calls = {
	x64: { ptrace: 101, keyctl: 250, io_uring_setup: 425, userfaultfd: 323, process_vm_readv: 310, socket: 41 },
	arm64: { ptrace: 117, keyctl: 219, io_uring_setup: 425, userfaultfd: 282, process_vm_readv: 270, socket: 198 },
} as const;

function behind(filter: Buffer | undefined, argv: readonly string[]) {
	const file = join(tempDir('seccomp'), 'filter');
	writeFileSync(file, filter ?? '');
	const descriptor = openSync(file, 'r');
	try {
		const flags = filter === undefined ? [] : ['--seccomp', '3'];
		const walls = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid'];
		return spawnSync(bwrap, [...flags, ...walls, '--', ...argv], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'pipe', descriptor],
		});
	} finally {
		closeSync(descriptor);
	}
}

/** The errno of each call, made with these arguments; 0 when it worked. */
function errnos(filter: Buffer | undefined, made: Readonly<Record<string, readonly number[]>>): Record<string, number> {
	const lines = Object.entries(made).map(
		([name, args]) => `$! = 0; my $r = syscall(${args.join(', ')}); print "${name} ", ($r == -1 ? $!+0 : 0), "\\n";`,
	);
	const { stdout, stderr } = behind(filter, ['perl', '-e', lines.map((line) => `{ ${line} }`).join('\n')]);
	assert.equal(stderr, '');
	return Object.fromEntries(
		stdout
			.trim()
			.split('\n')
			.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]),
	);
}

describe('A program behind the filter of system calls', function () {
	this.timeout(30_000);
	const filter = seccompFilter(process.arch);
	before(function () {
		if (!existsSync(bwrap) || filter === undefined) {
			this.skip();
		}
	});

	it('cannot trace, read keyrings, or use what the kernel has for few; without the filter it could', () => {
		const of = calls[process.arch as keyof typeof calls];
		const made = {
			// PTRACE_SEIZE of a process that is not there
			ptrace: [of.ptrace, 0x4206, 4_000_000, 0, 0],
			keyctl: [of.keyctl, 0, -3, 0],
			io_uring_setup: [of.io_uring_setup, 0, 0],
			process_vm_readv: [of.process_vm_readv, 1, 0, 0, 0, 0, 0],
		};
		const without = errnos(undefined, made);
		assert.equal(Object.values(without).includes(EPERM), false, JSON.stringify(without));
		assert.deepEqual(new Set(Object.values(errnos(filter, made))), new Set([EPERM]));
	});

	it('gets no socket of another family than files and the network, and knows its own addresses', () => {
		const { socket } = calls[process.arch as keyof typeof calls];
		const made = {
			packet: [socket, 17, 3, 0],
			alg: [socket, 38, 5, 0],
			audit: [socket, 16, 3, 9],
			routes: [socket, 16, 3, 0],
			unix: [socket, 1, 1, 0],
			inet: [socket, 2, 1, 0],
		};
		const said = errnos(filter, made);
		const refused = { packet: EAFNOSUPPORT, alg: EAFNOSUPPORT, audit: EAFNOSUPPORT };
		assert.deepEqual(said, { ...refused, routes: 0, unix: 0, inet: 0 });
	});

	it('makes no namespace in which it would be the master', () => {
		const inside = (filtered: Buffer | undefined) => behind(filtered, ['unshare', '--user', 'true']);
		assert.equal(inside(undefined).status, 0);
		const { status, stderr } = inside(filter);
		assert.notEqual(status, 0);
		assert.match(stderr, /not permitted/);
	});

	it('is killed when it makes a call of another ABI', () => {
		if (process.arch === 'x64') {
			const { status, stdout } = behind(filter, [
				'perl',
				'-e',
				'$| = 1; print "a"; syscall(0x40000000 + 39); print "b"',
			]);
			assert.deepEqual([stdout, status], ['a', 128 + 31]);
		}
		const other = process.arch === 'x64' ? 'arm64' : 'x64';
		assert.equal(behind(seccompFilter(other), ['true']).stdout, '');
		assert.notEqual(behind(seccompFilter(other), ['true']).status, 0);
	});

	it('works as always when it is a shell, Git, Python, or Node with threads and child processes', () => {
		const node = `
			const { Worker } = require('node:worker_threads');
			const { execFileSync } = require('node:child_process');
			require('node:os').networkInterfaces();
			new Worker('require("node:worker_threads").parentPort.postMessage(1)', { eval: true }).once('message', () => {
				process.stdout.write(execFileSync('/bin/echo', ['from a child'], { encoding: 'utf8' }));
			});`;
		for (const [argv, expected] of [
			[['sh', '-c', 'echo a | cat'], 'a\n'],
			[['git', '--version'], /^git version/],
			[
				[
					'python3',
					'-c',
					'import threading, subprocess; t = threading.Thread(target=print, args=["t"]); t.start(); t.join()',
				],
				't\n',
			],
			[[process.execPath, '-e', node], 'from a child\n'],
		] as const) {
			const { status, stdout, stderr } = behind(filter, argv);
			assert.deepEqual([status, stderr], [0, ''], argv[0]);
			if (typeof expected === 'string') assert.equal(stdout, expected);
			else assert.match(stdout, expected);
		}
	});
});
