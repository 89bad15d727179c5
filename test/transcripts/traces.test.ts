/**
 * Checks the stored trace of a turn: how often it is stored, and which parts of requests it holds beside the
 * conversation.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ThreadId } from '../../src/protocol/rpc/ids.ts';
import type { ThreadEvent } from '../../src/protocol/thread/thread.ts';
import { TurnTrace } from '../../src/protocol/thread/turn-trace.ts';
import { providerError } from '../../src/server/models/streams/provider-error.ts';
import { traceLines } from '../../src/protocol/pages/trace-lines.ts';
import { createTraces } from '../../src/server/threads/traces.ts';
import type { Database } from '../../src/store/database.ts';
import { openMigratedDatabase } from '../../src/store/open-database.ts';
import { threadMigrations } from '../../src/store/threads/thread-migrations.ts';
import { tempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait-for.ts';
import { commandDone, MemoryHost } from './memory-host.ts';
import { call, scriptedModel, text } from './scripted-model.ts';
import { type Stage, Transcript } from './transcript.ts';

const signal = new AbortController().signal;

describe('The trace of a turn', () => {
	const transcripts: Transcript[] = [];

	afterEach(() => transcripts.splice(0).forEach((transcript) => transcript.close()));

	function begin(stage: Stage): Transcript {
		const transcript = new Transcript(stage);
		transcripts.push(transcript);
		return transcript;
	}

	async function lastTrace({ store }: Transcript, threadId: ThreadId) {
		const { list, show } = createTraces(store);
		const { turns } = await list({ threadId, limit: 1 }, signal);
		return show({ turnId: turns.at(-1)?.turnId ?? 'trn_none' } as Parameters<typeof show>[0], signal);
	}

	const requestsOf = <T extends { readonly kind: string }>(items: readonly T[]) => items.filter(({ kind }) => kind === 'request');

	it('names the model that answered after another failed, with the tokens of all requests', async () => {
		const error = providerError('PROVIDER_ERROR', 'it is ill', { provider: 'test', retryable: true });
		const down = Array.from({ length: 10 }, () => [{ kind: 'fail' as const, error }]);
		const second = { ...scriptedModel([[call('fs_read', { path: 'a.ts' })], text('Read.')]), id: 'other/second' };
		const fallbacks = [{ id: second.id, open: () => Promise.resolve(second) }];
		const transcript = begin({ model: scriptedModel(down), fallbacks, host: new MemoryHost({ 'a.ts': 'let a;' }) });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Read it');
		const { modelId, tokens } = await lastTrace(transcript, threadId);
		assert.deepEqual({ modelId, tokens }, { modelId: 'other/second', tokens: { input: 200, output: 40 } });
	});

	it('says of a command that ran tests what its receipt shows, as its card does', async () => {
		const host = new MemoryHost({}, {
			'shell.run': () => Promise.resolve(commandDone('  41 passing (3s)\n  1 failing\n')),
		});
		const model = scriptedModel([[call('shell_run', { argv: ['npm', 'test'] })], text('One fails.')]);
		const transcript = begin({ model, host });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Run the tests');
		const trace = await lastTrace(transcript, threadId);
		const cards = transcript.events.flatMap((event) => (event.type === 'item.tool' ? (event.patch.tests ?? []) : []));
		assert.deepEqual(cards, [{ passed: 41, failed: 1 }]);
		assert.match(traceLines(TurnTrace.parse(trace)).join('\n'), /Run npm test \(41 passed, 1 failed\)/);
	});

	it('is stored once for each request, and holds how each ended', async () => {
		const rounds = 20;
		const files = Object.fromEntries(Array.from({ length: rounds }, (_, n) => [`${n}.ts`, `let of${n};`]));
		const calls = Object.keys(files).map((path, n) => [call('fs_read', { path }, `call_${n}`)]);
		const database = countingDatabase();
		const transcript = begin({
			model: scriptedModel([...calls, text('Read.')]),
			host: new MemoryHost(files),
			database,
		});
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Read it all');
		const requests = requestsOf((await lastTrace(transcript, threadId)).items);
		assert.deepEqual(
			requests.map(({ status }) => status),
			Array.from({ length: rounds + 1 }, () => 'ok'),
		);
		assert.ok(requests.every(({ inputTokens, durationMs }) => inputTokens !== undefined && durationMs !== undefined));
		const stored = database.get<{ n: number }>('SELECT n FROM stored_traces')?.n ?? 0;
		// The end of the turn stores the trace once more.
		assert.ok(stored >= requests.length && stored <= requests.length + 2, `${stored} times`);
	});

	it('holds the request that is under way when the server dies, and how those before it ended', async () => {
		const database = countingDatabase();
		const transcript = begin({
			model: scriptedModel([[call('fs_read', { path: 'a.ts' }, 'call_1')], [{ kind: 'wait' }]]),
			host: new MemoryHost({ 'a.ts': 'let a;' }),
			database,
		});
		const threadId = await transcript.create();
		const called = transcript.until(isToolEnd);
		await transcript.threads.handlers.prompt({ threadId, text: 'Read it', context: [] }, signal);
		await called;
		const outcomes = () => {
			const { trace } = database.get<{ trace: string | null }>('SELECT trace FROM turns') ?? { trace: null };
			const entries = JSON.parse(trace ?? '[]') as { readonly stage: string; readonly outcome: string }[];
			return entries.filter(({ stage }) => stage === 'Request').map(({ outcome }) => outcome);
		};
		await waitFor('the second request', () => outcomes().length === 2);
		assert.deepEqual(outcomes(), ['ok', 'running']);
	});

	it('holds the request for a summary of older messages, with what it used', async () => {
		const model = scriptedModel([text('Tea. '.repeat(900)), text('Coffee. '.repeat(900))], 16_384, text('Decided: tea.'));
		const transcript = begin({ model, host: new MemoryHost({}) });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Build the shop');
		await transcript.prompt(threadId, 'And what else?');
		await transcript.prompt(threadId, '/compact');
		assert.ok(model.summaries.length > 0);
		const [request, ...more] = requestsOf((await lastTrace(transcript, threadId)).items);
		assert.deepEqual(more, []);
		assert.deepEqual([request?.purpose, request?.status, request?.model], ['summary', 'ok', model.id]);
		assert.match(request?.text ?? '', /^Request to \S+ for a summary, \d+ tokens in, \d+ out$/);
	});
});

/** Counts how often a trace is stored. */
function countingDatabase(): Database {
	const { db } = openMigratedDatabase(join(tempDir(), 'threads.db'), threadMigrations);
	db.exec(`CREATE TABLE stored_traces (n INTEGER NOT NULL);
		INSERT INTO stored_traces VALUES (0);
		CREATE TRIGGER count_traces AFTER UPDATE OF trace ON turns BEGIN UPDATE stored_traces SET n = n + 1; END`);
	return db;
}

function isToolEnd(event: ThreadEvent): boolean {
	return event.type === 'item.tool' && event.patch.status === 'done';
}
