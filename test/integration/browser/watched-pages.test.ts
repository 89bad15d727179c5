/** Pages of an agent as the user watches them: real Chromium. */
import assert from 'node:assert/strict';
import { newId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { placeDriver } from '../../support/page-browser.ts';
import { serverElsewhere } from '../../support/server-elsewhere.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useAgents, why } from '../agents/agent-scene.ts';

const never = new AbortController().signal;
const SECRET = 'hunter2-hunter2';
/** The secret as a script makes it, whose own text does not show it. */
const IN_SCRIPT = "'hunter2' + '-hunter2'";
const PAGES: Readonly<Record<string, string>> = {
	'/cart':
		'<title>Cart</title><input type="password" aria-label="Password"><button onclick="this.textContent=\'Paid\'">Pay</button>',
	'/shown': `<p>Your password is <span>${SECRET}</span></p>`,
	'/field': `<input value="${SECRET}">`,
	'/frame': `<iframe srcdoc="<p>${SECRET}</p>"></iframe>`,
	'/shadow': `<div id="a"></div><script>a.attachShadow({ mode: 'open' }).innerHTML = '<b>' + ${IN_SCRIPT} + '</b>'</script>`,
	'/hint': `<input placeholder="${SECRET}">`,
	'/drawing': `<iframe src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><text y='20'>${SECRET}</text></svg>"></iframe>`,
	// Shows it once it was looked through.
	'/late': `<p id="a">Wait</p><script>document.body.querySelectorAll = function (all) {
		a.textContent = ${IN_SCRIPT};
		return Element.prototype.querySelectorAll.call(this, all);
	}</script>`,
	'/long': `<div id="a" hidden></div><script>a.textContent = 'x'.repeat(2_100_000)</script>`,
	// Counts in its title how often it was looked through.
	'/counted': `<title>None</title><body><script>
		let count = 0;
		document.body.querySelectorAll = function (all) {
			document.title = 'Counted ' + (count += 1);
			return Element.prototype.querySelectorAll.call(this, all);
		};
	</script></body>`,
	// Says by its title that somebody has changed it.
	'/kept': `<title>Kept</title><body><input aria-label="Name"><script>
		new MutationObserver(() => (document.title = 'Changed')).observe(document.body, { attributes: true, subtree: true });
	</script></body>`,
	'/stuck': '<button onclick="for (;;);">Go</button>',
};

describe('The page of an agent that the user watches', function () {
	this.timeout(60_000);
	const start = useAgents();
	const servers: { close(): Promise<void> }[] = [];

	afterEach(async () => {
		await Promise.all(servers.splice(0).map((server) => server.close()));
	});

	async function open() {
		const served = await serverElsewhere(PAGES);
		servers.push(served);
		const home = tempDir('watched-home');
		await placeDriver(home);
		const approve = () => Promise.resolve({ kind: 'once' as const });
		const scene = await start({ home, approvalMode: 'ask', person: { approve }, secrets: { login: SECRET } });
		await scene.base.noticeSecrets();
		const at = (path: string) => `http://localhost:${served.port}${path}`;
		const page = async (path: string) => {
			const opened = await scene.as(scene.root, 'browser.open', { url: at(path) });
			assert.equal(opened.status, 'done', why(opened));
			return JSON.stringify(opened);
		};
		const watch = (threadId: ThreadId = scene.root) => scene.base.pages.watch(threadId, never);
		/** On a busy machine, a page may take longer to answer than a look waits. */
		const watchAnswered = () =>
			waitFor('the page to answer', async () => {
				const seen = await watch();
				return seen?.picture === 'unanswered' ? undefined : seen;
			});
		return { ...scene, at, page, watch, watchAnswered };
	}

	it('is none where nothing is open, where another thread has one, and once it is closed', async () => {
		const { root, page, watch, as } = await open();
		assert.equal(await watch(), undefined);
		await page('/cart');
		assert.equal(await watch(newId('thr')), undefined);
		assert.equal((await as(root, 'browser.act', { act: 'close' })).status, 'done');
		assert.equal(await watch(), undefined);
	});

	it('has no picture while it shows a secret, wherever on it', async () => {
		const { page, watch } = await open();
		for (const path of ['/shown', '/field', '/hint', '/shadow', '/frame', '/drawing']) {
			await page(path);
			// Frames may still load.
			await waitFor(`${path} to be hidden`, async () => (await watch())?.picture === 'secret');
		}
	});

	it('has no picture where a secret has come while it was taken', async () => {
		const { page, watchAnswered } = await open();
		await page('/late');
		assert.equal((await watchAnswered()).picture, 'secret');
	});

	it('has none where it is too long to be looked through, and says so', async () => {
		const { page, watchAnswered } = await open();
		await page('/long');
		assert.equal((await watchAnswered()).picture, 'long');
	});

	it('has none while it does not answer, and is asked for no longer than a look may take', async () => {
		const { root, at, page, watch, as, base } = await open();
		const [, ref = ''] = /\[ref=(\w+)\]/.exec(await page('/stuck')) ?? [];
		const clicking = as(root, 'browser.act', { act: 'click', ref }).catch(() => undefined);
		let seen = await watch();
		while (seen?.picture !== 'unanswered') seen = await watch();
		assert.equal(seen.url, at('/stuck'));
		await base.endThread(root);
		await clicking;
	});

	it('is looked at once for all who watch at a time, before and after its picture', async () => {
		const { root, page, watch, as } = await open();
		await page('/counted');
		await Promise.all([watch(), watch(), watch()]);
		const counted = await waitFor('the look after the picture', async () => {
			const [, count] = /Counted (\d+)/.exec(JSON.stringify(await as(root, 'browser.look', {}))) ?? [];
			return Number(count) >= 2 && Number(count);
		});
		assert.equal(counted, 2);
	});

	it('is not changed by a look', async () => {
		const { root, page, watchAnswered, as } = await open();
		await page('/kept');
		assert.equal(typeof (await watchAnswered()).picture, 'object');
		assert.match(JSON.stringify(await as(root, 'browser.look', {})), /\\"Kept\\"/);
	});

	it('is pictured also with a password in its field, and the agent acts on as if nobody watched', async () => {
		const { root, at, page, watch, watchAnswered, as } = await open();
		const told = await page('/cart');
		const refOf = (name: string) => new RegExp(`${name}\\\\" \\[ref=(\\w+)\\]`).exec(told)?.[1];
		const typed = await as(root, 'browser.act', { act: 'type', ref: refOf('Password'), secret: 'login' });
		assert.equal(typed.status, 'done', why(typed));
		const { picture, ...seen } = await watchAnswered();
		assert.deepEqual(seen, { url: at('/cart'), title: 'Cart', isHere: true, isInner: false });
		assert.ok(typeof picture === 'object');
		assert.equal(Buffer.from(picture.jpeg, 'base64').subarray(0, 3).toString('hex'), 'ffd8ff');
		const [clicked] = await Promise.all([
			as(root, 'browser.act', { act: 'click', ref: refOf('Pay') }),
			watch(),
			watch(),
		]);
		assert.match(JSON.stringify(clicked), /button \\"Paid/);
	});
});
