import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import { readCalls } from '../loop/calls/read-call.ts';
import { type OfferedTools, toolSplit } from '../tools/tool-split.ts';

const inEditor = { hasEditor: true, hasWebSearch: false, hasMcp: false, hasCodeIndex: false, hasMemory: true };
const inTerminal = { hasEditor: false, hasWebSearch: false, hasMcp: false, hasCodeIndex: false, hasMemory: true };

function refusalOf(tool: string, input: unknown, offered: OfferedTools): string {
	const [read] = readCalls([{ kind: 'toolCall', callId: 'one', tool, inputText: JSON.stringify(input) }], offered);
	assert.ok(read?.kind === 'bad' && read.code === 'DENIED_BY_RULE');
	return read.message;
}

describe('A call', () => {
	const agent = toolSplit('agent', inEditor);
	const read = (tool: string, input: unknown) => {
		const [call] = readCalls([{ kind: 'toolCall', callId: 'one', tool, inputText: JSON.stringify(input) }], agent);
		return call?.kind === 'op' ? call.params : call?.kind === 'bad' ? call.message : undefined;
	};

	it('is told which params its op does not know, and which were probably meant', () => {
		assert.equal(
			read('fs_read', { path: 'a.ts', ofset: 3 }),
			'the input of fs_read is wrong: there is no "ofset", did you mean "offset"?',
		);
		assert.match(String(read('shell_output', { commandId: 'x', stop: true, waitMs: 3 })), /there is no "waitMs"/);
	});

	it('may leave empty what it does not mean, and say by a flag which op it means', () => {
		assert.deepEqual(read('fs_list', { path: 'src', pattern: '', limit: null }), { path: 'src' });
		assert.deepEqual(Object.keys(read('shell_output', { commandId: newId('cmd'), stop: true }) as object), [
			'commandId',
		]);
	});
});

describe('A refused call', () => {
	const asking = toolSplit('ask', inEditor);
	const withoutEditor = toolSplit('agent', inTerminal);

	it('names the part of a tool that is not there, when the tool itself is', () => {
		assert.equal(
			refusalOf('shell_output', { commandId: 'cmd_1', stop: true }, asking),
			'shell_output with stop is not available in ask mode, which only reads',
		);
	});

	it('names the tool when no part of it is there', () => {
		assert.equal(
			refusalOf('editor_symbols', { symbol: 'x' }, withoutEditor),
			'editor_symbols needs an editor; there is none here',
		);
	});

	it('says what a search of the web lacks', () => {
		assert.equal(
			refusalOf('web_search', { query: 'x' }, withoutEditor),
			'web_search needs a provider, which only the user can name, in prowess.web.search',
		);
	});

	it('names an op that shares a tool as the model did', () => {
		assert.equal(
			refusalOf('shell_stop', { commandId: 'cmd_1' }, asking),
			'shell_stop is not available in ask mode, which only reads',
		);
	});
});
