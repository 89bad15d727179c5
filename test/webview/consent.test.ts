/** The consent to a capability, in a real Chromium: what it may do comes first, what nothing keeps it from is seen, a hash is not. */
import assert from 'node:assert/strict';
import type { Approval } from '../../src/protocol/approvals/approvals.ts';
import type { ConsentDetail } from '../../src/protocol/approvals/consent.ts';
import { text } from '../../src/protocol/text/text.ts';
import { approval } from './support/fake-extension.ts';
import { HOSTILE } from './support/hostile-markdown.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { withThread } from './support/with-thread.ts';

const consent: ConsentDetail = {
	kind: 'consent',
	description: 'Counts the lines of a file',
	may: [{ permission: 'workspace.read', meaning: text('read and search the files of the workspace') }],
	mayNot: [text('Not granted, because its level is too low: {permissions}', { permissions: 'shell' })],
	notEnforced: [text('it can use the network, your files and your processes, like any program you run.')],
	enforced: [],
	maker: [text('It is from this project: whoever changes its files changes what runs.')],
	level: 'MONITORED',
	levelMeaning: text('can read files and web pages; every effect is recorded'),
	details: [
		{ label: text('Folder:'), value: '/srv/sample/.prowess/capabilities/skill/count' },
		{ label: text('Content: sha256'), value: 'a'.repeat(64) },
	],
};

describe('webview: the consent to a capability', function () {
	this.timeout(30_000);
	const views = useViews();
	it('is a card of its own outside of the thread, before what the thread asks', async () => {
		const { page, extension, dock, asked } = await open({}, 420, true, [approval({ title: 'Run npm test' })]);
		await dock.getByText('Not part of any thread.').waitFor();
		await dock.getByTitle('Run the skill count 1.2.0', { exact: true }).waitFor();
		assert.equal(await page.getByText('2 actions wait for your answer').count(), 0);
		const answered = extension.called('desk/approve');
		await dock.getByRole('button', { name: 'Not now' }).click();
		assert.deepEqual((await answered).params, { id: asked.id, answer: { kind: 'deny' } });
		await dock.getByTitle('Run npm test', { exact: true }).waitFor();
		assert.equal(await dock.getByText('Not part of any thread.').count(), 0);
	});

	const open = async (
		detail: Partial<ConsentDetail> = {},
		width = 420,
		isOnceOffered = true,
		others: readonly Approval[] = [],
	) => {
		const asked = approval({
			threadId: null,
			op: 'capability.start',
			title: 'Run the skill count 1.2.0',
			risk: 'MONITORED',
			detail: { ...consent, ...detail },
			pattern: 'the skill count 1.2.0 until its files change',
			threadScope: null,
			isProjectOffered: false,
			isOnceOffered,
			isPartOfAll: false,
		});
		const view = await views.open({
			width,
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [...others, asked], questions: [] };
			},
		});
		const dock = view.page.getByRole('group', { name: 'Approval' }).and(view.page.locator('[data-settled="true"]'));
		await dock.waitFor();
		return { ...view, dock, asked };
	};

	it('runs and requests nothing, whatever the capability says of itself', async () => {
		const words = HOSTILE.join(' ');
		const { page, offences } = await open({ description: words, maker: [text('{words}', { words })] });
		await page.locator('.consent').waitFor();
		assert.deepEqual(offences, []);
		assert.equal(await page.locator('.consent :is(script, img, iframe, a)').count(), 0);
	});

	it('says what it may do before anything else, and shows its hash on demand only', async () => {
		const { dock } = await open();
		const shown = await dock.locator('.consent').innerText();
		assert.match(
			shown,
			/^Counts the lines[^]*It may\s+read and search[^]*Not granted[^]*Not enforced on this machine\s+it can use the network[^]*Who made it\s+It is from this project[^]*In short: can read/,
		);
		assert.doesNotMatch(shown, /aaaa|\.prowess/);
		await dock.getByRole('button', { name: 'Details' }).press('Enter');
		await dock.getByText('a'.repeat(64)).waitFor();
	});

	for (const width of [255, 420]) {
		it(`offers to trust this version, or not now, ${width} px wide, without anything that axe finds`, async () => {
			const { page, dock, extension, asked } = await open({}, width, false);
			assert.deepEqual(await violations(page), []);
			await dock.getByRole('button', { name: 'Not now' }).waitFor();
			await dock.getByRole('button', { name: 'Trust this version' }).click();
			const given = await extension.called('desk/approve', 0);
			assert.deepEqual(given.params, { id: asked.id, answer: { kind: 'always' } });
		});
	}
});
