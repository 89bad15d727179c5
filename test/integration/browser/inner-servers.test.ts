/** Servers that commands of a thread run in their sandbox, opened in the browser of the thread: real bubblewrap, real Chromium. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { placeDriver } from '../../support/page-browser.ts';
import type { TestHostOptions } from '../../support/host-ports.ts';
import { httpSite } from '../../support/http-site.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { serverElsewhere } from '../../support/server-elsewhere.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useAgents, why } from '../agents/agent-scene.ts';

describe('A browser and the servers of sandboxed commands', function () {
	this.timeout(60_000);
	const start = useAgents();
	const servers: { close(): Promise<void> }[] = [];

	afterEach(async () => {
		await Promise.all(servers.splice(0).map((server) => server.close()));
	});

	async function open(more: TestHostOptions['settings'] = {}) {
		const home = tempDir('browser-home');
		await placeDriver(home);
		const asked: string[] = [];
		const approve = ({ op }: Approval) => {
			if (op.startsWith('browser.')) asked.push(op);
			return Promise.resolve({ kind: 'once' as const });
		};
		const settings = { 'prowess.tools.bubblewrapPath': bubblewrap ?? '', ...more };
		const secrets = { login: 'hunter2-hunter2' };
		const scene = await start({ home, approvalMode: 'ask', person: { approve }, settings, secrets });
		/** Serves a page in the sandbox of the thread, from now on; resolves with what stops it. */
		const serve = async (threadId: ThreadId, port: number, page: string) => {
			const program = `require('http').createServer((q, s) => s.setHeader('content-type', 'text/html').end(${JSON.stringify(page)})).listen(${port}, () => console.log('listens'))`;
			const params = { argv: [process.execPath, '-e', program], background: true };
			const begun = await scene.as(threadId, 'shell.run', params);
			assert.equal(begun.status, 'done', why(begun));
			const { commandId } = begun.status === 'done' ? (begun.result as { commandId: string }) : { commandId: '' };
			const listens = async () =>
				JSON.stringify(await scene.as(threadId, 'shell.output', { commandId })).includes('listens');
			await waitFor('the server to listen', listens);
			return async () => scene.as(threadId, 'shell.stop', { commandId });
		};
		const page = (threadId: ThreadId, port: number) =>
			scene.as(threadId, 'browser.open', { url: `http://localhost:${port}/` });
		return { ...scene, asked, serve, page };
	}

	/** A port that nobody on this machine has now. */
	async function freePort(): Promise<number> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const address = server.address();
		await new Promise((resolve) => server.close(resolve));
		return typeof address === 'object' && address !== null ? address.port : 0;
	}

	it('opens what a command of its thread serves without a question, and reaches no server of this machine from there', async () => {
		const dev = await httpSite();
		servers.push(dev);
		const { root, serve, page, asked, as, base } = await open();
		const port = await freePort();
		const stop = await serve(
			root,
			port,
			`<h1>Cart</h1><a href="about:blank">Away</a><img src="http://localhost:${dev.port}/seen">`,
		);
		const opened = await page(root, port);
		assert.equal(opened.status, 'done', why(opened));
		assert.match(JSON.stringify(opened), /heading \\"Cart\\"/);
		assert.equal((await as(root, 'browser.look', { picture: true })).status, 'done');
		// On a busy machine, a page may take longer to answer than a look waits.
		const watchAnswered = () =>
			waitFor('the page to answer', async () => {
				const looked = await base.pages.watch(root, new AbortController().signal);
				return looked?.picture === 'unanswered' ? undefined : looked;
			});
		const seen = await watchAnswered();
		assert.deepEqual([seen.isInner, seen.isHere, typeof seen.picture], [true, false, 'object']);
		const [, ref = ''] = /Away\\" \[ref=(\w+)\]/.exec(JSON.stringify(await as(root, 'browser.look', {}))) ?? [];
		assert.equal((await as(root, 'browser.act', { act: 'click', ref })).status, 'done');
		const { url, isInner } = await watchAnswered();
		assert.deepEqual([url, isInner], ['about:blank', false]);
		assert.deepEqual(asked, []);
		assert.deepEqual(dev.received, []);
		await stop();
		assert.match(JSON.stringify(await page(root, port)), /was not reached/);
		assert.deepEqual(asked, ['browser.open']);
	});

	it('prefers the server in the sandbox where this machine has one at the same port, and never goes from one to the other', async () => {
		const dev = await httpSite();
		servers.push(dev);
		const { root, serve, page, asked, as } = await open();
		const stop = await serve(root, dev.port, '<h1>Inside</h1>');
		assert.match(JSON.stringify(await page(root, dev.port)), /Inside/);
		await stop();
		await as(root, 'browser.act', { act: 'press', text: 'F5' });
		assert.deepEqual(asked, []);
		assert.deepEqual(dev.received, []);
	});

	it('hands no sign-in from one of them to the other, in whichever order they are opened', async () => {
		const dev = await serverElsewhere();
		servers.push(dev);
		const { root, serve, page, as } = await open();
		const openElsewhere = async (path: string) =>
			JSON.stringify(await as(root, 'browser.open', { url: `http://localhost:${dev.port}${path}` }));
		assert.match(await openElsewhere('/sign-in'), /hello \/sign-in/);
		assert.match(await openElsewhere('/'), /hello \/ seen=there/);
		const port = await freePort();
		await serve(
			root,
			port,
			'<h1></h1><script>document.querySelector("h1").append("has " + document.cookie); document.cookie = "planted=1";</script>',
		);
		const inside = JSON.stringify(await page(root, port));
		assert.match(inside, /heading \\"has/);
		assert.doesNotMatch(inside, /seen/);
		assert.match(JSON.stringify(await page(root, port)), /planted=1/);
		const elsewhere = await openElsewhere('/');
		assert.match(elsewhere, /hello \//);
		assert.doesNotMatch(elsewhere, /planted|seen/);
	});

	it('types no stored secret into a page that a command of the agent serves, whatever a rule says', async () => {
		const port = await freePort();
		const { root, serve, page, as, asked } = await open({
			'prowess.approvals.allow': [`browser.act login@localhost:${port}`],
		});
		await serve(root, port, '<input type="password" aria-label="Password">');
		const [, ref = ''] = /\[ref=(\w+)\]/.exec(JSON.stringify(await page(root, port))) ?? [];
		const typed = await as(root, 'browser.act', { act: 'type', ref, secret: 'login' });
		assert.match(why(typed), /is given no secret/);
		assert.deepEqual(asked, []);
	});

	it('does not show a thread what commands of another one serve', async () => {
		const { root, spawn, serve, page, asked } = await open();
		const other = await spawn(root);
		const port = await freePort();
		await serve(other, port, '<h1>Theirs</h1>');
		assert.match(JSON.stringify(await page(root, port)), /was not reached/);
		assert.deepEqual(asked, ['browser.open']);
	});
});
