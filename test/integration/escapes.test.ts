/** The sandbox of commands, attacked: every attempt is made for real, and what it reached is looked at from outside. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { daemons } from '../fixtures/escapes/daemons.ts';
import { files } from '../fixtures/escapes/files.ts';
import { network } from '../fixtures/escapes/network.ts';
import { planted } from '../fixtures/escapes/planted.ts';
import { processes } from '../fixtures/escapes/processes.ts';
import { EscapeAttempts } from '../support/escape-attempts.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';
const topics = { files, network, processes, planted, daemons };
const isSuperuser = process.getuid?.() === 0;

describe('The sandbox of commands', function () {
	this.timeout(120_000);
	/** Two at a time. */
	let attempts: EscapeAttempts[] = [];
	beforeEach(async function () {
		if (!existsSync(bubblewrap) || !existsSync('/usr/bin/python3')) this.skip();
		attempts = await Promise.all([EscapeAttempts.create(bubblewrap), EscapeAttempts.create(bubblewrap)]);
	});
	afterEach(() => Promise.all(attempts.splice(0).map((each) => each.close())));

	it('is attacked in more than 300 ways', () => {
		const titles = Object.values(topics).flatMap((escapes) => escapes.map(({ title }) => title));
		assert.ok(new Set(titles).size > 300, String(titles.length));
	});

	for (const [topic, escapes] of Object.entries(topics)) {
		it(`holds against ${escapes.length} attempts: ${topic}`, async () => {
			const through: string[] = [];
			const blunt: string[] = [];
			const waiting = [...escapes];
			const work = async (mine: EscapeAttempts) => {
				for (let escape = waiting.shift(); escape !== undefined; escape = waiting.shift()) {
					const { title, outside, inside, said } = await mine.both(escape);
					if (inside.length > 0) through.push(`${title}: ${inside.join(', ')} (${said.slice(0, 300)})`);
					if (outside?.length === 0) blunt.push(title);
				}
			};
			await Promise.all(attempts.map(work));
			assert.deepEqual(through, []);
			// Many need rights that only the superuser has to give away.
			assert.ok(blunt.length <= (isSuperuser ? 0 : escapes.length / 3), `these prove nothing: ${blunt.join(', ')}`);
		});
	}
});
