/**
 * Reads the chat as a screen reader does, from the accessibility tree: each part has a role and a name, they come in the
 * order in which they are seen and reached by Tab, and a change is announced once.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { listNameless } from '../support/nameless-parts.ts';
import { dangerous } from './support/dangerous-approval.ts';
import { approval, type FakeExtension, HERE } from './support/fake-extension.ts';
import { AT } from './support/fake-thread.ts';
import { showcase } from './support/showcase.ts';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';

/** Parts that can be reached by Tab and are not where their place in the tree says: left to right, then downwards. */
async function listMisplaced(page: Page): Promise<readonly string[]> {
	return page.evaluate(() => {
		const sections = [...document.querySelectorAll('main > *, main .bottom > *')].filter(
			(each) => each instanceof HTMLElement && each.offsetHeight > 1 && getComputedStyle(each).position !== 'absolute',
		);
		const wrong: string[] = [];
		for (const each of document.querySelectorAll<HTMLElement>('main [tabindex]')) {
			if (each.tabIndex > 0) wrong.push(`tabindex ${each.tabIndex}: ${each.outerHTML.slice(0, 80)}`);
		}
		for (const parent of new Set(sections.map((each) => each.parentElement))) {
			const tops = sections
				.filter((each) => each.parentElement === parent)
				.map((each) => each.getBoundingClientRect().top);
			if (tops.some((top, index) => top < (tops[index - 1] ?? top) - 1))
				wrong.push(`${parent?.className}: ${tops.join(', ')}`);
		}
		return wrong;
	});
}

/** Notes from now on what the live regions say. */
async function listen(page: Page): Promise<() => Promise<readonly string[]>> {
	await page.evaluate(() => {
		const said: string[] = [];
		Object.assign(window, { said });
		const live = '[aria-live]:not([aria-live=off]), [role=status]:not([aria-live]), [role=alert]:not([aria-live])';
		new MutationObserver((changes) => {
			for (const { target } of changes) {
				const region = (target instanceof Element ? target : target.parentElement)?.closest(live);
				const words = region?.textContent.trim() ?? '';
				if (words !== '' && words !== said.at(-1)) said.push(words);
			}
		}).observe(document.body, { childList: true, characterData: true, subtree: true });
	});
	return () => page.evaluate(() => (window as unknown as { readonly said: readonly string[] }).said);
}

const question = { id: newId('ask'), opId: newId('op'), threadId: HERE, askedAt: AT, expiresAt: AT };

interface Face {
	readonly what: string;
	prepare(fake: FakeExtension): void;
	/** Parts of the tree, in their order. */
	readonly parts: readonly string[];
	/** A selector of what must be there first. */
	readonly shown: string;
}

const faces: readonly Face[] = [
	{
		what: 'the start page',
		prepare: (fake) => void fake.addThread({ title: 'Fix the tax' }),
		shown: '.recent',
		parts: ['heading "Prowess"', 'list "Suggested tasks"', 'region "Recent threads"', 'textbox'],
	},
	{
		what: 'a thread without a model',
		prepare(fake) {
			fake.models = fake.models.slice(0, 1);
			withThread.prepare(fake);
		},
		shown: 'article.assistant',
		parts: ['log', 'hello', 'The first answer', 'textbox'],
	},
	{
		what: 'a finished turn with changed files',
		prepare: (fake) => void showcase(fake, false),
		shown: '.strip.changes',
		parts: ['log', 'What was wrong', 'region "Changed files"', 'textbox'],
	},
	{
		what: 'several approvals',
		prepare: (fake) => void showcase(fake),
		shown: '.dock.approval[data-settled=true]',
		parts: ['log', 'group "Approvals"', 'button "Allow all shown', 'textbox'],
	},
	{
		what: 'a dangerous command',
		prepare(fake) {
			showcase(fake);
			fake.desk = { approvals: [approval(dangerous)], questions: [] };
		},
		shown: '.dock.dangerous[data-settled=true]',
		parts: [
			'log',
			'group "Approval"',
			'heading "Run this command?"',
			'Runs as administrator',
			'button "Deny',
			'textbox',
		],
	},
	{
		what: 'a question of the agent',
		prepare(fake) {
			withThread.prepare(fake);
			fake.desk = { approvals: [], questions: [{ ...question, question: 'Which one?', options: ['this', 'that'] }] };
		},
		shown: '.dock.question',
		parts: ['log', 'Which one?', 'button "this', 'button "that', 'textbox'],
	},
	{
		what: 'a folder that is not trusted',
		prepare(fake) {
			withThread.prepare(fake);
			fake.workspace = { trusted: false, folders: ['/srv/sample'], isSample: false };
		},
		shown: '.banner',
		parts: ['This workspace is not trusted', 'button "Manage trust', 'log', 'textbox'],
	},
	{
		what: 'a server that keeps ending',
		prepare(fake) {
			withThread.prepare(fake);
			fake.server = { kind: 'degraded', reason: 'it ended' };
		},
		shown: '.banner',
		parts: ['button', 'log', 'textbox'],
	},
	{
		what: 'a thread that another window works in',
		prepare(fake) {
			withThread.prepare(fake);
			only(fake).beginElsewhere('Tell me');
		},
		shown: '.banner.held',
		parts: ['log', 'Another window is working in this thread.', 'button "Take over"', 'textbox'],
	},
];

/** Stands in every translated text, and in nothing else. */
const MARK = '⟦';

const english = JSON.parse(readFileSync(new URL('../../l10n/bundle.l10n.json', import.meta.url), 'utf8')) as Readonly<
	Record<string, string>
>;

const translated = Object.fromEntries(Object.keys(english).map((key) => [key, `${MARK}${key}⟧`]));

/** Texts of the page: written, only heard, or shown to who points at them. */
async function listTexts(page: Page): Promise<readonly string[]> {
	return page.evaluate(() => {
		const found = new Set<string>();
		const add = (words: string | null) => {
			if (words !== null && /[a-z]{2}/i.test(words)) found.add(words.trim());
		};
		const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
		for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) add(node.textContent);
		for (const each of document.querySelectorAll('main, main *')) {
			for (const name of ['title', 'aria-label', 'placeholder', 'aria-description', 'aria-roledescription', 'alt']) {
				add(each.getAttribute(name));
			}
		}
		return [...found];
	});
}

/** Every text in `value`, at any depth. */
function listStrings(value: unknown): readonly string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listStrings) : [];
}

describe('webview: what a screen reader says', function () {
	this.timeout(60_000);
	const views = useViews();

	for (const { what, prepare, shown, parts } of faces) {
		it(`of ${what} has a name for each part, in the order in which they are seen`, async () => {
			const { page } = await views.open({ prepare });
			await page.locator(shown).first().waitFor();
			// The conversation is loaded behind a banner.
			if (parts.includes('log')) await page.getByRole('log').waitFor();
			const tree = await page.locator('main').ariaSnapshot();
			assert.deepEqual(listNameless(tree), []);
			assert.deepEqual(await listMisplaced(page), []);
			const places = parts.map((part) => tree.indexOf(part));
			assert.ok(!places.includes(-1), `${parts.filter((part) => !tree.includes(part)).join()} in\n${tree}`);
			assert.deepEqual(
				places,
				places.toSorted((one, other) => one - other),
				tree,
			);
		});
	}

	for (const { what, prepare, shown, parts } of faces) {
		it(`of ${what} is in the language of the reader, as all that is seen, but for what the thread holds`, async () => {
			const { page, extension } = await views.open({
				prepare(fake) {
					prepare(fake);
					fake.strings = translated;
				},
			});
			await page.locator(shown).first().waitFor();
			await page.getByText(MARK).first().waitFor();
			if (parts.includes('log')) await page.getByRole('log').waitFor();
			const { threads, desk, models, changes, tasks, workspace, server } = extension;
			const held = listStrings([[...threads.values()].map(({ snapshot }) => snapshot), desk, models, changes]);
			const given = [...held, ...listStrings([tasks, workspace, server])].join('\n');
			const untranslated = (await listTexts(page)).filter((each) => !each.includes(MARK));
			// The headings of a table are its name, joined.
			const ours = untranslated.filter((each) => !each.split(', ').every((part) => given.includes(part)));
			assert.deepEqual(ours, []);
		});
	}

	for (const [what, change, expected] of [
		[
			'an approval',
			(fake: FakeExtension) => fake.setDesk({ approvals: [approval({ title: 'Run npm test' })] }),
			/^Approval needed: Run npm test/,
		],
		[
			'several approvals of one answer',
			(fake: FakeExtension) =>
				fake.setDesk({ approvals: [approval({ title: 'Run npm test' }), approval({ title: 'Run tsc' })] }),
			/^2 approvals needed: Run npm test; Run tsc$/,
		],
		[
			'a question',
			(fake: FakeExtension) => fake.setDesk({ questions: [{ ...question, question: 'Which one?', options: [] }] }),
			/^The agent asks: Which one\?$/,
		],
	] as const) {
		it(`of ${what} is one announcement`, async () => {
			const { page, extension } = await views.open(withThread);
			await page.getByRole('log').getByText('The first answer').waitFor();
			const said = await listen(page);
			change(extension);
			await page.locator('.dock').waitFor();
			await page.locator('[aria-live=assertive]').filter({ hasText: expected }).waitFor({ state: 'attached' });
			const words = await said();
			assert.equal(words.length, 1, words.join(' | '));
			assert.match(words[0] ?? '', expected);
		});
	}

	it('of a turn is its beginning and its end, and nothing of the words that stream meanwhile', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		const said = await listen(page);
		const thread = only(extension);
		const turnId = thread.begin('And now?');
		const id = thread.startText(turnId);
		for (const word of ['All ', 'of ', 'it ', 'is ', '**done**.']) thread.delta(id, word);
		await page.getByRole('log').getByText('All of it is done.').waitFor();
		thread.emit({ type: 'item.end', itemId: id });
		thread.end(turnId);
		await page.locator('[aria-live=polite]').filter({ hasText: 'Done: All of it' }).waitFor({ state: 'attached' });
		assert.deepEqual(await said(), ['The agent is working', 'Done: All of it is done.']);
	});
});
