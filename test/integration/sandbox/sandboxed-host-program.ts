/** A host in a process of its own, for tests that kill it: runs a script in the sandbox until then. */
import { CommandSandbox } from '../../../src/machine/sandbox/command-sandbox.ts';
import { SandboxNetworks } from '../../../src/machine/sandbox/network/sandbox-networks.ts';
import { CommandRunner } from '../../../src/machine/shell/command-runner.ts';
import { bubblewrap, networkListener } from '../../support/sandbox-scene.ts';

const {
	workspace,
	home,
	script,
	isBackground = false,
} = JSON.parse(process.argv[2] ?? '') as Record<'workspace' | 'home' | 'script', string> & { isBackground?: boolean };
const sandbox = new CommandSandbox({
	home,
	folders: () => [workspace],
	bubblewrapCandidates: () => (bubblewrap === undefined ? [] : [bubblewrap]),
	networks: new SandboxNetworks({ listener: networkListener, onUnusable: (error) => console.error(error) }),
});
const request = {
	steps: [{ join: ';' as const, programs: [{ argv: ['sh', '-c', script], file: '/bin/sh' }] }],
	cwd: workspace,
	timeoutMs: undefined,
	threadId: null,
	isSandboxed: true,
	reach: { read: [], write: [] },
	mayWrite: true,
	onlyReads: false,
	hosts: { admit: () => Promise.resolve({ kind: 'refused' as const, why: 'no host is on the list' }) },
};
const commands = new CommandRunner(process.env, sandbox);
const { signal } = new AbortController();
if (isBackground) await commands.runInBackground(request, signal);
else await commands.run(request, () => undefined, signal);
