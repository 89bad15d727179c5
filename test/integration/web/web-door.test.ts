/** Browsers at `prowess web`, each a socket as a page opens it: what they may do, and what the ledger says of them. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deskRequests } from '../../../src/protocol/approvals/approvals.ts';
import { viewRequests } from '../../../src/protocol/pages/chat-view.ts';
import { levelRequests } from '../../../src/protocol/thread/thread-level.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { type ContextRef, contextLabel } from '../../../src/protocol/thread/context.ts';
import { png } from '../../support/pictures.ts';
import { type PageSocket, WebScene } from '../../support/web-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

const never = new AbortController().signal;
const write = { name: 'fs_write', input: { path: 'new.txt', content: 'hello\n' } };

describe('A browser at prowess web', () => {
	let scene: WebScene;
	afterEach(() => scene.close());

	async function prompts(page: PageSocket, text: string): Promise<string> {
		const { id: threadId } = await page.call(threadRequests.create, {}, never);
		await page.call(viewRequests.show, { threadId }, never);
		await page.call(threadRequests.prompt, { threadId, text }, never);
		return threadId;
	}
	async function asked(page: PageSocket) {
		return await waitFor('a question', async () => (await page.call(deskRequests.list, {}, never)).approvals[0]);
	}

	it('prompts, is asked, and answers, while another one sees all of it; the ledger names the device', async () => {
		scene = await WebScene.open({ script: [{ toolCalls: [write] }, { text: 'Written.' }] });
		const phone = await scene.page(await scene.pairs('phone'));
		const laptop = await scene.page(await scene.pairs('laptop'));
		await prompts(laptop, 'write it');
		const approval = await asked(phone);
		assert.deepEqual([approval.pattern, approval.isProjectOffered], [null, false]);
		const answer = { id: approval.id, answer: { kind: 'once' } } as const;
		assert.deepEqual(await phone.call(deskRequests.approve, answer, never), { taken: true });
		assert.deepEqual(await laptop.call(deskRequests.approve, answer, never), { taken: false });
		assert.equal(await scene.turns.ended(), 'done');
		assert.equal(readFileSync(scene.workspaceFile('new.txt'), 'utf8'), 'hello\n');
		for (const page of [phone, laptop]) {
			await waitFor('the end of the turn', () => page.told.some((each) => each.includes('turn.end')));
		}
		const [row] = (await scene.rows('fs.write')).filter(({ kind }) => kind === 'intent');
		assert.match(row?.decision ?? '', /approved by the user once, through web \(phone\)/);
		assert.match(row?.decision ?? '', /prompted through web \(laptop\)/);
		assert.match((await scene.rows('web.thread/prompt'))[0]?.input ?? '', /^laptop: thread\/prompt/);
		assert.equal((await scene.rows('web.pair')).filter(({ kind }) => kind === 'outcome').length, 2);
	});

	it('keeps a question open while nobody is there, and says no for good once a device has', async () => {
		scene = await WebScene.open({ script: [{ toolCalls: [write] }, { text: 'Not written.' }] });
		const paired = await scene.pairs('phone');
		const first = await scene.page(paired);
		await prompts(first, 'write it');
		await asked(first);
		first.leaves();
		const second = await scene.page(paired);
		const { id } = await asked(second);
		assert.deepEqual(
			await second.call(deskRequests.approve, { id, answer: { kind: 'deny', reason: 'not now' } }, never),
			{ taken: true },
		);
		assert.equal(await scene.turns.ended(), 'done');
		assert.equal(existsSync(scene.workspaceFile('new.txt')), false);
		const [row] = (await scene.rows('fs.write')).filter(({ kind }) => kind === 'denial');
		assert.match(row?.decision ?? '', /denied by the user: "not now", through web \(phone\)/);
	});

	it('may deny what is dangerous, and not allow it', async () => {
		const remove = { name: 'shell_run', input: { argv: ['rm', '-rf', '/'] } };
		scene = await WebScene.open({ script: [{ toolCalls: [remove] }, { text: 'Left as it is.' }] });
		const page = await scene.page(await scene.pairs('phone'));
		await prompts(page, 'clean up');
		const { id, warning, isOnceOffered, threadScope } = await asked(page);
		assert.deepEqual([warning?.isDangerous, isOnceOffered, threadScope], [true, false, null]);
		for (const kind of ['once', 'thread', 'always', 'project'] as const) {
			assert.deepEqual(await page.call(deskRequests.approve, { id, answer: { kind } }, never), { taken: false });
		}
		const all = { ids: [id], answer: { kind: 'once' as const } };
		assert.deepEqual(await page.call(deskRequests.approveAll, all, never), { taken: [] });
		assert.deepEqual(await page.call(deskRequests.approve, { id, answer: { kind: 'deny' } }, never), { taken: true });
		assert.equal(await scene.turns.ended(), 'done');
	});

	it('stops the command that it shows, whatever another page of the same device shows', async () => {
		const wait = { name: 'shell_run', input: { argv: ['node', '-e', 'setTimeout(() => {}, 600_000)'] } };
		scene = await WebScene.open({ script: [{ toolCalls: [wait] }, { text: 'Stopped.' }] });
		const paired = await scene.pairs('phone');
		const page = await scene.page(paired);
		await prompts(page, 'wait');
		const { id, opId } = await asked(page);
		await page.call(deskRequests.approve, { id, answer: { kind: 'once' } }, never);
		const other = await scene.page(paired);
		await other.call(viewRequests.show, { threadId: null }, never);
		await waitFor('the command to be stopped', () =>
			page.call(viewRequests.stopCommand, { opId }, never).then(
				() => true,
				({ code }: { readonly code?: string }) => (code === 'NOT_FOUND' ? false : assert.fail(code)),
			),
		);
		assert.equal(await scene.turns.ended(), 'done');
	});

	it('stops a turn, and narrows the level of its thread, as its own act', async () => {
		scene = await WebScene.open({ script: [{ toolCalls: [write] }] });
		const page = await scene.page(await scene.pairs('phone'));
		const threadId = (await prompts(page, 'write it')) as ThreadId;
		await asked(page);
		await page.call(threadRequests.stop, { threadId }, never);
		assert.equal(await scene.turns.ended(), 'stopped');
		await page.call(levelRequests.choose, { threadId, level: 'manual' }, never);
		for (const request of ['thread/stop', 'level/choose']) {
			const [row] = await scene.rows(`web.${request}`);
			assert.match(row?.input ?? '', /^phone: /);
		}
	});

	it('is told the level of the thread that it shows, and of none', async () => {
		scene = await WebScene.open({ script: [{ text: 'Said.' }] });
		const page = await scene.page(await scene.pairs('phone'));
		const threadId = (await prompts(page, 'hello')) as ThreadId;
		await page.call(levelRequests.choose, { threadId, level: 'manual' }, never);
		const told = (level: string, of: string | null) => {
			const before = page.told.length;
			return waitFor(`the level ${level}`, () =>
				page.told
					.slice(before)
					.some(
						(each) =>
							each.includes('level/changed') && each.includes(`"${level}"`) && each.includes(JSON.stringify(of)),
					),
			);
		};
		const none = told('ask', null);
		await page.call(viewRequests.show, { threadId: null }, never);
		await none;
		const again = told('manual', threadId);
		await page.call(viewRequests.show, { threadId }, never);
		await again;
	});

	it('is suggested files, folders, changes, threads and addresses after @, and nothing that is ignored, secret or elsewhere', async () => {
		scene = await WebScene.open({ script: [{ text: 'Said.' }] });
		const write = (path: string) => {
			mkdirSync(dirname(scene.workspaceFile(path)), { recursive: true });
			writeFileSync(scene.workspaceFile(path), 'x\n');
		};
		for (const path of ['src/cart.ts', '.env', '.ssh/id_rsa', 'deploy/server.pem', 'build/cart.js']) write(path);
		write('src/cart\u202Egpj.ts');
		writeFileSync(scene.workspaceFile('.gitignore'), 'build/\n');
		symlinkSync('/etc/passwd', scene.workspaceFile('cart-link'));
		symlinkSync('/etc', scene.workspaceFile('carts'));
		const page = await scene.page(await scene.pairs('phone'));
		const finds = async (query: string) =>
			(await page.call(viewRequests.complete, { query }, never)).items.map(({ ref }) => contextLabel(ref));
		assert.deepEqual(await finds('cart'), ['src/cart.ts']);
		assert.deepEqual(await finds('src'), ['src/', 'src/cart.ts']);
		for (const query of ['env', 'id_rsa', 'server.pem', 'passwd', '../', '/etc', '#cart']) {
			assert.deepEqual(await finds(query), [], query);
		}
		assert.deepEqual(await finds('chan'), ['changes']);
		assert.deepEqual(await finds('https://example.org/a'), ['https://example.org/a']);
		const threadId = await prompts(page, 'A question about prices');
		await scene.turns.ended();
		await page.call(viewRequests.show, { threadId: null }, never);
		assert.deepEqual(await finds('prices'), ['thread A question about prices']);
		await page.call(viewRequests.show, { threadId: threadId as ThreadId }, never);
		assert.deepEqual(await finds('prices'), []);
		const watch = await scene.page(await scene.pairs('watch', ['look', 'answer']));
		assert.deepEqual((await watch.call(viewRequests.complete, { query: 'cart' }, never)).items, []);
	});

	it('attaches pictures and texts, by their names, and gets nothing that the gate does not give', async () => {
		scene = await WebScene.open({ script: [{ text: 'Seen.' }] });
		writeFileSync(scene.workspaceFile('.env'), 'TOKEN=abcdef\n');
		const page = await scene.page(await scene.pairs('phone'));
		const { id: threadId } = await page.call(threadRequests.create, {}, never);
		const image = await page.call(
			threadRequests.attach,
			{ data: Buffer.from(png()).toString('base64'), name: 'a.png' },
			never,
		);
		await assert.rejects(page.call(threadRequests.attach, { data: 'AAAA', name: 'b.png' }, never), {
			code: 'NOT_AN_IMAGE',
		});
		const context: ContextRef[] = [
			{ kind: 'pasted', text: 'one\ntwo', name: 'list"><x\n\u202E.txt' },
			{ kind: 'file', path: '/etc/hostname' },
			{ kind: 'file', path: '../outside.txt' },
			{ kind: 'file', path: '.env' },
			{ kind: 'image', ...image },
		];
		await page.call(threadRequests.prompt, { threadId, text: 'look', context }, never);
		const open = async () => (await page.call(deskRequests.list, {}, never)).approvals;
		let isOver = false;
		const ended = scene.turns.ended().finally(() => (isOver = true));
		await waitFor('each question to be denied', async () => {
			for (const { id } of await open()) await page.call(deskRequests.approve, { id, answer: { kind: 'deny' } }, never);
			return isOver;
		});
		await ended;
		const [, said] = (scene.turns.model.requests[0]?.body['messages'] ?? []) as readonly {
			content: readonly { text?: string }[];
		}[];
		const sent = said?.content[0]?.text ?? '';
		assert.match(sent, /<pasted name="list___x_\\u\{202e\}\.txt">\none\ntwo\n<\/pasted>/);
		assert.match(sent, /hostname is outside the workspace.*outside\.txt leads out.*user said no to this fs\.read/s);
		assert.doesNotMatch(sent, /abcdef/);
	});
});
