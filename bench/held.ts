/** Memory that the editor's server holds after hundreds of turns of one thread, by the smaps of its process. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverFlags } from '../src/host/server-inheritance.ts';
import { threadRequests } from '../src/protocol/thread/thread-requests.ts';
import { ServerUnderTest } from '../test/integration/threads/server-under-test.ts';
import { MemoryHost } from '../test/transcripts/memory-host.ts';
import { type Figure, median } from './measure.ts';
import { startModelEndpoint } from './model-endpoint.ts';

const TURNS = 400;
const ROUNDS = 2;
const MOST_MB = 120;

export async function heldFigures(): Promise<Figure[]> {
	const held: number[] = [];
	for (let round = 0; round < ROUNDS; round += 1) {
		held.push((await heldAfter(TURNS, serverFlags(process.versions.node, 'vscode'))).megabytes);
	}
	return [
		{
			goal: 'held',
			what: `memory of its own of the editor's server after ${TURNS} turns of one thread, with a file read in each`,
			measured: `${median(held).toFixed(0)} MB`,
			bar: `<= ${MOST_MB} MB`,
			met: median(held) <= MOST_MB,
		},
	];
}

/** Private memory, and user and system time, of a server with these flags after so many turns. */
export async function heldAfter(
	turns: number,
	execArgv: readonly string[],
): Promise<{ readonly megabytes: number; readonly cpuMs: number }> {
	const model = await startModelEndpoint();
	const home = mkdtempSync(join(tmpdir(), 'prowess-bench-'));
	const host = new MemoryHost({ 'a.ts': 'let a;\n'.repeat(200) });
	const server = await ServerUnderTest.start({ home, host, modelUrl: model.baseUrl, execArgv });
	const never = new AbortController().signal;
	try {
		const { id } = await server.peer.call(threadRequests.create, {}, never);
		for (let turn = 0; turn < turns; turn += 1) {
			model.script([
				{ tool: 'fs_read', input: { path: 'a.ts', offset: (turn % 190) + 1 } },
				{ text: `Answer ${turn} and so on it goes, word by word.` },
			]);
			const ended = server.eventAfter(server.updates.length, ({ type }) => type === 'turn.end');
			await server.peer.call(threadRequests.prompt, { threadId: id, text: `Question ${turn}?` }, never);
			await ended;
			// Drop what this harness has recorded, so that its own process stays small.
			server.updates.length = 0;
			host.forget();
		}
		return { megabytes: privateMegabytes(server.pid), cpuMs: processorMs(server.pid) };
	} finally {
		await server.stop();
		await model.close();
		rmSync(home, { recursive: true, force: true });
	}
}

function privateMegabytes(pid: number): number {
	const kilobytes = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/^Private_\w+:\s+(\d+)/gm);
	return [...kilobytes].reduce((sum, [, each]) => sum + Number(each), 0) / 1024;
}

function processorMs(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}
