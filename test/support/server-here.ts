/** The server in the process of the spec, as whoever has started its program sees it: a child with a channel. */
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { StartedServerProgram } from '../../src/cli/server/server-program.ts';
import { type ServedHost, serveOver } from '../../src/server/serve.ts';

interface ServerHere extends StartedServerProgram {
	/** Has it end what runs, in order; that is also what a kill does here. Idempotent. */
	end(): Promise<void>;
}

/** Returns a server in this process; composes it at the first write to it. */
export function serverHere(): ServerHere {
	const { promise: ended, resolve } = Promise.withResolvers<string>();
	const near = new EventEmitter();
	const far = new EventEmitter();
	let serving: ReturnType<typeof serveOver> | undefined;
	let ending: Promise<void> | undefined;
	const close = async () => {
		await serving?.close();
		child.exitCode = 0;
		resolve('exit code 0');
		child.emit('exit', 0, null);
	};
	const end = () => (ending ??= close());
	const child = Object.assign(near, {
		pid: process.pid,
		exitCode: null as number | null,
		signalCode: null,
		stdout: null,
		stderr: null,
		kill: () => void end(),
		disconnect: () => void end(),
		send: (...given: Parameters<Send>) => {
			serving ??= serveOver(
				Object.assign(far, { send: sendTo(near) }) as ServedHost,
				() => {},
				() => {},
			);
			return sendTo(far)(...given);
		},
	});
	return { child: child as unknown as ChildProcess, ended, end };
}

type Send = (message: unknown, handle: unknown, options: unknown, sent: (error: Error | null) => void) => boolean;

function sendTo(end: EventEmitter): Send {
	return (message, _handle, _options, sent) => {
		const copy: unknown = structuredClone(message);
		queueMicrotask(() => end.emit('message', copy));
		sent(null);
		return true;
	};
}
