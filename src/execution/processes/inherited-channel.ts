/**
 * Chooses the inherited channel that works here. A process that does nothing else tests whether a Node reads and writes
 * a descriptor behind its own walls, once for each machine, Node and sandbox; the result is kept.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { HostPorts, LogPort } from '../../contract/ports/ports.ts';
import { temporaryFolder } from '../../machine/home-files/private-folder.ts';
import { ipcEnvironment } from '../../protocol/execution/execution.ts';
import { CHANNEL_PROBE_MS } from './limits.ts';
import { keepFinding, readFinding } from '../../machine/home-files/kept-finding.ts';
import { createConfinedCommand, type SandboxState } from '../../machine/sandbox/sandbox.ts';
import { spawnConfined } from '../../machine/sandbox/spawn-confined.ts';
import { CHANNEL_DESCRIPTOR, type InheritedChannel } from './waiting-channel.ts';

/** Says back what it hears, and ends when the channel does. */
const ECHOES: { readonly [C in InheritedChannel]: string } = {
	descriptor: `const socket = new (require('node:net').Socket)({ fd: ${CHANNEL_DESCRIPTOR}, readable: true, writable: true }); socket.pipe(socket)`,
	ipc: `process.on('message', (said) => process.send(said))`,
};

/** The first is taken where both work. */
const INHERITED_CHANNEL_KINDS = ['descriptor', 'ipc'] as const;

type TryChannel = (kind: InheritedChannel, state: SandboxState) => Promise<boolean>;

/** Returns the channel that works, which is tested once for a host. */
export function channelWithin({
	places,
	log,
}: Pick<HostPorts, 'places' | 'log'>): (state: SandboxState) => Promise<InheritedChannel> {
	let tried: Promise<InheritedChannel> | undefined;
	return (state) => (tried ??= inheritedChannel(places.home, state, log));
}

/** Never rejects. Where nothing works it is the first, whose failure then says why. */
export async function inheritedChannel(
	home: string,
	state: SandboxState,
	log: LogPort,
	works: TryChannel = channelWorks,
): Promise<InheritedChannel> {
	const path = join(home, 'channel.json');
	const on = [hostname(), process.platform, process.arch, process.version, process.execPath, state.sandbox].join(' ');
	const found = await readFinding(path, on);
	const kept = INHERITED_CHANNEL_KINDS.find((kind) => kind === found?.['channel']);
	if (kept !== undefined) {
		return kept;
	}
	for (const kind of INHERITED_CHANNEL_KINDS) {
		if (await works(kind, state)) {
			if (kind !== INHERITED_CHANNEL_KINDS[0])
				log.warn('executors are reached through a second-best channel here', { kind, on });
			await keepFinding(path, on, { channel: kind }).catch((error: unknown) => {
				log.debug('the channel that works is not kept', { error: String(error) });
			});
			return kind;
		}
	}
	log.error('no channel to executors works here', { on });
	return INHERITED_CHANNEL_KINDS[0];
}

/** Starts a process behind the walls of `state` and has it say something back. */
export async function channelWorks(kind: InheritedChannel, { bwrap }: SandboxState): Promise<boolean> {
	const scratch = temporaryFolder('prowess-channel-');
	try {
		const environment = {
			ELECTRON_RUN_AS_NODE: '1',
			...(kind === 'ipc' ? ipcEnvironment(CHANNEL_DESCRIPTOR) : {}),
		};
		const echo = { runtime: 'node', args: ['--eval', ECHOES[kind]] } as const;
		const started = createConfinedCommand(echo, { readable: [], scratch, environment }, bwrap);
		const child = spawnConfined(started, {
			stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
			env: environment,
		});
		const closed = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
		const channel = child.stdio[CHANNEL_DESCRIPTOR] as unknown as Duplex;
		const line = `${JSON.stringify(randomBytes(16).toString('hex'))}\n`;
		let heard = '';
		const answered = new Promise<boolean>((resolve) => {
			channel.on('error', () => resolve(false)).on('close', () => resolve(false));
			channel.on('data', (bytes: Buffer) => {
				heard += bytes.toString('latin1');
				if (heard.length >= line.length) resolve(heard === line);
			});
		});
		const late = setTimeout(() => channel.destroy(), CHANNEL_PROBE_MS);
		channel.write(line);
		const works = await answered;
		clearTimeout(late);
		channel.destroy();
		child.kill('SIGKILL');
		await closed;
		return works;
	} finally {
		rmSync(scratch, { recursive: true, force: true });
	}
}
