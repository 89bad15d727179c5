/**
 * Runs the tools of a skill in one process that stays: each `call` line starts one, beside those that run already. The
 * walls around the process keep it in. This program refuses things only to explain what to use instead.
 */
import { BoundedLines } from '../../base/text/bounded-lines.ts';
import type { HostLine } from '../../protocol/execution/worker.ts';
import { Calls } from './calls.ts';
import { refuseBannedModules } from './banned-modules.ts';

/** The largest line of the host is the result of an op. */
const MAX_HOST_LINE_BYTES = 32 * 1_048_576;

// Standard output carries the protocol: prints of a tool go to the log.
const write = process.stdout.write.bind(process.stdout) as (text: string) => boolean;
process.stdout.write = process.stderr.write.bind(process.stderr);

const calls = new Calls((line) => void write(`${JSON.stringify(line)}\n`));
calls.installSdk();
refuseBannedModules();

// A promise that one tool forgets must not end the others.
process.on('unhandledRejection', (error) => {
	process.stderr.write(`a promise that nobody waited for was rejected: ${String(error)}\n`);
});

const lines = new BoundedLines({
	maxBytes: MAX_HOST_LINE_BYTES,
	onLine(line) {
		calls.take(JSON.parse(Buffer.from(line).toString('utf8')) as HostLine);
		return true;
	},
	onTooLong: () => process.exit(1),
});
process.stdin.on('data', (bytes: Buffer) => lines.push(bytes));
// The host is gone, or wants no more.
process.stdin.on('end', () => process.exit(0));
process.stdin.on('error', () => process.exit(0));
write('{"__type__":"ready"}\n');
