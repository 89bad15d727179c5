/** Runs in the page: the parts of the view whose speed is promised, beside what a plain way would cost. */
import { lexer } from 'marked';
import { type ComponentChild, createElement, type FunctionComponent, options, render } from 'preact';
import type { ThreadItem } from '../../../src/protocol/thread/items.ts';
import { ThreadSnapshot } from '../../../src/protocol/thread/thread.ts';
import { Transcript } from '../../../src/webview/components/transcript/transcript.tsx';
import { drawBlock } from '../../../src/webview/markdown/block.tsx';
import { Markdown } from '../../../src/webview/markdown/markdown.tsx';
import { type TextActions, TextProvider } from '../../../src/webview/parts/text-actions.ts';
import { type View, ViewProvider } from '../../../src/webview/actions/view-context.ts';

type Provider<T> = FunctionComponent<{ value: T }>;

const view = { t: (text: string) => text } as unknown as View;
/** Actions without effect, because the text drawn here is never clicked. */
const text: TextActions = { t: (words) => words, copy: () => {}, openLink: () => {}, openFile: () => {} };

function draw(child: ComponentChild, into: HTMLElement): void {
	const inText = createElement(TextProvider as unknown as Provider<TextActions>, { value: text }, child);
	render(createElement(ViewProvider as unknown as Provider<View>, { value: view }, inText), into);
}

function box(): HTMLElement {
	const element = document.createElement('div');
	document.body.append(element);
	return element;
}

function timed(work: () => void): number {
	const start = performance.now();
	work();
	// Layout belongs to the cost.
	void document.body.offsetHeight;
	return performance.now() - start;
}

/** Counts the elements and components that the work describes to Preact, which makes them anew and compares them. */
async function described(work: () => unknown): Promise<number> {
	const before = options.vnode;
	let count = 0;
	options.vnode = (node) => {
		count += 1;
		before?.(node);
	};
	try {
		await work();
	} finally {
		if (before === undefined) delete options.vnode;
		else options.vnode = before;
	}
	return count;
}

/** Counts, like `described`, for each update while a text grows by `step` characters. */
async function streamed(text: string, step: number): Promise<number[]> {
	const into = box();
	const counts: number[] = [];
	for (let end = step; end <= text.length; end += step) {
		const growing = createElement(Markdown, { text: text.slice(0, end), isDone: false });
		counts.push(await described(() => draw(growing, into)));
	}
	into.remove();
	return counts;
}

/** Counts, like `described`, for an update that draws all of the text. */
function drawnWhole(text: string): Promise<number> {
	const into = box();
	const work = () => draw(createElement('div', { class: 'markdown' }, lexer(text).map(drawBlock)), into);
	return described(work).finally(() => into.remove());
}

/** Milliseconds of each update while a text grows by `step` characters. */
function stream(text: string, step: number): number[] {
	const into = box();
	const times: number[] = [];
	for (let end = step; end <= text.length; end += step) {
		times.push(timed(() => draw(createElement(Markdown, { text: text.slice(0, end), isDone: false }), into)));
	}
	into.remove();
	return times;
}

/** The same without frozen blocks, at `samples` places of the text: an update costs what lexing and comparing everything costs. */
function streamNaively(text: string, step: number, samples: number): number[] {
	const into = box();
	const drawAll = (end: number) =>
		draw(createElement('div', { class: 'markdown' }, lexer(text.slice(0, end)).map(drawBlock)), into);
	const times = Array.from({ length: samples }, (_, index) => {
		const end = Math.floor((text.length * (index + 1)) / samples);
		drawAll(end - step);
		return timed(() => drawAll(end));
	});
	into.remove();
	return times;
}

interface Opened {
	/** Milliseconds. */
	readonly open: number;
	readonly resize: number;
	/** Number of elements in the page. */
	readonly elements: number;
}

/** Opens a thread and then makes the view narrower. */
async function open(items: ThreadItem[], newest: number, isPlain: boolean): Promise<Opened> {
	const at = '2026-11-20T12:00:00.000Z';
	const snapshot = ThreadSnapshot.parse({
		info: {
			id: 'thr_1',
			title: '',
			modelId: null,
			mode: 'agent',
			createdAt: at,
			updatedAt: at,
			workspace: null,
			running: false,
		},
		seq: 1,
		items,
		earlier: 0,
		turnId: null,
		todos: [],
		usage: null,
	});
	const into = box();
	into.className = isPlain ? 'app plain' : 'app';
	const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
	const start = performance.now();
	const memory = { read: () => undefined, write: () => {} };
	draw(createElement(Transcript, { snapshot, memory, newest }), into);
	void into.offsetHeight;
	await frame();
	const opened = performance.now() - start;
	const elements = into.querySelectorAll('*').length;
	const resizeStart = performance.now();
	into.classList.add('narrowed');
	void into.offsetHeight;
	await frame();
	const resize = performance.now() - resizeStart;
	render(null, into);
	into.remove();
	return { open: opened, resize, elements };
}

/** Draws a finished text until nothing of it is left to do. `pauses`: how often the page could answer between two pieces. */
async function drawLong(text: string): Promise<{ pauses: number }> {
	const into = box();
	let size = -1;
	let pauses = 0;
	draw(createElement(Markdown, { text, isDone: true }), into);
	for (let quietTurns = 0; quietTurns < QUIET_TURNS; quietTurns += 1) {
		await new Promise((resolve) => setTimeout(resolve));
		const drawn =
			into.querySelectorAll('.markdown-group').length * 100 + (into.firstElementChild?.childElementCount ?? 0);
		if (drawn !== size) {
			quietTurns = 0;
			size = drawn;
			pauses += 1;
		}
	}
	render(null, into);
	into.remove();
	return { pauses };
}

/** More turns of the page than it leaves between two pieces of a text; turns, because a busy machine makes each longer. */
const QUIET_TURNS = 100;

const bench = { stream, streamNaively, streamed, drawnWhole, open, drawLong };
export type Bench = typeof bench;
(globalThis as unknown as { bench: Bench }).bench = bench;
