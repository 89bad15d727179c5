import assert from 'node:assert/strict';
import { findToolChanges, listTools, toPinnedTools, readTools } from './tools.ts';

const tool = (name: string, description = 'Does it.', inputSchema: object = { type: 'object' }) => ({
	name,
	description,
	inputSchema,
});
const read = (...listed: readonly ReturnType<typeof tool>[]) => readTools(listed).tools;

describe('Tools of an MCP server', () => {
	it('are others when anything that the server says of them is, whatever the order of its words', () => {
		const pinned = toPinnedTools(read(tool('a'), tool('b'), tool('c')));
		const { added, changed, gone } = findToolChanges(
			pinned,
			read(tool('a', 'Does it. '), tool('b', 'Does it.', { type: 'object', properties: {} }), tool('d')),
		);
		assert.deepEqual(
			[added.map(({ name }) => name), changed.map(({ name }) => name), gone],
			[['d'], ['a', 'b'], ['c']],
		);
		const ordered = read(tool('a', 'x', { type: 'object', title: 't' }))[0]?.hash;
		assert.equal(read(tool('a', 'x', { title: 't', type: 'object' }))[0]?.hash, ordered);
	});

	it('are others when what a model is told of them is, however deep anything else is nested', () => {
		const nest = (levels: number) => Array.from({ length: levels }).reduce<object>((inner) => ({ a: inner }), {});
		const hashes = (...listed: readonly object[]) =>
			new Set(listed.map((each) => readTools([each]).tools[0]?.hash)).size;
		const taking = (told: string) => tool('a', 'x', { type: 'object', description: told });
		for (const odd of [{ outputSchema: nest(70) }, { annotations: nest(70) }, { title: nest(20_000) }]) {
			assert.equal(hashes({ ...taking('a path'), ...odd }, { ...taking('a secret'), ...odd }), 2);
			assert.equal(hashes(taking('a path'), { ...taking('a path'), ...odd }), 2);
		}
		const deepest = (told: string) => tool('a', 'x', { description: told, properties: nest(58) });
		assert.match(read(deepest('a path'))[0]?.inputSchema ?? '', /a path/);
		assert.equal(hashes(deepest('a path'), deepest('a secret')), 2);
	});

	it('named like members of every object are pinned like others', () => {
		const { added } = findToolChanges(
			toPinnedTools(read(tool('a'))),
			read(tool('a'), tool('constructor'), tool('toString')),
		);
		assert.deepEqual(
			added.map(({ name }) => name),
			['constructor', 'toString'],
		);
	});

	it('are listed as far as there is room, each schema in full or not at all', () => {
		const large = { type: 'object', description: 'x'.repeat(10_000) };
		const tools = read(...Array.from({ length: 400 }, (_, n) => tool(`tool_${n}`, 'y'.repeat(300), large)));
		const { tools: listed, more } = listTools(tools, { query: undefined, withSchemas: true });
		assert.ok(more > 0);
		assert.equal(listed.length + more, 400);
		assert.equal(listed.filter(({ inputSchema }) => inputSchema !== undefined).length, 1);
		const found = listTools(tools, { query: 'TOOL_399', withSchemas: true });
		assert.deepEqual([found.tools.map(({ name }) => name), found.more], [['tool_399'], 0]);
	});
});
