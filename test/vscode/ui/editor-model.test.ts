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

	/** In a new thread. */
	async function use(model: string): Promise<void> {
		await chat.newThread();
		await workbench.runCommand('Prowess: Switch Model');
		const list = workbench.page.locator('.quick-input-widget');
		await list.locator('.monaco-list-row', { hasText: model }).waitFor();
		await list.locator('input[type="text"]').fill(model);
		await workbench.page.keyboard.press('Enter');
		await chat.view.getByRole('button', { name: new RegExp(`^Model: .*${model}`) }).waitFor();
	}

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

	it('that refuses pictures is asked again without the one that it has read, and the user is told', async () => {
		await use('Blind');
		await chat.ask('Look at the dot');
		await chat.rested();
		await workbench.screenshot('editor-model-blind');
		await chat.view.getByText('does not accept pictures, so they were left out').waitFor();
		assert.equal((await chat.transcript()).at(-1), 'text: I see no picture.');
	});

	it('that takes pictures gets the bytes of one that it has read, behind the result', async () => {
		await use('Looker');
		await chat.ask('Look at the dot');
		await chat.rested();
		const said = (await chat.transcript()).at(-1);
		assert.equal(said, `text: After the result: image/png of ${picture.length} bytes`);
	});

	it('is connected from the list of places, without a key', async () => {
		await workbench.runCommand('Prowess: Connect a Model');
		const list = workbench.page.locator('.quick-input-widget');
		await list.locator('.monaco-list-row', { hasText: 'no key needed' }).click();
		await list.locator('.monaco-list-row', { hasText: 'Looker' }).click();
		await chat.newThread();
		await chat.view.getByRole('button', { name: /^Model: .*Looker/ }).waitFor();
		await chat.ask('Look at the dot');
		await chat.rested();
		assert.match((await chat.transcript()).at(-1) ?? '', /image\/png/);
	});
});
