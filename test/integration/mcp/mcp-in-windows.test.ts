/** Questions of `prowess mcp serve` in windows of the editor: a host with a desk stands in for each window. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { DoorAttendant } from '../../../src/host/doors/windows/attend-doors.ts';
import { createTrustedBase } from '../../../src/host/compose.ts';
import type { TrustedBase } from '../../../src/host/trusted-base.ts';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { nothingOpen, testHost } from '../../support/host-ports.ts';
import { LinesHere } from '../../support/lines-here.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const write = { path: 'new.txt', content: 'hello\n' };

describe('A question of prowess mcp serve', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let clients: Client[];
	let windows: { readonly base: TrustedBase; readonly attendant: DoorAttendant; readonly log: readonly string[] }[];
	beforeEach(() => {
		user = new User();
		user.sets();
		user.trusts();
		clients = [];
		windows = [];
	});
	afterEach(async () => {
		await Promise.all(clients.map((each) => each.close()));
		for (const { attendant } of windows) attendant.dispose();
		await Promise.all(windows.map(({ base }) => base.close()));
	});

	/** `fills`: absent: the client cannot be asked. */
	async function agent(fills?: (signal: AbortSignal) => Promise<object>): Promise<Client> {
		const capabilities = fills === undefined ? {} : { elicitation: { form: {} } };
		const made = new Client({ name: 'spec', version: '1' }, { capabilities });
		if (fills !== undefined) {
			made.setRequestHandler('elicitation/create', async (_asked, { mcpReq }) => (await fills(mcpReq.signal)) as never);
		}
		clients.push(made);
		const command = user.startsHere(['mcp', 'serve', '--workspace', user.workspace], { isProgram: true });
		await made.connect(new LinesHere(command) as unknown as Transport);
		await made.listTools();
		return made;
	}
	async function windowOn(workspace = user.workspace) {
		const host = testHost({ home: user.home, workspace, editor: nothingOpen });
		const person = { approve: () => new Promise<undefined>(() => {}), answer: () => new Promise<undefined>(() => {}) };
		const base = await createTrustedBase({ ...host.ports, person });
		const attendant = new DoorAttendant({
			home: user.home,
			folders: () => [workspace],
			desk: () => Promise.resolve(base.desk),
			log: host.ports.log,
		});
		const window = { base, attendant, log: host.log };
		windows.push(window);
		await attendant.look();
		return window;
	}
	const asked = async ({ base }: { readonly base: TrustedBase }) =>
		await waitFor('a question in the window', () => base.desk.current.approvals[0], commandLimitMs);
	const wordsOf = (said: object) => JSON.stringify(said);
	async function ledger(op: string): Promise<LedgerRow[]> {
		return JSON.parse((await user.runs(['ledger', 'list', '--json', '--op', op])).stdout) as LedgerRow[];
	}
	const writes = (made: Client, args = write) => made.callTool({ name: 'fs_write', arguments: args });

	it('is a no where the only window has another folder, and where its window closes meanwhile', async () => {
		const made = await agent();
		const elsewhere = await windowOn(tempDir('elsewhere'));
		assert.match(wordsOf(await writes(made)), /cannot be asked/);
		assert.deepEqual(elsewhere.base.desk.current.approvals, []);
		const window = await windowOn();
		const call = writes(made);
		await asked(window);
		window.attendant.dispose();
		assert.match(
			wordsOf(await call),
			/APPROVAL_EXPIRED.*no window of VS Code that has the folder open with Prowess gave an answer/s,
		);
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
		await made.close();
		assert.deepEqual(
			(await ledger('fs.write')).map(({ kind }) => kind),
			['denial', 'denial'],
		);
	});

	it('is shown whole, with who asks and answers for now alone, and the ledger has the answer of the window', async () => {
		const made = await agent();
		const window = await windowOn();
		const call = writes(made);
		const question = await asked(window);
		assert.deepEqual(
			[question.threadId, question.pattern, question.isProjectOffered, question.title, question.detail.kind],
			[null, null, false, 'Write new.txt', 'diff'],
		);
		assert.match(question.askedBy?.template ?? '', /Another agent asks/);
		assert.equal(window.base.desk.approve(question.id, { kind: 'always' }), false);
		assert.equal(window.base.desk.approve(question.id, { kind: 'once' }), true);
		assert.doesNotMatch(wordsOf(await call), /isError/);
		assert.equal(readFileSync(join(user.workspace, 'new.txt'), 'utf8'), 'hello\n');
		const refused = writes(made, { ...write, path: 'other.txt' });
		const second = await asked(window);
		window.base.desk.approve(second.id, { kind: 'deny', reason: 'not that one' });
		assert.match(wordsOf(await refused), /DENIED_BY_USER.*not that one/);
		await made.close();
		const decisions = (await ledger('fs.write')).map(({ decision }) => decision).join('\n');
		assert.match(decisions, /approved by the user once, through editor/);
		assert.match(decisions, /denied by the user: "not that one", through editor/);
	});

	it('is taken back in the window when the client has answered, and at the client when the window has', async () => {
		let answer: (filled: object) => void = () => {};
		let isWithdrawn = false;
		const made = await agent(
			(signal) =>
				new Promise((resolve, reject) => {
					answer = resolve;
					signal.addEventListener('abort', () => {
						isWithdrawn = true;
						reject(new Error('withdrawn'));
					});
				}),
		);
		const window = await windowOn();
		const first = writes(made);
		await asked(window);
		answer({ action: 'accept', content: { answer: 'once' } });
		assert.doesNotMatch(wordsOf(await first), /isError/);
		await waitFor('an empty desk', () => window.base.desk.current.approvals.length === 0);
		const second = writes(made, { ...write, path: 'other.txt' });
		const question = await asked(window);
		window.base.desk.approve(question.id, { kind: 'once' });
		assert.doesNotMatch(wordsOf(await second), /isError/);
		assert.equal(existsSync(join(user.workspace, 'other.txt')), true);
		await waitFor('the end of the form', () => isWithdrawn);
	});

	it('reaches a window that opens while it waits at the client', async () => {
		const made = await agent(() => new Promise(() => {}));
		const call = writes(made);
		const window = await windowOn();
		const question = await asked(window);
		window.base.desk.approve(question.id, { kind: 'thread' });
		assert.doesNotMatch(wordsOf(await call), /isError/);
		assert.doesNotMatch(wordsOf(await writes(made, { ...write, path: 'more.txt' })), /isError/);
	});

	it('finds its windows beside records that killed processes left, which it removes', async () => {
		const doors = join(user.home, 'doors');
		mkdirSync(doors, { recursive: true, mode: 0o700 });
		const left = { pid: 2 ** 30, folder: user.workspace, address: join(doors, 'gone'), secret: 'x' };
		writeFileSync(join(doors, 'gone.json'), JSON.stringify(left));
		writeFileSync(join(doors, 'broken.json'), '{');
		const early = await windowOn();
		const made = await agent();
		assert.equal(readdirSync(doors).includes('gone.json'), false);
		await early.attendant.look();
		const call = writes(made);
		const question = await asked(early);
		early.base.desk.approve(question.id, { kind: 'once' });
		assert.doesNotMatch(wordsOf(await call), /isError/);
		await made.close();
		await waitFor('no door', () => readdirSync(doors).every((name) => name === 'broken.json'));
		assert.deepEqual(
			early.log.filter((line) => /door/.test(line)),
			[],
		);
	});
});
