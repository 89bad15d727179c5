/** The chat as a person sees and uses it: what is found here is on the screen, what is done here is a key or a click. */

import type { FrameLocator, Locator } from 'playwright-core';
import { waitFor } from '../../support/wait-for.ts';
import type { EditorWindow } from './workbench.ts';

export interface Chat {
	readonly view: FrameLocator;
	/** The field for the message. */
	readonly input: Locator;
	/** The open approval. */
	readonly dock: Locator;
	readonly answers: Locator;
	readonly notices: Locator;
	/** Opens the chat from the palette and gives it the keyboard. */
	focus(): Promise<void>;
	newThread(): Promise<void>;
	/** Chooses the mode of the thread from its menu. */
	chooseMode(mode: 'Agent' | 'Ask' | 'Plan'): Promise<void>;
	/** Types the message and sends it with Enter. */
	ask(text: string): Promise<void>;
	/** The card of a tool call, by the beginning of its title. */
	card(title: string): Locator;
	/** Opens what is behind the card or strip. */
	unfold(disclosure: Locator): Promise<void>;
	/** Waits until the approval of this title can be answered. */
	asked(title: string): Promise<Locator>;
	/** Answers the approval of this title with one key. */
	press(title: string, key: '1' | '2' | '3' | '4' | '9'): Promise<void>;
	/** Confirms in the dialog of the editor that the answer is stored. */
	confirmKept(): Promise<void>;
	/** Waits until nothing runs any more and something was answered. */
	rested(): Promise<void>;
	/** Returns the items that the thread shows, one line for each. */
	transcript(): Promise<string[]>;
}

export function chatIn(window: EditorWindow): Chat {
	const view = window.webview();
	const input = view.getByRole('textbox', { name: 'Message' });
	const dock = view.getByRole('group', { name: 'Approval' });
	const asked = async (title: string) => {
		const open = dock.filter({ has: view.getByTitle(title, { exact: true }) });
		await open.and(view.locator('[data-settled="true"]')).waitFor();
		return open;
	};
	return {
		view,
		input,
		dock,
		answers: view.locator('article.assistant'),
		notices: view.locator('.item.notice'),
		async focus() {
			await window.runCommand('Prowess: Focus Chat');
			await waitFor(
				'the keyboard in the chat',
				() => input.evaluate((field) => field.matches(':focus') && document.hasFocus()),
				20_000,
			);
		},
		async newThread() {
			await view.getByRole('button', { name: 'New thread', exact: true }).last().click();
			await view.locator('.empty-state').waitFor();
		},
		async chooseMode(mode) {
			const button = view.getByRole('button', { name: /^Mode: / });
			await button.click();
			await view.getByRole('menuitemradio', { name: new RegExp(`^${mode}`) }).click();
			await view.getByRole('button', { name: `Mode: ${mode}` }).waitFor();
		},
		async ask(text) {
			await input.fill(text);
			await input.press('Enter');
			await view.locator('.item.user .bubble', { hasText: text }).last().waitFor();
		},
		card: (title) =>
			view
				.locator('.item.tool')
				.filter({ has: view.locator('.card-title', { hasText: new RegExp(`^${escape(title)}`) }) }),
		async unfold(disclosure) {
			const button = disclosure.locator('.disclosure').first();
			if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
		},
		asked,
		async press(title, key) {
			const open = await asked(title);
			await open.focus();
			await open.press(key);
		},
		async confirmKept() {
			const dialog = window.page.locator('.monaco-dialog-box', { hasText: 'Always allow' });
			await dialog.getByRole('button', { name: 'Always Allow' }).click();
			await dialog.waitFor({ state: 'detached' });
		},
		async rested() {
			// While a turn runs, a line that says so comes last.
			await view.locator('.transcript-content > :is(.item:not(.user), .turn-record):last-child').waitFor();
			await view.getByRole('button', { name: 'Send', exact: true }).waitFor();
		},
		transcript: () => view.locator('.transcript-content .item').evaluateAll(describeItems),
	};
}

/** Runs in the page. */
function describeItems(items: readonly Element[]): string[] {
	const text = (item: Element, selector: string) => item.querySelector(selector)?.textContent?.trim() ?? '';
	return items.map((item) => {
		const [, kind = '', status = ''] = item.classList;
		switch (kind) {
			case 'user':
				return `user: ${text(item, '.bubble')}`;
			case 'assistant':
				return `text: ${(item.textContent ?? '').trim()}`;
			case 'tool':
				return `tool ${status}: ${text(item, '.card-title')}`;
			case 'notice':
				return `${status}: ${item.querySelector('p')?.lastChild?.textContent?.trim() ?? ''}`;
			default:
				return kind;
		}
	});
}

function escape(text: string): string {
	return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
