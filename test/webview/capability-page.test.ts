/** Real Chromium with the extension's policy: a page shows what it was told, and nothing of it is more than text. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { FormField, PageBlock, PageContent } from '../../src/protocol/pages/capability-page.ts';
import { waitFor } from '../support/wait-for.ts';
import { HOSTILE } from './support/hostile-markdown.ts';
import type { FakeExtension } from './support/fake-extension.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';

const DANGEROUS =
	'script:not([nonce]), iframe, img, form, object, embed, meta[http-equiv="refresh"], base, link[href*="evil"], style, video, audio, [onerror], [onload], a[href], svg script';

const code = (text: string) => ({ text, isCode: true });
const words = (text: string) => ({ text, isCode: false });

/** Returns a block of each kind, with the given text wherever authors write. */
function blocksOf(text: string): PageBlock[] {
	return [
		{ kind: 'note', text },
		{ kind: 'problem', severity: 'error', text },
		{ kind: 'problem', severity: 'warning', text, place: { path: 'capability.yaml', line: 3 } },
		{
			kind: 'facts',
			title: text,
			rows: [
				{ label: 'Words', value: words(text), canCopy: false },
				{ label: 'Hash', value: code(text), canCopy: true },
			],
		},
		{ kind: 'terms', title: 'Permissions', rows: [{ term: text, meaning: text, isRefused: true }], none: 'none' },
		{ kind: 'table', title: text, head: ['Name', text], rows: [[code(text), words(text)]] },
		{
			kind: 'files',
			title: text,
			rows: [
				{ path: `${text}/a`, size: '1 B', canOpen: true },
				{ path: text, size: '2 B', canOpen: false },
			],
			more: text,
		},
		{
			kind: 'approvals',
			groups: [
				{ title: text, rows: [{ id: text, what: text, exact: text, notes: [text], action: 'revoke', label: text }] },
			],
			none: text,
		},
		{
			kind: 'goals',
			goals: [
				{
					...{ id: text, title: text, state: 'failed', stateText: text, done: 1, notes: [text] },
					actions: [{ action: 'retry', label: text, on: text }],
					steps: [
						{ number: 1, text, state: 'done', stateText: text, after: [], notes: [text], actions: [] },
						{
							...{ number: 2, text, state: 'failed', stateText: text, after: [1], notes: [text] },
							actions: [{ action: 'retry', label: text, on: text }],
						},
					],
				},
			],
			none: text,
		},
		{
			kind: 'rows',
			groups: [
				{
					title: text,
					rows: [
						{
							...{ id: text, icon: text, what: text, state: text, isBad: true, notes: [text] },
							actions: [{ action: 'delete', label: text, on: text }],
						},
					],
				},
			],
			none: text,
			search: text,
		},
		{
			kind: 'form',
			title: text,
			fields: (['text', 'number', 'lines', 'code', 'yesNo', 'choice'] as const).map((type) => ({
				...{ name: `${type} ${text}`, description: text, type },
				...{ isRequired: type === 'lines', hint: text, value: type === 'yesNo' ? '' : text },
			})),
			button: text,
		},
		{
			kind: 'drawn',
			title: text,
			drawn: { view: 'places', rows: [{ place: { path: text }, text }], total: 1, facts: [{ name: text, text }] },
		},
		{ kind: 'code', title: text, text, language: 'json' },
		{ kind: 'readme', title: 'README', markdown: `${text}\n\nafter`, more: text },
	];
}

function pageOf(text: string, blocks = blocksOf(text)): PageContent {
	return {
		title: text,
		kicker: text,
		summary: text,
		actions: [
			{ action: 'run', label: text },
			{ action: 'trust', label: 'Not trusted', isOn: false },
		],
		blocks,
	};
}

describe('webview: a page about a capability', function () {
	this.timeout(60_000);
	const views = useViews();
	/** Opens a page with a form of these fields, all of them required and empty. `picked`: what is picked for one. */
	const openForm = (
		fields: readonly Pick<FormField, 'name' | 'type' | 'choices'>[],
		picked: FakeExtension['pickedForForm'] = { value: null, choices: [] },
		width = 420,
	) =>
		views.open({
			face: 'page',
			width,
			prepare(fake) {
				const empty = { description: '', hint: '', value: '', isRequired: true };
				const form: PageBlock = {
					kind: 'form',
					title: 'Inputs',
					fields: fields.map((field) => ({ ...empty, ...field })),
					button: 'Run',
				};
				fake.pickedForForm = picked;
				fake.shown = { ...fake.shown, content: pageOf('title', [form]) };
			},
		});

	it(`runs, requests and follows nothing for ${HOSTILE.length} payloads wherever others write`, async () => {
		const { page, extension, offences } = await views.open({
			face: 'page',
			prepare(fake) {
				const content = pageOf('title', HOSTILE.flatMap(blocksOf));
				fake.shown = { ...fake.shown, content };
			},
		});
		await page.getByText('after').last().waitFor();
		for (const link of await page.locator('.markdown .link').all()) {
			await link.click();
		}
		assert.deepEqual(offences, []);
		assert.equal(await page.locator(DANGEROUS).count(), 0);
		const opened = extension.calls
			.filter(({ method }) => method === 'page/openLink')
			.map(({ params }) => new URL((params as { url: string }).url));
		assert.ok(opened.every(({ protocol, username }) => /^https?:$/.test(protocol) && username === ''));
	});

	it('shows a README that is nested too deep as it was written, and all else as ever', async () => {
		const { page, offences } = await views.open({
			face: 'page',
			prepare(fake) {
				const markdown = `# Head\n\n${'>'.repeat(20_000)}\n\n${'> '.repeat(900)}deep\n\n- item`;
				fake.shown = { ...fake.shown, content: pageOf('deep', [{ kind: 'readme', title: 'README', markdown }]) };
			},
		});
		await page.getByText('item').waitFor();
		await page.getByRole('heading', { name: 'deep' }).waitFor();
		assert.deepEqual(offences, []);
	});

	it('says that it is being made, and shows what came of it, keeping its address for the next start', async () => {
		const { page, extension } = await views.open({ face: 'page' });
		await page.getByRole('status').getByText('Reading…').waitFor();
		extension.setPage(pageOf('made'));
		await page.getByRole('heading', { name: 'made', level: 1 }).waitFor();
		assert.equal(await page.getByText('Reading…').count(), 0);
		const state = await page.evaluate(() => sessionStorage.getItem('state'));
		assert.deepEqual(JSON.parse(state ?? ''), extension.shown.address);
	});

	it('asks for what it offers, its files, lines and links, and nothing else', async () => {
		const { page, extension } = await views.open({
			face: 'page',
			prepare(fake) {
				fake.shown = { ...fake.shown, content: pageOf('text') };
			},
		});
		await page.getByRole('switch', { name: 'Not trusted', checked: false }).press('Enter');
		await page.getByRole('button', { name: 'text/a' }).press('Enter');
		await page.locator('.page-problem.warning').getByRole('button').press('Enter');
		await page.getByRole('button', { name: 'Copy Hash' }).press('Enter');
		await extension.called('page/copy', 0);
		assert.deepEqual(extension.calls.slice(1), [
			{ method: 'page/act', params: { action: 'trust' } },
			{ method: 'page/openFile', params: { path: 'text/a' } },
			{ method: 'page/openFile', params: { path: 'capability.yaml', line: 3 } },
			{ method: 'page/copy', params: { text: 'text' } },
		]);
		assert.equal(await page.getByRole('button', { name: 'Insert' }).count(), 0);
	});

	it('leaves the focus where a person has put it, when its form comes and when a field of it is refused', async () => {
		const field = { description: '', hint: '', value: '', isRequired: true, type: 'text' } as const;
		const fields = ['one', 'two', 'three'].map((name) => ({ ...field, name }));
		const form: PageBlock = { kind: 'form', title: 'Inputs', fields, button: 'Run' };
		const { page, extension } = await views.open({
			face: 'page',
			prepare(fake) {
				fake.formProblems = { one: 'Wrong.', two: 'Wrong, too.' };
				fake.shown = { ...fake.shown, content: pageOf('title', []) };
			},
		});
		const hasFocus = (element: Locator) => element.evaluate((each) => each === document.activeElement);
		/** Longer than the page leaves between what it draws and what follows from it. */
		const drawn = () =>
			page.evaluate(async () => {
				for (let frames = 0; frames < 10; frames += 1) await new Promise(requestAnimationFrame);
			});
		const trust = page.getByRole('switch', { name: 'Not trusted' });
		await trust.focus();
		extension.setPage(pageOf('title', [form]));
		const [one, two, three] = ['one', 'two', 'three'].map((name) => page.getByRole('textbox', { name }));
		assert.ok(one && two && three);
		await one.waitFor();
		await drawn();
		assert.ok(await hasFocus(trust));
		await three.press('Enter');
		await one.and(page.locator(':focus')).waitFor();
		await two.fill('2');
		await page.getByText('Wrong, too.').waitFor({ state: 'detached' });
		await drawn();
		assert.ok(await hasFocus(two));
		extension.formProblems = { one: 'Still wrong.' };
		const answer = Promise.withResolvers<void>();
		extension.beforeSubmitted = answer.promise;
		const sent = extension.called('page/submit');
		await two.press('Enter');
		await sent;
		await three.focus();
		answer.resolve();
		await page.getByText('Still wrong.').waitFor();
		await drawn();
		assert.ok(await hasFocus(three));
	});

	it('sends what is typed into a form, and says beside each field what is wrong with it', async () => {
		const field = { description: '', hint: '', value: '' } as const;
		const form: PageBlock = {
			kind: 'form',
			title: 'Inputs',
			fields: [
				{ ...field, name: 'path', type: 'text', isRequired: true, description: 'A file', value: 'a.txt' },
				{ ...field, name: 'words', type: 'lines', isRequired: false },
				{ ...field, name: 'loud', type: 'yesNo', isRequired: false },
				{ ...field, name: 'form', type: 'choice', choices: ['short', 'long'], isRequired: true },
			],
			button: 'Run',
		};
		const { page, extension } = await views.open({
			face: 'page',
			prepare(fake) {
				fake.formProblems = { words: 'Too many.' };
				fake.shown = { ...fake.shown, content: pageOf('title', [form]) };
			},
		});
		const path = page.getByRole('textbox', { name: 'path' });
		const list = page.getByRole('group', { name: 'words optional' });
		const words = list.getByRole('textbox', { name: 'Entry 1' });
		await page.waitForFunction(() => document.activeElement?.matches('.form-control'));
		await path.fill('b.txt');
		await words.fill('one');
		await words.press('Enter');
		await list.getByRole('textbox', { name: 'Entry 2' }).and(page.locator(':focus')).pressSequentially('two');
		await page.getByRole('combobox', { name: 'loud optional' }).selectOption('Yes');
		const choice = page.getByRole('combobox', { name: 'form' });
		assert.deepEqual(await choice.locator('option').allInnerTexts(), ['Choose…', 'short', 'long']);
		await choice.selectOption('long');
		await path.press('Enter');
		await page.getByText('Too many.').waitFor();
		const sent = { path: 'b.txt', words: 'one\ntwo', loud: 'true', form: 'long' };
		assert.deepEqual(extension.calls.at(-1), { method: 'page/submit', params: { values: sent } });
		await words.and(page.locator(':focus')).waitFor();
		assert.deepEqual(await violations(page), []);
		extension.formProblems = {};
		await words.pressSequentially(' three');
		assert.equal(await page.getByText('Too many.').count(), 0);
		const before = extension.calls.length;
		await words.press('Control+Enter');
		await extension.called('page/submit', before);
	});

	it('takes lists as rows by the keyboard, each with its own problem, and sends them so that they are read back', async () => {
		const field = { description: '', hint: '', isRequired: false, type: 'lines' } as const;
		const form: PageBlock = {
			kind: 'form',
			title: 'Inputs',
			fields: [
				{ ...field, name: 'ports', entries: 'number', value: '80\nx' },
				{ ...field, name: 'tags', entries: 'string', value: '[" a","[b"]' },
				{ ...field, name: 'many', entries: 'string', value: Array.from({ length: 500 }, (_, n) => n).join('\n') },
			],
			button: 'Run',
		};
		const { page, extension } = await views.open({
			face: 'page',
			width: 320,
			prepare: (fake) => (fake.shown = { ...fake.shown, content: pageOf('title', [form]) }),
		});
		const ports = page.getByRole('group', { name: 'ports' });
		const tags = page.getByRole('group', { name: 'tags' });
		const row = (list: Locator, n: number) => list.getByRole('textbox', { name: `Entry ${n}`, exact: true });
		await ports.getByText('Enter a number, for example 12 or 0.5.').waitFor();
		assert.equal(await row(ports, 2).getAttribute('aria-invalid'), 'true');
		assert.equal(await row(ports, 1).getAttribute('aria-invalid'), null);
		await row(ports, 2).fill('443');
		assert.equal(await page.getByText('Enter a number').count(), 0);
		await row(tags, 2).press('Enter');
		await row(tags, 3).and(page.locator(':focus')).press('Backspace');
		await row(tags, 2).and(page.locator(':focus')).waitFor();
		await ports.getByRole('button', { name: 'Add an entry' }).press('Enter');
		await row(ports, 3).and(page.locator(':focus')).pressSequentially('22');
		await ports.getByRole('button', { name: 'Remove entry 1' }).press('Enter');
		// A list of very many entries is typed as lines.
		assert.equal(await page.getByRole('textbox', { name: 'many' }).count(), 1);
		assert.deepEqual(await violations(page), []);
		const sent = extension.called('page/submit');
		await row(ports, 1).press('Control+Enter');
		const { values } = (await sent).params as { values: Record<string, string> };
		assert.deepEqual([values['ports'], values['tags']], ['443\n22', '[" a","[b"]']);
	});

	it('gives the keyboard back to the form when its tab comes to the front again', async () => {
		const field = { name: 'path', description: '', hint: '', value: 'a.md', isRequired: true, type: 'text' } as const;
		const form: PageBlock = { kind: 'form', title: 'Inputs', fields: [field], button: 'Run' };
		const { page } = await views.open({
			face: 'page',
			prepare: (fake) => (fake.shown = { ...fake.shown, content: pageOf('title', [form]) }),
		});
		const path = page.getByRole('textbox', { name: 'path' });
		await path.and(page.locator(':focus')).waitFor();
		await path.evaluate((input: HTMLElement) => {
			input.blur();
			window.dispatchEvent(new Event('focus'));
		});
		await path.and(page.locator(':focus')).waitFor();
	});

	it('leaves the keyboard where it is when its window comes to the front again, and gives it the field that was picked for', async () => {
		const { page, extension } = await openForm(
			[
				{ name: 'path', type: 'text' },
				{ name: 'source', type: 'file' },
			],
			{ value: 'src/cart.ts', choices: [] },
		);
		// The dialog for the file has the keyboard meanwhile, and gives it back before the page has the answer.
		await page.evaluate(() => {
			document.addEventListener('click', () => window.dispatchEvent(new Event('focus')));
		});
		await page.getByRole('button', { name: 'Choose a file…' }).click();
		const source = page.getByRole('textbox', { name: 'source' });
		await source.and(page.locator(':focus')).waitFor();
		await source.press('Enter');
		await extension.called('page/submit', 0);
		await page.evaluate(() => window.dispatchEvent(new Event('focus')));
		await source.and(page.locator(':focus')).waitFor();
	});

	it('has a file or a new secret picked for a field, and never shows what the secret is', async () => {
		const { page, extension } = await openForm(
			[
				{ name: 'source', type: 'file' },
				{ name: 'key', type: 'secret', choices: ['github'] },
			],
			{ value: 'src/cart.ts', choices: [] },
			320,
		);
		await page.getByRole('button', { name: 'Choose a file…' }).click();
		const source = page.getByRole('textbox', { name: 'source' });
		await source.and(page.locator(':focus')).waitFor();
		assert.equal(await source.inputValue(), 'src/cart.ts');
		const key = page.getByRole('combobox', { name: 'key' });
		assert.deepEqual(await key.locator('option').allInnerTexts(), ['Choose…', 'github']);
		extension.pickedForForm = { value: 'npm', choices: ['github', 'npm'] };
		await page.getByRole('button', { name: 'Store a new secret…' }).click();
		await key.and(page.locator(':focus')).waitFor();
		assert.equal(await key.inputValue(), 'npm');
		extension.pickedForForm = { value: null, choices: [] };
		await page.getByRole('button', { name: 'Choose a file…' }).click();
		assert.deepEqual(await violations(page), []);
		await key.press('Enter');
		const { params } = await extension.called('page/submit', 0);
		assert.deepEqual(params, { values: { source: 'src/cart.ts', key: 'npm' } });
	});

	it('keeps what is typed into one field while another is picked for', async () => {
		const picked = Promise.withResolvers<{ value: string; choices: string[] }>();
		const { page, extension } = await openForm(
			[
				{ name: 'source', type: 'file' },
				{ name: 'words', type: 'text' },
			],
			picked.promise,
		);
		await page.getByRole('button', { name: 'Choose a file…' }).click();
		const words = page.getByRole('textbox', { name: 'words' });
		await words.fill('typed meanwhile');
		picked.resolve({ value: 'a.ts', choices: [] });
		await waitFor(
			'the file',
			async () => (await page.getByRole('textbox', { name: 'source' }).inputValue()) === 'a.ts',
		);
		assert.equal(await words.inputValue(), 'typed meanwhile');
		await words.press('Enter');
		const { params } = await extension.called('page/submit', 0);
		assert.deepEqual(params, { values: { source: 'a.ts', words: 'typed meanwhile' } });
	});

	it('has the keyboard in a new row of a list before the next key, also on a busy page', async () => {
		const { page } = await openForm([{ name: 'words', type: 'lines' }]);
		const first = page.getByRole('textbox', { name: 'Entry 1' });
		await first.fill('one');
		const focused = await first.evaluate(async (input: HTMLInputElement) => {
			input.value = 'one more';
			input.dispatchEvent(new Event('input', { bubbles: true }));
			// Drawn, and not yet painted.
			await Promise.resolve();
			input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
			await Promise.resolve();
			return document.activeElement?.getAttribute('aria-label');
		});
		assert.equal(focused, 'Entry 2');
		assert.equal(await first.inputValue(), 'one more');
	});

	it('hands over what is typed into a form, and closes on Cancel without sending it', async () => {
		const field = { description: '', hint: '', value: 'a', isRequired: true, type: 'text', name: 'path' } as const;
		const { page, extension } = await views.open({
			face: 'page',
			prepare(fake) {
				const form: PageBlock = { kind: 'form', title: 'Inputs', fields: [field], button: 'Run' };
				fake.shown = { ...fake.shown, content: pageOf('title', [form]) };
			},
		});
		const { of } = extension.shown.address;
		await page.getByRole('textbox', { name: 'path' }).fill('b.txt');
		await waitFor('the form to be handed over', () => extension.keptForms.length > 0);
		assert.deepEqual(extension.keptForms, [{ of, values: { path: 'b.txt' } }]);
		const before = extension.calls.length;
		await page.getByRole('button', { name: 'Cancel' }).press('Enter');
		await extension.called('page/leave', before);
		assert.equal(extension.calls.filter(({ method }) => method === 'page/submit').length, 0);
	});

	it('has no violation that axe finds', async () => {
		const { page } = await views.open({
			face: 'page',
			prepare(fake) {
				fake.shown = { ...fake.shown, content: pageOf('text') };
			},
		});
		await page.getByText('after').waitFor();
		assert.deepEqual(await violations(page), []);
	});
});
