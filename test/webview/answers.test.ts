/** What waits for the user: approvals, questions, changed files. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Approval } from '../../src/protocol/approvals.ts';
import { newId } from '../../src/protocol/ids.ts';
import { text } from '../../src/protocol/text.ts';
import { approval } from './support/fake-extension.ts';
import { AT } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: answers', function () {
	this.timeout(30_000);
	const views = useViews();

	it('says how far an answer for the thread reaches in the language of the reader', async () => {
		const { page } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.strings = { 'this exact command': 'genau dieser Befehl' };
				fake.desk = { approvals: [approval({})], questions: [] };
			},
		});
		const forThread = page.locator('.dock.approval').getByRole('button', { name: 'Allow for this thread' });
		assert.equal(await forThread.getAttribute('title'), 'genau dieser Befehl');
	});

	it('answers approvals by keyboard, one after the other, and gives the focus back', async () => {
		const detail = { kind: 'path', path: 'a.ts' } as const;
		const first = approval({ title: 'First', detail });
		const second = approval({ title: 'Second', detail, threadScope: null, pattern: null });
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [first, second], questions: [] };
			},
		});
		const dock = page.locator('.dock.approval');
		await dock.and(page.locator('[data-settled=true]')).waitFor();
		const forThread = dock.getByRole('button', { name: 'Allow for this thread' });
		assert.equal(await forThread.getAttribute('title'), 'this exact command');
		await page.locator('.composer-field').focus();
		await page.keyboard.press('1');
		assert.deepEqual(
			extension.calls.filter(({ method }) => method === 'desk/approve'),
			[],
		);
		await page.locator('.composer-field').fill('');
		await dock.getByRole('button', { name: 'Deny', exact: true }).focus();
		const allowed = extension.called('desk/approve');
		await page.keyboard.press('3');
		assert.deepEqual((await allowed).params, { id: first.id, answer: { kind: 'project' } });
		await dock.getByRole('heading', { name: 'Second' }).waitFor();
		await page.locator('.dock[data-settled=true]').waitFor();
		assert.deepEqual(await dock.getByRole('button').allInnerTexts(), ['1Allow once', '4Deny', 'Deny with a reason…']);
		await page.keyboard.press('2');
		await page.keyboard.press('3');
		const denied = extension.called('desk/approve');
		await page.keyboard.press('Escape');
		assert.deepEqual((await denied).params, { id: second.id, answer: { kind: 'deny' } });
		await dock.waitFor({ state: 'detached' });
		await page.locator('.composer-field:focus').waitFor();
	});

	it('takes no click that was meant for the question before, however often it comes', async () => {
		const [first, second] = [approval({ title: 'First' }), approval({ title: 'Second' })];
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [first, second], questions: [] };
			},
		});
		await page.locator('.dock[data-settled=true]').waitFor();
		const once = page.getByRole('button', { name: 'Allow once' });
		await once.click();
		await page.locator('.queue-count').waitFor({ state: 'detached' });
		// A hand in a hurry, for longer than the moment lasts.
		await once.evaluate(async (button) => {
			for (let clicks = 0; clicks < 8; clicks += 1) {
				(button as HTMLButtonElement).click();
				await new Promise((resolve) => setTimeout(resolve, 200));
			}
		});
		assert.equal(extension.desk.approvals.length, 1);
		await page.locator('.dock[data-settled=true]').waitFor();
		await once.click();
		await page.locator('.dock').waitFor({ state: 'detached' });
	});

	it('names the rule on its button, and keeps "in all projects" apart', async () => {
		const asked = approval();
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [asked], questions: [] };
			},
		});
		await page.locator('.dock[data-settled=true]').waitFor();
		await page.getByRole('button', { name: 'Always allow npm test in this project' }).waitFor();
		const allowed = extension.called('desk/approve');
		await page.getByRole('button', { name: 'Always allow npm test in all projects' }).click();
		assert.deepEqual((await allowed).params, { id: asked.id, answer: { kind: 'always' } });
	});

	it('shows a command once, as it would be typed, and copies it', async () => {
		const argv = ['git', 'log', '--author=x y', "it's", ''];
		const chain = [{ join: '|' as const, argv: ['grep', '|'] }];
		const asked = approval({ title: 'Run git log', detail: { kind: 'command', argv, chain, cwd: '.' } });
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [asked], questions: [] };
			},
		});
		const dock = page.locator('.dock[data-settled=true]');
		await dock.waitFor();
		const line = `git log '--author=x y' 'it'\\''s' '' | grep '|'`;
		assert.equal(await dock.locator('.command-line code').textContent(), `$ ${line}`);
		assert.equal((await dock.innerText()).split('git').length, 2);
		assert.equal(await dock.locator('.cwd').count(), 0);
		const copied = extension.called('view/copy');
		await dock.getByRole('button', { name: 'Copy command' }).click();
		assert.deepEqual((await copied).params, { text: line });
	});

	for (const [place, width, height] of [
		['a side bar of 255 pixels', 255, 700],
		['a panel at its default height', 900, 240],
		['a zoom of 200 %', 300, 290],
	] as const) {
		it(`keeps yes, no and what is asked in sight in ${place}`, async () => {
			const patch = `@@ -1,60 +1,60 @@\n${' a line\n'.repeat(60)}-old\n+new\n`;
			const diff = { path: 'src/add.ts', created: false, added: 1, removed: 1, patch };
			const long = ['node', ...Array.from({ length: 80 }, (_, index) => `--option-${index}=value`)];
			const details = [
				{ kind: 'command', argv: ['npm', 'test'], cwd: '.' },
				{ kind: 'command', argv: long, cwd: 'packages/app' },
				{ kind: 'diff', diff },
			] as const;
			for (const detail of details) {
				const asked = approval({ detail: structuredClone(detail) as Approval['detail'] });
				const { page, extension } = await views.open({
					width,
					height,
					prepare(fake) {
						withThread.prepare(fake);
						fake.desk = { approvals: [asked], questions: [] };
						fake.changes = [{ path: 'a.ts', kind: 'modified', added: 1, removed: 1, touchedSince: false }];
					},
				});
				const dock = page.locator('.dock[data-settled=true]');
				await dock.waitFor();
				const inSight = (selector: Locator) =>
					selector.evaluate((element) => {
						const { top, bottom, left, right } = element.getBoundingClientRect();
						const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
						const isHit = hit !== null && (element.contains(hit) || hit.contains(element));
						return isHit && top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
					});
				const yes = dock.getByRole('button', { name: 'Allow once' });
				const no = dock.getByRole('button', { name: 'Deny', exact: true });
				assert.ok(await inSight(yes), `${detail.kind}: yes`);
				assert.ok(await inSight(no), `${detail.kind}: no`);
				assert.ok(await inSight(page.locator('.composer-field')), `${detail.kind}: the input`);
				const shown = await dock.locator('.dock-scroll').evaluate((element) => element.clientHeight);
				assert.ok(shown >= 30, `${detail.kind}: ${shown} pixels of what is asked`);
				await dock.getByRole('button', { name: 'More' }).click();
				const project = dock.getByRole('button', { name: /in this project/ });
				await project.scrollIntoViewIfNeeded();
				assert.ok(await inSight(project), `${detail.kind}: always`);
				const allowed = extension.called('desk/approve');
				await project.click();
				assert.deepEqual((await allowed).params, { id: asked.id, answer: { kind: 'project' } });
			}
		});
	}

	it('shows names of files as they are', async () => {
		const reason = text('"{path}" usually holds secrets.', { path: '.env' });
		const asked = approval({ reason, detail: { kind: 'path', path: '.env' } });
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [asked], questions: [] };
			},
		});
		const shown = (selector: string) => page.locator(selector).innerText();
		await page.locator('.dock').waitFor();
		assert.equal(await shown('.dock-reason'), '".env" usually holds secrets.');
		const styles = await page.evaluate(() =>
			['.dock-reason', '.dock-head h2', '.detail-path'].map((selector) => {
				const element = document.querySelector(selector) ?? document.body;
				return [getComputedStyle(element).textTransform, getComputedStyle(element, '::first-letter').textTransform];
			}),
		);
		assert.deepEqual(new Set(styles.flat()), new Set(['none']));
		assert.equal(extension.desk.approvals.length, 1);
	});

	it('shows the exact argument vector, and denies with a reason', async () => {
		const asked = approval({ detail: { kind: 'command', argv: ['sh', '-c', 'a  &&\nb \\u{202e}'], cwd: '/w' } });
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [asked], questions: [] };
			},
		});
		await page.locator('.dock[data-settled=true]').waitFor();
		await page.getByRole('button', { name: 'Arguments' }).click();
		assert.deepEqual(await page.locator('.argv code').allTextContents(), ['sh', '-c', 'a  &&\nb \\u{202e}']);
		await page.getByRole('button', { name: 'Deny with a reason…' }).click();
		const denied = extension.called('desk/approve');
		await page.keyboard.type('use 1 make');
		await page.keyboard.press('Enter');
		assert.deepEqual((await denied).params, { id: asked.id, answer: { kind: 'deny', reason: 'use 1 make' } });
	});

	it('shows every command of a chain on its own, with what joins them', async () => {
		const chain = [
			{ join: '|' as const, argv: ['wc', '-l'] },
			{ join: '&&' as const, argv: ['make', 'a b'] },
		];
		const asked = approval({ detail: { kind: 'command', argv: ['ls'], chain, cwd: '.' } });
		const { page } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [asked], questions: [] };
			},
		});
		await page.locator('.dock[data-settled=true]').waitFor();
		assert.equal(await page.locator('.command-line code').textContent(), "$ ls | wc -l && make 'a b'");
		await page.getByRole('button', { name: 'Arguments' }).click();
		const shown = await page.locator('.argv li, .join').allTextContents();
		assert.deepEqual(shown, ['ls', '| piped into', 'wc', '-l', '&& then, if that succeeds', 'make', 'a b']);
	});

	it('says whether a command is sandboxed, and names each right that it needs beyond its sandbox', async () => {
		const needs = { network: ['registry.npmjs.org'], write: ['/home/me/.npmrc'], noSandbox: true };
		const command = { kind: 'command' as const, argv: ['npm', 'ci'], cwd: '.' };
		const asked = [
			approval({ detail: { ...command, sandboxed: false, needs } }),
			approval({ detail: { ...command, sandboxed: true } }),
		];
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: asked.slice(0, 1), questions: [] };
			},
		});
		const dock = page.locator('.dock[data-settled=true]');
		await dock.waitFor();
		assert.equal(await dock.locator('.sandbox').textContent(), 'Not sandboxed');
		assert.deepEqual(await dock.locator('.needs li').allTextContents(), [
			'Run outside the sandbox',
			'Connect to registry.npmjs.org',
			'Change /home/me/.npmrc',
		]);
		extension.setDesk({ approvals: asked.slice(1) });
		await dock.getByText('Sandboxed', { exact: true }).waitFor();
		assert.equal(await dock.locator('.needs').count(), 0);
	});

	it('tells a screen reader that an approval waits', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		extension.setDesk({ approvals: [approval()] });
		await page
			.locator('[aria-live=assertive]')
			.filter({ hasText: 'Approval needed: Run npm test' })
			.waitFor({ state: 'attached' });
	});

	it('replies to a question with an option or in own words', async () => {
		const question = {
			id: newId('ask'),
			opId: newId('op'),
			threadId: null,
			question: 'Which one?',
			options: ['left', 'right'],
			askedAt: AT,
			expiresAt: AT,
		};
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = {
					approvals: [],
					questions: [question, { ...question, id: newId('ask'), question: 'And then?', options: [] }],
				};
			},
		});
		const first = extension.called('desk/reply');
		await page.getByRole('button', { name: 'right' }).click();
		assert.deepEqual((await first).params, { id: question.id, answer: 'right' });
		await page.getByRole('heading', { name: 'And then?' }).waitFor();
		const second = extension.called('desk/reply');
		await page.getByLabel('Your answer').fill('home');
		await page.keyboard.press('Enter');
		assert.equal(((await second).params as { answer: string }).answer, 'home');
	});

	it('undoes what somebody else changed only after a second question', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		extension.setChanges(only(extension).id, [
			{ path: 'a.ts', kind: 'modified', added: 1, removed: 1, touchedSince: false },
			{ path: 'b.ts', kind: 'modified', added: 1, removed: 1, touchedSince: true },
		]);
		await page.getByRole('button', { name: 'Undo all' }).click();
		await page.getByRole('button', { name: 'Yes' }).click();
		await page.getByRole('alert').filter({ hasText: 'b.ts' }).waitFor();
		assert.deepEqual(
			extension.changes.map(({ path }) => path),
			['b.ts'],
		);
		await page.getByRole('button', { name: 'Undo anyway' }).click();
		await page.locator('.changes').waitFor({ state: 'detached' });
	});
});
