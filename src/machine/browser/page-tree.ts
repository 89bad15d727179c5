/** The tree in which a page is told: its elements by their references, and what stands in its fields for passwords. */
import type { Frame, Page } from 'playwright-core';
import { cutText } from '../../base/text/one-line.ts';
import { NOTE_CHARS } from './limits.ts';

/** An element in a tree: its role, its name as it is quoted, and its marks. Only there is a reference its own, not in names or texts. */
const ELEMENT = /^\s*- '?(?<words>[a-z]+(?: "(?:[^"\\]|\\.)*")?)(?<marks>(?: \[[^\]]*\])+)/i;

/** Role and name of an element; undefined: the tree has none with that reference. */
export function findElementWords(tree: string, ref: string): string | undefined {
	for (const line of tree.split('\n')) {
		const { words, marks } = ELEMENT.exec(line)?.groups ?? {};
		if (words !== undefined && marks?.includes(`[ref=${ref}]`) === true) return cutText(words, NOTE_CHARS);
	}
	return undefined;
}

/**
 * Frames that keys may go to, the innermost first; none: none says that it has the focus. Each is believed only about itself, so
 * no page can hide that a frame of somebody else has the focus: not by lies, and not below a closed shadow root.
 */
export async function findFocusedFrames(page: Page): Promise<readonly Frame[]> {
	const told = await Promise.all(
		page.frames().map(async (frame) => {
			// A frame that is gone has no focus; one that does not answer may have it.
			const inner = await findInnerFocus(frame).catch(() => (frame.isDetached() ? undefined : null));
			return { frame, inner };
		}),
	);
	const named = new Set(told.toReversed().flatMap(({ frame, inner }) => (inner === undefined ? [] : [inner ?? frame])));
	const outer = new Set(told.flatMap(({ frame, inner }) => (inner ? [frame] : [])));
	const innermost = [...named].filter((frame) => !outer.has(frame));
	// Where all of them name each other, any may have it.
	return innermost.length > 0 ? innermost : [...named];
}

/** Frame within this one that it says has the focus; null: none, so it is this one; undefined: it is without the focus. */
async function findInnerFocus(frame: Frame): Promise<Frame | null | undefined> {
	const focused = await frame.evaluateHandle(() => {
		const { document } = globalThis as unknown as { readonly document: FocusDocument };
		if (!document.hasFocus()) return undefined;
		let at = document.activeElement;
		for (let inner = at; inner; inner = inner.shadowRoot?.activeElement) at = inner;
		return at ?? document;
	});
	try {
		return await focused.asElement()?.contentFrame();
	} finally {
		// The page may have gone, and its element with it.
		focused.dispose().catch(() => undefined);
	}
}

interface FocusRoot {
	readonly activeElement?: { readonly shadowRoot?: FocusRoot | null } | null;
}

interface FocusDocument extends FocusRoot {
	hasFocus(): boolean;
}

/** Contents of the fields for passwords, of all frames. */
export async function readPasswords(page: Page): Promise<readonly string[]> {
	const found = await Promise.all(
		page.frames().map((frame) =>
			frame
				.locator('input[type=password]')
				.evaluateAll((fields) => fields.map((field) => (field as unknown as { readonly value: string }).value))
				// A frame that is gone has no fields.
				.catch(() => []),
		),
	);
	return found.flat().filter((value) => value !== '');
}

/**
 * Whatever the role of a field and the form of its line: contents are told with their blanks joined, and quoted or not.
 * `isElsewhere`: more lines end so than there are fields.
 */
export function hidePasswords(tree: string, passwords: readonly string[]): { tree: string; isElsewhere: boolean } {
	const told = passwords
		.map((each) =>
			each
				.replaceAll(/[\u200b\u00ad]/g, '')
				.replaceAll(/\s+/g, ' ')
				.trim(),
		)
		.filter((each) => each !== '');
	const written = told.flatMap((each) => [`: ${each}`, `: ${JSON.stringify(each)}`]);
	let hidden = 0;
	const lines = tree.split('\n').map((line) => {
		const end = written.find((each) => line.endsWith(each));
		if (end === undefined) return line;
		hidden += 1;
		return `${line.slice(0, -end.length)}: (hidden)`;
	});
	return { tree: lines.join('\n'), isElsewhere: hidden > told.length };
}
