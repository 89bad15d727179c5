import assert from 'node:assert/strict';
import { png } from '../../support/pictures.ts';
import { capabilityViewsIn } from '../harness/capability-views.ts';
import { type Chat, chatIn } from '../harness/chat.ts';
import { openWorkbench, type Workbench } from '../harness/workbench.ts';

const picture = png();
const files = {
	'dot.png': picture,
	'src/money.ts': '/** An amount of money, in cents. */\nexport type Cents = number;\n',
	'.prowess/capabilities/skill/wishes/capability.yaml':
		'name: wishes\ntype: skill\nversion: 1.0.0\ndescription: Asks\nlevel: MONITORED\npermissions: [llm]\n',
	'.prowess/capabilities/skill/wishes/index.js': `
export const execute = async (_, { host }) =>
	(await host.llm.chat({ messages: [{ role: 'user', content: 'x' }], temperature: 0.5, maxTokens: 50 })).text;
`,
};

describe('A model of the editor', () => {
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		workbench = await openWorkbench({
			workspace: files,
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

	it('is told the temperature and the length that a capability asks for', async () => {
		const views = capabilityViewsIn(workbench);
		await workbench.runCommand('Prowess: Run Capability');
		await views.choose('wishes');
		await chat.press('Run the skill wishes 1.0.0', '1');
		await views.toast('I was told {"temperature":0.5,"max_tokens":50}').waitFor();
	});
});

describe('A model of the editor that refuses pictures', () => {
	let workbench: Workbench;
	before(async () => {
		workbench = await openWorkbench({
			workspace: files,
			companion: 'test/vscode/fixtures/editor-model',
			settings: { 'prowess.model': 'editor/blind' },
		});
	});
	after(() => workbench?.close());

	it('is asked again without the one that it has read, and the user is told', async () => {
		const chat = chatIn(workbench);
		await chat.focus();
		await chat.ask('Look at the dot');
		await chat.rested();
		await workbench.screenshot('editor-model-blind');
		await chat.view.getByText('takes no pictures, so they were left out').waitFor();
		assert.equal((await chat.transcript()).at(-1), 'text: I see no picture.');
	});
});

describe('A model of the editor that takes pictures', () => {
	let workbench: Workbench;
	before(async () => {
		workbench = await openWorkbench({
			workspace: files,
			companion: 'test/vscode/fixtures/editor-model',
			settings: { 'prowess.model': 'editor/looker' },
		});
	});
	after(() => workbench?.close());

	it('gets the bytes of a picture that it has read, behind the result', async () => {
		const chat = chatIn(workbench);
		await chat.focus();
		await chat.ask('Look at the dot');
		await chat.rested();
		const said = (await chat.transcript()).at(-1);
		assert.equal(said, `text: After the result: image/png of ${picture.length} bytes`);
	});
});
