/**
 * Pipes of the system for the streams of programs. Node gives a program sockets: nobody can open one by a name such as
 * /dev/stdin or /dev/stderr, and it is full after some 170 writes, however small. A Node program then goes on with its
 * other stream first, so the order of the two is lost.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { PIPES_MADE, PIPES_MADE_MS } from './limits.ts';
import { awaitSpawn } from './process-group.ts';

type Stdio = number | 'ignore' | 'pipe';

/** Descriptors of both ends. */
interface OwnPipe {
	readonly read: number;
	readonly write: number;
}

/** Descriptors of the pipes in the shell that makes them. */
const DESCRIPTORS = Array.from({ length: PIPES_MADE }, (_, n) => n + 3);
/** Shells make no pipe for a text that is empty. */
const TEXT = 'x\n';
const SCRIPT = `exec ${DESCRIPTORS.map((each) => `${each}<<E`).join(' ')}\n${`${TEXT}E\n`.repeat(PIPES_MADE)}echo\nread _\n`;

/** Made and not yet taken. */
const made: OwnPipe[] = [];
let making: Promise<boolean> | undefined;

/** Our ends of a program's own pipes; undefined: the stream is no pipe, or a socket that Node has made. */
export class ProgramPipes {
	stdin: Socket | undefined;
	stdout: Socket | undefined;
	stderr: Socket | undefined;
	/** Resolves when the program's output has been read to its end, or is read no longer. */
	closed: Promise<unknown> = Promise.resolve();
	readonly #stdio: readonly Stdio[];
	readonly #pipes: readonly (OwnPipe | undefined)[];

	constructor(stdio: readonly Stdio[], pipes: readonly (OwnPipe | undefined)[]) {
		this.#stdio = stdio;
		this.#pipes = pipes;
	}

	/** Resolves when the program has started. Rejects as its start does, and leaves nothing open then. */
	async start<T extends { readonly child: ChildProcess }>(spawnWith: (stdio: Stdio[]) => T): Promise<T> {
		const [stdin, stdout, stderr] = this.#pipes;
		let started: T;
		try {
			started = spawnWith(
				this.#stdio.map((stream, index) => this.#pipes[index]?.[index === 0 ? 'read' : 'write'] ?? stream),
			);
		} catch (error) {
			for (const end of this.#pipes.flatMap((pipe) => (pipe === undefined ? [] : [pipe.read, pipe.write])))
				closeSync(end);
			throw error;
		}
		this.stdin = stdin && ourEnd(stdin.write, stdin.read, { writable: true });
		this.stdout = stdout && ourEnd(stdout.read, stdout.write, { readable: true });
		this.stderr = stderr && ourEnd(stderr.read, stderr.write, { readable: true });
		const outputs = [this.stdout, this.stderr].filter((stream) => stream !== undefined);
		this.closed = Promise.all(outputs.map((stream) => new Promise((resolve) => stream.once('close', resolve))));
		try {
			await awaitSpawn(started.child);
		} catch (error) {
			for (const stream of [this.stdin, ...outputs]) stream?.destroy();
			throw error;
		}
		return started;
	}
}

/** Returns the stream of our end; the program has the other end by now. */
function ourEnd(ours: number, its: number, way: { readonly readable?: true; readonly writable?: true }): Socket {
	closeSync(its);
	// A stream that breaks is at its end, as when it closes.
	return new Socket({ fd: ours, readable: false, writable: false, ...way }).on('error', () => undefined);
}

/**
 * Takes a pipe of its own for each stream that is to be a pipe. `hasOneOutput`: the program's errors go where its output
 * goes; only its sandbox has the third stream. Never rejects.
 */
export async function takePipes(stdio: readonly Stdio[], hasOneOutput: boolean): Promise<ProgramPipes> {
	const pipes: (OwnPipe | undefined)[] = [];
	for (const stream of hasOneOutput ? stdio.slice(0, 2) : stdio) {
		pipes.push(stream === 'pipe' ? await takePipe() : undefined);
	}
	return new ProgramPipes(stdio, pipes);
}

/** Resolves with undefined where the system makes none: then a socket must do. Never rejects. */
async function takePipe(): Promise<OwnPipe | undefined> {
	// Elsewhere sockets can be opened by those names.
	if (process.platform !== 'linux') return undefined;
	// Others who wait may take all of them.
	while (made.length === 0) {
		making ??= makePipes()
			// No descriptors are left, or the system does not let us: sockets do.
			.catch(() => false)
			.finally(() => (making = undefined));
		if (!(await making)) break;
	}
	return made.pop();
}

/**
 * Node makes no pipe of the system, and one with a name waits for somebody at its other end whenever it is opened. A shell
 * makes one for each text that its script holds, and the system lets us open what a process of ours has open.
 */
async function makePipes(): Promise<boolean> {
	const stop = new AbortController();
	const shell = spawn('/bin/sh', ['-c', SCRIPT], { env: {}, stdio: ['pipe', 'pipe', 'ignore'], signal: stop.signal });
	const ended = new Promise<false>((resolve) => {
		shell.once('close', () => resolve(false)).once('error', () => resolve(false));
	});
	shell.stdin.on('error', () => undefined);
	try {
		const isReady = new Promise<true>((resolve) => shell.stdout.once('data', () => resolve(true)));
		const isMade = await raceTimeout(Promise.race([isReady, ended]), PIPES_MADE_MS);
		for (const name of isMade === true ? DESCRIPTORS : []) openPipe(`/proc/${shell.pid}/fd/${name}`);
		return isMade === true;
	} finally {
		shell.stdin.end();
		const isOver = await raceTimeout(ended, PIPES_MADE_MS);
		if (isOver === undefined) stop.abort();
	}
}

function openPipe(path: string): void {
	const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	try {
		// Some shells keep such a text in a file.
		if (!fstatSync(read).isFIFO()) throw new Error(`${path} is no pipe`);
		readSync(read, new Uint8Array(TEXT.length));
		made.push({ read, write: openSync(path, constants.O_WRONLY) });
	} catch (error) {
		closeSync(read);
		throw error;
	}
}
