/** Commands that run beside each other: one exchanges what is protected while the sandbox of the other is made. */
import assert from 'node:assert/strict';
import { isProwessError } from '../../../src/protocol/errors/errors.ts';
import { eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';

/** Without the look at the mounts, a source that was not meant is mounted in some of these. */
const TRIES = 120;
const SLOW_MS = 120_000;
const BEGIN_MS = 20_000;

/** Exchanges two folders of the workspace as fast as it can. In `trap`, a link stands where `sub` has a protected folder. */
const EXCHANGE = `
import ctypes, os, sys, time
libc = ctypes.CDLL(None, use_errno=True)
number, here, swap = (276 if os.uname().machine == 'aarch64' else 316), -100, 2
os.mkdir('trap')
os.symlink(sys.argv[1], 'trap/.vscode')
print('begun', flush=True)
until = time.monotonic() + 120
while time.monotonic() < until:
	for _ in range(1000): libc.syscall(number, here, b'sub', here, b'trap', swap)
`;

/** Gives a folder with a secret another name, and yet another. */
const MOVE = `
import os, time
os.makedirs('d0')
with open('d0/.env', 'w') as secret: secret.write('KEY=1')
print('begun', flush=True)
until, at = time.monotonic() + 60, 0
while time.monotonic() < until:
	os.rename(f'd{at}', f'd{at + 1}')
	at += 1
	time.sleep(0.004)
`;

/** Command that prints the mounts by their place on the disk, and the content at the place of the protected folder. */
const LOOK = 'cut -d" " -f4,5 /proc/self/mountinfo; cat sub/.vscode/* trap/.vscode/* 2>&1';

describe('A sandbox that is made while another command runs', function () {
	this.timeout(SLOW_MS);
	let scene: SandboxScene;
	eachWithScene((each) => (scene = each));

	it('mounts nothing that was exchanged for what was meant', async () => {
		scene.write('sub/.vscode/settings.json', '{}');
		scene.writeHome('hidden/key', 'canary');
		const hidden = `${scene.userHome}/hidden`;
		const stop = await beside(scene, ['python3', '-c', EXCHANGE, hidden]);
		const wrong: string[] = [];
		let ran = 0;
		for (let each = 0; each < TRIES; each++) {
			const output = await outputOf(scene, ['sh', '-c', LOOK]);
			if (output === undefined) continue;
			ran += 1;
			if (output.includes(hidden) || output.includes('canary')) wrong.push(output);
		}
		await stop();
		assert.deepEqual(wrong, []);
		assert.ok(ran > TRIES / 2, `${ran} of ${TRIES} ran`);
	});

	it('is refused, with the place, when it is exchanged each time', async () => {
		const stop = await beside(scene, ['python3', '-c', MOVE]);
		const message = /d\d+\/\.env was exchanged while the sandbox was made, so nothing was started: stop the command/;
		let refusal: unknown;
		// On a busy machine what exchanges it may stand still while a sandbox is made, which is then as meant.
		for (let each = 0; each < TRIES && refusal === undefined; each++) {
			refusal = await scene.run(['echo', 'ran']).then(
				() => undefined,
				(error: unknown) => error,
			);
		}
		assert.ok(isProwessError(refusal) && refusal.code === 'COMMAND_FAILED_TO_START', String(refusal));
		assert.match(refusal.message, message);
		await stop();
		assert.equal((await scene.run(['echo', 'ran'])).output, 'ran\n');
	});
});

/** Starts what exchanges things. Resolves, once it has begun, with what ends it; it has to run until then. */
async function beside(scene: SandboxScene, argv: readonly string[]): Promise<() => Promise<void>> {
	const { commandId } = await scene.start(argv);
	const begun = await scene.commands.output(commandId, null, BEGIN_MS, new AbortController().signal);
	assert.equal(begun.output, 'begun\n');
	return async () => {
		const state = await scene.commands.output(commandId, null, 0, new AbortController().signal);
		assert.equal(state.running, true, state.output);
		await scene.commands.stop(commandId, null);
	};
}

/** Undefined where it was refused. */
async function outputOf(scene: SandboxScene, argv: readonly string[]): Promise<string | undefined> {
	try {
		return (await scene.run(argv)).output;
	} catch (error) {
		if (isProwessError(error) && error.code === 'COMMAND_FAILED_TO_START') return undefined;
		throw error;
	}
}
