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

/** Innermost frame with the focus, also below open shadow roots. */
export async function findFocusedFrame(frame: Frame): Promise<Frame> {
	const focused = await frame.evaluateHandle(() => {
		let at = (globalThis as unknown as { readonly document: FocusRoot }).document.activeElement;
		for (let inner = at; inner; inner = inner.shadowRoot?.activeElement) at = inner;
		return at;
	});
	try {
		const inner = await focused.asElement()?.contentFrame();
		return inner ? await findFocusedFrame(inner) : frame;
	} finally {
		// The page may have gone, and its element with it.
		focused.dispose().catch(() => undefined);
	}
}

interface FocusRoot {
	readonly activeElement?: { readonly shadowRoot?: FocusRoot | null } | null;
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
