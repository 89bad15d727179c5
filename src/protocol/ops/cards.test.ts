import assert from 'node:assert/strict';
import { OP_NAMES, type OpName, ops } from '../ops.ts';
import { opCard } from './cards.ts';
import type { OpDef } from './define-op.ts';
import { toolName } from './tool-name.ts';

describe('The card of a tool call', () => {
	for (const tool of ['', 'fs.read', 'read_document', 'no_such_tool', '__proto__', 'constructor']) {
		it(`is a plain one for ${JSON.stringify(tool)}, which is no op`, () => {
			assert.deepEqual(opCard(tool), { icon: 'tools' });
		});
	}

	it('opens the file that was read, edited or written, and no other op opens any', () => {
		const opening = OP_NAMES.filter((op) => opCard(toolName(op)).file !== undefined);
		assert.deepEqual(opening, ['fs.read', 'fs.edit', 'fs.write']);
	});

	it('shows as a command what is called with an argument vector', () => {
		const paramsOf = (op: OpName) => ((ops[op] as OpDef).params as { readonly shape?: object }).shape ?? {};
		const commands = OP_NAMES.filter((op) => Object.hasOwn(paramsOf(op), 'argv'));
		assert.deepEqual(
			OP_NAMES.filter((op) => opCard(toolName(op)).isCommand),
			commands,
		);
	});
});
