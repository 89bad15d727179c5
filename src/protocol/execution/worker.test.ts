import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readWorkerLine, reservedKeyIn, resultFields } from './worker.ts';

const dispatch = { __type__: 'dispatch', __id__: 'a', __dispatch_id__: 'd-1', __dispatch__: { op: 'x.y', params: {} } };
const result = { __type__: 'result', __id__: 'a' };

describe('A line of a worker', () => {
	for (const [what, line] of [
		['is not JSON', '{'],
		['is a list', '[]'],
		['has no call', { ...dispatch, __id__: undefined }],
		['has a type of the host', { ...dispatch, __type__: 'dispatch_result' }],
		['has an id of another form', { ...dispatch, __dispatch_id__: 'd-0' }],
		['has a field of its own', { ...dispatch, __permissions__: ['shell'] }],
		['names no op', { ...dispatch, __dispatch__: { params: {} } }],
		['has rights that are no list', { ...dispatch, __caps__: 'shell' }],
		['has a field that only looks like one of the protocol', { ...result, __more__: 1 }],
		['has an error without a message', { ...result, __error__: 'no' }],
		['says by a word that it is wrapped', { ...result, __wrapped__: 'yes' }],
		['says more than that it is ready', { ...result, __type__: 'ready' }],
		['has a key twice', '{"__type__":"result","__id__":"a","__id__":"b"}'],
		['has a key __proto__', '{"__type__":"result","__id__":"a","__proto__":{}}'],
	] as const) {
		it(`is refused when it ${what}`, () => {
			assert.equal(readWorkerLine(typeof line === 'string' ? line : JSON.stringify(line)).ok, false);
		});
	}

	it('never fails the reader, whatever it is', () => {
		fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof readWorkerLine(text).ok === 'boolean'));
	});

	it('gives each value back as it was, also one that looks like its own wrapper', () => {
		const key = fc.string().filter((each) => !each.startsWith('__') && each !== 'constructor');
		const value = fc.oneof(
			fc.dictionary(key, fc.integer()),
			fc.array(fc.string()),
			fc.boolean(),
			fc.constant({ value: 1 }),
		);
		fc.assert(
			fc.property(value, (given) => {
				assert.equal(reservedKeyIn(given), undefined);
				const read = readWorkerLine(JSON.stringify({ ...resultFields(given), ...result }));
				assert.ok(read.ok && read.line.type === 'result' && 'value' in read.line);
				assert.equal(JSON.stringify(read.line.value), JSON.stringify(given));
			}),
		);
	});
});
