import assert from 'node:assert/strict';
import { credentialRequests, lmRequests, modelRequests } from '../../protocol/turn/models.ts';
import { brokerRequests } from '../../protocol/turn/broker.ts';
import { judgementRequests } from '../../protocol/turn/judgement.ts';
import { hostNotifications, serverRequests } from '../../protocol/server.ts';
import { subTurnHostRequests, subTurnRequests } from '../../protocol/turn/sub-turn.ts';
import { tapeClock, tapeNotifications, tapeRequests } from '../../protocol/turn/tape.ts';
import { threadNotifications, threadRequests } from '../../protocol/thread/thread-requests.ts';
import { turnHookRequests } from '../../protocol/turn/turn-hooks.ts';
import { usageRequests } from '../../protocol/turn/usage.ts';
import { HOST_METHODS, isOfTurn, KEY_METHODS, methods, TAPE_METHODS } from './methods.ts';

const namesOf = (...tables: readonly Readonly<Record<string, { readonly method: string }>>[]) =>
	tables.flatMap((table) => Object.values(table).map(({ method }) => method)).toSorted();

describe('Messages of a replay', () => {
	it('have the names of their declarations, and none is forgotten', () => {
		const asked = [brokerRequests, subTurnHostRequests, usageRequests, turnHookRequests, judgementRequests];
		assert.deepEqual(HOST_METHODS.toSorted(), namesOf(...asked, tapeRequests));
		assert.deepEqual(TAPE_METHODS.toSorted(), namesOf(tapeRequests));
		assert.deepEqual(namesOf(tapeNotifications), namesOf(tapeRequests));
		assert.deepEqual([...KEY_METHODS].toSorted(), namesOf(credentialRequests, lmRequests));
		const ofTurn = [{ start: serverRequests.start, list: modelRequests.list }, threadRequests, subTurnRequests];
		assert.ok(namesOf(...ofTurn).every(isOfTurn));
		const declared = namesOf(...ofTurn, ...asked, tapeRequests, tapeClock, threadNotifications, hostNotifications);
		for (const name of Object.values(methods)) assert.ok(declared.includes(name), name);
	});
});
