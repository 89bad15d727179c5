import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HttpSite, httpSite } from '../../../support/http-site.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import type { Chat } from '../../harness/chat.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';

export function links(take: TakeWindow): void {
	describe('A link in an answer', () => {
		let scripted: ScriptedChat;
		let chat: Chat;
		before(async () => {
			scripted = await take({
				'src/cart.ts': Array.from({ length: 40 }, (_, n) => `export const n${n + 1} = 1;`).join('\n'),
			});
			({ chat } = scripted);
		});
		after(() => scripted?.close());

		const dialog = () => scripted.workbench.page.locator('.monaco-dialog-box');

		describe('to this machine', () => {
			let site: HttpSite;
			before(async () => {
				site = await httpSite();
			});
			after(() => site.close());

			async function click(url: string): Promise<void> {
				await scripted.begin(`Is it ${url}?`, [{ text: `See [this page](${url}).` }]);
				await chat.rested();
				await chat.answers.last().getByRole('link', { name: 'this page' }).click();
			}

			it('is asked with its whole address, and opens nothing when it is cancelled', async () => {
				for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
					await click(`http://${host}:${site.port}/cancelled`);
					await dialog().getByText(`http://${host}:${site.port}/cancelled`).waitFor();
					await dialog().getByRole('button', { name: 'Cancel' }).click();
					await dialog().waitFor({ state: 'detached' });
				}
				assert.deepEqual(site.received, []);
			});

			it('never opens what is served as a part of the editor, also after a yes', async () => {
				const pages = scripted.workbench.page.context().pages().length;
				for (const url of [
					`http://127.0.0.1:${site.port}/proxied`,
					`${new URL(scripted.workbench.url).origin}/?evil`,
				]) {
					await click(url);
					await dialog().getByRole('button', { name: 'Open', exact: true }).click();
					await chat.view.locator('.banner.problem', { hasText: 'a part of the editor itself' }).waitFor();
					await chat.view.locator('.banner.problem').getByRole('button', { name: 'Dismiss' }).click();
				}
				assert.deepEqual(site.received, []);
				assert.equal(scripted.workbench.page.context().pages().length, pages);
			});
		});

		describe('to a file', () => {
			const tab = (name: string) => scripted.workbench.page.getByRole('tab', { name });

			async function click(answer: string, link: string): Promise<void> {
				await scripted.begin('Where?', [{ text: answer }]);
				await chat.rested();
				await chat.answers.last().getByRole('link', { name: link }).click();
			}

			it('opens at its line', async () => {
				await click('It is in `src/cart.ts:31`, I think.', 'src/cart.ts:31');
				await tab('cart.ts').waitFor();
				await scripted.workbench.page.getByRole('button', { name: /^Ln 31, Col 1/ }).waitFor();
				await scripted.workbench.screenshot('links-1-file-at-its-line');
			});

			it('is said not to be there', async () => {
				await click('It is in src/gone.ts:3, I think.', 'src/gone.ts:3');
				const problem = chat.view.locator('.banner.problem');
				await problem.filter({ hasText: '"src/gone.ts" does not exist' }).waitFor();
				await problem.getByRole('button', { name: 'Dismiss' }).click();
			});

			it('is asked about when it lies outside of the workspace, also behind a link of the workspace', async () => {
				const folder = tempDir();
				const other = join(folder, 'other.ts');
				writeFileSync(other, 'export {};');
				symlinkSync(other, join(scripted.workbench.workspace, 'src/linked.ts'));
				for (const [path, name, asked] of [
					[other, 'other.ts', 'Open a file outside of this workspace?'],
					['src/linked.ts', 'linked.ts', 'A link leads to it'],
				] as const) {
					await click(`It is in ${path}:1, I think.`, `${path}:1`);
					await dialog().getByText(asked).waitFor();
					await dialog().getByText(name).waitFor();
					await dialog().getByRole('button', { name: 'Cancel' }).click();
					await dialog().waitFor({ state: 'detached' });
					assert.equal(await tab(name).count(), 0);
				}
				await click(`It is in ${other}:1, I think.`, `${other}:1`);
				await dialog().getByRole('button', { name: 'Open', exact: true }).click();
				await tab('other.ts').waitFor();
			});

			it('is never looked for above the workspace by a path that climbs', async () => {
				await click('It is in ../../etc/a.conf:1, I think.', '../../etc/a.conf:1');
				await chat.view.locator('.banner.problem').filter({ hasText: '../../etc/a.conf' }).waitFor();
			});
		});
	});
}
