/**
 * Runs the tools of a skill in one process that stays: each `call` line starts one, beside those that run already. The
 * walls around the process keep it in. This program refuses things only to explain what to use instead.
 */
import { BoundedLines } from '../../base/text/bounded-lines.ts';
import type { HostLine } from '../../protocol/execution/worker.ts';
import { WorkerCalls } from './calls.ts';
import { refuseBannedModules } from './banned-modules.ts';

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
