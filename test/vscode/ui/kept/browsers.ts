import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebDevices } from '../../../../src/host/doors/web/web-devices.ts';
import type { PairedDevice } from '../../../../src/protocol/doors/web.ts';
import { threadRequests } from '../../../../src/protocol/thread/thread-requests.ts';
import { User } from '../../../integration/cli/cli-process.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { PageSocket } from '../../../support/web-scene.ts';
import { capabilityViewsIn } from '../../harness/capability-views.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';

const SERVED_MS = 60_000;
const never = new AbortController().signal;

export function browsers(take: TakeWindow): void {
	describe('Browsers in the editor', () => {
		let scripted: ScriptedChat;
		before(async () => {
			scripted = await take();
		});
		after(() => scripted?.close());

		it('are paired by a code once "prowess web" runs, with the rights that its settings leave, and are revoked', async () => {
			const { workbench } = scripted;
			const views = capabilityViewsIn(workbench);
			const home = join(workbench.home, '.prowess');
			const page = await views.automation('Browsers');
			const none = page.getByText('No "prowess web" runs, so no browser can be paired.');
			const pair = page.getByRole('button', { name: 'Pair a Browser…' });
			await none.waitFor();
			assert.equal(await pair.count(), 0);
			const user = new User();
			writeFileSync(join(home, 'settings.json'), JSON.stringify({ 'prowess.access.deny': { web: ['prompt'] } }));
			const words = ['web', '--port', '0', '--json', '--workspace', user.workspace, '--trust'];
			const tunnel = ['--origin', 'https://machine.example.ts.net'];
			const web = user.starts([...words, ...tunnel], { env: { PROWESS_HOME: home } });
			try {
				await pair.click({ timeout: SERVED_MS });
				await views.choose('Reads, answers and sends messages');
				const picture = page.getByRole('img', { name: 'QR code of the address, for the camera of a phone' });
				await picture.waitFor();
				await workbench.screenshot('browsers-1-code');
				const isCode = { hasText: /^[A-Z2-9]{4}-[A-Z2-9]{4}$/ };
				const code = (await page.locator('code').filter(isCode).textContent()) ?? '';
				await page.getByText(`https://machine.example.ts.net/#${code}`, { exact: true }).waitFor();
				await web.hasPrinted('"code"');
				const [origin = ''] = (JSON.parse(web.stdout) as { readonly urls: readonly string[] }).urls;
				const answer = await fetch(`${origin}/pair`, {
					method: 'POST',
					headers: { origin, 'content-type': 'application/json' },
					body: JSON.stringify({ code, name: 'phone' }),
				});
				assert.deepEqual(((await answer.json()) as PairedDevice).rights, ['look', 'answer', 'prompt']);
				const row = page.locator('.page-row').filter({ hasText: 'phone' });
				await row.filter({ hasText: 'Reads and answers' }).getByText('limited by prowess.access.deny').waitFor();
				await picture.waitFor({ state: 'detached' });
				await workbench.screenshot('browsers-2-paired');
				await row.getByRole('button', { name: 'Revoke…' }).click();
				const dialog = workbench.page.locator('.monaco-dialog-box');
				await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
				await page.getByText('No browser is paired.').waitFor();
				assert.deepEqual(new WebDevices(home).list(), []);
			} finally {
				web.child.kill('SIGTERM');
				await web.ended;
				rmSync(join(home, 'settings.json'));
			}
			await none.waitFor();
		});

		it('show a thread of the editor while it is written, and the editor shows what a browser sends', async () => {
			const { chat, model, workbench } = scripted;
			const words = ['web', '--port', '0', '--json', '--workspace', workbench.workspace, '--trust'];
			const provider = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
			const user = new User();
			const web = user.starts([...words, ...provider], { env: { PROWESS_HOME: join(workbench.home, '.prowess') } });
			let page: PageSocket | undefined;
			try {
				await chat.focus();
				await scripted.begin('Say something', [{ text: 'First words.' }]);
				await chat.rested();
				await web.hasPrinted('"code"');
				const { urls, code } = JSON.parse(web.stdout) as { readonly urls: readonly string[]; readonly code: string };
				const [origin = ''] = urls;
				const answer = await fetch(`${origin}/pair`, {
					method: 'POST',
					headers: { origin, 'content-type': 'application/json' },
					body: JSON.stringify({ code, name: 'laptop' }),
				});
				const { key } = (await answer.json()) as PairedDevice;
				const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
				page = new PageSocket(Number(new URL(origin).port), { origin, cookie });
				await page.greets(key);
				const { threads } = await page.call(threadRequests.list, {}, never);
				const threadId = threads[0]?.id;
				assert.ok(threadId !== undefined);
				const opened = await page.call(threadRequests.open, { threadId, follow: true }, never);
				assert.match(JSON.stringify(opened), /First words/);
				scripted.follow([{ text: 'Words of the editor.' }, { text: 'Words for the browser.' }]);
				await chat.ask('Say more');
				await waitFor('the words', () => page?.told.some((each) => each.includes('Words of the editor.')), SERVED_MS);
				await chat.rested();
				await page.call(threadRequests.prompt, { threadId, text: 'And for me' }, never);
				await chat.answers.filter({ hasText: 'Words for the browser.' }).waitFor({ timeout: SERVED_MS });
				await chat.rested();
			} finally {
				page?.leaves();
				web.child.kill('SIGTERM');
				await web.ended;
			}
		});
	});
}
