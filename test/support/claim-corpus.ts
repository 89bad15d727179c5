/**
 * Answers of agents with the prompt and the acts of their turn, and what the guard of claims says of each. Each
 * line of a file in `test/fixtures/claims` is an answer.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolName } from '../../src/protocol/op-table/op-tool.ts';
import type { OpName } from '../../src/protocol/op-table/ops.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { OpOutcome } from '../../src/protocol/turn/broker.ts';
import { claimPolicies } from '../../src/server/loop/guards/claim-policies.ts';
import { Receipts } from '../../src/server/loop/guards/receipts.ts';
import type { ModelMessage } from '../../src/server/models/model-port.ts';

export const CORPUS_PARTS = ['tuned', 'later'] as const;

interface CorpusAnswer {
	readonly isHonest: boolean;
	readonly isOrder: boolean;
	readonly language: 'English' | 'German';
	readonly prompt: string;
	/** Acts of the turn; `~` before one of an earlier turn. */
	readonly acts: readonly string[];
	readonly answer: string;
	readonly line: string;
}

export function readCorpus(part: (typeof CORPUS_PARTS)[number]): readonly CorpusAnswer[] {
	const file = join(import.meta.dirname, `../fixtures/claims/${part}.txt`);
	const lines = readFileSync(file, 'utf8').split('\n');
	return lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseCorpusLine);
}

function parseCorpusLine(line: string): CorpusAnswer {
	const [label = '', prompt = '', acts = '', ...answer] = line.split(' | ');
	if (!/^[HP][QO][ed]$/.test(label) || answer.length === 0) {
		throw new Error(`no answer of the corpus: ${line}`);
	}
	return {
		isHonest: label.startsWith('H'),
		isOrder: label[1] === 'O',
		language: label[2] === 'e' ? 'English' : 'German',
		prompt,
		acts: acts === '-' ? [] : acts.split('; '),
		answer: answer.join(' | ').replaceAll('\\n', '\n'),
		line,
	};
}

/** `again`: the model is asked about a claim, `done`: it is marked, `nothing`: the answer is left alone. */
function judgeCorpusAnswer({ prompt, acts, answer }: CorpusAnswer): string {
	const before = acts.filter((act) => act.startsWith('~')).flatMap((act) => messagesOf(parseAct(act.slice(1))));
	const receipts = new Receipts(before);
	for (const act of acts.filter((each) => !each.startsWith('~'))) {
		const { op, params, outcome } = parseAct(act);
		receipts.note(op, params, outcome);
	}
	const round = {
		answer: { parts: [], stopReason: undefined, usage: undefined, cutBy: undefined },
		calls: [],
		cutTool: undefined,
		hasText: true,
		text: answer,
	} as const;
	const [claims] = claimPolicies(prompt, receipts);
	return claims?.(round)?.kind ?? 'nothing';
}

interface ActOfTurn {
	readonly op: OpName;
	readonly params: Readonly<Record<string, unknown>>;
	readonly outcome: OpOutcome;
}

function parseAct(act: string): ActOfTurn {
	const [, end, of] = /^(?:(denied|failed) )?(.*)$/.exec(act) ?? [];
	const { op, params, result } = parseDoneAct(of ?? '');
	const opId = newId('op');
	const receipt = { writer: 'w', seq: 1, hash: 'h' };
	const done: OpOutcome = { status: 'done', opId, result, durationMs: 1, receipt };
	const error = { code: end === 'denied' ? 'DENIED_BY_USER' : 'NOT_FOUND', message: 'no', facts: {} } as const;
	return {
		op,
		params,
		outcome: end === undefined ? done : { status: end as 'denied' | 'failed', opId, error, durationMs: 1, receipt },
	};
}

type DoneAct = Pick<ActOfTurn, 'op' | 'params'> & { readonly result: unknown };

function parseDoneAct(act: string): DoneAct {
	if (act.startsWith('$')) {
		return parseCommand(act.slice(1));
	}
	const [name = '', first = '', second = ''] = act.split(' ');
	const make = ACTS[name];
	if (make === undefined) {
		throw new Error(`no act of the corpus: ${act}`);
	}
	const [op, params, result = {}] = make(first, second);
	return { op, params, result };
}

/** `npm test=0` by its exit code, `=timeout` by its time limit, `&` in the background, `+a.txt` with a file that it changed. */
function parseCommand(command: string): DoneAct {
	const [, words = '', end = '0', file] = /^(.*?)(?:=(\d+|timeout)(?:\+(\S+))?|(&))?$/.exec(command) ?? [];
	const argv = (words.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
	const result = command.endsWith('&')
		? { running: true, commandId: newId('op') }
		: end === 'timeout'
			? { exitCode: null, timedOut: true }
			: { exitCode: Number(end), changed: file === undefined ? [] : [{ path: file, kind: 'modified' }] };
	return { op: 'shell.run', params: { argv }, result };
}

const ACTS: Readonly<
	Record<string, (first: string, second: string) => readonly [OpName, ActOfTurn['params'], unknown?]>
> = {
	read: (path) => ['fs.read', { path }],
	grep: (pattern) => ['search.text', { pattern }],
	diff: () => ['git.diff', {}],
	status: () => ['git.status', {}],
	edit: (path) => ['fs.edit', { path }],
	write: (path) => ['fs.write', { path }, { created: true }],
	delete: (path) => ['fs.delete', { path }],
	move: (from, to) => ['fs.move', { from, to }],
	sql: (path) => ['sql.execute', { path }],
	get: (host) => ['http.get', { url: `https://${host}/` }],
	browse: (host) => ['http.get', { url: `https://${host}/` }],
	post: (host) => ['http.request', { method: 'POST', url: `https://${host}/` }],
	mcp: (tool) => ['mcp.call', { server: tool.split('/')[0], tool: tool.split('/')[1] }],
	'mcp-read': (tool) => ['mcp.call', { server: tool.split('/')[0], tool: tool.split('/')[1] }],
	remember: () => ['memory.remember', {}],
	forget: () => ['memory.forget', {}],
	schedule: () => ['schedule.add', {}],
	agent: () => ['agent.spawn', { name: 'helper' }],
	cap: (name) => ['capability.start', { name }],
	llm: () => ['fs.list', { path: '.' }],
};

/** Messages of an earlier turn with that act. */
function messagesOf({ op, params, outcome }: ActOfTurn): readonly ModelMessage[] {
	const callId = newId('op');
	const tool = toolName(op);
	const code = outcome.status === 'done' ? (outcome.result as { exitCode?: number }).exitCode : undefined;
	const text = code === undefined || code === 0 ? 'done' : `[exit code ${code}]`;
	return [
		{ role: 'assistant', parts: [{ kind: 'toolCall', callId, tool, inputText: JSON.stringify(params) }] },
		{ role: 'tool', results: [{ callId, tool, text, isError: outcome.status !== 'done' }] },
	];
}

interface CorpusFigures {
	readonly honest: number;
	readonly falseAlarms: readonly CorpusAnswer[];
	readonly phantoms: number;
	readonly missed: readonly CorpusAnswer[];
}

export function measureCorpus(answers: readonly CorpusAnswer[]): CorpusFigures {
	const honest = answers.filter(({ isHonest }) => isHonest);
	const phantoms = answers.filter(({ isHonest }) => !isHonest);
	return {
		honest: honest.length,
		falseAlarms: honest.filter((each) => judgeCorpusAnswer(each) !== 'nothing'),
		phantoms: phantoms.length,
		missed: phantoms.filter((each) => judgeCorpusAnswer(each) === 'nothing'),
	};
}
