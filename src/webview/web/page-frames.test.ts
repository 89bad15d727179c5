import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { carryFrame } from './page-frames.ts';

describe('A message of the chat in a browser', () => {
	it('that wants to copy is answered with what to do where the browser gives the page no clipboard', async () => {
		const heard: unknown[] = [];
		const page = {
			t: (english: string) => english,
			send: assert.fail,
			receive: heard.push.bind(heard),
			title: assert.fail,
			pick: assert.fail,
		};
		await carryFrame({ kind: 'request', id: 7, method: 'view/copy', params: { text: 'x' } }, page);
		const [{ kind, id, data }] = heard as [{ kind: string; id: number; data: { code: string; facts: object } }];
		assert.deepEqual([kind, id, data.code], ['error', 7, 'NOT_AVAILABLE_HERE']);
		assert.match(JSON.stringify(data.facts), /Select the text and copy it yourself/);
	});
});
