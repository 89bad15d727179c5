/** What a command in the sandbox may take of the machine: attempts to take more, each bounded should nothing end it. */
import assert from 'node:assert/strict';
import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { WatchLimits } from '../../src/capability-host/machine/sandbox/watch/watch-limits.ts';
import { runningProcesses, waitUntilGone } from '../support/processes.ts';
import { bubblewrap, SandboxScene } from '../support/sandbox-scene.ts';
import { tempDir } from '../support/temp-dir.ts';

const MB = 1_048_576;
/** Nobody else's sleep takes as long. */
const long = String(80_000 + process.pid);

interface Greed {
	readonly title: string;
	/** For Python, which then waits to be ended. */
	readonly text: string;
	readonly limits: (workspace: string) => Partial<WatchLimits>;
	readonly said: RegExp;
}

const small = { memoryBytes: 150 * MB };
const memory = /^The command was ended: it used more than 150 MB of memory\.$/;

const greedy: readonly Greed[] = [
	{
		title: 'a fork bomb',
		text: `
for _ in range(8): os.fork()`,
		limits: () => ({ processes: 60 }),
		said: /^The command was ended: more than 60 processes ran at once\.$/,
	},
	{
		title: 'processes that nobody waits for',
		text: `
for _ in range(120):
	if os.fork() == 0:
		os.setsid(); os.execvp('sleep', ['sleep', '${long}'])`,
		limits: () => ({ processes: 60 }),
		said: /^The command was ended: more than 60 processes ran at once\.$/,
	},
	{ title: 'memory of its own', text: `held = b'x' * ${300 * MB}`, limits: () => small, said: memory },
	{
		title: 'memory of several processes',
		text: `
os.fork(); os.fork()
held = b'x' * ${80 * MB}`,
		limits: () => small,
		said: memory,
	},
	{
		title: 'memory that processes share',
		text: `
import mmap
held = mmap.mmap(-1, ${300 * MB})
for at in range(0, ${300 * MB}, 4096): held[at] = 1`,
		limits: () => small,
		said: memory,
	},
	{
		title: 'memory that no process has mapped',
		text: `
fd = os.memfd_create('held')
for _ in range(300): os.write(fd, b'x' * ${MB})`,
		limits: () => small,
		said: memory,
	},
	{
		title: 'files that lie in memory',
		text: `
with open('/dev/shm/held', 'wb') as held:
	for _ in range(300): held.write(b'x' * ${MB})`,
		limits: () => small,
		said: memory,
	},
	{
		title: 'open files',
		text: `
for _ in range(3):
	if os.fork() == 0: break
held = [os.open('/dev/null', 0) for _ in range(800)]`,
		limits: () => ({ openFiles: 2_000 }),
		said: /^The command was ended: it had more than 2000 files open\.$/,
	},
	{
		title: 'the disk',
		text: `
fd = os.open('held', os.O_CREAT | os.O_WRONLY)
for at in range(0, 800, 20): os.posix_fallocate(fd, at * ${MB}, 20 * ${MB}); time.sleep(0.05)`,
		limits: (workspace) => {
			const { bavail, bsize } = statfsSync(workspace);
			return { diskReserveBytes: bavail * bsize };
		},
		said: /^The command was ended: less than \d+ MB was left on the disk of \S+\.$/,
	},
];

describe('A command in the sandbox that takes more than one may', function () {
	this.timeout(60_000);
	let scene: SandboxScene;
	before(function () {
		if (bubblewrap === undefined) this.skip();
	});
	afterEach(() => scene.close());

	for (const { title, text, limits, said } of greedy) {
		it(`is ended and told why: ${title}`, async () => {
			const workspace = tempDir('workspace');
			scene = new SandboxScene({}, {}, workspace, limits(workspace));
			const program = `import os, time\n${text}\ntime.sleep(20)`;
			const state = await scene.run(['python3', '-c', program], { timeoutMs: 20_000 });
			assert.deepEqual([state.timedOut, state.signal], [false, 'SIGKILL'], state.output);
			assert.match(state.kept?.join('\n') ?? '', said);
			const left = runningProcesses().filter(({ commandLine }) => commandLine.includes(long));
			await waitUntilGone(left.map(({ pid }) => pid));
		});
	}

	it('finds an eighth of the memory for files in it, whatever the machine allows, and nothing beside them', async () => {
		scene = new SandboxScene();
		const { output } = await scene.sh('df -k --output=size /dev/shm | tail -1; (echo x > /dev/made) 2>&1 || true');
		const [size = '', refused] = output.trim().split('\n');
		const pageKilobytes = 4;
		assert.ok(Math.abs(Number(size) - totalmem() / 8 / 1024) <= pageKilobytes, size);
		assert.match(refused ?? '', /Read-only/);
	});
});
