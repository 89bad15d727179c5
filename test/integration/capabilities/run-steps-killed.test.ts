/** The card of a running capability whose host is killed: the thread keeps steps that were seen, and nothing runs again. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeStep, type RunStep } from '../../../src/protocol/turn/run-steps.ts';
import type { ThreadItem } from '../../../src/protocol/thread/items.ts';
import { type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { processTree, runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, eventsOf, type RunningCli, User } from '../cli/cli-process.ts';

interface Moment {
	readonly name: string;
	readonly type?: 'skill' | 'power';
	/** In a worker, whose process stays after a call. */
	readonly runtime?: 'node-worker';
	readonly permissions: string;
	readonly body: string;
	/** Answers of the model to its sub-turn. */
	readonly subTurn?: readonly ScriptEntry[];
	isThere(cli: RunningCli, user: User): boolean;
	/** Steps on the card afterwards. */
	readonly steps: readonly string[];
}

const EFFECTS = /^(?:capability\.(?:start|run)|fs\.write|shell\.run|agent\.run)$/;
const FOREVER = 'await new Promise(() => {});';
const EFFECT = `await host.fs.write({ path: 'effect.txt', content: 'once' });`;
const moments: readonly Moment[] = [
	{
		name: 'that has shown no step',
		permissions: '',
		body: FOREVER,
		isThere: (cli) => processTree(cli.pid).some(({ commandLine }) => /skill[/.](?:main|mjs)/.test(commandLine)),
		steps: [],
	},
	{
		name: 'in an op',
		permissions: 'workspace.write, shell',
		body: `${EFFECT} await host.shell.run({ argv: ['node', 'waits.cjs'] });`,
		isThere: (cli, { workspace }) =>
			existsSync(join(workspace, 'waits.txt')) && hasShown(cli, ({ title }) => title === 'Run node waits.cjs'),
		steps: ['op | done | Write effect.txt', 'op | interrupted | Run node waits.cjs'],
	},
	{
		name: 'between ops, with progress',
		permissions: 'workspace.write',
		body: `${EFFECT} progress('half', 0.5); ${FOREVER}`,
		isThere: (cli) => hasShown(cli, ({ title }) => title === 'half'),
		steps: ['op | done | Write effect.txt', 'report | done | half'],
	},
	{
		name: 'that has shown no step, in a worker',
		runtime: 'node-worker',
		permissions: '',
		body: FOREVER,
		isThere: (cli) => processTree(cli.pid).some(({ commandLine }) => /node-worker[/.](?:main|mjs)/.test(commandLine)),
		steps: [],
	},
	{
		name: 'in an op of a worker',
		runtime: 'node-worker',
		permissions: 'workspace.write, shell',
		body: `${EFFECT} await host.shell.run({ argv: ['node', 'waits.cjs'] });`,
		isThere: (cli, { workspace }) =>
			existsSync(join(workspace, 'waits.txt')) && hasShown(cli, ({ title }) => title === 'Run node waits.cjs'),
		steps: ['op | done | Write effect.txt', 'op | interrupted | Run node waits.cjs'],
	},
	{
		name: 'between ops of a worker, with progress',
		runtime: 'node-worker',
		permissions: 'workspace.write',
		body: `${EFFECT} await progress('half', 0.5); ${FOREVER}`,
		isThere: (cli) => hasShown(cli, ({ title }) => title === 'half'),
		steps: ['op | done | Write effect.txt', 'report | done | half'],
	},
	{
		name: 'in a sub-turn of a power',
		type: 'power',
		permissions: 'workspace.read, workspace.write, llm',
		body: `${EFFECT} await host.agent.run({ instructions: 'Look', prompt: 'Look', tools: ['fs.read'] });`,
		subTurn: [{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] }, { text: 'I look', then: 'stall' }],
		isThere: (cli) => hasShown(cli, ({ id, kind }) => kind === 'model' && id > 4),
		steps: [
			'op | done | Write effect.txt',
			'op | interrupted | Run a sub-turn: Look',
			'model | done | Ask openai-compatible/scripted',
			'op | done | Read a.txt',
			'model | interrupted | Ask openai-compatible/scripted',
		],
	},
];

/** Steps of all cards in the events so far; a line that is not whole yet is left out. */
function stepsSeen(stdout: string): RunStep[] {
	const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
	return eventsOf({ stdout: whole }).flatMap((event) => (event.type === 'item.step' ? [event.step] : []));
}

const hasShown = (cli: RunningCli, fits: (step: RunStep) => boolean) => stepsSeen(cli.stdout).some(fits);

describe('The card of a capability whose host is killed', function () {
	this.timeout(commandLimitMs);

	for (const { name, type = 'skill', runtime, permissions, body, subTurn = [], isThere, steps } of moments) {
		it(`keeps its steps, leaves no process, and repeats nothing: ${name}`, async () => {
			const user = new User();
			user.sets();
			const folder = `.prowess/capabilities/${type}/works`;
			user.writes(
				`${folder}/capability.yaml`,
				`name: works\ntype: ${type}\nversion: 1.0.0\ndescription: works\nlevel: RESTRICTED\npermissions: [${permissions}]\n${runtime === undefined ? '' : `runtime: ${runtime}\n`}`,
			);
			if (runtime === undefined)
				user.writes(`${folder}/index.mjs`, `export async function execute(_, { host, progress }) { ${body} }`);
			else
				user.writes(
					`${folder}/index.js`,
					`import * as sdk from '@prowess/sdk';\nconst host = sdk;\nconst progress = sdk.progress.report;\nexport async function works() { ${body} }`,
				);
			user.writes('a.txt', 'one');
			user.writes('waits.cjs', `require('fs').writeFileSync('waits.txt', ''); setInterval(() => {}, 1_000);`);
			const call = { toolCalls: [{ name: 'capability_start', input: { name: 'works' } }] };
			const server = await startModelServer([call, ...subTurn, { text: 'Here I am.' }]);
			try {
				const killed = user.promptsApart(server.baseUrl, 'Work on it', ['--json', '--approve', 'full']);
				await waitFor(`a run ${name}`, () => isThere(killed, user));
				const pids = processTree(killed.pid).map(({ pid }) => pid);
				killed.child.kill('SIGKILL');
				const { stdout } = await killed.ended;
				await waitUntilGone(pids, commandLimitMs);
				// A process that began after the look names a folder of this user.
				const left = () => runningProcesses().filter(({ commandLine }) => commandLine.includes(user.root));
				await waitFor('the end of later processes', () => left().length === 0);
				const threadId = /"id":"(thr_[^"]+)"/.exec(stdout)?.[1] ?? '';
				const next = await user.prompts(server.baseUrl, 'And now?', ['--thread', threadId]).ended;
				assert.match(next.stdout, /Here I am\./, next.stderr);
				const shown = await user.runs(['thread', 'show', threadId, '--json']);
				const { items } = JSON.parse(shown.stdout) as { items: readonly ThreadItem[] };
				const [card, ...others] = items.flatMap((item) => (item.kind === 'tool' ? [item] : []));
				assert.deepEqual(others, []);
				assert.ok(card?.status === 'interrupted' || card?.status === 'inDoubt', card?.status);
				const brief = ({ kind, status, title }: RunStep) => `${kind} | ${status} | ${title}`;
				assert.deepEqual(card.steps?.map(brief) ?? [], steps);
				for (const seen of stepsSeen(stdout).reduce<RunStep[]>(mergeStep, [])) {
					assert.ok(
						card.steps?.some(({ id, title }) => id === seen.id && title === seen.title),
						seen.title,
					);
				}
				const { stdout: recorded } = await user.runs(['ledger', 'list', '--json']);
				const rows = JSON.parse(recorded) as { readonly kind: string; readonly op: string }[];
				const begun = rows.flatMap(({ kind, op }) => (kind === 'intent' && EFFECTS.test(op) ? [op] : []));
				assert.equal(new Set(begun).size, begun.length, begun.join());
				assert.ok(begun.includes('capability.run'));
				const hasEffect = body.includes(EFFECT);
				assert.equal(existsSync(join(user.workspace, 'effect.txt')), hasEffect);
				if (hasEffect) assert.equal(readFileSync(join(user.workspace, 'effect.txt'), 'utf8'), 'once');
			} finally {
				await server.close();
			}
		});
	}
});
