/** The question after text from outside: it names the text, and leads to its row. Drawn for somebody to look at: artifacts/outside-*.png. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { joinTextsWithCommas, text } from '../../src/protocol/text/text.ts';
import { describeText } from '../../src/contract/labels.ts';
import { approval } from './support/fake-extension.ts';
import { useViews } from './support/suite.ts';
import { THEME_NAMES } from './support/themes.ts';
import { showTheme, violations } from './support/violations.ts';
import { withThread } from './support/with-thread.ts';

const translations = JSON.parse(
	readFileSync(new URL('../../l10n/bundle.l10n.de.json', import.meta.url), 'utf8'),
) as Record<string, string>;
const artifacts = fileURLToPath(new URL('../../artifacts', import.meta.url));

const page = describeText({ source: 'web', name: 'pages.example.org', secrecy: 'public' });
const issue = describeText({ source: 'mcp', name: 'issues', secrecy: 'workspace' });
const read = [page, issue].map((said) => ({ said, opId: newId('op') }));
const asked = approval({
	op: 'http.request',
	title: 'POST https://api.example.org/reports',
	reason: text('The agent has read {texts}, and this sends something to {receivers}.', {
		texts: joinTextsWithCommas([page, issue]),
		receivers: 'api.example.org',
	}),
	detail: { kind: 'text', text: 'POST https://api.example.org/reports' },
	isReasonUsual: false,
	textsRead: read,
	pattern: 'http.request api.example.org after web:pages.example.org,mcp:issues',
});

describe('webview: the question after text from outside', function () {
	this.timeout(60_000);
	const views = useViews();
	before(() => mkdirSync(artifacts, { recursive: true }));

	const open = (width: number, strings: Readonly<Record<string, string>> = {}) =>
		views.open({
			width,
			height: 700,
			prepare(fake) {
				fake.strings = { ...strings };
				withThread.prepare(fake);
				fake.strings = { ...strings };
				fake.desk = { approvals: [asked], questions: [] };
			},
		});

	it('names each text, and opens the row of the one that is pressed', async () => {
		const { page: view, extension } = await open(300);
		const reason = view.locator('.dock[data-settled=true] .dock-reason');
		await reason.getByText('this sends something to api.example.org').waitFor();
		const shown = extension.called('view/showRecorded');
		await reason.getByRole('button', { name: 'text from the MCP server issues' }).click();
		assert.deepEqual((await shown).params, { opId: read[1]?.opId });
	});

	for (const width of [300, 700]) {
		it(`is whole and can be reached at ${width} px, in English and German`, async () => {
			for (const [language, strings] of [['en', {}] as const, ['de', translations] as const]) {
				const { page: view, close } = await open(width, strings);
				const links = view.locator('.dock[data-settled=true] .dock-reason .link-button');
				await links.first().waitFor();
				for (const link of await links.all()) {
					const box = await link.boundingBox();
					assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, `${language}: ${JSON.stringify(box)}`);
				}
				assert.deepEqual(await violations(view), []);
				for (const theme of THEME_NAMES) {
					await showTheme(view, theme);
					await view.screenshot({ path: join(artifacts, `outside-${width}-${language}-${theme}.png`) });
				}
				await close();
			}
		});
	}
});
