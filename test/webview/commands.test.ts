/** Commands and capabilities after `/`. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { useViews } from './support/suite.ts';
import { THEME_NAMES } from './support/themes.ts';
import { showTheme, violations } from './support/violations.ts';
import { withThread } from './support/with-thread.ts';

const artifacts = fileURLToPath(new URL('../../artifacts', import.meta.url));

describe('webview: commands after /', function () {
	this.timeout(30_000);
	const views = useViews();
	before(() => mkdirSync(artifacts, { recursive: true }));

	const field = (page: Page) => page.locator('.composer-field');
	const labels = (page: Page) => page.getByRole('option').locator('.completion-label').allInnerTexts();

	for (const [command, asked] of [
		['permissions', 'manageApprovals'],
		['capabilities', 'showCapabilities'],
		['mcp', 'showMcpServers'],
		['memory', 'showMemory'],
		['schedule', 'showSchedules'],
		['script', 'showScripts'],
		['trace', 'showTrace'],
		['doctor', 'doctor'],
		['settings', 'openSettings'],
		['ledger', 'showLedger'],
		['connect', 'connectModel'],
	] as const) {
		it(`open what /${command} names, and send nothing to the model`, async () => {
			const { page, extension } = await views.open(withThread);
			await field(page).fill(`/${command}`);
			const called = extension.called('view/command');
			await field(page).press('Enter');
			assert.deepEqual((await called).params, { command: asked });
			assert.equal(await field(page).inputValue(), '');
			assert.equal(extension.calls.filter(({ method }) => method === 'thread/prompt').length, 0);
		});
	}

	it('ask beside the thread with /btw, and show the answer until it is closed', async () => {
		const { page, extension } = await views.open({ width: 255, ...withThread });
		let answer = () => {};
		extension.untilAnswered = new Promise((resolve) => {
			answer = resolve;
		});
		await field(page).fill('/btw Why is the sum higher?');
		const asked = extension.called('view/aside');
		await field(page).press('Enter');
		assert.deepEqual((await asked).params, { question: 'Why is the sum higher?' });
		const dock = page.locator('.dock.aside');
		await dock.getByText('Asking…').waitFor();
		assert.equal(await field(page).inputValue(), '');
		answer();
		await dock.locator('strong', { hasText: 'tax' }).waitFor();
		assert.deepEqual(await violations(page), []);
		for (const theme of THEME_NAMES) {
			await showTheme(page, theme);
			await page.screenshot({ path: join(artifacts, `btw-255-${theme}.png`) });
		}
		assert.equal(extension.calls.filter(({ method }) => method === 'thread/prompt').length, 0);
		await page.getByRole('button', { name: 'Close the answer' }).click();
		await dock.waitFor({ state: 'detached' });
		extension.promptFailure = new ProwessError('NO_MODEL', 'no model is connected');
		await field(page).fill('/btw And now?');
		await field(page).press('Enter');
		await dock.getByText(/model/i).waitFor();
	});

	it('begin again with /clear, and lead to the list of modes with /mode', async () => {
		const { page } = await views.open(withThread);
		await field(page).pressSequentially('/mode');
		await page.getByRole('option', { name: /^\/mode\b/ }).waitFor();
		await page.keyboard.press('Enter');
		const menu = page.getByRole('menu', { name: 'Mode' });
		await menu.waitFor();
		// The last is *Custom agent…*.
		await page.keyboard.press('End');
		await page.keyboard.press('ArrowUp');
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'Mode: Plan' }).waitFor();
		await field(page).fill('/clear');
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'New thread' }).waitFor();
	});

	it('have /init sent as the words that it stands for, with what was typed after it', async () => {
		const { page, extension } = await views.open(withThread);
		await field(page).fill('/init Name the ports.');
		const sent = extension.called('thread/prompt');
		await field(page).press('Enter');
		const { text } = (await sent).params as { readonly text: string };
		assert.match(text, /^Write AGENTS\.md in the root of this workspace/);
		assert.match(text, /Name the ports\.$/);
	});

	it('are all shown by /help, each with what it does, and readable in every theme', async () => {
		const { page } = await views.open({ ...withThread, height: 900 });
		await field(page).fill('/help');
		await field(page).press('Enter');
		await page.getByRole('option').first().waitFor();
		const shown = await labels(page);
		for (const name of ['/new', '/clear', '/compact', '/plan', '/init', '/model', '/mode', '/export', '/help']) {
			assert.ok(shown.includes(name), name);
		}
		assert.equal(new Set(shown).size, shown.length);
		assert.deepEqual(await violations(page), []);
	});

	it('name capabilities with their source, and put the one that is chosen into words', async () => {
		const { page } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.capabilities = [
					{ type: 'skill', name: 'code-review', description: 'Reviews a change', source: 'built in' },
					{ type: 'skill', name: 'deploy', description: 'Deploys', source: 'this project', hint: '[stage]' },
				];
			},
		});
		await field(page).pressSequentially('/code-r');
		await page.getByRole('option', { name: 'built in · Reviews a change' }).waitFor();
		assert.deepEqual(await labels(page), ['/code-review']);
		await field(page).fill('');
		await field(page).pressSequentially('/dep');
		await page.getByRole('option', { name: 'this project · Deploys' }).waitFor();
		assert.deepEqual(await labels(page), ['/deploy [stage]']);
		await field(page).fill('');
		await field(page).pressSequentially('/code-r');
		await page.getByRole('option', { name: 'built in · Reviews a change' }).waitFor();
		await page.keyboard.press('Tab');
		assert.equal(await field(page).inputValue(), 'Use the capability code-review. ');
	});
});
