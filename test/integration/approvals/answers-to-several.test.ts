/**
 * Answers to several approvals at once, over every op and every way of giving one. Which approval may share a yes is the
 * gate's to say (`gate.test.ts` goes over every op, target and level); here no way makes more of it.
 */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { permissionFor } from '../../../src/cli/acp/permissions.ts';
import { personAt } from '../../../src/cli/ports/person.ts';
import { Terminal } from '../../../src/cli/terminal/terminal.ts';
import { browserDesk, deskOfBrowser } from '../../../src/host/doors/web/browser-desk.ts';
import type { AnswerToAll, Approval } from '../../../src/protocol/approvals/approvals.ts';
import { OP_NAMES, ops } from '../../../src/protocol/op-table/ops.ts';
import { toActKind } from '../../../src/protocol/ops/act-kind.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { text } from '../../../src/protocol/text/text.ts';
import { PersonDesk } from '../../../src/trust/gate/approvals/desk.ts';
import { below, pick, seeded } from '../../support/seeded.ts';
import { waitFor } from '../../support/wait-for.ts';

const { signal } = new AbortController();
const BATCHES = 40;
const TERMINAL_BATCHES = 12;

type Asked = Omit<Approval, 'id' | 'askedAt' | 'expiresAt' | 'trial'>;

describe('One answer to several approvals', () => {
	const seed = Date.now() % 2 ** 32;
	const random = seeded(seed);
	const threadId = newId('thr');

	/** Approval as the broker makes it: what is dangerous shares no yes. An older host does not say what may. */
	function makeApproval(op: (typeof OP_NAMES)[number], n: number): Asked {
		const isDangerous = below(random, 4) === 0;
		const mayShare = pick(random, ['yes', 'yes', 'no', 'not said']);
		return {
			opId: newId('op'),
			threadId,
			op,
			title: `${n}. ${op}`,
			risk: ops[op].risk,
			act: toActKind(ops[op]),
			warning: isDangerous ? { isDangerous, reasons: [text('Deletes a folder')], marks: [] } : null,
			reason: text(`Why ${op} is asked.`),
			detail: pick(random, [
				{ kind: 'path', path: 'a' },
				{ kind: 'text', text: 'a' },
				{ kind: 'command', argv: ['npm', 'test'], cwd: '.' },
			] as const) as Asked['detail'],
			isOnceOffered: true,
			threadScope: isDangerous || below(random, 2) === 0 ? null : text('the same'),
			pattern: isDangerous || below(random, 2) === 0 ? null : `${op} a`,
			isProjectOffered: false,
			...(mayShare === 'not said' ? {} : { isPartOfAll: mayShare === 'yes' && !isDangerous }),
		};
	}
	/** All ops, in batches of two to nine. */
	function makeBatches(count: number): readonly (readonly Asked[])[] {
		const left = [...OP_NAMES];
		return Array.from({ length: count }, () =>
			Array.from({ length: 2 + below(random, 8) }, (_, n) => makeApproval(left.pop() ?? pick(random, OP_NAMES), n)),
		);
	}
	const createDesk = () =>
		new PersonDesk({
			person: { approve: () => Promise.resolve(undefined), answer: () => Promise.resolve(undefined) },
			timeoutMs: () => 60_000,
			isUnattended: () => false,
			onPortFailure: (error) => assert.fail(String(error)),
		});
	type Way = (desk: PersonDesk, ids: Approval['id'][], answer: AnswerToAll) => unknown;
	const ways: Readonly<Record<string, Way>> = {
		'in the chat, or by a program': (desk, ids, answer) => desk.approveAll(ids, answer),
		'in a browser': (desk, ids, answer) =>
			browserDesk(desk, { through: 'web' }, () => {}).approveAll({ ids, answer }, signal),
	};

	for (const [way, answerAll] of Object.entries(ways)) {
		it(`given ${way} covers those that may share it, alone`, async () => {
			const seen = new Set<string>();
			for (const batch of makeBatches(BATCHES)) {
				const desk = createDesk();
				const answers = batch.map((asked) => desk.ask(threadId, () => asked, signal, 'one turn'));
				await new Promise(setImmediate);
				const shown = desk.current.approvals;
				assert.equal(shown.length, batch.length);
				const ids = shown.map(({ id }) => id);
				await answerAll(desk, ids, { kind: 'once' });
				await new Promise(setImmediate);
				const left = batch.filter(({ isPartOfAll }) => isPartOfAll !== true);
				const leftNow = desk.current.approvals.map(({ title }) => title);
				assert.deepEqual(
					leftNow,
					left.map(({ title }) => title),
					`seed ${seed}`,
				);
				await answerAll(desk, ids, { kind: 'deny' });
				const kinds = (await Promise.all(answers)).map((answer) => answer?.kind);
				assert.deepEqual(
					kinds,
					batch.map(({ isPartOfAll }) => (isPartOfAll === true ? 'once' : 'deny')),
					`seed ${seed}`,
				);
				for (const { op } of batch) seen.add(op);
			}
			assert.equal(seen.size, OP_NAMES.length);
		});
	}

	it('typed at the terminal covers those that may share it, alone', async () => {
		for (const batch of makeBatches(TERMINAL_BATCHES)) {
			const stdin = new PassThrough();
			let shown = '';
			const stderr = new PassThrough();
			stderr.setEncoding('utf8').on('data', (chunk: string) => (shown += chunk));
			const person = personAt(new Terminal({ stdin, stdout: new PassThrough(), stderr }), {
				noteOnAnswer: () => Promise.resolve(''),
				whyAsked: () => Promise.resolve(''),
			});
			const at = new Date().toISOString();
			const answered: (string | undefined)[] = batch.map(() => undefined);
			const answers = batch.map((asked, index) =>
				person
					.approve({ ...asked, id: newId('apr'), askedAt: at, expiresAt: at }, signal)
					.then((answer) => (answered[index] = answer?.kind)),
			);
			const covered = batch.map(({ isPartOfAll }) => isPartOfAll === true);
			const prompted = (times: number) =>
				waitFor(`question ${times}`, () => (shown.match(/Allow\? |Answer.*: /g)?.length ?? 0) >= times);
			await prompted(1);
			assert.ok(shown.includes(`${batch.length} actions wait for your answer`), shown);
			for (const { reason } of batch) assert.ok(shown.includes(reason.template), `seed ${seed}: ${reason.template}`);
			stdin.write('y\n');
			if (covered.includes(false)) {
				await prompted(2);
				assert.deepEqual(
					answered,
					covered.map((isCovered) => (isCovered ? 'once' : undefined)),
					`seed ${seed}`,
				);
			}
			// A yes that covers none is no answer, and the list is asked again.
			stdin.write('n\n');
			await Promise.all(answers);
			assert.deepEqual(
				answered,
				covered.map((isCovered) => (isCovered ? 'once' : 'deny')),
				`seed ${seed}`,
			);
		}
	});

	it('is nothing that an editor is asked for, and what it or a browser is shown of each is the same alone and beside others', async () => {
		for (const batch of makeBatches(BATCHES)) {
			const desk = createDesk();
			const answers = batch.map((asked) => desk.ask(threadId, () => asked, signal, 'one turn'));
			await new Promise(setImmediate);
			const shownIn = (of: PersonDesk) =>
				of.current.approvals.map((approval) => {
					const [browser] = deskOfBrowser({ approvals: [approval], questions: [] }).approvals;
					const { id: _, askedAt: _at, expiresAt: _by, hasTurnAsked: _has, ...seen } = browser ?? assert.fail();
					return { seen, options: permissionFor(approval, 'words', { real: '/w', named: '/w' }).options };
				});
			const together = shownIn(desk);
			for (const [index, asked] of batch.entries()) {
				const alone = createDesk();
				const answer = alone.ask(threadId, () => asked, signal);
				await new Promise(setImmediate);
				assert.deepEqual(shownIn(alone), [together[index]], `seed ${seed}`);
				alone.approve(alone.current.approvals[0]?.id ?? assert.fail(), { kind: 'deny' });
				await answer;
			}
			for (const { id } of desk.current.approvals) desk.approve(id, { kind: 'deny' });
			await Promise.all(answers);
		}
	});
});
