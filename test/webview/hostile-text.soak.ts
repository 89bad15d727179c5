/** Every hostile text in every part of Markdown that can hold one, in real Chromium: scripts that ran, requests that were sent. */
import assert from 'node:assert/strict';
import { DANGEROUS, HOSTILE } from './support/hostile-markdown.ts';
import { useViews } from './support/suite.ts';

const indented = (text: string, by: string) => text.replaceAll(/^/gm, by);
const inOneLine = (text: string) => text.replaceAll('\n', ' ');

/** Where a model may put it. */
const places: Readonly<Record<string, (text: string) => string>> = {
	'by itself': (text) => text,
	'in a heading': (text) => `## ${inOneLine(text)}`,
	'in a quotation': (text) => indented(text, '> '),
	'in a list': (text) => `- one\n- ${inOneLine(text)}\n  - two`,
	'in a numbered list': (text) => `1. one\n2. ${inOneLine(text)}`,
	'in a table': (text) => `| a | b |\n| --- | --- |\n| ${inOneLine(text).replaceAll('|', '\\|')} | x |`,
	'in bold': (text) => `**${inOneLine(text)}**`,
	'struck out': (text) => `~~${inOneLine(text)}~~`,
	'as code': (text) => `\`${inOneLine(text)}\``,
	'in a block of code': (text) => `\`\`\`html\n${text}\n\`\`\``,
	'as the language of code': (text) => `\`\`\`${inOneLine(text)}\ncode\n\`\`\``,
	'as the words of a link': (text) => `[${inOneLine(text)}](https://example.org/)`,
	'as the title of a link': (text) => `[x](https://example.org/ "${inOneLine(text).replaceAll('"', '\\"')}")`,
	'as the address of a link': (text) => `[x](<${inOneLine(text)}>)`,
	'as the words of a picture': (text) => `![${inOneLine(text)}](https://evil.test/x.png)`,
	'as HTML around it': (text) => `<div>\n\n${text}\n\n</div>`,
};

describe('soak: hostile text in the chat', () => {
	const views = useViews();
	let tried = 0;
	const found = { scripts: 0, requests: 0 };

	after(() => {
		console.log(`      | texts | scripts run | requests sent |`);
		console.log(`      | ${tried} | ${found.scripts} | ${found.requests} |`);
	});

	for (const [place, put] of Object.entries(places)) {
		it(`runs nothing and asks for nothing: ${place}`, async () => {
			const { page, offences } = await views.open({
				prepare(fake) {
					const thread = fake.addThread();
					fake.threadId = thread.id;
					for (const text of HOSTILE) thread.say('q', `${put(text)}\n\nafter`);
				},
			});
			await page.getByRole('log').getByText('after').last().waitFor();
			while (await page.locator('.show-earlier').isVisible()) await page.locator('.show-earlier').click();
			tried += HOSTILE.length;
			found.requests += offences.filter((offence) => /^(?:request|navigation|popup)/.test(offence)).length;
			found.scripts += offences.filter((offence) => /^(?:dialog|policy)/.test(offence)).length;
			assert.deepEqual(offences, []);
			assert.equal(await page.locator(DANGEROUS).count(), 0);
		});
	}
});
