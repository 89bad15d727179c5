/** A store that fails at its n-th write, for every n of a turn. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isProwessError } from '../../src/protocol/errors/errors.ts';
import type { ThreadId } from '../../src/protocol/rpc/ids.ts';
import type { ModelMessage } from '../../src/server/models/model-port.ts';
import { openMigratedDatabase } from '../../src/store/open-database.ts';
import { threadMigrations } from '../../src/store/threads/thread-migrations.ts';
import { tempDir } from '../support/temp-dir.ts';
import { FailingDatabase, type Fault, faults } from './failing-database.ts';
import { MemoryHost } from './memory-host.ts';
import { call, scriptedModel, text } from './scripted-model.ts';
import { Transcript } from './transcript.ts';

const signal = new AbortController().signal;
const limitMs = 120_000;

function stage() {
	const path = join(tempDir(), 'threads.db');
	openMigratedDatabase(path, threadMigrations).db.dispose();
	const database = new FailingDatabase(path, { readOnly: false });
	database.exec('PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON');
	const model = scriptedModel([
		[call('fs_read', { path: 'a.ts' }), call('fs_read', { path: 'b.ts' }, 'call_2')],
		[call('fs_write', { path: 'a.ts', content: 'x' }, 'call_3')],
		text('All is written.'),
		text('Here again.'),
	]);
	const host = new MemoryHost({ 'a.ts': 'let a;', 'b.ts': 'let b;' });
	return { database, model, host, transcript: new Transcript({ model, host, database }) };
}

describe('A store that fails', function () {
	this.timeout(limitMs);

	for (const lasts of [false, true]) {
		it(`at any write of a turn${lasts ? ', and from then on,' : ''} ends the turn, says so, and loses nothing that was told (R-43)`, async () => {
			const whole = await play(0, 'ENOSPC', false);
			assert.equal(whole.outcome, 'done');
			assert.ok(whole.writes > 20, String(whole.writes));
			const kinds = Object.keys(faults) as Fault[];
			for (let n = 1; n <= whole.writes; n += 1) {
				const fault = kinds[n % kinds.length] ?? 'ENOSPC';
				try {
					await play(n, fault, lasts);
				} catch (error) {
					throw new Error(`write ${n} of ${whole.writes}, ${fault}: ${(error as Error).message}`, { cause: error });
				}
			}
		});
	}

	/** Runs a turn with that fault, then another one when the fault is gone. */
	async function play(failAt: number, fault: Fault, lasts: boolean) {
		const { database, transcript, host } = stage();
		try {
			const threadId = await transcript.create();
			Object.assign(database, { writes: 0, failAt, fault, lasts });
			const outcome = await turn(transcript, threadId);
			const { writes } = database;
			database.failAt = 0;
			await looksWhole(transcript, threadId, outcome !== 'refused');
			assert.ok(host.performed.filter(({ op }) => op === 'fs.write').length <= 1, 'a write was done twice');
			assert.equal(await turn(transcript, threadId), 'done', 'the next turn');
			await looksWhole(transcript, threadId, true);
			return { outcome, writes };
		} finally {
			transcript.close();
		}
	}

	/** Runs a turn and returns its end, as the view learns it. */
	async function turn(transcript: Transcript, threadId: ThreadId): Promise<string> {
		const before = transcript.events.length;
		try {
			await transcript.prompt(threadId, 'Do it');
		} catch (error) {
			assert.ok(isProwessError(error) && error.code === 'STORE_UNAVAILABLE', String(error));
			return 'refused';
		}
		const ends = transcript.events.slice(before).flatMap((event) => (event.type === 'turn.end' ? [event] : []));
		assert.equal(ends.length, 1);
		return ends[0]?.outcome ?? '';
	}

	async function looksWhole(transcript: Transcript, threadId: ThreadId, wasTaken: boolean): Promise<void> {
		const { items, turnId } = await transcript.threads.handlers.open({ threadId, items: 1000 }, signal);
		assert.equal(turnId, null, 'a turn still runs');
		assert.ok(!wasTaken || items.some(({ kind }) => kind === 'user'), 'the message that was taken is lost');
		for (const item of items) {
			assert.ok(item.kind !== 'tool' || !['pending', 'waiting', 'running'].includes(item.status), 'a call has no end');
		}
		const messages = transcript.store.messages(threadId).map(({ body }) => JSON.parse(body) as ModelMessage);
		const open = new Set<string>();
		for (const message of messages) {
			if (message.role === 'tool') {
				for (const { callId } of message.results) assert.ok(open.delete(callId), `a result without a call: ${callId}`);
			} else if (message.role === 'assistant') {
				for (const part of message.parts) if (part.kind === 'toolCall') open.add(part.callId);
			}
		}
	}
});
