/** A look at a page for the user who watches, which changes nothing of what the agent has been told, and ends no browser. */
import type { Frame, Page } from 'playwright-core';
import { orAborted, raceTimeout } from '../../base/time/bounded-wait.ts';
import { WATCHED_PAGE_MS, WATCHED_TEXT_CHARS } from './limits.ts';

export interface PageGlance {
	/** Redacted. */
	readonly title: string;
	/** JPEG in base64; or why there is none: the page shows what nobody may read, or is too long to be looked through for it. */
	readonly picture: { readonly jpeg: string } | 'secret' | 'long';
}

interface GlanceReader {
	redact(text: string): string;
	/** True for a text with a secret of the user in it. */
	holdsSecret(text: string): boolean;
}

/** Quality of a picture: 1280 by 800 pixels are some 60 kB. */
const QUALITY = 60;

export class PageGlances {
	readonly #reader: GlanceReader;
	/** Looks at pages that have not answered yet. */
	readonly #underWay = new WeakMap<Page, Promise<PageGlance | undefined>>();

	constructor(reader: GlanceReader) {
		this.#reader = reader;
	}

	/**
	 * Resolves with undefined where the page does not answer in time; until it does, it is asked nothing more. Rejects only when
	 * the signal aborts.
	 */
	async take(page: Page, signal: AbortSignal): Promise<PageGlance | undefined> {
		const taken = this.#underWay.get(page) ?? this.#begin(page);
		return await orAborted(raceTimeout(taken, WATCHED_PAGE_MS), signal);
	}

	#begin(page: Page): Promise<PageGlance | undefined> {
		const taken = takeGlance(page, this.#reader)
			// The page may have gone, or be about to.
			.catch(() => undefined)
			.finally(() => this.#underWay.delete(page));
		this.#underWay.set(page, taken);
		return taken;
	}
}

async function takeGlance(page: Page, { redact, holdsSecret }: GlanceReader): Promise<PageGlance> {
	const [read, before] = await Promise.all([page.title(), findHindrance(page, holdsSecret)]);
	const title = redact(read);
	if (before !== undefined) return { title, picture: before };
	// Hiding the caret would write into the fields of the page.
	const options = { type: 'jpeg', quality: QUALITY, scale: 'css', caret: 'initial', timeout: WATCHED_PAGE_MS } as const;
	const jpeg = (await page.screenshot(options)).toString('base64');
	// A secret that has come meanwhile may be on it.
	return { title, picture: (await findHindrance(page, holdsSecret)) ?? { jpeg } };
}

/** Why no picture of the page may be shown; undefined: one may. */
async function findHindrance(
	page: Page,
	holdsSecret: GlanceReader['holdsSecret'],
): Promise<'secret' | 'long' | undefined> {
	const texts = await Promise.all(page.frames().map(readShownText));
	if (texts.some((each) => each !== null && holdsSecret(each))) return 'secret';
	return texts.includes(null) ? 'long' : undefined;
}

/** Part of the DOM that the page is read by. */
interface ReadNode {
	readonly textContent: string | null;
	querySelectorAll(selector: string): Iterable<ReadElement>;
}

interface ReadDocument extends ReadNode {
	readonly body: ReadNode | null;
	readonly documentElement: ReadNode | null;
}

interface ReadElement {
	readonly shadowRoot: ReadNode | null;
	readonly type?: string;
	readonly value?: unknown;
	readonly placeholder?: unknown;
	readonly alt?: unknown;
	readonly label?: unknown;
}

/**
 * Texts, contents of fields and hints in them, except for passwords, which show dots. A tree of the page would be read more
 * easily, but a new one takes the references of the last away from the agent. Null: there are too many.
 */
async function readShownText(frame: Frame): Promise<string | null> {
	const read = frame.evaluate((most) => {
		const { document } = globalThis as unknown as { readonly document: ReadDocument };
		const found: string[] = [];
		const readNode = (node: ReadNode) => {
			found.push(node.textContent ?? '');
			for (const { shadowRoot, type, value, placeholder, alt, label } of node.querySelectorAll('*')) {
				const shown = [type === 'password' ? '' : value, placeholder, alt, label];
				found.push(...shown.filter((each) => typeof each === 'string'));
				if (shadowRoot) readNode(shadowRoot);
			}
		};
		// A drawing has no body.
		readNode(document.body ?? document.documentElement ?? document);
		const text = found.join('\n');
		return text.length > most ? null : text;
	}, WATCHED_TEXT_CHARS);
	return await read.catch((error: unknown) => {
		// A frame that is gone shows nothing.
		if (frame.isDetached()) return '';
		throw error;
	});
}
