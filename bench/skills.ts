/**
 * A user with thousands of skills, against the same user with none: how long the first request of the agent takes from the
 * spawn of the CLI.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { STAMP_SETTLED_MS } from '../src/catalog/registry/limits.ts';
import { below, pick, seeded } from '../test/support/seeded.ts';
import { runNode } from './agent.ts';
import { type Figure, ms, paired, ratio } from './measure.ts';
import { startModelEndpoint } from './model-endpoint.ts';

const root = join(import.meta.dirname, '..');
const SKILLS = 5_000;
const STARTS_BEFORE = 4;
const ROUNDS = 9;

export async function skillFigures(): Promise<Figure[]> {
	const endpoint = await startModelEndpoint();
	const folder = mkdtempSync(join(tmpdir(), 'prowess-bench-'));
	const place = join(folder, 'workspace');
	const homes = { none: join(folder, 'none'), many: join(folder, 'many') };
	for (const path of [place, ...Object.values(homes)]) mkdirSync(path);
	writeSkills(join(homes.many, '.claude/skills'), SKILLS);
	const provider = ['--provider', 'openai-compatible', '--base-url', endpoint.baseUrl, '--model', 'bench'];
	const args = [
		...[join(root, 'dist/cli.mjs'), 'run', 'Fill in the form of the invoice.', '--json', '--trust'],
		...['--workspace', place, ...provider, '--approve', 'never'],
	];
	const first = async (home: string) => {
		endpoint.script([{ text: 'ok' }]);
		const started = await runNode(args, place, home);
		return (endpoint.requests[0]?.arrived ?? Number.NaN) - started;
	};
	try {
		// Wait first: files written a moment ago are read twice, lest a change is missed.
		await wait(STAMP_SETTLED_MS);
		for (let start = 0; start < STARTS_BEFORE; start += 1) {
			for (const home of Object.values(homes)) await first(home);
		}
		const times = await paired(ROUNDS, { none: () => first(homes.none), many: () => first(homes.many) });
		return [
			{
				goal: 'skills',
				what: `spawn of the CLI to the first model request with ${SKILLS} skills, against none`,
				measured: `${ratio(times['many'])} (${ms(times['many']?.value)} / ${ms(times['none']?.value)})`,
				bar: '<= 1.2x',
				met: (times['many']?.ratio ?? Infinity) <= 1.2,
			},
		];
	} finally {
		await endpoint.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

const words = ['invoice', 'form', 'report', 'test', 'deploy', 'chart', 'review', 'table', 'image', 'mail', 'cloud'];

/** Writes skills of the size that public collections have: 200 characters of description, 4 KB of text. */
export function writeSkills(folder: string, count: number): void {
	const random = seeded(5);
	const sentence = (length: number) =>
		Array.from({ length }, () => `${pick(random, words)}${below(random, 90)}`).join(' ');
	const body = `${sentence(60)}\n`.repeat(8);
	for (let at = 0; at < count; at += 1) {
		const name = `${pick(random, words)}-${pick(random, words)}-${at}`;
		mkdirSync(join(folder, name), { recursive: true });
		writeFileSync(
			join(folder, name, 'SKILL.md'),
			`---\nname: ${name}\ndescription: ${sentence(24)}\nlicense: MIT\nallowed-tools: Read, Bash(git diff:*)\n---\n\n${body}`,
		);
	}
}
