/**
 * Benchmark of the longest task of the chat's page while 1 MB of one kind arrives: no click gets an answer during a
 * task.
 */
import type { Browser } from 'playwright-core';
import { newId } from '../src/protocol/rpc/ids.ts';
import type { ThreadItem } from '../src/protocol/thread/items.ts';
import { AT } from '../test/webview/support/fake-thread.ts';
import { buildView, type Site, serveView } from '../test/webview/support/site.ts';
import { openView } from '../test/webview/support/view-page.ts';
import { type Figure, median, ms } from './measure.ts';

const CHARS = 1_000_000;
const BAR_MS = 50;
/** Longer than the page leaves between two pieces of a text. */
const QUIET_MS = 1_000;
const LOOK_MS = 100;

/** Markdown that the library is slowest with, and Markdown that makes the most elements. */
const answers = [
	...['*_', '[a](', '`` `', '- a\n', 'http://a.bc ', 'word ', '| 1 | 2 |\n', 'a line\n\n', '```\ncode\n```\n'],
	...['```ts\nconst a = { b: `c${d}`, e: 1 };\n```\n', '`src/a.ts:1` ', '> ', '<b>x</b>', '[a]: http://x.y\n', 'a.'],
];
const plain = ['word ', 'a\n', 'a', 'src/a.ts:12 ', 'a/b '];

interface Kind {
	readonly name: string;
	/** All of an item but its place. */
	readonly item: object;
	/** Element that is clicked to show the whole item. */
	readonly opened?: string;
}

const kinds: readonly Kind[] = [
	...answers.map((unit) => ({ name: `answer ${unit}`, item: { kind: 'text', text: long(unit), done: true } })),
	...plain.map((unit) => ({ name: `message ${unit}`, item: { kind: 'user', text: long(unit), context: [] } })),
	...plain.map((unit) => ({ name: `output ${unit}`, item: tool(long(unit), {}), opened: '.item.tool .disclosure' })),
	{ name: 'input', item: tool('', { text: long('a line\n') }), opened: '.item.tool .disclosure' },
	{ name: 'notice', item: { kind: 'notice', level: 'error', text: long('a line\n'), actions: [] } },
	{
		name: 'thinking',
		item: { kind: 'thinking', text: long('word *a* '), done: true, durationMs: 5 },
		opened: '.item.thinking .disclosure',
	},
];

export async function longTasks(browser: Browser): Promise<Figure> {
	const site = await serveView(await buildView());
	try {
		const taken: { name: string; took: number }[] = [];
		for (const kind of kinds) {
			taken.push({ name: kind.name, took: await longestTask(browser, site, kind) });
		}
		const worst = taken.reduce((a, b) => (b.took > a.took ? b : a));
		return {
			goal: 'G17',
			what: `processor time of the longest task while 1 MB of one kind is drawn, worst of ${taken.length} kinds`,
			measured: `${ms(worst.took)} (${JSON.stringify(worst.name)}; median ${ms(median(taken.map(({ took }) => took)))})`,
			bar: `<= ${BAR_MS} ms`,
			met: worst.took <= BAR_MS,
		};
	} finally {
		await site.close();
	}
}

async function longestTask(browser: Browser, site: Site, { item, opened }: Kind): Promise<number> {
	const view = await openView(browser, site, {
		prepare: (extension) => {
			extension.threadId = extension.addThread().id;
		},
	});
	try {
		const { page } = view;
		const [thread] = view.extension.threads.values();
		if (thread === undefined) {
			throw new Error('the fake extension has no thread');
		}
		const turnId = thread.begin('Go.');
		await page.getByText('Go.').waitFor();
		await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
		thread.emit({ type: 'item.start', item: { id: newId('itm'), turnId, at: AT, ...item } as ThreadItem });
		thread.end(turnId);
		await page.locator('.item').nth(1).waitFor();
		if (opened !== undefined) {
			await page.locator(opened).click();
		}
		let [size, changedAt] = [-1, Date.now()];
		while (Date.now() - changedAt < QUIET_MS) {
			const now = await page.evaluate(() => document.querySelectorAll('*').length);
			[size, changedAt] = now === size ? [size, changedAt] : [now, Date.now()];
			await page.waitForTimeout(LOOK_MS);
		}
		return longestIn((await browser.stopTracing()).toString());
	} finally {
		await view.close();
	}
}

interface TraceEvent {
	readonly name: string;
	readonly pid: number;
	readonly tid: number;
	/** Time of the thread's processor, in microseconds. */
	readonly tdur?: number;
	readonly args?: { readonly name?: string };
}

/** Returns the longest task of the page's main thread, in ms. */
function longestIn(trace: string): number {
	const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
	const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
	const main = new Set(
		traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
	);
	const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && main.has(threadOf(event)));
	if (tasks.length === 0) {
		throw new Error('the trace holds no task of the page');
	}
	return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000));
}

function long(unit: string): string {
	return unit.repeat(Math.ceil(CHARS / unit.length));
}

function tool(output: string, input: object): object {
	const call = { kind: 'tool', opId: newId('op'), tool: 'fs_read', title: 'Read', status: 'done' };
	return { ...call, input, output, outputTruncated: false };
}
