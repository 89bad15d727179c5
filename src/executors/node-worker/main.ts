/**
 * Runs the tools of a skill in one process that stays: each `call` line starts one, beside those that run already. The
 * walls around the process keep it in. This program refuses things only to explain what to use instead.
 */
import * as nodeModule from 'node:module';
import { BoundedLines } from '../../base/text/bounded-lines.ts';
import type { HostLine } from '../../protocol/execution/worker.ts';
import { WorkerCalls } from './calls.ts';

const NETWORK = 'http';
const MODULE_ALTERNATIVES: Readonly<Record<string, string>> = {
	child_process: 'shell',
	cluster: 'shell',
	worker_threads: 'async functions',
	net: NETWORK,
	tls: NETWORK,
	http: NETWORK,
	https: NETWORK,
	http2: NETWORK,
	dgram: NETWORK,
	dns: NETWORK,
	'dns/promises': NETWORK,
	sqlite: 'sql',
	vm: 'plain functions',
	inspector: 'progress',
};

function bannedMessage(name: string, instead: string): string {
	const help = /^[a-z]+$/.test(instead)
		? `use ${instead} of the SDK: import { ${instead} } from '@prowess/sdk'`
		: `use ${instead}`;
	return `"${name}" cannot be used in a worker; ${help}. The sandbox keeps the process in either way`;
}

class BannedModule extends Error {
	override readonly name = 'BannedModule';
}

/**
 * Modules that a tool cannot use, and what it uses instead. This is help for authors and no wall: the sandbox around the
 * process is, and it holds however a module is come by.
 */
function refuseBannedModules(): void {
	// Since Node 22.15; before, the sandbox alone says no.
	if (typeof nodeModule.registerHooks === 'function') {
		nodeModule.registerHooks({
			resolve(specifier, context, next) {
				const name = specifier.replace(/^node:/, '');
				const instead = Object.hasOwn(MODULE_ALTERNATIVES, name) ? MODULE_ALTERNATIVES[name] : undefined;
				if (instead !== undefined) throw new BannedModule(bannedMessage(name, instead));
				return next(specifier, context);
			},
		});
	}
	for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) {
		if (!(name in globalThis)) continue;
		Object.defineProperty(globalThis, name, {
			configurable: true,
			value: function refused() {
				throw new BannedModule(bannedMessage(name, NETWORK));
			},
		});
	}
}

/** The largest line of the host is the result of an op. */
const MAX_HOST_LINE_BYTES = 32 * 1_048_576;

// Standard output carries the protocol: prints of a tool go to the log.
const writeProtocol = process.stdout.write.bind(process.stdout) as (text: string) => boolean;
process.stdout.write = process.stderr.write.bind(process.stderr);

const workerCalls = new WorkerCalls((line) => void writeProtocol(`${JSON.stringify(line)}\n`));
workerCalls.installSdk();
refuseBannedModules();

// A promise that one tool forgets must not end the others.
process.on('unhandledRejection', (error) => {
	process.stderr.write(`a promise that nobody waited for was rejected: ${String(error)}\n`);
});

const hostLines = new BoundedLines({
	maxBytes: MAX_HOST_LINE_BYTES,
	onLine(line) {
		workerCalls.take(JSON.parse(Buffer.from(line).toString('utf8')) as HostLine);
		return true;
	},
	onTooLong: () => process.exit(1),
});
process.stdin.on('data', (bytes: Buffer) => hostLines.push(bytes));
// The host is gone, or wants no more.
process.stdin.on('end', () => process.exit(0));
process.stdin.on('error', () => process.exit(0));
writeProtocol('{"__type__":"ready"}\n');
