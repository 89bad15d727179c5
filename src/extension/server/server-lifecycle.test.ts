import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { nextLife, restartPauseMs, type ServerEvent, type ServerLife } from './server-lifecycle.ts';

const after = (...events: ServerEvent[]) => events.reduce(nextLife, { kind: 'idle' } as ServerLife);
const needed: ServerEvent = { kind: 'needed' };
const started: ServerEvent = { kind: 'started' };
const closed: ServerEvent = { kind: 'closed' };
const gone = (at: number): ServerEvent => ({ kind: 'gone', at, reason: `died at ${at}` });

describe('ServerLife', () => {
	it('starts when it is first needed, and once only', () => {
		assert.deepEqual(after(needed, needed), { kind: 'starting', deaths: [] });
		assert.deepEqual(after(needed, started, needed), { kind: 'running', deaths: [] });
	});

	it('starts again after a death, a little later each time', () => {
		assert.deepEqual(after(needed, started, gone(1), started, gone(2)), { kind: 'starting', deaths: [1, 2] });
		assert.equal(restartPauseMs(after(needed)), 0);
		assert.ok(restartPauseMs(after(needed, gone(1), gone(2))) > restartPauseMs(after(needed, gone(1))));
	});

	it('restarts five times within a minute, then gives up with the last reason', () => {
		const deaths = [1, 2, 3, 4, 5].map(gone);
		assert.equal(after(needed, ...deaths).kind, 'starting');
		assert.deepEqual(after(needed, ...deaths, gone(6)), { kind: 'degraded', reason: 'died at 6' });
	});

	it('forgets deaths that are more than a minute old', () => {
		const deaths = [1, 2, 3, 4, 5].map(gone);
		assert.deepEqual(after(needed, ...deaths, started, gone(60_004)), { kind: 'starting', deaths: [5, 60_004] });
	});

	it('stays degraded until the user asks for a restart', () => {
		const tired = [1, 2, 3, 4, 5, 6].map(gone);
		assert.equal(after(needed, ...tired, needed, started, gone(7)).kind, 'degraded');
		assert.deepEqual(after(needed, ...tired, { kind: 'restartAsked' }), { kind: 'starting', deaths: [] });
	});

	it('is given up at once when another start would fail for the same reason', () => {
		const error = new ProwessError('STORE_NEWER', 'threads.db was written by a later version');
		const hopeless: ServerEvent = { kind: 'hopeless', reason: 'Update Prowess.', error };
		const given = after(needed, hopeless, gone(1), needed);
		assert.deepEqual(given, { kind: 'degraded', reason: 'Update Prowess.', error });
		assert.deepEqual(nextLife(given, { kind: 'restartAsked' }), { kind: 'starting', deaths: [] });
	});

	it('never starts again once it is closed', () => {
		assert.deepEqual(after(needed, closed, gone(1), needed, { kind: 'restartAsked' }, started), { kind: 'closed' });
	});
});
