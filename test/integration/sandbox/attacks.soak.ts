/** Every attack on commands that the specs have, and how many got through: the table of docs/performance.md. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { parseAllowRules } from '../../../src/trust/gate/policy/rules/allow-rule.ts';
import { gateOf, mutate, readCommandCorpus, wideRules } from '../../support/command-corpus.ts';
import { hostileCount } from '../../support/hostile-lines.ts';
import { pick, seeded, seedOfSoak } from '../../support/seeded.ts';
import { greedy } from '../../fixtures/escapes/greed.ts';
import { makeEscapes, tableOfTried, topics, type Tried } from './escape-topics.ts';
import { attackAsOrdinaryUser, canBecomeOrdinary } from './escapes-as-user.ts';
import { takeTooMuch } from './greedy-commands.ts';
import { runHostileLines } from './hostile-lines.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';
/** `PROWESS_PART=2/8`: of the long ones only each eighth attack, from the second on. */
const [part = 1, parts = 1] = (process.env['PROWESS_PART'] ?? '1/1').split('/').map(Number);
const isMine = (_: unknown, index: number) => index % parts === part - 1;
const escapes = Object.values(topics).flat().filter(isMine);
const lines = Array.from({ length: hostileCount }, (_, index) => index).filter(isMine);
const mutants = 100_000;

describe('soak: attacks on commands', () => {
	const rows: string[] = [];
	const byKind: Tried[] = [];
	const note = (attack: string, tried: number, through: readonly string[]) => {
		rows.push(`| ${attack} | ${tried.toLocaleString('en')} | ${through.length} |`);
		assert.deepEqual(through, []);
	};

	after(() => {
		console.log(
			['| Attack | Tried | Got through |', '| --- | --- | --- |', ...rows].map((row) => `      ${row}`).join('\n'),
		);
		console.log(`\n${tableOfTried(byKind)}`.replaceAll(/^/gm, '      '));
	});

	it('find no hostile command allowed where nothing keeps it in', () => {
		const readable = readCommandCorpus('hostile').flatMap(({ commands }) => (commands === undefined ? [] : [commands]));
		const passed = readable.filter((commands) => gateOf(commands, [], { level: 'auto' }).kind !== 'ask');
		note(
			'hostile commands at `auto`, without a sandbox: run unasked',
			readable.length,
			passed.map((commands) => JSON.stringify(commands)),
		);
	});

	it('find no hostile command allowed in another dress', () => {
		const seed = seedOfSoak();
		console.log(`      PROWESS_SEED=${seed}`);
		const random = seeded(seed);
		const rules = parseAllowRules(wideRules);
		const readable = readCommandCorpus('hostile').flatMap(({ commands }) => (commands === undefined ? [] : [commands]));
		const dressed = Array.from({ length: mutants }, () => mutate(mutate(pick(random, readable), random), random));
		const passed = dressed.filter((commands) => gateOf(commands, rules).kind !== 'ask');
		note(
			'the same, each changed twice, with the widest rules: run unasked',
			mutants,
			passed.map((commands) => JSON.stringify(commands)),
		);
	});

	describe('in the sandbox', () => {
		before(function () {
			if (!existsSync(bubblewrap) || !existsSync('/usr/bin/python3')) this.skip();
		});

		it('find no way out', async () => {
			const { tried, through } = await makeEscapes(escapes, { bubblewrap });
			byKind.push(...tried);
			note('attempts to get out of the sandbox', escapes.length, through);
		});

		it('take no more of the machine than a command may', async () => {
			const through: string[] = [];
			for (const greed of greedy.filter(isMine)) {
				const outside = await takeTooMuch(greed, false);
				const inside = await takeTooMuch(greed, true);
				byKind.push({ kind: greed.kind, reachedOutside: outside.timedOut, reachedInside: inside.timedOut });
				if (inside.timedOut) through.push(greed.title);
			}
			note('programs that take too much of the machine: not ended', greedy.filter(isMine).length, through);
		});

		it('reach nothing by a hostile line', async () => {
			const { through, ran } = await runHostileLines(lines, { bubblewrap });
			console.log(`      ${ran} of ${hostileCount} ran, the others were refused or are no programs here`);
			note('hostile lines run in the sandbox: an effect outside', ran, through);
		});

		it('reach no more as an ordinary user', async function () {
			if (!canBecomeOrdinary()) this.skip();
			const titles = escapes.map(({ title }) => title);
			const { made, hostile } = await attackAsOrdinaryUser({ bubblewrap, titles, lines });
			console.log(`      ${made.blunt.length} of ${titles.length} attempts reach nothing without the sandbox either`);
			note('attempts to get out, as an ordinary user', titles.length, made.through);
			note('hostile lines, as an ordinary user: an effect outside', hostile.ran, hostile.through);
		});
	});
});
