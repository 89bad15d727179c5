/**
 * The chat view in a headless Chromium: streaming at 1,000 tokens a second (G16), a long answer in Markdown (G17), a long
 * thread (G18). G16 runs the bundle that ships; the others its parts, so that a single update can be timed.
 */
import type { Browser, Page } from 'playwright-core';
import { newId } from '../src/protocol/rpc/ids.ts';
import { threadNotifications } from '../src/protocol/thread/thread-requests.ts';
import { AT } from '../test/webview/support/fake-thread.ts';
import { type InPage, openThread } from '../test/webview/support/measured-page.ts';
import { buildView, serveView } from '../test/webview/support/site.ts';
import { launchBrowser, openView } from '../test/webview/support/view-page.ts';
import { agentRowFigures } from './agent-rows.ts';
import { longTasks } from './long-tasks.ts';
import { type Figure, median, ms, paired, ratio } from './measure.ts';

const SECONDS = 3;
const TOKENS_PER_SECOND = 1_000;
/** Interval between updates, equal to the server's. */
const UPDATE_MS = 33;
const STEP_CHARS = 64;
const NAIVE_SAMPLES = 16;
const OPENINGS = 5;

const BLOCK = `## A heading of the answer

A paragraph with **strong words**, some \`code\`, and a [link](https://example.com/page) that goes on so that it wraps.

- a point of the list
- another point, with *emphasis*

\`\`\`ts
export function add(a: number, b: number): number {
	return a + b;
}
\`\`\`

`;
/** The measured parts are given the size of the view; what is plain draws all it holds. */
const PARTS_CSS =
	'.app { height: 800px; width: 420px; } .app.narrowed { width: 300px; }' +
	'.plain :is(.item, .markdown-group, .code-chunk) { content-visibility: visible !important; }';

export async function webviewFigures(): Promise<Figure[]> {
	const browser = await launchBrowser();
	try {
		return [
			await tokens(browser),
			...(await parts(browser)),
			await longTasks(browser),
			...(await agentRowFigures(browser)),
		];
	} finally {
		await browser.close();
	}
}

async function tokens(browser: Browser): Promise<Figure> {
	const site = await serveView(await buildView('bench/naive-view.ts'));
	const naiveSite = await serveView(await buildView('bench/naive-view.ts'), '/extra.js');
	try {
		const times = await paired(3, {
			naive: () => naively(browser, naiveSite.pageUrl()),
			prowess: () => asUpdates(browser, site),
		});
		return {
			goal: 'G16',
			what: 'main thread per 1,000 tokens at 1,000 tokens/s, against posting and drawing each',
			measured: `${ratio(times['prowess'])} (${ms(times['prowess']?.value)} / ${ms(times['naive']?.value)})`,
			bar: '<= 0.15x',
			met: (times['prowess']?.ratio ?? Infinity) <= 0.15,
		};
	} finally {
		await site.close();
		await naiveSite.close();
	}
}

async function naively(browser: Browser, url: string): Promise<number> {
	const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
	try {
		await page.goto(url);
		const frames = words().map((token) => ({ token }));
		return await mainThreadMs(page, frames, 1);
	} finally {
		await page.close();
	}
}

async function asUpdates(browser: Browser, site: Parameters<typeof openView>[1]): Promise<number> {
	const view = await openView(browser, site, {
		prepare: (extension) => {
			extension.threadId = extension.addThread().id;
		},
	});
	try {
		const [thread] = view.extension.threads.values();
		if (thread === undefined) {
			throw new Error('the fake extension has no thread');
		}
		const itemId = thread.startText(thread.begin('Go.'), 'Here it is. ');
		await view.page.getByText('Here it is.').waitFor();
		const perUpdate = Math.round((TOKENS_PER_SECOND * UPDATE_MS) / 1000);
		const all = words();
		const frames: unknown[] = [];
		for (let first = 0; first < all.length; first += perUpdate) {
			const text = all.slice(first, first + perUpdate).join('');
			const params = {
				threadId: thread.id,
				seq: thread.snapshot.seq + 1 + frames.length,
				events: [{ type: 'item.delta', itemId, text }],
			};
			frames.push({ kind: 'notification', method: threadNotifications.update.method, params });
		}
		const took = await mainThreadMs(view.page, frames, UPDATE_MS);
		if (!(await view.page.locator('body').innerText()).includes('A heading of the answer')) {
			throw new Error('the view did not draw what it was sent');
		}
		return took;
	} finally {
		await view.close();
	}
}

function words(): string[] {
	const text = BLOCK.repeat(100).match(/\s*\S{1,5}/g) ?? [];
	return text.slice(0, SECONDS * TOKENS_PER_SECOND);
}

/** Returns the main thread's work in ms per second of the stream, with `frames` posted evenly over all of it. */
async function mainThreadMs(page: Page, frames: readonly unknown[], everyMs: number): Promise<number> {
	const session = await page.context().newCDPSession(page);
	await session.send('Performance.enable');
	const worked = async () => {
		const { metrics } = await session.send('Performance.getMetrics');
		return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
	};
	const before = await worked();
	await page.evaluate(
		([given, interval]) =>
			new Promise<void>((resolve) => {
				const start = performance.now();
				let next = 0;
				// A timer cannot fire every millisecond: what is due by then is posted, each on its own.
				const timer = setInterval(() => {
					const due = Math.min(given.length, Math.floor((performance.now() - start) / interval));
					for (; next < due; next += 1) {
						window.postMessage(given[next], '*');
					}
					if (next === given.length) {
						clearInterval(timer);
						// Behind all that still waits to be drawn.
						window.addEventListener('message', ({ data }) => {
							if (data === 'end') {
								requestAnimationFrame(() => setTimeout(resolve, 100));
							}
						});
						window.postMessage('end', '*');
					}
				}, 4);
			}),
		[frames, everyMs] as const,
	);
	return ((await worked()) - before) / SECONDS;
}

async function parts(browser: Browser): Promise<Figure[]> {
	const files = await buildView('test/webview/support/measure-entry.ts');
	const css = Buffer.concat([files.get('/webview.css') ?? new Uint8Array(), Buffer.from(PARTS_CSS)]);
	const site = await serveView(new Map([...files, ['/webview.css', css]]), '/extra.js');
	try {
		const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
		await page.goto(site.pageUrl());
		return [...(await longAnswer(page)), ...(await longThread(page))];
	} finally {
		await site.close();
	}
}

async function longAnswer(page: Page): Promise<Figure[]> {
	const text = BLOCK.repeat(Math.ceil(200_000 / BLOCK.length));
	const given = [text, STEP_CHARS, NAIVE_SAMPLES] as const;
	const naive = await page.evaluate(
		([all, step, samples]) => (globalThis as unknown as InPage).bench.streamNaively(all, step, samples),
		given,
	);
	const ours = await page.evaluate(([all, step]) => (globalThis as unknown as InPage).bench.stream(all, step), given);
	const mean = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0) / times.length;
	const share = mean(ours) / mean(naive);
	const worst = Math.max(...ours);
	return [
		{
			goal: 'G17',
			what: 'streaming 200 KB of Markdown, against drawing all of it at each update',
			measured: `1/${(1 / share).toFixed(0)} (${ms(mean(ours))} / ${ms(mean(naive))} per update)`,
			bar: '<= 1/30',
			met: share <= 1 / 30,
		},
		{
			goal: 'G17',
			what: `its worst update of ${ours.length}, layout included`,
			measured: `${ms(worst)} (99th percentile ${ms(ours.toSorted((a, b) => a - b)[Math.floor(ours.length * 0.99)])})`,
			bar: '<= 8 ms',
			met: worst <= 8,
		},
	];
}

async function longThread(page: Page): Promise<Figure[]> {
	const turnId = newId('trn');
	const items = Array.from({ length: 2_000 }, (_, n) =>
		n % 2 === 0
			? { id: newId('itm'), turnId, at: AT, kind: 'user' as const, text: `question ${n}`, context: [] }
			: { id: newId('itm'), turnId, at: AT, kind: 'text' as const, text: BLOCK, done: true },
	);
	const open = (newest: number, isPlain: boolean) => openThread(page, items, newest, isPlain);
	await open(60, false);
	const full = [await open(items.length, true), await open(items.length, true)];
	const ours: (typeof full)[number][] = [];
	for (let opening = 0; opening < OPENINGS; opening += 1) {
		ours.push(await open(60, false));
	}
	const figure = (what: 'open' | 'resize', bar: number): Figure => {
		const [own, all] = [median(ours.map((each) => each[what])), median(full.map((each) => each[what]))];
		return {
			goal: 'G18',
			what: `${what} a thread of 2,000 messages, against all of them in the page`,
			measured: `${(own / all).toFixed(3)}x (${ms(own)} / ${ms(all)})`,
			bar: `<= ${bar.toFixed(2)}x`,
			met: own / all <= bar,
		};
	};
	return [figure('open', 0.1), figure('resize', 0.05)];
}
