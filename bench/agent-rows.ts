/** The tab *Agents* with 1,000 rows in a headless Chromium: a change of one of them, as an agent goes on, and scrolling through all. */
import type { Browser, Page } from 'playwright-core';
import type { PageContent } from '../src/protocol/pages/capability-page.ts';
import { buildView, serveView } from '../test/webview/support/site.ts';
import { openView, type ViewPage } from '../test/webview/support/view-page.ts';
import { type Figure, ms, paired, ratio } from './measure.ts';

const ROWS = 1_000;
const CHANGES = 20;
const SCROLLS = 20;
const ROUNDS = 3;
const FRAME_MS = 1_000 / 60;
/** Not what it takes to send a page by the tools of the browser. */
const WORK: ReadonlySet<string> = new Set(['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration']);

export async function agentRowFigures(browser: Browser): Promise<Figure[]> {
	const site = await serveView(await buildView());
	const view = await openView(browser, site, {
		face: 'page',
		width: 900,
		prepare(fake) {
			const content = agentsPage(() => 'act');
			fake.shown = { address: { kind: 'automation', of: 'agents', title: 'Automation' }, content };
		},
	});
	try {
		await view.page.getByText(`Agent ${ROWS - 1}`, { exact: true }).waitFor({ state: 'attached' });
		const changes = await paired(ROUNDS, {
			all: () => change(view, (act) => agentsPage(() => act)),
			one: () => change(view, (act) => agentsPage((row) => (row === 1 ? act : 'act'))),
		});
		const scrolled = await workedMs(view.page, () => view.page.evaluate(scrollThrough, SCROLLS));
		const one = changes['one'];
		return [
			{
				goal: 'agents',
				what: `a change of one of ${ROWS} rows, scripts and layout, against a change of all`,
				measured: `${ratio(one)} (${ms(one?.value)} / ${ms(changes['all']?.value)})`,
				bar: `<= ${ms(FRAME_MS)}`,
				met: (one?.value ?? Infinity) <= FRAME_MS,
			},
			{
				goal: 'agents',
				what: `a step of scrolling through ${ROWS} rows, scripts and layout`,
				measured: ms(scrolled / SCROLLS),
				bar: `<= ${ms(FRAME_MS)}`,
				met: scrolled / SCROLLS <= FRAME_MS,
			},
		];
	} finally {
		await view.close();
		await site.close();
	}
}

let changed = 0;

/** Milliseconds of one change, from its message to its drawing. */
async function change({ page, extension }: ViewPage, pageOf: (act: string) => PageContent): Promise<number> {
	const worked = await workedMs(page, async () => {
		for (let n = 0; n < CHANGES; n += 1) {
			changed += 1;
			extension.setPage(pageOf(`act ${changed}`));
			await page.evaluate(seesAct, `act ${changed}`);
		}
	});
	return worked / CHANGES;
}

function agentsPage(actOf: (row: number) => string): PageContent {
	const rows = Array.from({ length: ROWS }, (_, row) => ({
		id: `row-${row}`,
		icon: 'robot',
		what: `Agent ${row}`,
		state: actOf(row),
		isBad: false,
		notes: ['Sub-agent', '12,000 tokens', 'begun 09:00'],
		actions: [
			{ action: 'open' as const, label: 'Open', on: `open ${row}` },
			{ action: 'stop' as const, label: 'Stop', on: `stop ${row}` },
		],
	}));
	const groups = [{ title: 'At Work', rows }];
	return {
		title: 'Automation',
		kicker: '',
		summary: 'Threads, sub-agents and goals.',
		actions: [],
		blocks: [{ kind: 'rows', groups, none: 'Nothing is at work.', search: 'Search agents' }],
	};
}

/** In the page. Looks at one row, where a locator would look at all of them. */
function seesAct(act: string): Promise<void> {
	return new Promise((resolve) => {
		const look = () => {
			if (document.querySelectorAll('.page-row-state')[1]?.textContent === act) resolve();
			else requestAnimationFrame(look);
		};
		look();
	});
}

/** In the page. */
function scrollThrough(steps: number): Promise<void> {
	return new Promise((resolve) => {
		const root = document.scrollingElement ?? document.body;
		let at = 0;
		const step = () => {
			at += 1;
			root.scrollTop = (root.scrollHeight * at) / steps;
			if (at < steps) requestAnimationFrame(step);
			else resolve();
		};
		step();
	});
}

async function workedMs(page: Page, work: () => Promise<void>): Promise<number> {
	const session = await page.context().newCDPSession(page);
	await session.send('Performance.enable');
	const worked = async () => {
		const { metrics } = await session.send('Performance.getMetrics');
		return metrics.filter(({ name }) => WORK.has(name)).reduce((sum, { value }) => sum + value * 1_000, 0);
	};
	const before = await worked();
	await work();
	const took = (await worked()) - before;
	await session.detach();
	return took;
}
