/**
 * Compares the claims of an answer with what happened: golden transcripts of answers that claim, announce or say
 * nothing.
 */
import assert from 'node:assert/strict';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { MemoryHost, OpFailure } from './memory-host.ts';
import { call, scriptedModel, type ScriptedPart, text } from './scripted-model.ts';
import { type Stage, Transcript } from './transcript.ts';

describe('An answer', () => {
	let transcript: Transcript;

	afterEach(() => transcript.close());

	async function play(name: string, answers: readonly (readonly ScriptedPart[])[], more: Partial<Stage> & { prompt?: string } = {}, isGolden = true) {
		const { prompt = 'Fix the total in a.ts', ...stage } = more;
		const model = scriptedModel(answers);
		const host = stage.host ?? new MemoryHost({ 'a.ts': 'let a;' });
		transcript = new Transcript({ host, ...stage, model });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, prompt);
		if (isGolden) {
			await transcript.matches(name, threadId);
		}
		return { model, threadId };
	}

	function notices(): (string | undefined)[] {
		return transcript.events.flatMap((event) =>
			event.type === 'item.start' && event.item.kind === 'notice' ? [event.item.error?.code ?? event.item.text] : [],
		);
	}

	const write = call('fs_write', { path: 'a.ts', content: 'x' });
	const denies = () =>
		new MemoryHost({ 'a.ts': 'let a;' }, {
			'fs.write': async () => {
				throw new OpFailure('denied', 'DENIED_BY_USER', 'the user said no to this fs.write');
			},
		});

	it('that claims an edit which nothing shows is asked about once, and marked when it stays', async () => {
		const { model } = await play('phantom-edit', [text('I have updated `a.ts`.'), text('I updated a.ts as you asked.')]);
		assert.equal(model.requests.length, 2);
		assert.deepEqual(notices(), ['CLAIM_UNPROVEN']);
	});

	it('that claims an edit is marked, too, where no other answer takes its place', async () => {
		const error = new ProwessError('PROVIDER_BILLING', 'no money', { provider: 'test', retryable: false });
		for (const [others, after] of [
			[[[{ kind: 'fail', error }]], ['PROVIDER_BILLING']],
			[[[], [], []], ['PROVIDER_ERROR']],
		] as const) {
			await play('', [text('I have updated `a.ts`.'), ...others], {}, false);
			assert.deepEqual(notices(), ['CLAIM_UNPROVEN', ...after]);
			transcript.close();
		}
	});

	it('that claims an edit is proven by the edit that follows the question', async () => {
		await play('phantom-made-good', [text('I have updated `a.ts`.'), [write], text('Now I have updated `a.ts`.')]);
		assert.deepEqual(notices(), []);
	});

	it('to a question ends the turn, whatever it reports of others, and nothing is done', async () => {
		const rename = call('fs_move', { from: 'utils.ts', to: 'helpers.ts' });
		const diff = { patch: 'rename from utils.ts\nrename to helpers.ts', truncated: false };
		const host = new MemoryHost({ 'utils.ts': '' }, { 'git.diff': async () => diff });
		const { model } = await play(
			'question-reported',
			[[call('git_diff', {})], text('In the last commit `utils.ts` has been renamed to `helpers.ts`.'), [rename], text('I have renamed it.')],
			{ host, prompt: 'What changed in the last commit?' },
		);
		assert.equal(model.requests.length, 2);
		assert.deepEqual(host.performed.filter(({ op }) => op === 'fs.move'), []);
		assert.deepEqual(notices(), []);
	});

	it('to a question that claims an edit is marked at once, and nothing is done', async () => {
		for (const prompt of ['Is `utils.ts` still there?', 'Can you rename `utils.ts`?', 'Wie heißt `utils.ts` jetzt']) {
			const host = new MemoryHost({ 'utils.ts': '' });
			const rename = call('fs_move', { from: 'utils.ts', to: 'helpers.ts' });
			const { model } = await play('question-claimed', [text('I have renamed `utils.ts`.'), [rename]], { host, prompt }, false);
			assert.equal(model.requests.length, 1, prompt);
			assert.deepEqual(host.performed.filter(({ op }) => op === 'fs.move'), []);
			assert.deepEqual(notices(), ['CLAIM_UNPROVEN']);
			transcript.close();
		}
	});

	it('that is a text about what others did is left alone, whoever asked for it', async () => {
		for (const [prompt, answer] of [
			['Write a PR description', 'All tests pass.'],
			['Write release notes', '# 1.2\n\n- Fixed the crash in `src/cart.ts`\n- `utils.ts` has been renamed to `helpers.ts`'],
			['Was wurde an der Konfiguration geändert?', 'In `app.json` wurde die Konfiguration geändert: Der Port wurde ersetzt.'],
			['Review a.ts', 'The function in `a.ts` was added without tests. The imports have been removed.'],
		] as const) {
			const { model } = await play('text-of-others', [text(answer)], { prompt }, false);
			assert.equal(model.requests.length, 1, prompt);
			assert.deepEqual(notices(), []);
			transcript.close();
		}
	});

	it('that leaves out who did it tells of others once their changes were read', async () => {
		const host = new MemoryHost({}, { 'git.diff': async () => ({ patch: 'rename from utils.ts', truncated: false }) });
		const answers = [[call('git_diff', {})], text('Renamed `utils.ts` to `helpers.ts`. We have fixed `cart.ts`.'), text('Updated `a.ts`.')];
		const { model, threadId } = await play('changes-reported', answers, { host, prompt: 'Sum up my changes' }, false);
		await transcript.prompt(threadId, 'Shorter');
		assert.equal(model.requests.length, 3);
		assert.deepEqual(notices(), []);
	});

	it('that takes its claim back is not marked', async () => {
		await play('phantom-taken-back', [text('I fixed `a.ts`. All tests pass.'), text('I did not run any test.')]);
		assert.deepEqual(notices(), []);
	});

	it('that claims a denied edit is asked about', async () => {
		await play('phantom-denied', [[write], text('I have updated `a.ts`.'), text('The edit was denied.')], { host: denies() });
		assert.deepEqual(notices(), []);
	});

	it('that claims another file than the one that was written is asked about', async () => {
		await play('phantom-other-file', [[write], text('I updated `b.ts`.'), text('I updated `b.ts`.')]);
		assert.deepEqual(notices(), ['CLAIM_UNPROVEN']);
	});

	it('that claims a commit after no command is asked about, in German, too', async () => {
		await play('phantom-commit', [[write], text('Ich habe die Änderungen committet.'), text('Es ist nichts committet.')]);
		assert.deepEqual(notices(), []);
	});

	it('that claims what was done is left alone', async () => {
		const { model } = await play('claim-proven', [[write], text('I have updated `a.ts`.')]);
		assert.equal(model.requests.length, 2);
	});

	it('that speaks of an earlier turn is left alone', async () => {
		const { model, threadId } = await play('claim-of-before', [[write], text('Done.'), text('I have updated `a.ts`.')]);
		await transcript.prompt(threadId, 'What did you do?');
		assert.equal(model.requests.length, 3);
		assert.deepEqual(notices(), []);
	});

	it('that only announces a step is nudged once', async () => {
		const { model } = await play('announced', [text("I'll read the file now."), [call('fs_read', { path: 'a.ts' })], text('It is short.')]);
		assert.equal(model.requests.length, 3);
	});

	it('that announces again after the nudge ends the turn', async () => {
		const { model } = await play('announced-again', [text('Let me check the file.'), text('Let me check the file.')]);
		assert.equal(model.requests.length, 2);
	});

	it('that was asked to be a plan may announce', async () => {
		const { model } = await play('announced-plan', [text('First I will read the config.')], { prompt: 'Make a plan' });
		assert.equal(model.requests.length, 1);
	});

	it('that says the same for ever is stopped, and what it said is kept', async () => {
		const again = Array.from({ length: 2_000 }, () => ({ kind: 'textDelta' as const, text: 'I will fix it now. ' }));
		const { model } = await play('repeated-text', [again]);
		assert.equal(model.requests.length, 1);
		assert.deepEqual(notices(), ['ANSWER_REPEATS']);
	});

	it('that says the same for ever all at once is stopped, and how it began is kept', async () => {
		await play('repeated-at-once', [text('I will fix it now. '.repeat(2_000))]);
		assert.deepEqual(notices(), ['ANSWER_REPEATS']);
		assert.match(JSON.stringify(transcript.events), /I will fix it now\. I will/);
	});

	it('that thinks the same for ever is stopped', async () => {
		const again = Array.from({ length: 2_000 }, () => ({ kind: 'thinkingDelta' as const, text: 'Hm, but wait. ' }));
		await play('repeated-thought', [again]);
		assert.deepEqual(notices(), ['ANSWER_REPEATS']);
	});

	it('of forty megabytes is cut at a megabyte', async () => {
		const long = Array.from({ length: 4_000 }, (_, n) => ({
			kind: 'textDelta' as const,
			text: Array.from({ length: 1_000 }, (_each, m) => `${n}.${m}`.padEnd(10)).join(''),
		}));
		const { threadId } = await play('endless-text', [long]);
		const stored = transcript.store.messages(threadId).reduce((sum, { body }) => sum + body.length, 0);
		assert.ok(stored < 1_100_000, String(stored));
	});

	it('of 2,000 calls has the first ones run, is told so once, and is stopped the next time', async () => {
		const reads = (round: string) =>
			Array.from({ length: 2_000 }, (_, n) => call('fs_read', { path: 'a.ts', offset: n + 1 }, `call_${round}_${n}`));
		const { model } = await play('too-many-calls', [reads('a'), reads('b'), text('Never asked.')]);
		assert.equal(model.requests.length, 2);
		assert.deepEqual(notices(), ['GOING_IN_CIRCLES']);
	});

	it('of too many calls goes on with fewer', async () => {
		const writes = Array.from({ length: 70 }, (_, n) => call('fs_write', { path: `${n}.ts`, content: 'x' }, `call_${n}`));
		const rest = writes.slice(64);
		await play('too-many-calls-once', [writes, rest, text('All 70 files are there.')]);
		assert.deepEqual(notices(), []);
	});

	it('after answer that changes nothing and finds nothing new ends the turn', async () => {
		const searches = Array.from({ length: 40 }, (_, n) => [call('fs_list', { pattern: `*.x${n}` }, `call_${n}`)]);
		const host = new MemoryHost({}, {
			'fs.find': async () => ({ paths: [], truncated: false }),
		});
		await play('no-progress', searches, { host });
		assert.deepEqual(notices(), ['GOING_IN_CIRCLES']);
	});

	it('of a word for silence is shown as silence, and nobody reads the word', async () => {
		for (const [name, word] of [['silent', 'NO_REPLY'], ['silent-brackets', ' [SILENT]\n'], ['silent-lower-case', '[silent]']] as const) {
			const pieces = [...word].map((piece) => ({ kind: 'textDelta' as const, text: piece }));
			await play(name, [[...pieces, { kind: 'textEnd' }]], { prompt: 'Only if it matters' });
			assert.doesNotMatch(JSON.stringify(transcript.events), /NO_REPLY|\[SILENT\]/i);
			transcript.close();
		}
		await play('silent-after-call', [[write], text('NO_REPLY')]);
	});

	it('that only begins like a word for silence, or holds one, is shown whole', async () => {
		await play('silent-in-text', [text('NO_REPLY is what I would say.')], { prompt: 'Which word?' });
		transcript.close();
		await play('silent-prefix', [text('NO')], { prompt: 'Yes or no?' });
	});
});
