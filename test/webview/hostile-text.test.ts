/** Real Chromium with the extension's policy: whatever the model or a tool writes is shown and does nothing. */
import assert from 'node:assert/strict';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { AT } from './support/fake-thread.ts';
import { DANGEROUS, HOSTILE } from './support/hostile-markdown.ts';
import { useViews } from './support/suite.ts';

describe('webview: hostile text', function () {
	this.timeout(60_000);
	const views = useViews();

	it(`runs, requests and follows nothing for ${HOSTILE.length} payloads in answers, thinking, titles and outputs`, async () => {
		const { page, extension, offences } = await views.open({
			prepare(fake) {
				const thread = fake.addThread({ title: HOSTILE[0] ?? '' });
				fake.threadId = thread.id;
				for (const text of HOSTILE) {
					thread.say(text, `${text}\n\nafter`);
				}
			},
		});
		const thread = [...extension.threads.values()][0];
		assert.ok(thread);
		await page.getByRole('log').getByText('after').last().waitFor();
		while (await page.locator('.show-earlier').isVisible()) {
			await page.locator('.show-earlier').click();
		}
		const turnId = thread.begin('go');
		for (const text of HOSTILE) {
			thread.emit({
				type: 'item.start',
				item: {
					id: newId('itm'),
					turnId,
					at: AT,
					kind: 'tool',
					opId: newId('op'),
					tool: text,
					title: text,
					input: { text },
					status: 'failed',
					output: text,
					outputTruncated: true,
					error: { code: 'INTERNAL', message: text, facts: {} },
				},
			});
		}
		thread.emit({
			type: 'item.start',
			item: { id: newId('itm'), turnId, at: AT, kind: 'notice', level: 'error', text: HOSTILE.join('\n'), actions: [] },
		});
		await page.locator('.item.notice').waitFor();
		for (const all of ['.item.tool .disclosure', '.markdown .link']) {
			await page.locator(all).evaluateAll((each) => each.forEach((element) => (element as HTMLElement).click()));
		}
		assert.deepEqual(offences, []);
		assert.equal(await page.locator(DANGEROUS).count(), 0);
		const opened = extension.calls
			.filter(({ method }) => method === 'view/openLink')
			.map(({ params }) => new URL((params as { url: string }).url));
		assert.ok(opened.every(({ protocol, username }) => /^https?:$/.test(protocol) && username === ''));
	});

	it('shows the same text whether it came whole or one character at a time', async () => {
		const { page, extension, offences } = await views.open({
			prepare(fake) {
				fake.threadId = fake.addThread().id;
			},
		});
		const thread = [...extension.threads.values()][0];
		assert.ok(thread);
		await page.locator('.empty-state').waitFor();
		const turnId = thread.begin('stream');
		const id = thread.startText(turnId);
		for (const text of HOSTILE.slice(0, 25)) {
			for (const character of `${text}\n\n`) {
				thread.delta(id, character);
			}
		}
		thread.delta(id, '\n\nthe end');
		await page.getByRole('log').getByText('the end').waitFor();
		assert.deepEqual(offences, []);
		assert.equal(await page.locator(DANGEROUS).count(), 0);
	});

	it('shows what would hide or reorder the title of a card', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				fake.threadId = fake.addThread().id;
			},
		});
		const thread = [...extension.threads.values()][0];
		assert.ok(thread);
		await page.locator('.empty-state').waitFor();
		const item = {
			id: newId('itm'),
			turnId: thread.begin('go'),
			at: AT,
			kind: 'tool' as const,
			opId: newId('op'),
			tool: 'fs_read',
			title: 'Read \u202e\u2066\u200btxt.a',
			input: {},
			status: 'done' as const,
			output: '',
			outputTruncated: false,
		};
		thread.emit({ type: 'item.start', item });
		await page.getByText('Read \\u{202e}\\u{2066}\\u{200b}txt.a', { exact: true }).waitFor();
	});

	it('lays out of a long message, output and notice only what is in sight', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				fake.threadId = fake.addThread().id;
			},
		});
		const thread = [...extension.threads.values()][0];
		assert.ok(thread);
		await page.locator('.empty-state').waitFor();
		const text = 'a line\n'.repeat(40_000);
		const turnId = thread.begin(text);
		const at = { id: newId('itm'), turnId, at: AT };
		const call = { kind: 'tool' as const, opId: newId('op'), tool: 'fs_read', title: 'Read', input: {} };
		const item = { ...at, ...call, status: 'done' as const, output: text, outputTruncated: false };
		thread.emit({ type: 'item.start', item });
		thread.emit({
			type: 'item.start',
			item: { id: newId('itm'), turnId, at: AT, kind: 'notice', level: 'error', text, actions: [] },
		});
		await page.locator('.item.notice').waitFor();
		await page.locator('.item.tool .disclosure').evaluate((element) => (element as HTMLElement).click());
		await page.locator('.detail-part .text-piece').first().waitFor({ state: 'attached' });
		for (const place of ['.bubble', '.detail-part', '.notice-body']) {
			const pieces = page.locator(`${place} .text-piece`);
			const inSight = await pieces.evaluateAll(async (all) => {
				await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
				// A piece out of sight takes the height of 100 lines; one that is laid out has more than 1,000 lines.
				const isLaidOut = (piece: Element) => piece.getBoundingClientRect().height > 5_000;
				return { all: all.length, laidOut: all.filter(isLaidOut).length };
			});
			assert.ok(inSight.all > 30 && inSight.laidOut <= 3, `${place}: ${JSON.stringify(inSight)}`);
		}
		const shown = await page.locator('.bubble').evaluate((element) => element.textContent);
		assert.equal(shown, text);
	});

	it('asks for a link only on a click, and names its host before', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				const thread = fake.addThread();
				fake.threadId = thread.id;
				thread.say('q', 'see [the docs](https://example.com/a?b=1) and ![a picture](https://example.com/p.png)');
			},
		});
		const link = page.getByRole('link', { name: 'the docs' });
		await link.waitFor();
		assert.match((await link.getAttribute('title')) ?? '', /example\.com/);
		assert.deepEqual(
			extension.calls.filter(({ method }) => method === 'view/openLink'),
			[],
		);
		const called = extension.called('view/openLink');
		await link.press('Enter');
		assert.deepEqual((await called).params, { url: 'https://example.com/a?b=1' });
		assert.equal(await page.getByRole('link', { name: 'a picture' }).count(), 1);
	});
});
