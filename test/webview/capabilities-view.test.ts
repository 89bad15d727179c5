/** Real Chromium with the extension's policy: the view of capabilities, from what the extension tells it. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { capabilitiesNotifications } from '../../src/protocol/pages/capabilities-view.ts';
import { capabilityRow, capabilitySection } from './support/fake-capabilities.ts';
import type { FakeExtension } from './support/fake-extension.ts';
import { HOSTILE } from './support/hostile-markdown.ts';
import { useViews } from './support/suite.ts';
import { THEME_NAMES } from './support/themes.ts';
import { showTheme, violations } from './support/violations.ts';

const artifacts = join(import.meta.dirname, '../../artifacts');

function full({ capabilitiesView: { tabs } }: FakeExtension): void {
	tabs.set('installed', {
		sections: [
			capabilitySection('Problems', [
				capabilityRow('skill/broken', {
					icon: 'error',
					description: '',
					marks: [{ kind: 'error', text: 'capability.yaml:4: level: expected one of SAFE, MONITORED' }],
					menu: [],
				}),
			]),
			capabilitySection('Skills', [
				capabilityRow('count-lines', { marks: [{ kind: 'consent', text: 'Asks before it runs' }] }),
				capabilityRow('greet', {
					marks: [{ kind: 'update', text: 'Update available: 2.0.0' }],
					buttons: [
						{ id: 'prowess.updateCapability', label: 'Update…', icon: 'arrow-up' },
						{ id: 'prowess.runCapability', label: 'Run…', icon: 'play' },
					],
				}),
				capabilityRow('off-one', { isQuiet: true, icon: 'circle-slash', facts: ['disabled', 'yours', '1.0.0'] }),
				capabilityRow('a-name-that-is-as-long-as-the-standard-lets-the-name-of-a-skill-be', {
					description: 'One sentence after another. '.repeat(20),
				}),
			]),
			capabilitySection('Executors', [capabilityRow('skill-runner')], { isClosedAtFirst: true }),
		],
	});
	tabs.set('marketplace', {
		sentence: 'What you install stays disabled until you enable it.',
		choices: [
			{ id: '', label: 'All types' },
			{ id: 'type.skill', label: 'skill' },
		],
		actions: [{ id: 'prowess.addIndex', label: 'Add Index…', icon: 'add' }],
		sections: [capabilitySection('Available', [capabilityRow('haiku')], { left: 3 })],
	});
	tabs.set('mcp', { sections: [capabilitySection('Servers', [capabilityRow('birds', { parts: ['echo', 'sing'] })])] });
}

describe('webview: the view of capabilities', function () {
	this.timeout(60_000);
	const views = useViews();
	const open = (prepare: (fake: FakeExtension) => void, width = 300) =>
		views.open({ face: 'capabilities', width, prepare });

	it('runs, requests and follows nothing, whatever a capability calls itself', async () => {
		const { page, offences } = await open(({ capabilitiesView: { tabs } }) => {
			const rows = HOSTILE.map((text, index) =>
				capabilityRow(text, { id: String(index), description: text, facts: [text], parts: [text] }),
			);
			tabs.set('installed', { sections: [capabilitySection('Skills', rows)] });
		});
		await page.locator('.capability-row').nth(3).waitFor();
		assert.deepEqual(offences, []);
		assert.equal(await page.locator('script:not([nonce]), iframe, img, a[href], [onerror]').count(), 0);
	});

	it('says why a tab cannot be read, and shows it once it can', async () => {
		const { page, extension } = await open((fake) => {
			full(fake);
			fake.capabilitiesView.beforeRead = Promise.reject(new Error('the folders do not answer'));
			fake.capabilitiesView.beforeRead.catch(() => {});
		});
		await page.getByRole('alert').waitFor();
		extension.capabilitiesView.beforeRead = undefined;
		extension.peer.notify(capabilitiesNotifications.changed, { tab: 'installed' });
		await page.getByRole('button', { name: 'count-lines', exact: true }).waitFor();
		await page.getByRole('alert').waitFor({ state: 'detached' });
	});

	it('shows what was searched for last, though an earlier search is answered later', async () => {
		const { page, extension } = await open(full);
		await page.getByRole('button', { name: 'greet', exact: true }).waitFor();
		const late = Promise.withResolvers<void>();
		extension.capabilitiesView.beforeRead = late.promise;
		const asked = extension.called('capabilities/read', extension.calls.length);
		await page.getByRole('searchbox').fill('greet');
		await asked;
		extension.capabilitiesView.beforeRead = undefined;
		await page.getByRole('searchbox').fill('count');
		await page.getByRole('button', { name: 'greet', exact: true }).waitFor({ state: 'detached' });
		late.resolve();
		await new Promise(setImmediate);
		// Comes to the page behind the late answer.
		const badge = { count: 1, text: '1 update' };
		const none = { marketplace: null, mcp: null, runs: null };
		extension.peer.notify(capabilitiesNotifications.badges, { installed: badge, ...none });
		await page.getByRole('tab', { name: 'Installed 1 update' }).waitFor();
		assert.equal(await page.getByRole('button', { name: 'count-lines', exact: true }).count(), 1);
		assert.equal(await page.getByRole('button', { name: 'greet', exact: true }).count(), 0);
	});

	it('says what an empty tab is for, with a way on', async () => {
		const { page, extension } = await open(() => {});
		await page.getByText('Nothing in installed yet.').waitFor();
		await page.getByRole('button', { name: 'Begin' }).click();
		const { params } = await extension.called('capabilities/act', 0);
		assert.deepEqual(params, { tab: 'installed', on: null, action: 'prowess.begin' });
	});

	it('leads from a search that finds nothing to the marketplace, and back to everything', async () => {
		const { page } = await open(full);
		await page.getByRole('searchbox').fill('haiku');
		await page.getByText('Nothing fits “haiku”.').waitFor();
		await page.getByRole('button', { name: 'Search the Marketplace' }).click();
		await page.getByRole('button', { name: 'haiku', exact: true }).waitFor();
		await page.getByText('3 more. Search to find them.').waitFor();
		await page.getByRole('tab', { name: 'Installed' }).click();
		await page.getByRole('button', { name: 'Clear Search' }).click();
		await page.getByRole('button', { name: 'greet', exact: true }).waitFor();
		assert.equal(await page.getByRole('searchbox').inputValue(), '');
	});

	it('asks for what a row offers, by its buttons, its menu and its name', async () => {
		const { page, extension } = await open(full);
		const row = page.locator('.capability-row', { hasText: 'count-lines' });
		await row.getByRole('button', { name: 'Run… count-lines' }).click();
		await row.getByRole('button', { name: 'More actions for count-lines' }).click();
		await page.getByRole('menuitem', { name: 'Disable' }).click();
		await row.getByRole('button', { name: 'count-lines', exact: true }).click();
		await page.waitForFunction(() => document.activeElement?.textContent === 'count-lines');
		assert.deepEqual(
			extension.calls.filter(({ method }) => method === 'capabilities/act').map(({ params }) => params),
			['prowess.runCapability', 'prowess.disableCapability', 'open'].map((action) => ({
				tab: 'installed',
				on: 'count-lines',
				action,
			})),
		);
	});

	it('is used with the keyboard alone', async () => {
		const { page } = await open(full);
		const focused = () =>
			page.evaluate(
				() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
			);
		const press = async (key: string, expected: string) => {
			await page.keyboard.press(key);
			assert.equal(await focused(), expected);
		};
		await page.getByRole('button', { name: 'count-lines', exact: true }).waitFor();
		await page.getByRole('tab', { name: 'Installed' }).focus();
		await press('ArrowRight', 'Marketplace');
		await page.getByRole('button', { name: 'haiku', exact: true }).waitFor();
		await press('ArrowLeft', 'Installed');
		await page.getByRole('button', { name: 'count-lines', exact: true }).waitFor();
		await press('Tab', 'Search by name or description');
		await press('ArrowDown', 'skill/broken');
		await press('ArrowDown', 'count-lines');
		await press('ArrowUp', 'skill/broken');
		await press('ArrowUp', 'Search by name or description');
		await press('ArrowDown', 'skill/broken');
		await press('ArrowDown', 'count-lines');
		await press('Tab', 'Run… count-lines');
		await press('Tab', 'More actions for count-lines');
		await press('Enter', ' Disable');
		await press('ArrowDown', ' Open Manifest');
		await press('Escape', 'More actions for count-lines');
	});

	it('keeps its tab, its search and its closed sections for its next start, and shows what it is told to', async () => {
		const { page, extension, reload } = await open(full);
		await page.getByRole('button', { name: /^Skills/ }).click();
		await page.getByRole('button', { name: /^Executors/ }).click();
		await page.getByRole('button', { name: 'skill-runner', exact: true }).waitFor();
		await page.getByRole('button', { name: 'greet', exact: true }).waitFor({ state: 'detached' });
		await reload();
		await page.getByRole('button', { name: 'skill-runner', exact: true }).waitFor();
		assert.equal(await page.getByRole('button', { name: 'greet', exact: true }).count(), 0);
		extension.peer.notify(capabilitiesNotifications.reveal, { tab: 'marketplace', isSearch: true });
		await page.getByRole('tab', { name: 'Marketplace', selected: true }).waitFor();
		await page.waitForFunction(() => document.activeElement?.getAttribute('type') === 'search');
	});

	it('tells beside a tab how much in it asks for the user', async () => {
		const { page, extension } = await open(full);
		await page.getByRole('button', { name: 'greet', exact: true }).waitFor();
		const badge = { count: 2, text: '1 update, 1 problem' };
		extension.peer.notify(capabilitiesNotifications.badges, {
			installed: badge,
			marketplace: null,
			mcp: null,
			runs: null,
		});
		await page.getByRole('tab', { name: 'Installed 1 update, 1 problem' }).waitFor();
	});

	it('leads by the mouse to each of its tabs at 170 px', async () => {
		const { page } = await open(full, 170);
		const tabs = page.getByRole('tab');
		await tabs.nth(3).waitFor();
		assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
		for (const tab of await tabs.all()) {
			const box = await tab.boundingBox();
			assert.ok(box !== null && box.width > 16 && box.x >= 0 && box.x + box.width <= 170, JSON.stringify(box));
			await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
			await tab.and(page.locator('[aria-selected=true]')).waitFor();
		}
		mkdirSync(artifacts, { recursive: true });
		await page.screenshot({ path: join(artifacts, 'capabilities-170.png') });
	});

	for (const width of [255, 900]) {
		it(`has no violations and nothing beside the page at ${width} px, in every theme`, async () => {
			const { page } = await open(full, width);
			await page.getByRole('button', { name: 'More actions for greet' }).click();
			await page.getByRole('menuitem', { name: 'Disable' }).waitFor();
			const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
			assert.equal(await isWide(), false);
			assert.deepEqual(await violations(page), []);
			mkdirSync(artifacts, { recursive: true });
			for (const theme of THEME_NAMES) {
				await showTheme(page, theme);
				await page.screenshot({ path: join(artifacts, `capabilities-${width}-${theme}.png`) });
			}
			await page.keyboard.press('Escape');
			const tops = await page
				.getByRole('tab')
				.evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
			assert.equal(new Set(tops).size, 1, `tabs in one line: ${tops.join(' ')}`);
			await page.getByRole('tab', { name: 'Marketplace' }).click();
			await page.getByRole('combobox', { name: 'Show only' }).waitFor();
			assert.deepEqual(await violations(page), []);
			await page.screenshot({ path: join(artifacts, `capabilities-${width}-marketplace.png`) });
		});
	}
});
