import assert from 'node:assert/strict';
import type { ModelMessage } from '../models/model-port.ts';
import { SubTurnDocuments } from './documents.ts';
import { ownToolLimits } from './own-tool.ts';
import { RareTools } from './rare-tools.ts';
import { ReadResult } from './read-result.ts';
import { inEnglish } from '../../protocol/text/text.ts';

const signal = new AbortController().signal;

describe('A result that is read on', () => {
	const results = new Map([
		['0000000a', `begin${'x'.repeat(50_000)}end`],
		['0000000b', `${'x'.repeat(ownToolLimits.readOnChars - 1)}😀y`],
		['0000000c', 'the key is k-secret'],
	]);
	const tool = new ReadResult({ result: (id) => results.get(id) }, (text) =>
		Promise.resolve(text.replaceAll('k-secret', '[redacted]')),
	);

	for (const input of [
		undefined,
		null,
		'x',
		[],
		{},
		{ id: 7 },
		{ id: '0000000a', offset: -1 },
		{ id: '0000000a', more: 1 },
	]) {
		it(`says what is wrong with the input ${JSON.stringify(input)}`, async () => {
			const { text, isError } = await tool.run(input, signal);
			assert.ok(isError);
			assert.match(text, /^INVALID_PARAMS: the input of result_read is wrong: /);
		});
	}

	it('names an id that this conversation does not have, and says what to do', async () => {
		const { text, isError } = await tool.run({ id: 'ffffffff', offset: 0 }, signal);
		assert.ok(isError);
		assert.match(text, /^NOT_FOUND: .*"ffffffff".* make the call again/);
	});

	it('says how long it is when there is nothing at the offset', async () => {
		const { text, isError } = await tool.run({ id: '0000000a', offset: 50_008 }, signal);
		assert.ok(isError);
		assert.match(text, /has 50008 characters; there is nothing at 50008/);
	});

	it('comes in parts that together are the whole', async () => {
		let whole = '';
		for (let offset: number | undefined = 0; offset !== undefined;) {
			const { text, readOn } = await tool.run({ id: '0000000a', offset: String(offset) }, signal);
			assert.equal(readOn?.from, offset);
			const [, part = '', next] =
				/^([\s\S]*)\n\[the result 0000000a (?:goes on at offset (\d+) of 50008|ends here)\]$/.exec(text) ?? [];
			assert.ok(part.length <= ownToolLimits.readOnChars);
			whole += part;
			offset = next === undefined ? undefined : Number(next);
		}
		assert.equal(whole, results.get('0000000a'));
	});

	it('never ends within a character', async () => {
		const { text } = await tool.run({ id: '0000000b', offset: 0 }, signal);
		assert.ok(text.isWellFormed());
		assert.match(text, /goes on at offset 19999/);
	});

	it('is without the secrets that are known by now', async () => {
		assert.match((await tool.run({ id: '0000000C', offset: 4 }, signal)).text, /^key is \[redacted\]\n/);
	});
});

describe('A search for a tool of an MCP server', () => {
	const tools = new RareTools(['http.request', 'mcp.tools', 'mcp.call', 'mcp.resources', 'mcp.read']);
	const found = async (query: string) => {
		const { text } = await tools.run({ query });
		return [...text.matchAll(/^- (\w+):/gm)].map(([, name]) => name);
	};

	it('leads to those who find and call it, whatever its words', async () => {
		assert.deepEqual(await found('create an issue'), ['mcp_tools', 'mcp_call']);
		assert.deepEqual(await found('request a review'), ['http_request', 'mcp_tools', 'mcp_call']);
	});

	it('leads to no other tool than the one that is named', async () => {
		assert.deepEqual(await found('http_request'), ['http_request']);
	});

	it('finds nothing without a word', async () => {
		assert.deepEqual(await found('?'), []);
	});
});

describe('A search for a rare tool', () => {
	const tools = new RareTools(['http.request', 'sql.query', 'sql.execute', 'plist.parse']);
	const asked = (...queries: unknown[]): ModelMessage[] =>
		queries.map((query) => ({
			role: 'assistant',
			parts: [{ kind: 'toolCall', callId: 'one', tool: 'tool_search', inputText: JSON.stringify(query) }],
		}));
	const found = (...queries: unknown[]) => tools.foundIn(asked(...queries)).map(({ name }) => name);

	for (const input of [undefined, null, {}, { query: 7 }, { query: '' }, { query: 'zeppelin' }]) {
		it(`finds nothing for ${JSON.stringify(input)}, and names what there is`, async () => {
			const { text, isError } = await tools.run(input);
			assert.ok(isError);
			assert.match(text, /^NOT_FOUND: .*http_request, sql_query, sql_execute, plist_parse$/);
			assert.deepEqual(found(input), []);
		});
	}

	it('finds those that are named, by either name', () => {
		assert.deepEqual(found({ query: 'select:sql_query' }), ['sql_query']);
		assert.deepEqual(found({ query: 'sql.query, plist_parse' }), ['sql_query', 'plist_parse']);
	});

	it('finds those that a topic fits best', () => {
		assert.deepEqual(found({ query: 'database' }), ['sql_query', 'sql_execute']);
		assert.equal(found({ query: 'send a POST request' })[0], 'http_request');
	});

	it('adds what a later question finds behind what was found, each once', () => {
		assert.deepEqual(found({ query: 'plist_parse' }, { query: 'sql' }, { query: 'plist' }), [
			'plist_parse',
			'sql_query',
			'sql_execute',
		]);
	});

	it('forgets what was found with the question', () => {
		assert.deepEqual(tools.foundIn([{ role: 'user', text: 'tool_search sql_query' }]), []);
	});
});

describe('A document of a sub-turn', () => {
	const documents = new SubTurnDocuments([{ name: 'rules.md', text: 'No semicolons.' }]);

	for (const input of [undefined, null, 'rules.md', {}, { name: 7 }, { name: 'other.md' }]) {
		it(`is not read for ${JSON.stringify(input)}; the names that there are are told`, async () => {
			const { text, isError } = await documents.run(input);
			assert.ok(isError && text.startsWith('NOT_FOUND: ') && text.endsWith('there are rules.md'));
			assert.equal(inEnglish(documents.title(input)), 'Read a document');
		});
	}

	it('is read by its name', async () => {
		assert.deepEqual(await documents.run({ name: 'rules.md' }), { text: 'No semicolons.', isError: false });
	});
});
