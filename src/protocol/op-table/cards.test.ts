import assert from 'node:assert/strict';
import { toolName } from './op-tool.ts';
import { COMMAND_OPS, OP_NAMES, ops } from './ops.ts';
import { opCard } from './cards.ts';

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

	it('shows as a command what is one by its definition', () => {
		assert.deepEqual(
			OP_NAMES.filter((op) => opCard(toolName(op)).isCommand),
			COMMAND_OPS,
		);
	});

	it('stands for others beside it only where the op does nothing but read the workspace', () => {
		const folded = OP_NAMES.filter((op) => opCard(toolName(op)).isRead);
		assert.ok(folded.length > 0);
		assert.deepEqual(
			folded.filter((op) => ops[op].effect !== 'read' || !/^(?:fs|search|editor|git)\./.test(op)),
			[],
		);
	});
});
