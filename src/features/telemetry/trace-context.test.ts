import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import { telemetryLimits } from './limits.ts';
import { formatTraceparent, parseTraceparent, TurnContexts } from './trace-context.ts';

describe('The span of a turn', () => {
	const given = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

	it('is refused below a traceparent that the standard does not have', () => {
		const { traceId, spanId } = given;
		for (const text of [
			'',
			`00-${traceId}-${spanId}`,
			`00-${traceId.toUpperCase()}-${spanId}-01`,
			`ff-${traceId}-${spanId}-01`,
			`00-${'0'.repeat(32)}-${spanId}-01`,
			`00-${traceId}-${'0'.repeat(16)}-01`,
			`00-${traceId}-${spanId}-01-more`,
		]) {
			assert.equal(parseTraceparent(text), undefined, text);
		}
		assert.deepEqual(parseTraceparent(`00-${traceId}-${spanId}-00`), given);
		assert.deepEqual(parseTraceparent(formatTraceparent(given)), given);
	});

	it('is the same wherever it is asked for, and that of each op another one', () => {
		const [turnId, opId] = [newId('trn'), newId('op')];
		assert.deepEqual(new TurnContexts().ofTurn(turnId), new TurnContexts().ofTurn(turnId));
		const { traceId, spanId } = new TurnContexts().ofOp(turnId, opId);
		assert.equal(traceId, new TurnContexts().ofTurn(turnId).traceId);
		assert.notEqual(spanId, new TurnContexts().ofTurn(turnId).spanId);
		assert.notEqual(parseTraceparent(formatTraceparent({ traceId, spanId })), undefined);
	});

	it('hangs below the op that started it, through all levels, in one trace', () => {
		const contexts = new TurnContexts();
		const [root, child, grandchild] = [newId('trn'), newId('trn'), newId('trn')];
		const [first, second] = [newId('op'), newId('op')];
		contexts.startedIn(root, given);
		contexts.startedBy(child, { turnId: root, opId: first });
		contexts.startedBy(grandchild, { turnId: child, opId: second });
		assert.deepEqual(contexts.parentOf(root), given);
		assert.deepEqual(contexts.parentOf(child), contexts.ofOp(root, first));
		assert.deepEqual(contexts.parentOf(grandchild), contexts.ofOp(child, second));
		assert.equal(contexts.ofTurn(grandchild).traceId, given.traceId);
	});

	it('is remembered for a bounded number of turns: the oldest are forgotten first', () => {
		const contexts = new TurnContexts();
		const turns = Array.from({ length: telemetryLimits.rememberedTurns + 1 }, () => newId('trn'));
		for (const turn of turns) contexts.startedIn(turn, given);
		assert.deepEqual(
			turns.filter((turn) => contexts.parentOf(turn) === undefined),
			[turns[0]],
		);
	});
});
