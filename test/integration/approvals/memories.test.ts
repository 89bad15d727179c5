/** Memories through the gate and the ledger: what an agent may note, what the user reviews, what is refused. */
import assert from 'node:assert/strict';
import { useServedBases } from './served-base.ts';

const key = `ghp_${'a1B2c3D4'.repeat(4)}abcd`;

describe('memories', () => {
	const serve = useServedBases();
	const textsOf = (outcome: unknown) => JSON.stringify(outcome);

	it('of an agent wait for the user, say where they come from, and are recalled once accepted', async () => {
		const { base, perform, threadId, turnId } = await serve();
		const noted = await perform('memory.remember', { text: 'Use pnpm to install packages' });
		assert.match(textsOf(noted), /"state":"inbox"/);
		assert.match(textsOf(await perform('memory.recall', { query: 'install lodash packages' })), /"memories":\[\]/);
		const [waiting] = await base.memory.list({ state: 'inbox' });
		assert.deepEqual(waiting?.origin, { threadId, turnId });
		await base.memory.accept(waiting?.id ?? '');
		assert.match(textsOf(await perform('memory.recall', { query: 'install lodash packages' })), /Use pnpm/);
		const ops = (await base.ledger.query({ limit: 50 })).map(({ op, kind, trigger }) => `${op} ${kind} ${trigger}`);
		assert.ok(ops.includes('memory.accept outcome user'), ops.join('\n'));
		assert.ok(
			ops.some((row) => row.startsWith('memory.remember intent agent:')),
			ops.join('\n'),
		);
	});

	it('with a secret are refused before anything is stored, whoever wants them', async () => {
		const { base, perform } = await serve();
		assert.match(textsOf(await perform('memory.remember', { text: `The token is ${key}` })), /SECRETS_IN_MEMORY/);
		await assert.rejects(base.memory.add({ text: `The token is ${key}`, scope: 'user' }), {
			code: 'SECRETS_IN_MEMORY',
		});
		assert.deepEqual(await base.memory.list({ everywhere: true }), []);
		assert.doesNotMatch(JSON.stringify(await base.ledger.query({ limit: 50 })), /ghp_/);
	});

	it('are kept at once where the user wants no review, and not at all where memory is off', async () => {
		const kept = await serve({ settings: { 'prowess.memory.review': false } });
		assert.match(textsOf(await kept.perform('memory.remember', { text: 'Use tabs' })), /"state":"kept"/);
		const off = await serve({ settings: { 'prowess.memory.enabled': false } });
		assert.match(textsOf(await off.perform('memory.remember', { text: 'Use tabs' })), /NOT_AVAILABLE_HERE/);
		assert.match(textsOf(await off.perform('memory.recall', { query: 'tabs' })), /NOT_AVAILABLE_HERE/);
	});

	it('are deleted by an agent only with the approval of the user', async () => {
		const { base, perform } = await serve({ approvalMode: 'never' });
		const { id } = await base.memory.add({ text: 'Use tabs', scope: 'user' });
		assert.match(textsOf(await perform('memory.forget', { id })), /DENIED_BY_RULE/);
		assert.deepEqual(
			(await base.memory.list({})).map(({ text }) => text),
			['Use tabs'],
		);
		assert.equal((await base.memory.forget(id)).text, 'Use tabs');
		await assert.rejects(base.memory.forget(id), { code: 'NOT_FOUND' });
	});
});
