import assert from 'node:assert/strict';
import { testHost } from '../../../test/support/host-ports.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { ops } from '../../protocol/op-table/ops.ts';
import { Peer } from '../../protocol/rpc/peer.ts';
import { WIRE_CODES, type Wire, WireError } from '../../protocol/rpc/wire.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import { Redactor } from '../../trust/record/redaction/redactor.ts';
import { ModelAccess } from './model-access.ts';

const nothing = { dispose() {} };

describe('Models for capabilities', () => {
	function access(sendRequest: Wire['sendRequest']) {
		const wire: Wire = { sendRequest, sendNotification() {}, onRequest: () => nothing, onNotification: () => nothing };
		return new ModelAccess({
			server: () => Promise.resolve(new Peer(wire)),
			settings: testHost({ settings: { 'prowess.capabilities.modelCalls': 1 } }).ports.settings,
			redactor: new Redactor(),
			capabilities: () => ({
				rootOf: (id) => id,
				isWithinProvider: () => false,
				noteStep() {},
				run: () => Promise.reject(new Error('nothing is run here')),
			}),
			perform: () => Promise.reject(new Error('nothing is performed here')),
		});
	}
	const context = (signal: AbortSignal): OpContext => ({
		opId: newId('op'),
		caller: {
			kind: 'execution',
			threadId: null,
			executionId: 'cap_1',
			capability: 'skill/a',
			permissions: new Set(['llm']),
			level: 'MONITORED',
		},
		signal,
		limitMs: 0,
		emit() {},
		showSteps() {},
		readThread: () => Promise.resolve([]),
		isAllowed: () => false,
		waitForPerson: (_reason, wait) => wait(),
	});
	const thatOfTheThread = { kind: 'model', model: null } as const;
	const params = ops['llm.chat'].params.parse({ messages: [{ role: 'user', content: 'x' }] });

	it('say that the server has ended, and take nothing of the budget for it', async () => {
		const own = access(() => Promise.reject(new WireError(WIRE_CODES.farEndGone, 'the other side is gone')));
		for (const _ of [1, 2]) {
			await assert.rejects(own.chat(params, thatOfTheThread, context(new AbortController().signal)), {
				code: 'SERVER_GONE',
			});
		}
	});

	it('are not asked by one that was stopped while the server was starting', async () => {
		let asked = 0;
		const own = access(() => {
			asked += 1;
			return Promise.resolve({});
		});
		const stop = new AbortController();
		stop.abort(new Error('stopped'));
		await assert.rejects(own.chat(params, thatOfTheThread, context(stop.signal)), /stopped/);
		assert.equal(asked, 0);
	});
});
