/** Real Chromium with the extension's policy: the page *Automation*, its tabs and rows by keyboard and click. */
import assert from 'node:assert/strict';
import { encodePairingCode } from '../../src/host/doors/web/pairing-code.ts';
import { AutomationTab, type PageContent, type PageRow } from '../../src/protocol/pages/capability-page.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';

const row = (id: string, what: string, given: Partial<PageRow> = {}): PageRow => ({
	id,
	icon: 'calendar',
	what,
	state: 'next: Mon, 30 Nov, 09:00',
	isBad: false,
	notes: ['every weekday at 9', 'not run yet'],
	actions: [
		{ action: 'run', label: 'Run Now', on: `run ${id}` },
		{ action: 'pause', label: 'Pause', on: `pause ${id}` },
		{ action: 'delete', label: 'Delete…', on: `delete ${id}` },
	],
	...given,
});

const labels = {
	agents: 'Agents',
	goals: 'Goals',
	jobs: 'Jobs',
	schedules: 'Schedules',
	watches: 'Watches',
	scripts: 'Scripts',
	memory: 'Memory',
	browsers: 'Browsers',
};

function pageOf(shown: AutomationTab, rows: readonly PageRow[], search?: string): PageContent {
	return {
		title: 'Automation',
		kicker: '',
		summary: `On ${shown}.`,
		tabs: {
			shown,
			list: AutomationTab.options.map((id) => ({ id, label: labels[id], count: id === 'memory' ? 3 : null })),
		},
		actions: [{ action: 'addSchedule', label: 'Add Schedule…' }],
		blocks: [
			{ kind: 'note', text: 'Nothing works in the background.' },
			{
				kind: 'rows',
				groups: [{ title: '', rows: [...rows] }],
				none: `No ${shown} yet.`,
				...(search === undefined ? {} : { search }),
			},
		],
	};
}

describe('webview: the page Automation', function () {
	this.timeout(60_000);
	const views = useViews();
	const open = (content: PageContent, width = 900) =>
		views.open({
			face: 'page',
			width,
			prepare(fake) {
				fake.shown = { address: { kind: 'automation', of: 'schedules', title: 'Automation' }, content };
			},
		});

	it('says what a tab without anything is for, and offers to add something', async () => {
		const { page, extension } = await open(pageOf('schedules', []));
		await page.getByRole('tabpanel', { name: 'Schedules' }).getByText('No schedules yet.').waitFor();
		await page.getByRole('button', { name: 'Add Schedule…' }).press('Enter');
		assert.deepEqual((await extension.called('page/act', 0)).params, { action: 'addSchedule' });
	});

	it('has its tabs in two rows at most where German has little room', async () => {
		const german = {
			agents: 'Agenten',
			goals: 'Ziele',
			jobs: 'Aufträge',
			schedules: 'Zeitpläne',
			watches: 'Beobachtungen',
			scripts: 'Skripte',
			memory: 'Gedächtnis',
			browsers: 'Browser',
		};
		const content = pageOf('schedules', []);
		assert.ok(content.tabs);
		const list = content.tabs.list.map((tab) => ({ ...tab, label: german[tab.id as AutomationTab] }));
		for (const width of [300, 400]) {
			const { page } = await open({ ...content, tabs: { ...content.tabs, list } }, width);
			const tops = await page
				.getByRole('tab')
				.evaluateAll((tabs) => tabs.map((tab) => Math.round(tab.getBoundingClientRect().top)));
			assert.ok(new Set(tops).size <= 2, `${width} px: ${tops.join(', ')}`);
		}
	});

	it('leads by arrows, Home and End from tab to tab, and keeps the keyboard there', async () => {
		const { page, extension } = await open(pageOf('schedules', []));
		await page.getByRole('tab', { name: 'Schedules' }).focus();
		for (const [key, tab] of [
			['ArrowRight', 'watches'],
			['End', 'browsers'],
			['ArrowRight', 'agents'],
			['ArrowLeft', 'browsers'],
			['ArrowLeft', 'memory'],
			['Home', 'agents'],
		] as const) {
			const from = extension.calls.length;
			await page.keyboard.press(key);
			assert.deepEqual((await extension.called('page/act', from)).params, { action: 'showTab', on: tab });
			extension.shown = { ...extension.shown, address: { kind: 'automation', of: tab, title: 'Automation' } };
			extension.setPage(pageOf(tab, []));
			await page.getByRole('tabpanel', { name: labels[tab] }).waitFor();
			await page.getByRole('tab', { name: labels[tab], selected: true }).and(page.locator(':focus')).waitFor();
		}
		assert.match((await page.getByRole('tab', { name: 'Memory' }).getAttribute('title')) ?? '', /3 open/);
	});

	it('does what a row offers, and gives the keyboard to the next row when it is gone', async () => {
		const [one, two] = [row('s1', 'List the TODOs'), row('s2', 'Run the tests')];
		const { page, extension } = await open(pageOf('schedules', [one, two]));
		await page.getByRole('group', { name: 'List the TODOs' }).getByRole('button', { name: 'Delete…' }).press('Enter');
		assert.deepEqual((await extension.called('page/act', 0)).params, { action: 'delete', on: 'delete s1' });
		extension.setPage(pageOf('schedules', [two]));
		const next = page.getByRole('group', { name: 'Run the tests' }).getByRole('button', { name: 'Run Now' });
		await next.and(page.locator(':focus')).waitFor();
	});

	it('shows a thousand agents by state, each in reach of the keyboard', async () => {
		const agent = (at: number): PageRow =>
			row(`a${at}`, `Agent ${at}`, {
				actions: [{ action: 'showThread', label: 'Open Thread', on: `showThread a${at}` }],
			});
		const all = Array.from({ length: 1_000 }, (_, at) => agent(at));
		const groups = [
			{ title: 'Needs You', rows: all.slice(0, 1) },
			{ title: 'Resting', rows: all.slice(1) },
		];
		const content = pageOf('agents', []);
		const { page, extension } = await open(content);
		await page.getByText('No agents yet.').waitFor();
		extension.setPage({
			...content,
			blocks: [
				{ kind: 'rows', groups, none: '', search: 'Search agents' },
				{ kind: 'note', text: '800 more are not shown.' },
			],
		});
		await page.getByText('800 more are not shown.').waitFor();
		assert.deepEqual(await page.getByRole('heading', { level: 2 }).allTextContents(), ['Needs You 1', 'Resting 999']);
		await page.getByRole('searchbox', { name: 'Search agents' }).focus();
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		assert.deepEqual((await extension.called('page/act', 0)).params, { action: 'showThread', on: 'showThread a0' });
	});

	it('finds rows by words where there are many', async () => {
		const many = Array.from({ length: 12 }, (_, at) => row(`m${at}`, `Fact ${at} about ${at === 7 ? 'pnpm' : 'npm'}`));
		const { page } = await open(pageOf('memory', many, 'Search memory'));
		await page.getByRole('searchbox', { name: 'Search memory' }).fill('PNPM');
		await page.getByRole('status').getByText('1 of 12').waitFor();
		assert.deepEqual(await page.locator('.page-row-what').allTextContents(), ['Fact 7 about pnpm']);
		await page.getByRole('searchbox').fill('docker');
		await page.getByRole('status').getByText('Nothing matches').waitFor();
	});

	it('draws of a thousand rows the one that says something else, and its button acts on what it says by now', async () => {
		const rows = Array.from({ length: 1_000 }, (_, n) => row(`r${n}`, `Agent ${n}`));
		const { page, extension } = await open(pageOf('agents', rows, 'Search agents'));
		await page.getByText('Agent 999', { exact: true }).waitFor();
		const first = await page.evaluateHandle(() => {
			const changed = new Set<string>();
			new MutationObserver((changes) => {
				for (const { target } of changes) {
					const line = target.parentElement?.closest('.page-row');
					changed.add(line?.querySelector('.page-row-what')?.textContent ?? '');
				}
			}).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
			return { changed };
		});
		const stop = { action: 'stop', label: 'Stop', on: 'stop by now' } as const;
		extension.setPage(
			pageOf(
				'agents',
				rows.map((each, n) => (n === 500 ? { ...each, state: 'edits src/a.ts', actions: [stop] } : each)),
				'Search agents',
			),
		);
		await page.getByText('edits src/a.ts').waitFor();
		assert.deepEqual(await first.evaluate(({ changed }) => [...changed]), ['Agent 500']);
		const acts = page.getByRole('group', { name: 'Agent 500', exact: true }).getByRole('button');
		await acts.press('Enter');
		assert.deepEqual((await extension.called('page/act', 0)).params, { action: 'stop', on: 'stop by now' });
	});

	it('has the keyboard on the last of a thousand rows when the one that it acted on has gone', async () => {
		const rows = Array.from({ length: 1_000 }, (_, n) => row(`r${n}`, `Agent ${n}`));
		const { page, extension } = await open(pageOf('agents', rows));
		const last = page.getByRole('group', { name: 'Agent 999', exact: true });
		await last.getByRole('button', { name: 'Delete…' }).press('Enter');
		assert.deepEqual((await extension.called('page/act', 0)).params, { action: 'delete', on: 'delete r999' });
		extension.setPage(pageOf('agents', rows.slice(0, -1)));
		await page.waitForFunction(
			() => document.activeElement?.closest('.page-row')?.querySelector('.page-row-what')?.textContent === 'Agent 998',
		);
	});

	it('draws a code for cameras module by module, at every width, without anything that axe finds', async () => {
		const modules = encodePairingCode('https://machine.example.ts.net/#ABCD-EFGH');
		const rows = modules.map((each) => each.map((isDark) => (isDark ? '1' : '0')).join(''));
		const label = 'QR code of the address';
		for (const width of [240, 900]) {
			const content = pageOf('browsers', []);
			const { page } = await open({ ...content, blocks: [{ kind: 'qr', label, rows }] }, width);
			const code = page.getByRole('img', { name: label });
			const drawn = await code.locator('path').evaluate((path, size) => {
				const dark = path as SVGGeometryElement;
				const at = Array.from({ length: size }, (_each, index) => index);
				return at.map((y) => at.map((x) => (dark.isPointInFill(new DOMPoint(x + 0.5, y + 0.5)) ? '1' : '0')).join(''));
			}, rows.length);
			assert.deepEqual(drawn, rows);
			const box = await code.boundingBox();
			assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
			assert.deepEqual(await violations(page), []);
		}
	});

	it('draws a picture that it is sent, within its width and without anything that axe finds', async () => {
		const { page: painter } = await open(pageOf('browsers', []));
		const painted = await painter.evaluate(() => document.createElement('canvas').toDataURL('image/jpeg'));
		const picture = { kind: 'picture', label: 'Cart', jpeg: painted.replace(/^.*,/, '') } as const;
		const { page } = await open({ ...pageOf('browsers', []), blocks: [picture] }, 240);
		const drawn = page.getByRole('img', { name: 'Cart' });
		await drawn.evaluate(async (image) => (image as HTMLImageElement).decode());
		const box = await drawn.boundingBox();
		assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 240, JSON.stringify(box));
		assert.deepEqual(await violations(page), []);
	});

	for (const width of [240, 300, 900]) {
		it(`fits into ${width} px with all tabs in sight, without anything that axe finds`, async () => {
			const long = row('long', 'x'.repeat(400), { isBad: true, notes: ['y'.repeat(400)] });
			const { page } = await open(pageOf('watches', [long, row('s2', 'Run the tests')]), width);
			await page.getByText('Run the tests').first().waitFor();
			assert.deepEqual(await violations(page), []);
			const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			assert.ok(overflow <= 0, String(overflow));
			for (const tab of await page.getByRole('tab').all()) {
				const box = await tab.boundingBox();
				assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
			}
		});
	}
});
