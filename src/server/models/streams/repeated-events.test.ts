import assert from 'node:assert/strict';
import type { JsonObject } from '../providers/loose-json.ts';
import { RepeatedEvents } from './repeated-events.ts';

const parse = (text: string) => JSON.parse(text) as JsonObject;

/** Reads all, and compares each with what JSON says; the places of those that were parsed as a whole. */
function wholeOf(texts: readonly string[]): number[] {
	const whole: number[] = [];
	let at = 0;
	const events = new RepeatedEvents((text) => {
		whole.push(at);
		return parse(text);
	});
	for (const text of texts) {
		assert.deepEqual(events.read(text), parse(text), text);
		at += 1;
	}
	return whole;
}

const chat = (content: string, more: object = {}) =>
	JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more });
/** The same event with something else in the place of the text and its quotes. */
const sly = (inner: string) => chat('a').replace('"a"', () => inner);

describe('RepeatedEvents', () => {
	it('reads as a whole what only looks like the event before', () => {
		const more = ['"b","role":"user"', '"c","content":"d"', '["e","f"]', 'null', ' "h"\t', '1'];
		for (const inner of more) {
			assert.deepEqual(wholeOf([sly('"a"'), sly(inner), sly('"b"')]).slice(0, 2), [0, 1], inner);
		}
		wholeOf(more.map(sly));
	});

	it('fails where JSON does: a line end in a text, a text without an end, an empty place', () => {
		for (const inner of ['"a\nb"', '"a', 'a"', '', '"', '"\\"', '"\\u12"', '"\\x"', '"\u0000"']) {
			const events = new RepeatedEvents(parse);
			events.read(chat('a'));
			assert.throws(() => events.read(sly(inner)), SyntaxError, JSON.stringify(inner));
			assert.deepEqual(events.read(chat('b')), parse(chat('b')));
		}
	});

	it('takes no text for the one that changes where two could be', () => {
		const both = (content: string) => JSON.stringify({ choices: [{ delta: { content, reasoning: content } }] });
		assert.deepEqual(wholeOf([both('a'), both('b')]), [0, 1]);
		const elsewhere = (content: string) =>
			JSON.stringify({ choices: [{ delta: { content } }], echo: { content: 'a' } });
		assert.deepEqual(wholeOf([elsewhere('a'), elsewhere('b'), elsewhere('a')]), [0, 1, 2]);
		const named = (content: string) => JSON.stringify({ choices: [{ delta: { content } }], last: 'content' });
		assert.deepEqual(wholeOf([named('a'), named('b')]), [0, 1]);
	});

	it('tries no more where each event has something new', () => {
		const texts = Array.from({ length: 20 }, (_, n) => chat('a', { obfuscation: `x${n}` }));
		assert.equal(wholeOf([...texts, chat('b'), chat('c')]).length, 22);
	});

	it('reads only the texts of an answer, whatever is in them and however it is written', () => {
		const texts = [
			'Hello',
			'',
			' ',
			'\n\n',
			'"',
			'\\',
			'\u2028',
			'é 漢 😀',
			'\ud800',
			'"content":"a"',
			'}]}',
			'[DONE]',
			'\u0000',
		];
		assert.deepEqual(wholeOf(texts.map((text) => chat(text))), [0]);
		assert.deepEqual(wholeOf([chat('a'), sly('"\\u0041"'), sly('"\\/"')]), [0]);
	});

	it('reads those of each vendor, and finds its way again after another kind of event', () => {
		const thought = (text: string) => JSON.stringify({ choices: [{ delta: { reasoning_content: text } }] });
		const block = (text: string) =>
			JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
		const end = JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] });
		const texts = [
			thought('a'),
			thought('b'),
			chat('c'),
			chat('d'),
			chat('e'),
			end,
			block('f'),
			block('g'),
			block('h'),
		];
		assert.deepEqual(wholeOf(texts), [0, 2, 5, 6]);
	});
});
