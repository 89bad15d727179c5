import assert from 'node:assert/strict';
import { testHost } from '../../../test/support/host-ports.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { PersonPort } from '../../contract/ports/ports.ts';
import type { ClientPrincipal } from '../../protocol/approvals/access.ts';
import type { ApprovalAnswer, ClosedQuestion } from '../../protocol/approvals/approvals.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { text } from '../../protocol/text/text.ts';
import { type ApprovalDraft, PersonDesk } from '../../trust/gate/approvals/desk.ts';
import { Clients } from './clients.ts';

const never = new AbortController().signal;

/** Somebody at a client: answers when told to, and notes how each question ended there. */
class Somebody {
	readonly ended: string[] = [];
	readonly shown: string[] = [];
	#answers: ((answer: ApprovalAnswer | undefined) => void)[] = [];
	readonly port: PersonPort = {
		approve: ({ title }, signal) => {
			this.shown.push(title);
			signal.addEventListener('abort', () => {
				const { how, by } = isProwessError(signal.reason) ? (signal.reason.facts as Partial<ClosedQuestion>) : {};
				this.ended.push(`${how} by ${by}`);
			});
			return new Promise((resolve) => this.#answers.push(resolve));
		},
		answer: () => Promise.resolve(undefined),
	};

	/** Answers the question once it is shown. */
	async says(answer: ApprovalAnswer | undefined): Promise<void> {
		await waitFor('a question', () => this.#answers.length > 0);
		this.#answers.shift()?.(answer);
	}
}

function scene() {
	const host = testHost();
	const clients = new Clients(host.ports.settings);
	const failures: unknown[] = [];
	const desk = new PersonDesk({
		person: clients.person,
		own: 'cli',
		timeoutMs: () => 60_000,
		isUnattended: () => false,
		onPortFailure: (error) => failures.push(error),
	});
	const closed: ClosedQuestion[] = [];
	desk.onDidClose((each) => void closed.push(each));
	const threadId = newId('thr');
	const draft: ApprovalDraft = {
		opId: newId('op'),
		threadId,
		op: 'fs.write',
		title: 'Write a.txt',
		risk: 'CONTROLLED',
		act: 'changes',
		warning: null,
		reason: text('It changes a file.'),
		detail: { kind: 'path', path: 'a.txt' },
		isOnceOffered: true,
		threadScope: null,
		pattern: null,
		isProjectOffered: false,
	};
	const ask = () => desk.ask(threadId, () => draft, never);
	const admit = (principal: ClientPrincipal, more: object = {}) => {
		const somebody = new Somebody();
		return { somebody, client: clients.admit({ principal, person: somebody.port, ...more }) };
	};
	return { host, clients, desk, closed, failures, ask, admit };
}

describe('A question of a host with several clients', () => {
	it('has no answer where nobody is, and where the last client goes while it is open', async () => {
		const { ask, admit, closed } = scene();
		await assert.rejects(ask(), { code: 'APPROVAL_EXPIRED' });
		const { client, somebody } = admit('acp');
		const asked = ask();
		await waitFor('the question', () => somebody.shown.length > 0);
		client.dispose();
		await assert.rejects(asked, { code: 'APPROVAL_EXPIRED' });
		assert.deepEqual(
			closed.map(({ how, by }) => [how, by]),
			[
				['void', undefined],
				['void', undefined],
			],
		);
	});

	it('is answered by the first, and the others hear by whom', async () => {
		const { ask, admit, closed } = scene();
		const [terminal, editor] = [admit('cli'), admit('acp')];
		const asked = ask();
		await editor.somebody.says({ kind: 'once' });
		assert.deepEqual(await asked, { kind: 'once', through: 'acp' });
		await terminal.somebody.says({ kind: 'deny' });
		assert.deepEqual([terminal.somebody.shown, editor.somebody.shown], [['Write a.txt'], ['Write a.txt']]);
		assert.deepEqual(terminal.somebody.ended, ['answered by acp']);
		assert.deepEqual(
			closed.map(({ how, by }) => [how, by]),
			[['answered', 'acp']],
		);
	});

	it('stays open at the others when one gives no answer, fails, or gives one that was not offered', async () => {
		const { ask, admit, clients } = scene();
		const [silent, wrong, last] = [admit('acp'), admit('mcp'), admit('cli')];
		const fails = clients.admit({
			principal: 'acp',
			person: { approve: () => Promise.reject(new Error('gone')), answer: () => Promise.resolve(undefined) },
		});
		const asked = ask();
		await silent.somebody.says(undefined);
		await wrong.somebody.says({ kind: 'always' });
		await last.somebody.says({ kind: 'deny', reason: 'no' });
		assert.deepEqual(await asked, { kind: 'deny', reason: 'no', through: 'cli' });
		fails.dispose();
	});

	it('is answered by its id at the desk, for a client that is shown that, and through it', async () => {
		const { ask, clients, desk, admit } = scene();
		const terminal = admit('cli');
		clients.admit({ principal: 'rpc' });
		const asked = ask();
		const open = await waitFor('the question', () => desk.current.approvals[0]);
		assert.equal(desk.approve(open.id, { kind: 'once', through: 'rpc' }), true);
		assert.equal(desk.approve(open.id, { kind: 'deny' }), false);
		assert.deepEqual(await asked, { kind: 'once', through: 'rpc' });
		assert.deepEqual(terminal.somebody.ended, ['answered by rpc']);
	});

	it('is also put to a client that comes while it is open', async () => {
		const { ask, admit } = scene();
		const first = admit('cli');
		const asked = ask();
		await waitFor('the question', () => first.somebody.shown.length > 0);
		const late = admit('acp');
		await late.somebody.says({ kind: 'once' });
		assert.deepEqual(await asked, { kind: 'once', through: 'acp' });
		assert.deepEqual(first.somebody.ended, ['answered by acp']);
	});

	it('has no answer from a client whose right to answer was taken while it was asked', async () => {
		const { host, ask, admit } = scene();
		const { somebody } = admit('mcp');
		const asked = ask();
		await waitFor('the question', () => somebody.shown.length > 0);
		host.change({ 'prowess.access.deny': { mcp: ['answer'] } });
		await somebody.says({ kind: 'once' });
		await assert.rejects(asked, { code: 'APPROVAL_EXPIRED' });
	});

	it('is not shown to a client without the right, whether it came without or the settings deny it', async () => {
		const { host, ask, admit } = scene();
		const looker = admit('acp', { rights: ['look', 'prompt'] });
		host.change({ 'prowess.access.deny': { mcp: ['answer'] } });
		const denied = admit('mcp');
		await assert.rejects(ask(), { code: 'APPROVAL_EXPIRED' });
		assert.deepEqual([looker.somebody.shown, denied.somebody.shown], [[], []]);
		assert.throws(() => denied.client.check('answer'), { code: 'ACCESS_DENIED' });
		host.change({ 'prowess.access.deny': { mcp: ['look'] } });
		assert.throws(() => admit('mcp'), { code: 'ACCESS_DENIED' });
	});
});
