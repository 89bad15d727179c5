/** The sandbox of commands, attacked: every attempt is made for real, and what it reached is looked at from outside. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { hostileCount } from '../../support/hostile-lines.ts';
import { below, seeded, seedOfSoak, shuffled } from '../../support/seeded.ts';
import { type EscapesMade, openEscapeHosts, tableOfTried, topics } from './escape-topics.ts';
import { attackAsOrdinaryUser, canBecomeOrdinary } from './escapes-as-user.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';
const isSuperuser = process.getuid?.() === 0;
const titles = Object.values(topics).flatMap((escapes) => escapes.map(({ title }) => title));
/** Samples; `npm run soak` makes all attempts. */
const share = 1 / 6;
const ordinary = { attempts: 18, lines: 8 };
const seed = seedOfSoak();

describe('The sandbox of commands', function () {
	this.timeout(300_000);
	const sampled: Record<string, { readonly escapes: number; readonly made: EscapesMade }> = {};
	before(async function () {
		if (!existsSync(bubblewrap) || !existsSync('/usr/bin/python3')) this.skip();
		// Two hosts make the attempts of all topics: to start one takes as long as ten attempts.
		const hosts = await openEscapeHosts({ bubblewrap });
		try {
			for (const [topic, all] of Object.entries(topics)) {
				const escapes = shuffled(seeded(seed), all).slice(0, Math.ceil(all.length * share));
				sampled[topic] = { escapes: escapes.length, made: await hosts.make(escapes) };
			}
		} finally {
			await hosts.close();
		}
	});

	after(() => {
		console.log(`      PROWESS_SEED=${seed}`);
		const tried = Object.values(sampled).flatMap(({ made }) => made.tried);
		if (tried.length > 0) console.log(tableOfTried(tried).replaceAll(/^/gm, '      '));
	});

	it('is attacked in more than 300 ways', () => {
		assert.ok(new Set(titles).size > 300, String(titles.length));
	});

	for (const topic of Object.keys(topics)) {
		it(`holds against attempts: ${topic}`, () => {
			const { escapes, made } = sampled[topic] ?? assert.fail('none were made');
			assert.deepEqual([escapes > 0, made.tried.length], [true, escapes]);
			assert.deepEqual(made.through, []);
			// Many need rights that only the superuser has to give away.
			assert.ok(made.blunt.length <= (isSuperuser ? 0 : escapes / 3), `these prove nothing: ${made.blunt.join(', ')}`);
		});
	}

	it('holds against an ordinary user, too', async function () {
		if (!canBecomeOrdinary()) this.skip();
		const random = seeded(seed);
		const { user, made, hostile } = await attackAsOrdinaryUser({
			bubblewrap,
			titles: Array.from({ length: ordinary.attempts }, () => titles[below(random, titles.length)] ?? ''),
			lines: Array.from({ length: ordinary.lines }, () => below(random, hostileCount)),
		});
		assert.notEqual(user, 0);
		assert.deepEqual(made.through, []);
		assert.deepEqual(hostile.through, []);
		assert.ok(made.blunt.length <= ordinary.attempts / 3, `these prove nothing: ${made.blunt.join(', ')}`);
		assert.ok(hostile.ran > ordinary.lines / 2, `${hostile.ran} lines ran`);
	});
});
