/** Returns axe's findings on a page. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { bodyClasses, THEME_NAMES, type ThemeName } from './themes.ts';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/**
 * Options that leave out reports on passed rules and name nodes by their HTML: the reports and selectors take axe a
 * good part of its time.
 */
const needed = { resultTypes: ['violations'], selectors: false };
/** The rules whose findings depend on colours. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];

interface Violation {
	readonly id: string;
	readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

interface Axe {
	run(options: object): Promise<{ readonly violations: readonly Violation[] }>;
}

/** In every theme; what does not depend on colours is looked for in one of them. */
export async function violations(page: Page): Promise<string[]> {
	await page.evaluate(axeSource);
	const found: string[] = [];
	for (const [index, theme] of THEME_NAMES.entries()) {
		await showTheme(page, theme);
		const here = await run(page, index === 0 ? needed : { ...needed, runOnly: rulesOfColour });
		found.push(...here.map((violation) => `${theme}: ${violation}`));
	}
	return found;
}

/** In the theme that it is in; `colours`: only what depends on it. */
export async function axeFindings(page: Page, only: 'colours' | false = false): Promise<string[]> {
	await page.evaluate(axeSource);
	return await run(page, only === 'colours' ? { ...needed, runOnly: rulesOfColour } : needed);
}

function run(page: Page, options: object): Promise<string[]> {
	return page.evaluate(async (given) => {
		const { axe } = window as unknown as { readonly axe: Axe };
		const { violations: found } = await axe.run(given);
		return found.flatMap(({ id, nodes }) =>
			nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 240)}`),
		);
	}, options);
}

/** Switches the theme as the editor does when its user chooses another one. */
export async function showTheme(page: Page, theme: ThemeName): Promise<void> {
	await page.evaluate(
		async ({ theme, kind }) => {
			const sheet = document.querySelector<HTMLLinkElement>('link[href*="/theme.css"]');
			if (sheet === null) throw new Error('the page has no theme');
			const href = `/theme.css?theme=${theme}`;
			if (sheet.getAttribute('href') !== href) {
				await new Promise((resolve, reject) => {
					sheet.addEventListener('load', resolve, { once: true });
					sheet.addEventListener('error', reject, { once: true });
					sheet.href = href;
				});
			}
			document.body.className = kind;
		},
		{ theme, kind: bodyClasses[theme] },
	);
}
