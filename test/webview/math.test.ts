/** Formulas: loaded with the first one, drawn as MathML, and nothing of what a model may put into them. */
import assert from 'node:assert/strict';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

const BUNDLE = '/webview-math.js';

describe('webview: formulas', function () {
	this.timeout(30_000);
	const views = useViews();

	async function opened() {
		const view = await views.open(withThread);
		await view.page.getByText('The first answer').waitFor();
		const asked = () => view.requests.filter((path) => path === BUNDLE).length;
		return { ...view, thread: only(view.extension), asked };
	}

	it('cost nothing where there is none', async () => {
		const { page, thread, asked, offences } = await opened();
		thread.say('prices', 'From $5 to $10.');
		await page.getByText('From $5 to $10.', { exact: true }).waitFor();
		assert.equal(asked(), 0);
		assert.deepEqual(offences, []);
	});

	it('that say anything else than mathematics, or too much of it, stay the text that they are', async () => {
		const { page, thread, offences } = await opened();
		const hostile = [
			'\\href{javascript:alert(1)}{go}',
			'\\htmlStyle{position:fixed;inset:0}{over}',
			'\\includegraphics{https://evil.test/a.png}',
			'\\text{<img src=https://evil.test/b.png onerror=alert(1)>}',
			'\\unicode{x} </math><script>alert(1)</script>',
			'\\def\\x{\\x\\x}\\x',
			`${'{'.repeat(190)}x${'}'.repeat(190)}`,
			'\\rule{400em}{400em}',
			'\\kern-400em \\raisebox{-400em}{Allow once}',
		];
		thread.say('hostile', `${hostile.map((tex) => `$$${tex}$$`).join('\n\n')}\n\nThe end, $x$.`);
		await page.locator('.math math').last().getByText('x').waitFor();
		assert.equal(await page.locator('.markdown :is(a, img, script, [style], [href], [src])').count(), 0);
		const frame = await page.locator('.transcript').boundingBox();
		for (const box of await page.locator('.math').all()) {
			const { x, width } = (await box.boundingBox()) ?? assert.fail();
			assert.ok(frame !== null && x >= frame.x && x + width <= frame.x + frame.width, `${x}, ${width}`);
		}
		assert.deepEqual(offences, []);
	});

	it('are drawn in a line and as a block, also while the answer grows, and are read by all', async () => {
		const { page, thread, asked, offences } = await opened();
		const turnId = thread.begin('energy');
		const item = thread.startText(turnId, 'With $E = mc^2$ and\n\n$$\n\\sum_{i=1}^n i\n= \\frac{n(n+1)}{2}\n');
		await page.locator('.math:not(.display) math msup').waitFor();
		assert.equal(await page.locator('.math.display').count(), 0);
		thread.delta(item, '$$\n\nit ends.');
		thread.end(turnId);
		await page.locator('.math.display math[display=block] mfrac').waitFor();
		const height = (selector: string) =>
			page.locator(selector).evaluate((element) => element.getBoundingClientRect().height);
		assert.ok((await height('.math.display mfrac')) > 1.5 * (await height('.math:not(.display) math')));
		assert.equal(asked(), 1);
		assert.deepEqual(await violations(page), []);
		assert.deepEqual(offences, []);
	});
});
