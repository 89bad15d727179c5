import assert from 'node:assert/strict';
import { type Chat, chatIn } from '../harness/chat.ts';
import { openWorkbench, type Workbench } from '../harness/workbench.ts';

describe('A model of the editor', () => {
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		workbench = await openWorkbench({
			companion: 'test/vscode/fixtures/editor-model',
			settings: { 'prowess.model': 'editor/reader' },
		});
		chat = chatIn(workbench);
		await chat.focus();
	});
	after(() => workbench?.close());

	it('streams its answer and calls tools', async () => {
		await chat.ask('Read the money');
		await chat.rested();
		await workbench.screenshot('editor-model');
		assert.deepEqual(await chat.transcript(), [
			'user: Read the money',
			'text: I am the model of the editor.',
			'tool done: Read src/money.ts',
			'text: It begins with: /** An amount of money',
		]);
	});
});
