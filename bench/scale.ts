/**
 * Costs at 1, 10 and 100 times as much work: files in the workspace, skills, turns of a thread. They are processor time of
 * whole commands with all their processes, since time on the clock says more of what else runs.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureBubblewrap } from '../scripts/setup/bubblewrap.mjs';
import { STAMP_SETTLED_MS } from '../src/catalog/registry/limits.ts';
import { newId } from '../src/protocol/rpc/ids.ts';
import type { UserItem } from '../src/protocol/thread/items.ts';
import { toUserItemRow } from '../src/server/threads/user-messages.ts';
import { openMigratedDatabase } from '../src/store/open-database.ts';
import { threadMigrations } from '../src/store/threads/thread-migrations.ts';
import { ThreadStore } from '../src/store/threads/thread-store.ts';
import { childCpuMs, runNode } from './agent.ts';
import { type Figure, median } from './measure.ts';
import { type Answer, startModelEndpoint } from './model-endpoint.ts';
import { writeSkills } from './skills.ts';

const root = join(import.meta.dirname, '..');
const STARTS_BEFORE = 4;
const ROUNDS = 5;
const FILES = [1_000, 10_000, 100_000];
const SKILLS = [50, 500, 5_000];
const TURNS = [100, 1_000, 10_000];
const FILES_IN_FOLDER = 100;
const COMMAND: readonly Answer[] = [{ tool: 'shell_run', input: { command: 'touch made.txt' } }, { text: 'ok' }];

/** A user with a home, and a workspace that holds nothing yet. */
interface Place {
	readonly home: string;
	readonly workspace: string;
	/** Runs a turn with these answers. */
	turn(answers?: readonly Answer[]): Promise<void>;
	/** Runs another command. */
	run(...words: readonly string[]): Promise<void>;
}

export async function scaleFigures(): Promise<Figure[]> {
	return [...(await inFiles()), ...(await amongSkills()), ...(await ofThreads())];
}

async function inFiles(): Promise<Figure[]> {
	const [answered, commanded]: [number[], number[]] = [[], []];
	for (const count of FILES) {
		await inPlace(async ({ workspace, turn }) => {
			for (let at = 0; at < count; at += 1) {
				const folder = join(workspace, `f${Math.floor(at / FILES_IN_FOLDER)}`);
				if (at % FILES_IN_FOLDER === 0) mkdirSync(folder);
				writeFileSync(join(folder, `${at}.ts`), `export const value${at} = ${at};\n`.repeat(10));
			}
			const git = (...words: string[]) => execFileSync('git', words, { cwd: workspace, stdio: 'ignore' });
			git('init', '--quiet');
			git('add', '-A');
			git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'first');
			for (let start = 0; start < STARTS_BEFORE; start += 1) await turn(COMMAND);
			answered.push(await costOf(() => turn()));
			commanded.push(await costOf(() => turn(COMMAND)));
		});
	}
	return [
		slope('a turn with one answer', FILES, 'files', answered, 2),
		slope('a turn with one sandboxed command, the first of its process', FILES, 'files', commanded, undefined),
	];
}

async function amongSkills(): Promise<Figure[]> {
	const [unchanged, touched]: [number[], number[]] = [[], []];
	for (const count of SKILLS) {
		await inPlace(async ({ home, turn }) => {
			const folder = join(home, '.claude/skills');
			writeSkills(folder, count);
			// Wait first: files written a moment ago are read twice, lest a change is missed.
			await wait(STAMP_SETTLED_MS);
			for (let start = 0; start < STARTS_BEFORE; start += 1) await turn();
			unchanged.push(await costOf(() => turn()));
			const names = readdirSync(folder);
			let at = 0;
			const touchOne = async () => {
				appendFileSync(join(folder, names[at++] ?? '', 'SKILL.md'), '\nOne more line.\n');
				await wait(STAMP_SETTLED_MS);
			};
			touched.push(await costOf(() => turn(), touchOne));
		});
	}
	return [
		slope('a turn with one answer', SKILLS, 'skills', unchanged, 1.2),
		slope('the same after one skill was touched', SKILLS, 'skills', touched, undefined),
	];
}

async function ofThreads(): Promise<Figure[]> {
	const [shown, listed]: [number[], number[]] = [[], []];
	for (const count of TURNS) {
		await inPlace(async ({ home, run }) => {
			const id = fillThread(home, count);
			await run('thread', 'list');
			shown.push(await costOf(() => run('thread', 'show', id)));
			listed.push(await costOf(() => run('thread', 'messages', id)));
		});
	}
	return [
		slope('thread show', TURNS, 'turns', shown, undefined),
		slope('thread messages', TURNS, 'turns', listed, undefined),
	];
}

/** A thread of so many turns; its id. */
function fillThread(home: string, turns: number): string {
	const { db } = openMigratedDatabase(join(home, 'threads.db'), threadMigrations);
	const [threadId, at] = [newId('thr'), new Date().toISOString()];
	try {
		const store = new ThreadStore(db, { owner: 'bench', isAlive: () => true, now: () => Date.now() });
		store.create({ id: threadId, title: 'Bench', model_id: null, mode: 'agent', workspace: null, created_at: at });
		const writer = store.lease(threadId);
		writer.transaction('process', () => {
			for (let turn = 1; turn <= turns; turn += 1) {
				const turnId = newId('trn');
				const item: UserItem = { kind: 'user', id: newId('itm'), turnId, at, text: `Question ${turn}?`, context: [] };
				const answer = { kind: 'text', id: newId('itm'), turnId, at, text: `Answer ${turn}. `.repeat(100) };
				writer.startTurn({ id: turnId, modelId: 'a/b', startedAt: at });
				writer.addItem(toUserItemRow(item), item.text);
				writer.addItem(
					{ ...toUserItemRow(item), id: answer.id, kind: 'text', body: JSON.stringify(answer) },
					undefined,
				);
				writer.endTurn({ id: turnId, status: 'completed', endedAt: at, error: null });
			}
		});
		writer.release();
	} finally {
		db.dispose();
	}
	return threadId;
}

async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
	const endpoint = await startModelEndpoint();
	const folder = mkdtempSync(join(tmpdir(), 'prowess-bench-'));
	const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')];
	for (const path of [home, workspace]) mkdirSync(path);
	const bubblewrap = await ensureBubblewrap();
	writeFileSync(join(home, 'settings.json'), JSON.stringify({ 'prowess.tools.bubblewrapPath': bubblewrap ?? '' }));
	const cli = join(root, 'dist/cli.mjs');
	const provider = ['--provider', 'openai-compatible', '--base-url', endpoint.baseUrl, '--model', 'bench'];
	const prompt = [cli, 'run', 'Go.', '--json', '--trust', '--workspace', workspace, ...provider, '--approve', 'auto'];
	try {
		await work({
			home,
			workspace,
			async turn(answers = [{ text: 'ok' }]) {
				endpoint.script(answers);
				await runNode(prompt, workspace, home);
			},
			async run(...words) {
				await runNode([cli, ...words], workspace, home);
			},
		});
	} finally {
		await endpoint.close();
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}

/** Processor milliseconds of `work`, median of some rounds, each after `before`. */
async function costOf(work: () => Promise<void>, before?: () => Promise<void>): Promise<number> {
	const costs: number[] = [];
	for (let round = 0; round < ROUNDS; round += 1) {
		await before?.();
		const began = childCpuMs();
		await work();
		costs.push(childCpuMs() - began);
	}
	return median(costs);
}

/** `most`: times of what the least takes that the most of it may take; undefined: reported only. */
function slope(
	what: string,
	counts: readonly number[],
	unit: string,
	costs: readonly number[],
	most: number | undefined,
): Figure {
	const [first = Number.NaN] = costs;
	const grown = costs.map((cost) => `${(cost / first).toFixed(2)}x`);
	const of = counts.map((count) => count.toLocaleString('en')).join(', ');
	const last = (costs.at(-1) ?? Number.NaN) / first;
	return {
		goal: 'scale',
		what: `processor time of ${what}, among ${of} ${unit}`,
		measured: `${grown.join(', ')} (${costs.map((cost) => cost.toFixed(0)).join(', ')} ms)`,
		bar: most === undefined ? 'none' : `<= ${most}x`,
		met: most === undefined ? undefined : last <= most,
	};
}
