/** Connect a Model: what is offered, and how it leads back. */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inOrder } from '../../support/shuffled-specs.ts';
import { activityBarIcon, openWorkbench, type Workbench } from '../harness/workbench.ts';

describe('Connect a Model', function () {
	inOrder(this);
	let workbench: Workbench;
	/** Takes one key, and lists one model to those who have it; below /none it lists nothing. */
	let locked: Server;
	before(async () => {
		locked = createServer((request, response) => {
			response.setHeader('connection', 'close');
			if (request.url?.startsWith('/none') === true) {
				response.writeHead(404).end();
				return;
			}
			const isOpen = request.headers.authorization === 'Bearer right-key';
			response.writeHead(isOpen ? 200 : 401, { 'content-type': 'application/json' });
			response.end(JSON.stringify(isOpen ? { data: [{ id: 'kept' }] } : { error: { message: 'no' } }));
		}).listen(0, '127.0.0.1');
		await once(locked, 'listening');
		workbench = await openWorkbench();
	});
	after(async () => {
		await workbench?.close();
		const closed = once(locked, 'close');
		locked.close();
		locked.closeAllConnections();
		await closed;
	});

	const widget = (title: string) =>
		workbench.page
			.locator('.quick-input-widget')
			.filter({ has: workbench.page.locator('.quick-input-title', { hasText: title }) });
	const row = (text: string) => widget('Connect a Model').locator('.monaco-list-row', { hasText: text });

	async function open(): Promise<void> {
		await workbench.runCommand('Prowess: Connect a Model');
		await widget('Connect a Model').waitFor();
	}

	async function pick(text: string): Promise<void> {
		await widget('Connect a Model').locator('input[type="text"]').fill(text);
		await row(text).first().click();
	}

	it('offers providers by name, says where it looked, and comes back from a provider', async () => {
		await open();
		await row('Anthropic').waitFor();
		await row('OpenRouter').waitFor();
		await workbench.screenshot('connect-1-providers');
		await widget('Connect a Model').locator('input[type="text"]').fill('Ollama');
		await row('nothing answers at 127.0.0.1:11434').waitFor();
		await pick('DeepSeek');
		const key = widget('Connect DeepSeek');
		await key.getByRole('button', { name: 'Back' }).click();
		await pick('LM Studio');
		const address = widget('Connect LM Studio');
		await address.waitFor();
		await address.getByRole('button', { name: 'Back' }).click();
		await row('Anthropic').waitFor();
		await workbench.page.keyboard.press('Escape');
		await widget('Connect a Model').waitFor({ state: 'hidden' });
	});

	it('asks for a key where a server wants one, and keeps the box open with what is wrong with it', async () => {
		await open();
		await pick('OpenAI-compatible');
		const box = widget('Connect OpenAI-compatible');
		const host = `127.0.0.1:${(locked.address() as AddressInfo).port}`;
		await box.locator('input').fill(`${host}/none`);
		await workbench.page.keyboard.press('Enter');
		await box.getByText(`No models are listed at http://${host}/none. Correct the URL`).waitFor();
		await box.locator('input').fill(host);
		await workbench.page.keyboard.press('Enter');
		await box.getByText('API key (leave empty if none is needed)').waitFor();
		await box.locator('input').fill('wrong-key');
		await workbench.page.keyboard.press('Enter');
		await box.getByText('The provider does not accept this key.').waitFor();
		await workbench.screenshot('connect-2-wrong-key');
		await box.locator('input').fill('right-key');
		await workbench.page.keyboard.press('Enter');
		const models = widget('Choose a Model');
		await models.locator('.monaco-list-row', { hasText: 'kept' }).waitFor();
		await workbench.page.keyboard.press('Escape');
	});

	it('is offered by the overview until a model is connected', async () => {
		await activityBarIcon(workbench.page).click();
		const overview = workbench.page.locator('.sidebar .pane', { hasText: 'Overview' }).first();
		const offer = overview.getByRole('button', { name: 'Connect a Model' });
		await offer.click();
		await pick('OpenAI-compatible');
		const box = widget('Connect OpenAI-compatible').locator('input');
		await box.fill(`127.0.0.1:${(locked.address() as AddressInfo).port}`);
		await workbench.page.keyboard.press('Enter');
		await workbench.page.getByText('API key (leave empty if none is needed)').waitFor();
		await box.fill('right-key');
		await workbench.page.keyboard.press('Enter');
		await widget('Choose a Model').locator('.monaco-list-row', { hasText: 'kept' }).click();
		// The server only lists models, so the model cannot be tested.
		await workbench.page.getByRole('button', { name: 'Use Anyway' }).click();
		await offer.waitFor({ state: 'detached' });
		await overview.getByText('Your threads appear here, with what they wait for.').waitFor();
		await overview.getByRole('button', { name: 'Open the Chat' }).waitFor();
		await workbench.screenshot('connect-3-overview');
	});
});
