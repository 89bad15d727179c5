/**
 * Prowess beside other agents for the command line, as npm installs them, in one run on one scripted endpoint: start, a short
 * turn, a loop of calls, a thread that goes on. A peer that is not there is named, and costs no figure of another.
 *
 * They are looked for in `.tools/peers`, or the folder in PROWESS_PEERS; docs/performance.md says how they get there. They
 * reach nothing but this machine.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { ensureBubblewrap } from '../scripts/setup/bubblewrap.mjs';
import { childCpuMs, runProgram, treeMegabytes } from './agent.ts';
import { type Figure, median, paired } from './measure.ts';
import { type Answer, type ModelEndpoint, startModelEndpoint } from './model-endpoint.ts';

const root = join(import.meta.dirname, '..');
const peersFolder = process.env['PROWESS_PEERS'] ?? join(root, '.tools/peers');
const OURS = 'prowess';
const ROUNDS = 7;
const LOOP_ROUNDS = 3;
const LOOP_TURNS = 100;
const LINE = 'Hello from line';
/** A proxy where nobody listens: only loopback answers. */
const ONLY_LOOPBACK = {
	HTTP_PROXY: 'http://127.0.0.1:9',
	HTTPS_PROXY: 'http://127.0.0.1:9',
	NO_PROXY: '127.0.0.1,localhost',
};

interface Agent {
	/** With its version. */
	readonly name: string;
	readonly command: readonly string[];
	/** Words behind those of `command` that go on with the last thread; undefined: it keeps none. */
	resumed?(): readonly string[];
	readonly env: Readonly<Record<string, string>>;
	/** The model's wish to read that line of hello.txt. */
	reads(line: number): Answer;
	/** The model's wish to write that file; absent: this agent may not write. */
	writes?(path: string, line: string): Answer;
}

interface Place {
	readonly folder: string;
	readonly home: string;
	readonly url: string;
}

interface Peer {
	readonly package: string;
	/** Undefined where it is not installed. */
	find(place: Place, at: string): Agent | undefined;
}

const peers: readonly Peer[] = [
	{
		package: '@openai/codex',
		find({ url, home }, at) {
			// The native program itself, without npm's wrapper, which starts a Node before it.
			const [program] = globSync(`${at}-*/vendor/*/bin/codex`);
			if (program === undefined) return undefined;
			const folder = join(home, '.codex');
			mkdirSync(folder, { recursive: true });
			const provider = {
				model_provider: 'bench',
				'model_providers.bench.name': 'bench',
				'model_providers.bench.base_url': url,
				'model_providers.bench.wire_api': 'responses',
				check_for_update_on_startup: 'false',
				'analytics.enabled': 'false',
			};
			const settings = Object.entries(provider).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
			const options = ['--skip-git-repo-check', '--json', '-m', 'bench', ...settings];
			return {
				name: `codex ${versionOf(at)}`,
				command: [program, 'exec', '--dangerously-bypass-approvals-and-sandbox', ...options, 'Go.'],
				resumed: () => [
					program,
					'exec',
					'--dangerously-bypass-approvals-and-sandbox',
					...options,
					'resume',
					'--last',
					'Go.',
				],
				env: { CODEX_HOME: folder },
				reads: (line) => ({ tool: 'exec_command', input: { cmd: `sed -n ${line}p hello.txt` } }),
				writes: (path, line) => ({ tool: 'exec_command', input: { cmd: `echo '${line}' > ${path}` } }),
			};
		},
	},
	{
		package: '@earendil-works/pi-coding-agent',
		find({ url, home }, at) {
			if (!existsSync(at)) return undefined;
			const folder = join(home, '.pi');
			mkdirSync(folder, { recursive: true });
			const bench = { baseUrl: url, api: 'openai-completions', apiKey: 'bench', models: [{ id: 'bench' }] };
			writeFileSync(join(folder, 'models.json'), JSON.stringify({ providers: { bench } }));
			const program = join(at, 'dist/bundle/cli.js');
			const command = [
				process.execPath,
				program,
				'-p',
				'--offline',
				'--mode',
				'json',
				'--provider',
				'bench',
				'--model',
				'bench',
			];
			return {
				name: `pi ${versionOf(at)}`,
				command: [...command, 'Go.'],
				resumed: () => [...command, '--continue', 'Go.'],
				env: { PI_CODING_AGENT_DIR: folder, PI_OFFLINE: '1' },
				reads: (line) => ({ tool: 'read', input: { path: 'hello.txt', offset: line, limit: 1 } }),
				writes: (path, line) => ({ tool: 'write', input: { path, content: `${line}\n` } }),
			};
		},
	},
];

export async function peerFigures(): Promise<Figure[]> {
	const endpoint = await startModelEndpoint();
	const scratch = mkdtempSync(join(tmpdir(), 'prowess-bench-'));
	const place = { folder: join(scratch, 'work'), home: join(scratch, 'home'), url: endpoint.baseUrl };
	for (const path of [place.folder, place.home]) mkdirSync(path);
	const lines = Array.from({ length: LOOP_TURNS }, (_, i) => `${LINE} ${i + 1} of the bench.\n`);
	writeFileSync(join(place.folder, 'hello.txt'), lines.join(''));
	try {
		const agents: Agent[] = [floor(place), ...(await ours(place))];
		const missing: Figure[] = [];
		for (const peer of peers) {
			const found = peer.find(place, join(peersFolder, 'node_modules', peer.package));
			if (found === undefined) missing.push(figure(`${peer.package} is not in ${peersFolder}`, 'skipped'));
			else agents.push(found);
		}
		// Without a peer, `npm run bench -- agent` says all there is to say.
		const isAlone = missing.length === peers.length;
		return [...(isAlone ? [] : await sideBySide(new Rig(endpoint, place, agents))), ...missing];
	} finally {
		await endpoint.close();
		rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}

function floor({ url }: Place): Agent {
	const command = [process.execPath, join(import.meta.dirname, 'floor.cjs'), url];
	return { name: 'floor', command, env: {}, reads: () => ({ tool: 'fs_read', input: { path: 'hello.txt' } }) };
}

async function ours({ folder, home, url }: Place): Promise<Agent[]> {
	const kept = join(home, '.prowess');
	mkdirSync(kept, { mode: 0o700 });
	// Nobody else paces a loop of calls.
	const settings = {
		'prowess.tools.bubblewrapPath': (await ensureBubblewrap()) ?? '',
		'prowess.quotas.toolCallsPerMinute': 0,
	};
	writeFileSync(join(kept, 'settings.json'), JSON.stringify(settings));
	const cli = [process.execPath, join(root, 'dist/cli.mjs')];
	const env = { PROWESS_HOME: kept, PROWESS_API_KEY: 'key-of-the-bench' };
	const provider = ['--provider', 'openai-compatible', '--base-url', url, '--model', 'bench'];
	const command = [...cli, 'run', 'Go.', '--json', '--trust', '--workspace', folder, ...provider, '--approve'];
	const lastThread = () =>
		String(execFileSync(cli[0] ?? '', [...cli.slice(1), 'thread', 'list'], { env: { ...env, HOME: home } })).split(
			' ',
		)[0];
	return (['never', 'auto'] as const).map((mode) => {
		const thread = { id: '' };
		return {
			name: `${OURS} at ${mode}`,
			command: [...command, mode],
			resumed: () => [...command, mode, '--thread', (thread.id ||= lastThread() ?? '')],
			env,
			reads: (line) => ({ tool: 'fs_read', input: { path: 'hello.txt', offset: line, limit: 1 } }),
			...(mode === 'auto' && {
				writes: (path: string, line: string) => ({ tool: 'fs_write', input: { path, content: `${line}\n` } }),
			}),
		};
	});
}

/** Runs agents on the endpoint. The first is the floor. */
class Rig {
	readonly agents: readonly Agent[];
	readonly #endpoint: ModelEndpoint;
	readonly #place: Place;

	constructor(endpoint: ModelEndpoint, place: Place, agents: readonly Agent[]) {
		this.#endpoint = endpoint;
		this.#place = place;
		this.agents = agents;
	}

	/** Requests of one run; throws where the agent asked less often than it was answered, did not read, or began anew. */
	async run({ name, env, command }: Agent, answers: readonly Answer[], words = command, watch?: (pid: number) => void) {
		this.#endpoint.script(answers);
		const { folder: cwd, home } = this.#place;
		const started = await runProgram(words, { cwd, home, env: { ...ONLY_LOOPBACK, ...env } }, watch);
		const ended = performance.now();
		const { requests } = this.#endpoint;
		const last = requests.at(-1)?.body ?? '';
		const isRead = answers.every((answer) => !('tool' in answer)) || last.includes(LINE);
		const isResumed = words === command || last.split('Go.').length > 2;
		if (requests.length < answers.length || !isRead || !isResumed) {
			throw new Error(
				`${name} did not do what it was to: ${requests.length} of ${answers.length} requests, ${last.slice(-500)}`,
			);
		}
		return { started, ended, requests };
	}

	/** Content of a file of the folder; undefined: there is none. Removes it. */
	takeFile(name: string): string | undefined {
		const path = join(this.#place.folder, name);
		if (!existsSync(path)) return undefined;
		const text = readFileSync(path, 'utf8');
		rmSync(path);
		return text;
	}

	/** Figures of each agent but the floor: its median, and its ratio to the floor, round by round. `bar`: for ours, such as `5x` or `80 MB`. */
	async compare(
		what: string,
		rounds: number,
		bar: string,
		measure: (agent: Agent) => Promise<number>,
	): Promise<Figure[]> {
		const unit = bar.includes('MB') ? 'MB' : 'ms';
		const measured = await paired(
			rounds,
			Object.fromEntries(this.agents.map((agent) => [agent.name, () => measure(agent)])),
		);
		return this.agents.slice(1).map(({ name }) => {
			const { value = Number.NaN, ratio = Number.NaN } = measured[name] ?? {};
			const line = figure(`${what}, ${name}`, `${ratio.toFixed(2)}x (${value.toFixed(1)} ${unit})`);
			if (!name.startsWith(OURS)) return line;
			return { ...line, bar: `<= ${bar}`, met: (bar.endsWith('x') ? ratio : value) <= Number.parseFloat(bar) };
		});
	}
}

async function sideBySide(rig: Rig): Promise<Figure[]> {
	const turn = (agent: Agent) => [agent.reads(1), { text: 'done' }];
	// Whatever each keeps for later starts.
	for (const agent of [...rig.agents, ...rig.agents, ...rig.agents]) await rig.run(agent, turn(agent));
	const loop = (agent: Agent) => [
		...Array.from({ length: LOOP_TURNS }, (_, i) => agent.reads(i + 1)),
		{ text: 'done' },
	];
	return [
		...(await rig.compare('spawn to the first request', ROUNDS, '5x', async (agent) => {
			const { started, requests } = await rig.run(agent, [{ text: 'ok' }]);
			return (requests[0]?.arrived ?? Number.NaN) - started;
		})),
		...(await rig.compare('spawn to exit of a turn with one call', ROUNDS, '5.3x', async (agent) => {
			const { started, ended } = await rig.run(agent, turn(agent));
			return ended - started;
		})),
		...(await rig.compare('processor time of it, all processes', ROUNDS, '8x', async (agent) => {
			const before = childCpuMs();
			for (let n = 0; n < 3; n += 1) await rig.run(agent, turn(agent));
			return (childCpuMs() - before) / 3;
		})),
		...(await rig.compare('most memory of it, shared pages by share', LOOP_ROUNDS, '80 MB', async (agent) => {
			let peak = 0;
			await rig.run(agent, turn(agent), undefined, (pid) => (peak = Math.max(peak, treeMegabytes(pid))));
			return peak;
		})),
		...(await rig.compare('spawn to the first request of a thread that goes on', ROUNDS, '5.5x', async (agent) => {
			const { started, requests } = await rig.run(agent, [{ text: 'ok' }], agent.resumed?.());
			return (requests[0]?.arrived ?? Number.NaN) - started;
		})),
		...(await rig.compare(
			`end of a reply to the next request, median of ${LOOP_TURNS} calls`,
			LOOP_ROUNDS,
			'3.5 ms',
			async (agent) => {
				const { requests } = await rig.run(agent, loop(agent));
				return median(requests.slice(1).map(({ arrived }, i) => arrived - (requests[i]?.ended ?? Number.NaN)));
			},
		)),
		...(await firstRequests(rig)),
		...(await sentForTask(rig)),
	];
}

async function firstRequests(rig: Rig): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const agent of rig.agents.slice(1)) {
		const { requests } = await rig.run(agent, [{ text: 'ok' }]);
		figures.push(figure(`first request, ${agent.name}`, `${Buffer.byteLength(requests[0]?.body ?? '')} bytes`));
	}
	return figures;
}

/** Figures of what the same small task costs each: ten lines read one by one, three files written, an answer. */
async function sentForTask(rig: Rig): Promise<Figure[]> {
	const sent: { readonly name: string; readonly tokens: number; readonly requests: number; readonly said: string }[] =
		[];
	for (const agent of rig.agents.slice(1)) {
		const { writes } = agent;
		if (writes === undefined) continue;
		const files = ['one.txt', 'two.txt', 'three.txt'];
		const reads = Array.from({ length: 10 }, (_, i) => agent.reads(i + 1));
		const answers = [...reads, ...files.map((name) => writes(name, `${name} of the bench`)), { text: 'done' }];
		const { requests, started, ended } = await rig.run(agent, answers);
		const bodies = requests.map(({ body }) => body);
		const tokens = bodies.reduce((all, body) => all + countTokens(body, { disallowedSpecial: new Set() }), 0);
		const bytes = bodies.reduce((all, body) => all + Buffer.byteLength(body), 0);
		const right = files.filter((name) => rig.takeFile(name) === `${name} of the bench\n`).length;
		const seconds = ((ended - started) / 1_000).toFixed(1);
		const said = `${requests.length} requests, ${tokens} tokens, ${bytes} bytes, ${right} of ${files.length} files right, ${seconds} s`;
		sent.push({ name: agent.name, tokens, requests: requests.length, said });
	}
	const best = (of: 'tokens' | 'requests') =>
		Math.min(...sent.flatMap((each) => (each.name.startsWith(OURS) ? [] : [each[of]])));
	return sent.map(({ name, tokens, requests, said }) => {
		const line = figure(`a task of 13 calls, ${name}`, said);
		if (!name.startsWith(OURS)) return line;
		const met = tokens <= best('tokens') && requests <= best('requests');
		return { ...line, bar: `<= ${best('requests')} requests, ${best('tokens')} tokens`, met };
	});
}

function figure(what: string, measured: string): Figure {
	return { goal: 'peers', what, measured, bar: 'none', met: undefined };
}

function versionOf(at: string): string {
	return (JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { version: string }).version;
}
