/** Rules that each vendor enforces on the messages of every request; it refuses the request otherwise. */
import { textOrEmpty } from '../../src/base/text/lenient.ts';
import assert from 'node:assert/strict';
import type { ProviderKind } from '../../src/protocol/turn/models.ts';
import { type JsonObject, listOrEmpty, objectOrEmpty } from '../../src/server/models/providers/loose-json.ts';
import { FOREIGN } from './stored-threads.ts';

/** Each throws for a body that its vendor refuses. */
export const vendorRules: Readonly<Record<ProviderKind, (body: JsonObject) => void>> = {
	anthropic: (body) => anthropic(objectsOf(body['messages'])),
	openai: (body) => openai(objectsOf(body['input'])),
	google: (body) => google(objectsOf(body['contents'])),
	'openai-compatible': (body) => chat(objectsOf(body['messages'])),
};

function anthropic(messages: readonly JsonObject[]): void {
	const ids = new Ids();
	assertAlternate(messages, ['user', 'assistant']);
	assert.equal(messages.at(-1)?.['role'], 'user', 'the request ends with the user');
	let open: readonly string[] = [];
	for (const { role, content } of messages) {
		const blocks = objectsOf(content);
		assert.ok(blocks.length > 0, 'a message has content');
		for (const block of blocks.flatMap((each) => [each, ...objectsOf(each['content'])])) {
			assert.ok(block['type'] !== 'text' || textOrEmpty(block['text']).trim() !== '', 'a text is not blank');
			assertOwn(block);
		}
		const results = blocks.filter(({ type }) => type === 'tool_result');
		assert.deepEqual(results, blocks.slice(0, results.length), 'results come first');
		assert.deepEqual(
			results.map((each) => each['tool_use_id']),
			open,
			'each call has its result right behind it',
		);
		const calls = blocks.filter(({ type }) => type === 'tool_use');
		open = calls.map((call) => ids.take(call['id']));
		assert.ok(role === 'assistant' || calls.length === 0, 'only the model calls');
		for (const { input } of calls) {
			assertObject(input);
		}
		for (const block of blocks.filter(({ type }) => type === 'thinking')) {
			assert.notEqual(textOrEmpty(block['signature']), '', 'a thought is signed');
		}
	}
	assert.deepEqual(open, [], 'each call has its result');
}

function openai(input: readonly JsonObject[]): void {
	const ids = new Ids();
	const items = input[0]?.['role'] === 'developer' ? input.slice(1) : input;
	assert.equal(items[0]?.['role'], 'user', 'the user begins');
	assert.notEqual(items.at(-1)?.['role'], 'assistant', 'the request ends with the user or a result');
	let open: string[] = [];
	for (const [index, item] of items.entries()) {
		const next = items[index + 1];
		assertOwn(item);
		switch (item['type']) {
			case 'function_call':
				assertObject(JSON.parse(textOrEmpty(item['arguments'])));
				open.push(ids.take(item['call_id']));
				break;
			case 'function_call_output': {
				assert.ok(open.includes(textOrEmpty(item['call_id'])), 'a result has its call');
				open = open.filter((id) => id !== item['call_id']);
				break;
			}
			case 'reasoning':
				assert.notEqual(textOrEmpty(item['encrypted_content']), '', 'a thought is encrypted');
				assert.ok(
					next?.['role'] === 'assistant' || next?.['type'] === 'function_call' || next?.['type'] === 'reasoning',
					'a thought is followed by what it led to',
				);
				break;
			default:
				assert.ok(item['role'] === 'assistant' || open.length === 0, 'each call has its result before the user speaks');
				assert.ok(
					textOrEmpty(item['content']) !== '' || listOrEmpty(item['content']).length > 0,
					'a message has content',
				);
		}
	}
	assert.deepEqual(open, [], 'each call has its result');
}

function google(contents: readonly JsonObject[]): void {
	assert.equal(contents[0]?.['role'], 'user', 'the user begins');
	assert.equal(contents.at(-1)?.['role'], 'user', 'the request ends with the user');
	let open: readonly unknown[] = [];
	for (const [index, { role, parts: listed }] of contents.entries()) {
		const parts = objectsOf(listed);
		assert.ok(parts.length > 0, 'a message has parts');
		assert.ok(role !== 'model' || contents[index - 1]?.['role'] !== 'model', 'the model does not speak twice');
		for (const part of parts) {
			assertOwn(part);
			assert.ok(part['text'] !== '' || part['thoughtSignature'] !== undefined, 'a text is not empty');
		}
		const answered = parts.map((part) => part['functionResponse']).filter((each) => each !== undefined);
		assert.deepEqual(answered.map(idAndName), open, 'each call has its result right behind it');
		const calls = parts.map((part) => part['functionCall']).filter((each) => each !== undefined);
		open = calls.map(idAndName);
		assert.equal(new Set(open.map((each) => JSON.stringify(each))).size, open.length, 'ids are unique');
		for (const call of calls) {
			assertObject(objectOrEmpty(call)['args']);
		}
	}
	assert.deepEqual(open, [], 'each call has its result');
}

function chat(messages: readonly JsonObject[]): void {
	const ids = new Ids();
	const said = messages[0]?.['role'] === 'system' ? messages.slice(1) : messages;
	assertAlternate(
		said.filter(({ role }) => role !== 'tool' && role !== 'assistant'),
		['user'],
	);
	assert.equal(said[0]?.['role'], 'user', 'the user begins');
	assert.notEqual(said.at(-1)?.['role'], 'assistant', 'the request ends with the user or a result');
	let open: string[] = [];
	for (const [index, message] of said.entries()) {
		const { role, content, tool_calls: called } = message;
		if (role === 'tool') {
			assert.equal(message['tool_call_id'], open.shift(), 'each call has its result right behind it');
			continue;
		}
		assert.deepEqual(open, [], 'each call has its result right behind it');
		assert.notEqual(role, said[index - 1]?.['role'], 'nobody speaks twice in a row');
		const calls = objectsOf(called);
		open = calls.map((call) => ids.take(call['id']));
		for (const call of calls) {
			assertObject(JSON.parse(textOrEmpty(objectOrEmpty(call['function'])['arguments'])));
			assertOwn(call);
		}
		assert.ok(
			calls.length > 0 || textOrEmpty(content) !== '' || listOrEmpty(content).length > 0,
			'a message has content',
		);
	}
	assert.deepEqual(open, [], 'each call has its result');
}

/**
 * Ids of the calls in one request. Checks that no two are alike, and that their letters and length suit the strictest
 * vendor.
 */
class Ids {
	readonly #taken = new Set<string>();

	take(id: unknown): string {
		const text = textOrEmpty(id);
		assert.match(text, /^[\w-]{1,64}$/);
		assert.ok(!this.#taken.has(text), `the id ${text} is unique`);
		this.#taken.add(text);
		return text;
	}
}

function assertAlternate(messages: readonly JsonObject[], roles: readonly string[]): void {
	for (const [index, { role }] of messages.entries()) {
		assert.equal(role, roles[index % roles.length], `message ${index}`);
	}
}

function assertObject(value: unknown): void {
	assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), 'an input is an object');
}

/** Asserts that every signature sent back was made by this address. */
function assertOwn(part: JsonObject): void {
	const { signature = '', data = '', encrypted_content: encrypted = '', thoughtSignature = '' } = part;
	for (const own of [signature, data, encrypted, thoughtSignature]) {
		assert.ok(!textOrEmpty(own).startsWith(FOREIGN), 'a signature goes back to where it came from');
	}
}

function idAndName(part: unknown): readonly unknown[] {
	const { id, name } = objectOrEmpty(part);
	return [id, name];
}

function objectsOf(value: unknown): readonly JsonObject[] {
	return listOrEmpty(value).map(objectOrEmpty);
}
