import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { keyAt, placeAt } from './yaml-place.ts';

/** `|` is where the cursor is. */
function at(text: string) {
	const before = text.slice(0, text.indexOf('|'));
	const rows = before.split('\n');
	return [text.replace('|', ''), { line: rows.length - 1, character: rows.at(-1)?.length ?? 0 }] as const;
}
const place = (text: string) => placeAt(...at(text));

describe('A place in YAML that is being written', () => {
	it('is none in a comment', () => {
		assert.equal(place('# na|'), undefined);
		assert.equal(place('name: a # wh|'), undefined);
	});

	it('is a key at the top, beside the others', () => {
		assert.deepEqual(place('name: a\nle|\ninputs:\n  - name: x\ntype: skill\n'), {
			path: [],
			isValue: false,
			typed: 'le',
			siblings: ['name', 'inputs', 'type'],
		});
	});

	it('is the value of a key', () => {
		assert.deepEqual(place('level: MON|'), { path: ['level'], isValue: true, typed: 'MON', siblings: [] });
	});

	it('is an entry of a list, between brackets and in lines, indented or not', () => {
		const entry = { path: ['permissions', '-'], isValue: true, typed: 'wor', siblings: [] };
		assert.deepEqual(place('permissions: [shell, wor|'), entry);
		for (const text of ['permissions:\n  - shell\n  - wor|', 'permissions:\n- shell\n- wor|']) {
			assert.deepEqual(place(text), { ...entry, isValue: false });
		}
	});

	it('is a key of a mapping in a list', () => {
		for (const text of [
			'inputs:\n  - name: x\n    ty|\n    required: true\n  - name: y\n    default: 1',
			'inputs:\n- name: x\n  ty|\n  required: true\n- name: y\n  default: 1',
		]) {
			assert.deepEqual(place(text), {
				path: ['inputs', '-'],
				isValue: false,
				typed: 'ty',
				siblings: ['name', 'required'],
			});
		}
	});

	it('is a value in a mapping in a list', () => {
		assert.deepEqual(place('name: a\ninputs:\n  - name: x\n    description: y\n    type: str|')?.path, [
			'inputs',
			'-',
			'type',
		]);
	});

	it('is a key that the pointer is on, and nothing beside it', () => {
		assert.deepEqual(keyAt(...at('inputs:\n  - name: x\n    requ|ired: true')), {
			path: ['inputs', '-', 'required'],
			start: 4,
			end: 12,
		});
		assert.equal(keyAt(...at('level: SA|FE')), undefined);
	});
});
