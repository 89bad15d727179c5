/**
 * Knows each child process, socket, server, worker and timer that was opened and not closed again, with the place in our
 * code that opened it. Node itself only knows how many there are of each kind.
 */

import { createHook } from 'node:async_hooks';

export interface OpenHandle {
	readonly kind: string;
	/** Holds the stack of what opened it. To write the stack costs as much as all the rest, so only that of an open handle is written. */
	readonly opening: Error;
	/** Which test, suite or hook was running. */
	readonly openedIn: string;
	readonly resource: object;
}

/**
 * Kinds of handles by their name in Node, with our name, and whether a handle that does not keep the process alive
 * counts too.
 */
const kinds: Readonly<Record<string, { readonly name: string; readonly countsUnreferenced: boolean }>> = {
	PROCESSWRAP: { name: 'child process', countsUnreferenced: true },
	WORKER: { name: 'worker thread', countsUnreferenced: true },
	TCPSERVERWRAP: { name: 'TCP server', countsUnreferenced: true },
	PIPESERVERWRAP: { name: 'socket server', countsUnreferenced: true },
	FSEVENTWRAP: { name: 'file watcher', countsUnreferenced: true },
	TCPWRAP: { name: 'TCP socket', countsUnreferenced: false },
	UDPWRAP: { name: 'UDP socket', countsUnreferenced: false },
	PIPEWRAP: { name: 'pipe', countsUnreferenced: false },
	Timeout: { name: 'timer', countsUnreferenced: false },
};

const handles = new Map<number, OpenHandle>();
/** Name of the phase that loads the specs; handles opened by their modules live as long as the process. */
export const loading = 'loading the specs';
let openedIn = loading;

export function trackHandles(): void {
	const hooks = {
		// None is among our kinds, and following each costs a tenth of the whole run.
		trackPromises: false,
		init(id: number, type: string, _trigger: number, resource: object) {
			const kind = kinds[type];
			if (kind === undefined) return;
			handles.set(id, { kind: kind.name, opening: stackHere(), openedIn, resource });
		},
		destroy(id: number) {
			handles.delete(id);
		},
	};
	createHook(hooks).enable();
}

/** From now on what is opened belongs to this test, suite or hook. */
export function nowRunning(name: string): void {
	openedIn = name;
}

/**
 * Opens what the spec files of a process share, such as a browser: it counts as opened by the modules of the specs, and keeps
 * no process alive. The leak check ends it with the process. Opened by a hook, or else what the test opens meanwhile counts so, too.
 */
export async function openForProcess<T>(open: () => Promise<T>): Promise<T> {
	const before = openedIn;
	openedIn = loading;
	const known = new Set(handles.keys());
	try {
		return await open();
	} finally {
		openedIn = before;
		for (const [id, { opening, resource }] of handles) {
			// The time limit of the hook that opens it belongs to mocha, and keeps the process alive until the hook ends.
			if (known.has(id) || callerInOurCode(opening) === undefined) continue;
			if ('unref' in resource) (resource as { unref(): void }).unref();
		}
	}
}

export function openHandles(): OpenHandle[] {
	return [...handles.values()].filter(({ kind, opening, resource }) => {
		const { countsUnreferenced } = Object.values(kinds).find(({ name }) => name === kind) ?? {
			countsUnreferenced: true,
		};
		const counts = countsUnreferenced || !('hasRef' in resource) || (resource as { hasRef(): boolean }).hasRef();
		return counts && callerInOurCode(opening) !== undefined;
	});
}

export function describeHandle({ kind, opening, resource }: OpenHandle): string {
	const pid = 'pid' in resource ? ` ${String(resource.pid)}` : '';
	return `${kind}${pid} opened at ${callerInOurCode(opening)}`;
}

function stackHere(): Error {
	const limit = Error.stackTraceLimit;
	Error.stackTraceLimit = 30;
	const here = new Error();
	Error.stackTraceLimit = limit;
	return here;
}

/** The innermost frames outside Node and node_modules; nothing when mocha itself opened it (its own time limits). */
function callerInOurCode({ stack = '' }: Error): string | undefined {
	const frames = stack.split('\n').slice(1);
	const outside = frames
		.map((frame) => frame.trim().replace(/^at /, ''))
		.filter((frame) => !frame.includes('node:') && !frame.includes('open-handles.ts'));
	const [innermost] = outside;
	if (innermost?.includes('/node_modules/mocha/')) return undefined;
	const ours = outside.filter((frame) => !frame.includes('/node_modules/'));
	return ours.slice(0, 3).join(' < ') || innermost || 'an event outside our code';
}
