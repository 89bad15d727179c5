/** A process of the user that attempts aim at: it holds a secret in its memory, its words, its environment and an open file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { getPriority } from 'node:os';
import type { Places } from '../../fixtures/escapes/escape.ts';
import { waitFor } from '../wait-for.ts';

export const PYTHON = '/usr/bin/python3';
/** Descriptor under which the victim's file is open. */
const DESCRIPTOR = 77;
/** From the end of its input, in which it removes what it shared. */
const END_LIMIT_MS = 1_000;

/** Lives until its input ends. Says where in its memory a secret lies, and removes what it shared. */
const PROGRAM = `
import ctypes, os, sys
libc = ctypes.CDLL(None)
secret = ctypes.create_string_buffer(os.environ['IN_MEMORY'].encode())
del os.environ['IN_MEMORY']
key = int(sys.argv[2])
shared = libc.shmget(key, 4096, 0o1600)
libc.shmat.restype = ctypes.c_void_p
at = libc.shmat(shared, None, 0)
ctypes.memmove(at, b'canary-shared', 13)
held = os.open(sys.argv[3], os.O_RDWR)
os.dup2(held, ${DESCRIPTOR})
print(ctypes.addressof(secret), flush=True)
sys.stdin.read()
libc.shmctl(shared, 0, None)
`;

interface Running {
	readonly child: ChildProcess;
	readonly address: number;
	readonly secret: string;
	readonly state: string;
}

interface VictimPlaces {
	readonly cwd: string;
	/** The file that it holds open. */
	readonly held: string;
}

export class Victim {
	readonly #places: VictimPlaces;
	readonly #sharedMemoryKey = randomInt(1, 2 ** 31 - 1);
	#running: Running | undefined;

	constructor(places: VictimPlaces) {
		this.#places = places;
	}

	get place(): Places['victim'] {
		return {
			pid: this.#running?.child.pid ?? 0,
			address: this.#running?.address ?? 0,
			length: this.#running?.secret.length ?? 0,
			descriptor: DESCRIPTOR,
			sharedMemoryKey: this.#sharedMemoryKey,
			words: this.#words,
		};
	}

	/** In place of the one before. */
	async start(): Promise<void> {
		this.#running?.child.kill('SIGKILL');
		const secret = `canary-memory-${randomBytes(6).toString('hex')}`;
		const { cwd, held } = this.#places;
		const child = spawn(PYTHON, ['-c', PROGRAM, this.#words, String(this.#sharedMemoryKey), held], {
			cwd,
			env: { NOTE: 'canary-environment', IN_MEMORY: secret },
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		child.stdin.on('error', () => undefined);
		const [said] = (await once(child.stdout, 'data')) as [Buffer];
		this.#running = { child, address: Number(said.toString('utf8')), secret, state: this.#stateOf(child.pid ?? 0) };
	}

	/** Returns the harm done to the process since it started. */
	harm(): string[] {
		if (this.#running === undefined) return [];
		const { child, address, secret, state } = this.#running;
		const pid = child.pid ?? 0;
		const now = this.#stateOf(pid);
		if (now !== state) return [`changed the user's process: ${now === '' ? 'it has ended' : now}`];
		const memory = Buffer.alloc(secret.length);
		const file = openSync(`/proc/${pid}/mem`, 'r');
		try {
			readSync(file, memory, 0, memory.length, address);
		} finally {
			closeSync(file);
		}
		return memory.toString('latin1') === secret ? [] : ["changed the memory of the user's process"];
	}

	async close(): Promise<void> {
		const child = this.#running?.child;
		if (child === undefined || hasEnded(child)) return;
		child.kill('SIGCONT');
		child.stdin?.end();
		await waitFor('the end of the process of the user', () => hasEnded(child), END_LIMIT_MS).catch(() => undefined);
		child.kill('SIGKILL');
	}

	#stateOf(pid: number): string {
		const state = stateOf(pid);
		return state === '' ? '' : `${state}, ${isMemoryShared(this.#sharedMemoryKey) ? 'shares memory' : 'shares none'}`;
	}

	get #words(): string {
		return `canary-words-${this.#sharedMemoryKey}`;
	}
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
	return exitCode !== null || signalCode !== null;
}

/** True while others can find shared memory by that key. */
function isMemoryShared(key: number): boolean {
	const [, ...segments] = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n');
	return segments.some((line) => Number.parseInt(line, 10) === key);
}

/** Returns the state of a process that others can change; empty when it has ended. */
function stateOf(pid: number): string {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		const state = stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '';
		if (state === 'Z' || state === 'X') return '';
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		const line = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
		const files = /^Max open files.*$/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[0] ?? '';
		const oom = readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim();
		const halted = state === 'T' || state === 't' ? 'halted' : 'runs';
		return [halted, line('Name'), getPriority(pid), line('Cpus_allowed_list'), files, oom].join(', ');
	} catch {
		return '';
	}
}
