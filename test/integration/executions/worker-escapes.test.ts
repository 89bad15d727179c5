/**
 * Tests attempts of a worker's tool to break out. Each attempt is made for real, by code that no ban of a module stops.
 */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ExecutionScene } from '../../support/execution-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { workerSandbox, workerSkills } from '../../support/worker-skills.ts';

const NODE = `import { createRequire, registerHooks } from 'node:module';
registerHooks({
	resolve: (name, context, next) =>
		name.startsWith('through:') ? { url: name.replace('through', 'node'), format: 'builtin', shortCircuit: true } : next(name, context),
});
const builtIn = (name) => createRequire(import.meta.url)('through:' + name);
const fs = builtIn('fs');
const tries = {
	read: ({ canary }) => fs.readFileSync(canary, 'utf8'),
	readRelative: ({ canary }) => fs.readFileSync('../'.repeat(20) + canary.slice(1), 'utf8'),
	readThroughProc: ({ canary }) => fs.readFileSync('/proc/1/root' + canary, 'utf8'),
	link: ({ canary }) => { fs.symlinkSync(canary, 'link'); return fs.readFileSync('link', 'utf8'); },
	list: ({ folder }) => fs.readdirSync(folder).join(),
	write: ({ made }) => { fs.writeFileSync(made, 'x'); return 'wrote'; },
	ownCode: ({}, own) => { fs.appendFileSync(own, '//'); return 'wrote'; },
	run: ({ canary }) => builtIn('child_process').execFileSync('/bin/cat', [canary], { encoding: 'utf8' }),
	worker: ({ canary }) => { new (builtIn('worker_threads').Worker)('1', { eval: true }); return canary; },
	addon: ({ canary }) => { process.dlopen({ exports: {} }, canary); return 'loaded'; },
	signal: ({ host }) => { process.kill(host, 0); return 'found the host'; },
	environment: () => { if (JSON.stringify(process.env).includes('canary-in-environment')) return 'saw it'; throw new Error('no'); },
	connect: ({ port }) => new Promise((resolve, reject) => {
		const socket = builtIn('net').connect(port, '127.0.0.1', () => resolve('connected'));
		socket.on('error', reject);
	}),
};
export async function attempt({ name, given }) {
	try { return 'through: ' + (await tries[name](given, import.meta.filename)); } catch (error) { return 'held: ' + error.message; }
}
export async function names() { return Object.keys(tries); }
`;
const PYTHON = `import os
from importlib._bootstrap import _gcd_import as load
def _read(path):
    with open(path) as file:
        return file.read()
def _link(given):
    os.symlink(given["canary"], "link")
    return _read("link")
def _write(path):
    with open(path, "a") as file:
        file.write("#")
    return "wrote"
def _run(given):
    return load("subprocess").check_output(["/bin/cat", given["canary"]], text=True)
def _connect(given):
    socket = load("socket")
    socket.create_connection(("127.0.0.1", given["port"]), 2).close()
    return "connected"
def _libc(given):
    ctypes = load("ctypes")
    fd = ctypes.CDLL(None).open(given["canary"].encode(), 0)
    if fd < 0:
        raise OSError("no")
    return os.read(fd, 100).decode()
def _kernel(given):
    ctypes = load("ctypes")
    new_user = 0x10000000
    if ctypes.CDLL(None, use_errno=True).unshare(new_user) != 0:
        raise OSError(ctypes.get_errno(), "no")
    return "has rights of its own"
def _keyring(given):
    ctypes = load("ctypes")
    add_key = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
    if ctypes.CDLL(None).syscall(add_key, b"user", b"left", b"x", 1, -5) < 0:
        raise OSError("no")
    return "left a key"
def _signal(given):
    os.kill(given["host"], 0)
    return "found the host"
def _environment(given):
    if "canary-in-environment" in str(os.environ) + _read("/proc/self/environ"):
        return "saw it"
    raise OSError("no")
def _memory(given):
    return len(bytearray(3 * 1024 ** 3))
_tries = {
    "read": lambda given: _read(given["canary"]),
    "readRelative": lambda given: _read("../" * 20 + given["canary"][1:]),
    "readThroughProc": lambda given: _read("/proc/1/root" + given["canary"]),
    "link": _link,
    "list": lambda given: ",".join(os.listdir(given["folder"])),
    "write": lambda given: _write(given["made"]),
    "ownCode": lambda given: _write(__file__),
    "run": _run,
    "libc": _libc,
    "kernel": _kernel,
    "keyring": _keyring,
    "connect": _connect,
    "signal": _signal,
    "environment": _environment,
    "memory": _memory,
}
async def attempt(name, given):
    try:
        return "through: %s" % _tries[name](given)
    except BaseException as error:
        return "held: %s" % error
async def names():
    return list(_tries)
`;

describe('The walls of a worker', function () {
	this.timeout(30_000);
	const walls = [
		['node-worker', workerSandbox, NODE],
		// Node's own flags do not keep it from the network everywhere, nor from seeing that a process is there.
		['node-worker', { sandbox: 'permission', bwrap: undefined } as const, NODE],
		['python-worker', workerSandbox, PYTHON],
	] as const;

	for (const [runtime, sandbox, text] of walls) {
		it(`hold against what a ${runtime} tries within ${sandbox.sandbox}`, async function () {
			const skill = workerSkills.find((each) => each.runtime === runtime);
			if (skill?.lack !== undefined) this.skip();
			const folder = tempDir();
			const canary = join(folder, 'canary.txt');
			writeFileSync(canary, 'canary');
			const made = join(folder, 'made.txt');
			const server = createServer((socket) => socket.destroy());
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			process.env['PROWESS_TEST_CANARY'] = 'canary-in-environment';
			const manifest = `name: test\ntype: skill\nversion: 1.0.0\nlevel: MONITORED\nruntime: ${runtime}\n`;
			const scene = new ExecutionScene({ executor: 'second-result', sandbox, manifest });
			try {
				scene.writes(skill?.file ?? '', text);
				const { port } = server.address() as AddressInfo;
				const given = { canary, folder, made, port, host: process.pid };
				const names = (await scene.run({}, { tool: 'names' })).result as string[];
				const through: string[] = [];
				for (const name of names) {
					const { result, error } = await scene.run({ name, given }, { tool: 'attempt' });
					const end = typeof result === 'string' ? result : `held: ${error?.code}`;
					if (end.startsWith('through')) through.push(`${name} ${end}`);
				}
				const open = sandbox.bwrap === undefined ? ['connect', 'signal'] : [];
				assert.deepEqual(
					through.filter((each) => !open.some((name) => each.startsWith(name))),
					[],
				);
				assert.ok(names.length >= 13);
				assert.equal(existsSync(made), false);
			} finally {
				delete process.env['PROWESS_TEST_CANARY'];
				await scene.close();
				await new Promise((resolve) => server.close(resolve));
			}
		});
	}
});
