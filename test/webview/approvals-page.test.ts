/** Real Chromium with the extension's policy: the page of approvals is searched, revoked by key and by click, and told of changes. */
import assert from 'node:assert/strict';
import type { PageBlock, PageContent } from '../../src/protocol/pages/capability-page.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';

type Groups = Extract<PageBlock, { kind: 'approvals' }>['groups'];

const row = (id: string, what: string, exact?: string): Groups[number]['rows'][number] => ({
	id,
	what,
	...(exact === undefined ? {} : { exact }),
	notes: [],
	action: 'revoke',
	label: 'Revoke',
});

const test = row('a1', 'Run "npm test"', 'shell.run npm test');
const edit = row('a2', 'Edit src/**', 'fs.edit src/**');
const make = row('a3', 'Run "make"', 'shell.run make');
const all: Groups = [
	{ title: 'This project', rows: [test, edit] },
	{ title: 'All projects', rows: [make] },
];

function pageOf(groups: Groups, marked?: string): PageContent {
	return {
		title: 'Approvals',
		kicker: '',
		summary: '',
		actions: [{ action: 'reset', label: 'Reset…' }],
		blocks: [{ kind: 'approvals', groups, none: 'Nothing is allowed.', ...(marked === undefined ? {} : { marked }) }],
	};
}

describe('webview: the page of approvals', function () {
	this.timeout(60_000);
	const views = useViews();
	const open = (content: PageContent, width = 420) =>
		views.open({
			face: 'page',
			width,
			prepare(fake) {
				fake.shown = { address: { kind: 'approvals', of: '', title: 'Approvals' }, content };
			},
		});

	it('says that nothing is allowed, and searches nothing', async () => {
		const { page } = await open(pageOf([]));
		await page.getByText('Nothing is allowed.').waitFor();
		assert.equal(await page.getByRole('searchbox').count(), 0);
	});

	it('says when nothing matches, and shows everything again', async () => {
		const { page } = await open(pageOf(all));
		const search = page.getByRole('searchbox', { name: 'Search approvals' });
		await search.fill('docker');
		await page.getByRole('status').getByText('No approval matches').waitFor();
		assert.equal(await page.locator('.approval-row').count(), 0);
		await search.fill('');
		assert.equal(await page.locator('.approval-row').count(), 3);
	});

	it('finds by words, rule and group, in upper and lower case', async () => {
		const { page } = await open(pageOf(all));
		const search = page.getByRole('searchbox');
		for (const [query, found] of [
			['NPM', ['Run "npm test"']],
			['fs.edit', ['Edit src/**']],
			['all projects', ['Run "make"']],
		] as const) {
			await search.fill(query);
			await page.getByRole('status').getByText('1 of 3').waitFor();
			assert.deepEqual(await page.locator('.approval-what').allTextContents(), found);
		}
	});

	it('revokes by key, says what is revoked, and gives the keyboard to the next one', async () => {
		const { page, extension } = await open(pageOf(all));
		await page.getByRole('button', { name: 'Revoke: Run "npm test"' }).press('Enter');
		await extension.called('page/act', 0);
		assert.deepEqual(extension.calls.at(-1)?.params, { action: 'revoke', on: 'a1' });
		extension.setPage(
			pageOf([
				{ title: 'This project', rows: [edit] },
				{ title: 'All projects', rows: [make] },
			]),
		);
		await page.getByRole('status').getByText('Revoked: Run "npm test"').waitFor({ state: 'attached' });
		await page.getByRole('button', { name: 'Revoke: Edit src/**' }).and(page.locator(':focus')).waitFor();
	});

	it('follows what another window revokes, and leaves the keyboard where it is', async () => {
		const { page, extension } = await open(pageOf(all));
		const search = page.getByRole('searchbox');
		await search.fill('run');
		extension.setPage(pageOf([{ title: 'All projects', rows: [make] }]));
		await page.getByText('1 of 1').waitFor();
		assert.equal(await search.evaluate((field) => field.matches(':focus')), true);
		assert.equal(await page.getByText('Revoked:').count(), 0);
	});

	it('begins at the approval it was opened for', async () => {
		const many = Array.from({ length: 60 }, (_, index) => row(`m${index}`, `Run "task ${index}"`));
		const { page } = await open(pageOf([{ title: 'This project', rows: many }], 'm55'));
		const button = page.getByRole('button', { name: 'Revoke: Run "task 55"' });
		await button.and(page.locator(':focus')).waitFor();
		const box = await button.boundingBox();
		assert.ok(box !== null && box.y > 0 && box.y < 800);
	});

	for (const width of [300, 900]) {
		it(`fits into ${width} px, whatever a rule is made of`, async () => {
			const long = row('long', `Run "${'x'.repeat(400)}"`, `shell.run ${'y'.repeat(400)}`);
			const { page } = await open(pageOf([{ title: 'This project', rows: [long, test] }]), width);
			await page.getByText('npm test').first().waitFor();
			const overflow = await page.evaluate(
				() => (document.querySelector('.page')?.scrollWidth ?? 0) - (document.querySelector('.page')?.clientWidth ?? 0),
			);
			assert.equal(overflow, 0);
			assert.deepEqual(await violations(page), []);
		});
	}
});
