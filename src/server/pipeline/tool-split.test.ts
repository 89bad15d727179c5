import assert from 'node:assert/strict';
import type { OfferedTools } from '../loop/offered-tools.ts';
import { readCalls } from '../loop/read-call.ts';
import { toolSplit } from './tool-split.ts';

function refusalOf(tool: string, input: unknown, offered: OfferedTools): string {
	const [read] = readCalls([{ kind: 'toolCall', callId: 'one', tool, inputText: JSON.stringify(input) }], offered);
	assert.ok(read?.kind === 'bad' && read.code === 'DENIED_BY_RULE');
	return read.message;
}

describe('A refused call', () => {
	const asking = toolSplit('ask', true);
	const withoutEditor = toolSplit('agent', false);

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

	it('names an op that shares a tool as the model did', () => {
		assert.equal(
			refusalOf('shell_stop', { commandId: 'cmd_1' }, asking),
			'shell_stop is not available in ask mode, which only reads',
		);
	});
});
