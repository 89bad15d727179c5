/** A server that is taken over: it asks its host for all it could want, at the level Auto, and the user says no. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { capturedCalls } from '../../fixtures/escapes/captured.ts';
import { asLine } from '../../support/command-host.ts';
import { hostileCount, hostileLines } from '../../support/hostile-lines.ts';
import { Outside } from '../../support/outside/outside.ts';
import { programs, specProgram } from '../../support/programs.ts';
import { below, seeded } from '../../support/seeded.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';
const program = specProgram(join(import.meta.dirname, 'captured-server-program.ts'));
const LINES = 40;

describe('A captured server', function () {
	this.timeout(180_000);

	before(function () {
		if (!existsSync(bubblewrap) || !existsSync('/usr/bin/python3')) this.skip();
	});

	it('gets no secret and has no effect that nobody approved, by more than 300 calls', async () => {
		const { calls, done, effects } = await captured('deny', LINES);
		assert.ok(calls > 300);
		assert.deepEqual(effects, []);
		console.log(`      ${calls} calls: 0 secrets out, 0 effects that nobody approved; ${done} were let`);
	});

	it('would get much by the same calls if the user said yes to everything', async () => {
		const { effects } = await captured('once', 0);
		const count = (what: RegExp) => effects.filter((effect) => what.test(effect)).length;
		assert.ok(count(/^told canary-/) >= 5 && count(/^(?:made|changed|removed) /) >= 5, effects.join('\n'));
	});
});

async function captured(answer: 'deny' | 'once', lineCount: number) {
	const outside = await Outside.create();
	try {
		await outside.prepare();
		const mark = `m${randomBytes(6).toString('hex')}`;
		const places = outside.placesOf(mark);
		const random = seeded(20_261_125);
		const all = hostileLines(places);
		const lines = Array.from({ length: lineCount }, () => all[below(random, hostileCount)] ?? (['true'] as const));
		const calls = capturedCalls(places, lines);
		const answered = await askOf(outside, answer, calls);
		const outcomes = answered.split('\n').filter((line) => line !== '');
		assert.equal(outcomes.length, calls.length);
		const done = outcomes.filter((line) => line.includes('"status":"done"')).length;
		return { calls: calls.length, done, effects: outside.effects(mark, answered) };
	} finally {
		await outside.close();
	}
}

/** All that the host answers. */
async function askOf(
	{ home, prowessHome, workspace }: Outside,
	answer: string,
	calls: readonly object[],
): Promise<string> {
	const { PATH = '', LANG = 'C.UTF-8' } = process.env;
	const child = spawn(process.execPath, ['--no-warnings', program, prowessHome, workspace, bubblewrap, answer], {
		stdio: ['pipe', 'pipe', 'inherit'],
		env: { HOME: home, PATH, LANG, ...programs.compileCache },
	});
	const ended = once(child, 'exit');
	const said = text(child.stdout);
	child.stdin.end(calls.map(asLine).join(''));
	const [code] = (await ended) as [number | null];
	assert.equal(code, 0);
	return await said;
}
