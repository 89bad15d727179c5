import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';

describe('A link to this machine', () => {
	let scripted: ScriptedChat;
	let chat: Chat;
	let site: Server;
	let visits: string[];
	before(async () => {
		visits = [];
		site = createServer((request, response) => {
			visits.push(request.url ?? '');
			response.end('here');
		});
		await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
		scripted = await openScriptedChat();
		({ chat } = scripted);
		await chat.focus();
	});
	after(async () => {
		await scripted?.close();
		site.close();
	});

	const dialog = () => scripted.workbench.page.locator('.monaco-dialog-box');
	const portOf = () => (site.address() as AddressInfo).port;

	async function click(url: string): Promise<void> {
		await scripted.begin(`Show ${url}`, [{ text: `See [this page](${url}).` }]);
		await chat.rested();
		await chat.answers.last().getByRole('link', { name: 'this page' }).click();
	}

	it('is asked with its whole address, and opens nothing when it is cancelled', async () => {
		for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
			await click(`http://${host}:${portOf()}/cancelled`);
			await dialog().getByText(`http://${host}:${portOf()}/cancelled`).waitFor();
			await dialog().getByRole('button', { name: 'Cancel' }).click();
			await dialog().waitFor({ state: 'detached' });
		}
		assert.deepEqual(visits, []);
	});

	it('never opens what is served as a part of the editor, also after a yes', async () => {
		const pages = scripted.workbench.page.context().pages().length;
		for (const url of [`http://127.0.0.1:${portOf()}/proxied`, `${new URL(scripted.workbench.url).origin}/?evil`]) {
			await click(url);
			await dialog().getByRole('button', { name: 'Open', exact: true }).click();
			await chat.view.locator('.banner.problem', { hasText: 'a part of the editor itself' }).waitFor();
			await chat.view.locator('.banner.problem').getByRole('button', { name: 'Dismiss' }).click();
		}
		assert.deepEqual(visits, []);
		assert.equal(scripted.workbench.page.context().pages().length, pages);
	});
});
