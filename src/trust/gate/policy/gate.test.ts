import assert from 'node:assert/strict';
import { below, seeded } from '../../../../test/support/seeded.ts';
import { newId } from '../../../protocol/rpc/ids.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { OP_NAMES, type OpName, ops } from '../../../protocol/op-table/ops.ts';
import { PERMISSION_LEVELS, type PermissionLevel } from '../../../protocol/ops/permission-level.ts';
import { type Permission, PERMISSIONS, type RiskLevel } from '../../../protocol/ops/risk.ts';
import type { Approval } from '../../../protocol/approvals/approvals.ts';
import { inEnglish, text } from '../../../protocol/text/text.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';
import type { ApprovalMode } from '../../../contract/ports/ports.ts';
import { parseAllowRules } from './rules/allow-rule.ts';
import { decideOp, decideTrust } from './gate.ts';
import { PersonDesk } from '../approvals/desk.ts';
import { NO_STRICT_RULES, parseStrictRule, type StrictRules } from './rules/strict-rule.ts';
import { ThreadGrants } from './levels/thread-grants.ts';

const agent: Extract<Caller, { kind: 'agent' }> = { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') };
const user: Caller = { kind: 'user', threadId: null };

type FileTarget = Extract<OpTarget, { kind: 'file' }>;
function file(access: FileTarget['access'], path: string, traits: Partial<FileTarget> = {}): FileTarget {
	return { kind: 'file', access, path, absolutePath: `/w/${path}`, isSecret: false, isProtected: false, ...traits };
}
type DatabaseTarget = Extract<OpTarget, { kind: 'database' }>;
function database(access: FileTarget['access'], path: string, traits: Partial<DatabaseTarget> = {}): DatabaseTarget {
	return { kind: 'database', access, path, absolutePath: `/w/${path}`, isSecret: false, isProtected: false, ...traits };
}
type CommandTarget = Extract<OpTarget, { kind: 'command' }>;
function command(...argv: string[]): CommandTarget {
	return { kind: 'command', argv, cwd: '.' };
}
function sandboxed(...argv: string[]): CommandTarget {
	return { ...command(...argv), isSandboxed: true };
}
type BeyondTarget = Extract<OpTarget, { kind: 'beyond' }>;
function beyond(access: BeyondTarget['access'], path: string, traits: Partial<BeyondTarget> = {}): BeyondTarget {
	return { kind: 'beyond', access, path, isSecret: false, isProtected: false, ...traits };
}

const reading: CommandTarget = { ...command('ls'), isInstalled: true };

const targets = {
	none: [],
	read: [file('read', 'src/a.ts')],
	readSecret: [file('read', '.env', { isSecret: true })],
	write: [file('write', 'src/a.ts')],
	writeProtected: [file('write', '.vscode/tasks.json', { isProtected: true })],
	writeSecret: [file('write', '.env', { isSecret: true })],
	forPerson: [file('write', 'src', { onlyByPerson: text('A whole folder.') })],
	command: [command('npm', 'test')],
	sandboxed: [sandboxed('npm', 'test')],
	guardedInPart: [{ ...sandboxed('npm', 'test'), isGuardedInPart: true }],
	readsFile: [reading, file('read', 'src/a.ts')],
	readsSecret: [reading, file('read', '.env', { isSecret: true })],
	writesFile: [reading, file('write', 'src/a.ts')],
	writesSecret: [reading, file('write', '.env', { isSecret: true })],
	writesSteering: [reading, file('write', '.vscode/tasks.json', { isProtected: true })],
	writesOutside: [reading, file('write', '../a.ts')],
	commandWrites: [command('npm', 'test'), file('write', 'log.txt')],
	sandboxedWrites: [sandboxed('npm', 'test'), file('write', 'log.txt')],
	needsHost: [sandboxed('npm', 'ci'), { kind: 'host', host: 'registry.npmjs.org' }],
	needsPath: [sandboxed('make'), beyond('write', '/opt/out')],
	needsSecret: [sandboxed('npm', 'publish'), beyond('read', '/home/me/.npmrc', { isSecret: true })],
	needsProtected: [sandboxed('git', 'config'), beyond('write', '/w/.git/config', { isProtected: true })],
	instructions: [file('write', 'AGENTS.md', { isProtected: true, protectedKind: 'instructions' })],
	outside: [file('write', '../a.ts')],
	host: [{ kind: 'host', host: 'example.org' }],
	here: [{ kind: 'host', host: 'localhost:3000', isHere: true }],
	database: [database('read', 'data/a.db')],
	databaseSecret: [database('read', '.aws/a.db', { isSecret: true })],
	databaseWrite: [database('write', 'data/a.db')],
	databaseProtected: [database('write', '.vscode/a.db', { isProtected: true })],
	databaseOutside: [database('write', '../a.db')],
	secret: [{ kind: 'secret', name: 'github' }],
	tool: [{ kind: 'mcp', server: 'github', tool: 'create_issue' }],
	listed: [{ kind: 'mcp', server: 'github', tool: 'docs://pages/1', isKnown: true }],
	capability: [{ kind: 'capability', type: 'skill', name: 'deploy' }],
	hostAndSecret: [
		{ kind: 'host', host: 'example.org' },
		{ kind: 'secret', name: 'github', host: 'example.org' },
	],
} as const satisfies Record<string, readonly OpTarget[]>;
type TargetKind = keyof typeof targets;

/**
 * Per target kind: the decision in the modes ask, auto and never; with the level manual and full; then what was allowed
 * in the thread that it follows without a question. `ask*` offers "always". The level auto and the mode full follow from
 * these: they allow the same as their namesakes.
 */
type Row = Partial<Record<TargetKind, readonly [string, string, string, string, string, string?]>>;
const reads: Row = {
	none: ['allow', 'allow', 'allow', 'allow', 'allow'],
	read: ['allow', 'allow', 'allow', 'allow', 'allow'],
	readSecret: ['ask', 'deny', 'deny', 'ask', 'ask', 'the same'],
	outside: ['deny', 'deny', 'deny', 'deny', 'deny'],
};
const writes: Row = {
	write: ['ask*', 'allow', 'deny', 'ask', 'allow', 'the same, fs.edit b, fs.write b'],
	writeProtected: ['ask', 'deny', 'deny', 'ask', 'ask'],
	instructions: ['ask', 'deny', 'deny', 'ask', 'ask', 'the same'],
	writeSecret: ['ask', 'deny', 'deny', 'ask', 'ask', 'the same'],
	outside: ['deny', 'deny', 'deny', 'deny', 'deny'],
};
const trees: Row = { ...writes, forPerson: ['ask', 'deny', 'deny', 'ask', 'ask'] };
/** A request leaves the machine, so nothing approves it by itself. */
const hosts = ['ask*', 'deny', 'deny', 'ask', 'ask*', 'the same'] as const;
const harmless: Row = { none: ['allow', 'allow', 'allow', 'allow', 'allow'] };

/** The agent, for whom this table is judged, is a model itself. */
const forExecutions: Row = { none: ['deny', 'deny', 'deny', 'deny', 'deny'] };

const matrix: { readonly [N in OpName]: Row } = {
	'fs.read': reads,
	'fs.list': reads,
	'fs.find': reads,
	'search.text': reads,
	'search.code': reads,
	'fs.edit': writes,
	'fs.write': writes,
	'fs.move': trees,
	'fs.delete': trees,
	'fs.stat': reads,
	'fs.makeFolder': writes,
	'shell.run': {
		command: ['ask*', 'deny', 'deny', 'ask', 'allow', 'the same'],
		guardedInPart: ['ask*', 'deny', 'deny', 'ask', 'allow', 'the same'],
		sandboxed: ['ask*', 'allow', 'deny', 'ask', 'allow', 'the same'],
		readsFile: ['allow', 'allow', 'allow', 'ask', 'allow'],
		readsSecret: ['ask', 'deny', 'deny', 'ask', 'ask', 'the same'],
		writesFile: ['ask', 'allow', 'deny', 'ask', 'allow', 'the same'],
		writesSecret: ['ask', 'deny', 'deny', 'ask', 'ask', 'the same'],
		writesSteering: ['ask', 'deny', 'deny', 'ask', 'ask'],
		writesOutside: ['deny', 'deny', 'deny', 'deny', 'deny'],
		commandWrites: ['ask', 'deny', 'deny', 'ask', 'allow', 'the same'],
		sandboxedWrites: ['ask', 'allow', 'deny', 'ask', 'allow', 'the same'],
		needsHost: ['ask', 'deny', 'deny', 'ask', 'allow', 'the same'],
		needsPath: ['ask', 'deny', 'deny', 'ask', 'allow', 'the same'],
		needsSecret: ['ask', 'deny', 'deny', 'ask', 'ask', 'the same'],
		needsProtected: ['ask', 'deny', 'deny', 'ask', 'ask'],
	},
	'shell.output': harmless,
	'shell.stop': harmless,
	'editor.diagnostics': reads,
	'editor.symbols': reads,
	'editor.references': reads,
	'editor.refactor': writes,
	'editor.comment': { ...reads, ...harmless },
	'workspace.instructions': reads,
	'workspace.changes': harmless,
	'workspace.environment': harmless,
	'git.status': reads,
	'git.diff': reads,
	'http.get': { host: hosts, here: hosts },
	'http.request': { host: hosts, hostAndSecret: ['ask', 'deny', 'deny', 'ask', 'ask', 'the same'] },
	'browser.open': { host: hosts, here: hosts },
	'browser.look': { host: hosts, here: hosts },
	'browser.act': { host: hosts, hostAndSecret: ['ask', 'deny', 'deny', 'ask', 'ask', 'the same'] },
	'web.search': { host: hosts, hostAndSecret: ['ask', 'deny', 'deny', 'ask', 'ask', 'the same'] },
	'mcp.tools': harmless,
	'mcp.call': { tool: hosts },
	'schedule.add': { none: ['ask', 'deny', 'deny', 'ask', 'ask'] },
	'goal.start': { none: ['ask', 'deny', 'deny', 'ask', 'ask'] },
	'goal.verdict': { none: ['allow', 'allow', 'allow', 'allow', 'allow'] },
	'script.run': { none: ['ask', 'deny', 'deny', 'ask', 'ask'] },
	'agent.spawn': { none: ['allow', 'allow', 'allow', 'ask', 'allow'] },
	'agent.send': { none: ['allow', 'allow', 'allow', 'ask', 'allow'] },
	'agent.stop': { none: ['allow', 'allow', 'allow', 'ask', 'allow'] },
	'agent.apply': trees,
	'agent.list': harmless,
	'mcp.resources': harmless,
	'mcp.read': { ...harmless, tool: hosts, listed: ['allow', 'allow', 'allow', 'allow', 'allow'] },
	'mcp.prompt': { ...harmless, listed: ['allow', 'allow', 'allow', 'allow', 'allow'] },
	'mcp.sample': { tool: hosts },
	'memory.remember': { none: ['allow', 'allow', 'allow', 'ask', 'allow'] },
	'memory.recall': harmless,
	'memory.forget': { none: ['ask', 'allow', 'deny', 'ask', 'allow'] },
	'net.connect': { host: ['ask*', 'deny', 'deny', 'ask', 'allow', 'the same'] },
	'cookie.get': { none: ['deny', 'deny', 'deny', 'deny', 'deny'] },
	'cookie.clear': harmless,
	'cookie.resolve': forExecutions,
	'http.sessionOpen': forExecutions,
	'http.sessionClose': forExecutions,
	'sql.query': {
		database: ['allow', 'allow', 'allow', 'allow', 'allow'],
		databaseSecret: ['ask', 'deny', 'deny', 'ask', 'ask', 'the same'],
	},
	'sql.execute': {
		databaseWrite: ['ask*', 'allow', 'deny', 'ask', 'allow', 'the same'],
		databaseProtected: ['ask', 'deny', 'deny', 'ask', 'ask'],
		databaseOutside: ['deny', 'deny', 'deny', 'deny', 'deny'],
	},
	'secrets.list': harmless,
	'secrets.write': { secret: ['deny', 'deny', 'deny', 'deny', 'deny'] },
	'secrets.read': { secret: ['deny', 'deny', 'deny', 'deny', 'deny'] },
	'crypto.hash': harmless,
	'crypto.hmac': harmless,
	'crypto.pbkdf2': harmless,
	'crypto.hkdf': harmless,
	'crypto.aesGcmEncrypt': harmless,
	'crypto.aesGcmDecrypt': harmless,
	'crypto.randomBytes': harmless,
	'plist.parse': reads,
	'llm.chat': forExecutions,
	'llm.oneshot': forExecutions,
	'llm.resolveTools': forExecutions,
	'services.call': forExecutions,
	'services.listProviders': forExecutions,
	'agent.run': forExecutions,
	'progress.report': harmless,
	'capability.switch': { none: ['allow', 'allow', 'allow', 'ask', 'allow'] },
	'schedule.list': harmless,
	'schedule.switch': { none: ['allow', 'allow', 'allow', 'ask', 'allow'] },
	'user.ask': harmless,
	'todo.write': harmless,
	'plan.write': { none: ['ask', 'deny', 'deny', 'ask', 'ask'] },
	'capability.list': harmless,
	'capability.detail': harmless,
	'capability.start': { capability: ['allow', 'allow', 'allow', 'ask', 'allow'] },
	'capability.status': harmless,
	'capability.stop': { none: ['allow', 'allow', 'allow', 'allow', 'allow'] },
};

interface JudgeOptions {
	readonly risk?: RiskLevel;
	readonly grants?: ThreadGrants;
	readonly hasSeveralFolders?: boolean;
	readonly level?: PermissionLevel;
	readonly strict?: StrictRules;
	readonly caller?: Caller;
	readonly isTurnGranted?: boolean;
}

function judge(
	op: string,
	target: readonly OpTarget[],
	mode: ApprovalMode,
	rules: readonly string[] = [],
	{
		risk,
		grants,
		hasSeveralFolders = false,
		level = 'ask',
		strict = NO_STRICT_RULES,
		caller = agent,
		isTurnGranted = false,
	}: JudgeOptions = {},
) {
	const plain = ops[op as OpName] as OpDef;
	const def = risk === undefined ? plain : { ...plain, risk };
	return decideOp({
		op,
		def,
		caller,
		targets: target,
		mode,
		level,
		strict,
		rules: parseAllowRules(rules),
		hasSeveralFolders,
		isTurnGranted,
		isGranted: (asked, each) => grants?.has(agent.threadId, asked, def, each) ?? false,
	});
}

/** Returns the acts that pass without a question once the given op was allowed for the thread; undefined: none does. */
function followers(op: OpName, kind: TargetKind): string | undefined {
	const grants = new ThreadGrants();
	const decision = judge(op, targets[kind], 'ask');
	if (decision.kind === 'ask' && decision.threadScope !== null) {
		grants.add(agent.threadId, op, ops[op], targets[kind]);
	}
	const again: readonly (readonly [string, OpName, readonly OpTarget[]])[] = [
		['the same', op, targets[kind]],
		['fs.edit b', 'fs.edit', [file('write', 'lib/b.ts')]],
		['fs.write b', 'fs.write', [file('write', 'lib/b.ts')]],
		['another command', 'shell.run', [command('npm', 'test', '--watch')]],
		['another secret', 'fs.read', [file('read', '.env.local', { isSecret: true })]],
		['changing another secret', 'fs.write', [file('write', '.env.local', { isSecret: true })]],
		['changing what steers', 'fs.write', [file('write', '.git/config', { isProtected: true })]],
	];
	const passed = again.filter(([, each, target]) => judge(each, target, 'ask', [], { grants }).kind === 'allow');
	return passed.map(([name]) => name).join(', ') || undefined;
}

describe('the gate', () => {
	it('has a row for every op', () => {
		assert.deepEqual(Object.keys(matrix).sort(), [...OP_NAMES].sort());
	});

	for (const op of OP_NAMES) {
		for (const [kind, expected] of Object.entries(matrix[op])) {
			it(`decides ${op} on ${kind}: ${expected.join(', ')}`, () => {
				const decided = (
					[
						['ask', 'ask'],
						['auto', 'ask'],
						['never', 'ask'],
						['ask', 'manual'],
						['ask', 'full'],
					] as const
				).map(([mode, level]) => {
					const decision = judge(op, targets[kind as TargetKind], mode, [], { level });
					return decision.kind === 'ask' && decision.pattern !== null ? 'ask*' : decision.kind;
				});
				assert.deepEqual(decided, expected.slice(0, 5));
				const kindOf = (mode: ApprovalMode, level: PermissionLevel) =>
					judge(op, targets[kind as TargetKind], mode, [], { level }).kind;
				assert.equal(kindOf('ask', 'auto') === 'allow', decided[1] === 'allow');
				assert.equal(kindOf('full', 'ask') === 'allow', decided[4] === 'allow');
				if (decided[0]?.startsWith('ask') === true) {
					assert.equal(followers(op, kind as TargetKind), expected[5]);
				}
			});
		}

		it(`refuses ${op} in a workspace that is not trusted, unless it only speaks with the user`, () => {
			const { kind } = decideTrust(ops[op], false);
			assert.equal(
				kind,
				['user.ask', 'todo.write', 'plan.write', 'progress.report', 'goal.verdict', 'editor.comment'].includes(op)
					? 'allow'
					: 'deny',
			);
		});
	}

	describe('a yes to several acts at once', () => {
		/** Facts by which a person is asked about an act alone, whatever else waits. */
		const alone: readonly TargetKind[] = [
			...(['readSecret', 'writeProtected', 'writeSecret', 'forPerson', 'readsSecret', 'writesSecret'] as const),
			...(['writesSteering', 'needsHost', 'needsPath', 'needsSecret', 'needsProtected', 'instructions'] as const),
			...(['host', 'here', 'databaseSecret', 'databaseProtected', 'secret', 'tool', 'hostAndSecret'] as const),
		];
		const commands: readonly (readonly [isAlone: boolean, target: CommandTarget])[] = [
			[true, command('rm', '-rf', 'src')],
			[true, sandboxed('rm', '-rf', 'src')],
			[true, command('git', 'push')],
			[true, command('npm', 'publish')],
			[true, command('curl', '-d', '@a.txt', 'https://example.org')],
			[true, command('nc', 'example.org', '80')],
			[true, command('ssh', 'example.org', 'ls')],
			[true, { ...command('npm', 'test'), leavesSandbox: true }],
			[true, { ...command('sort', '.env'), strays: [{ argument: '.env', isByLink: false }] }],
			[true, { ...command('sh'), fedBy: [['cat', 'a']] }],
			[false, { ...sandboxed('sort', '.env'), strays: [{ argument: '.env', isByLink: false }] }],
			[false, sandboxed('git', 'push')],
			[false, command('npm', 'test')],
			[false, sandboxed('npm', 'test')],
		];
		const execution: Caller = {
			kind: 'execution',
			threadId: null,
			executionId: 'e1',
			capability: 'skill/test',
			permissions: new Set(PERMISSIONS),
			level: 'PRIVILEGED',
		};
		/** Every op on every kind of target, and commands by what they do. */
		const acts = [
			...OP_NAMES.flatMap((op) =>
				(Object.keys(targets) as TargetKind[]).map((kind) => {
					const isAlone = alone.includes(kind) || op === 'plan.write' || ops[op].risk === 'PRIVILEGED';
					return { op, targets: targets[kind] as readonly OpTarget[], isAlone };
				}),
			),
			...commands.map(([isAlone, target]) => ({ op: 'shell.run' as const, targets: [target], isAlone })),
		];
		type Act = (typeof acts)[number];
		const isAsked = ({ op, targets: of }: Act, options: JudgeOptions) => {
			const decision = judge(op, of, 'ask', [], options);
			return decision.kind === 'ask' ? decision : undefined;
		};
		const nameOf = ({ op, targets: of }: Act) => `${op} on ${JSON.stringify(of)}`;

		it('covers no act that leaves this machine, steers, is secret, dangerous or for a person alone, at whatever level', () => {
			const wrong: string[] = [];
			let asked = 0;
			for (const act of acts) {
				for (const level of PERMISSION_LEVELS) {
					const decision = isAsked(act, { level });
					const byExecution = isAsked(act, { level, caller: execution });
					asked += decision === undefined ? 0 : 1;
					const isWrong =
						(decision !== undefined && decision.isPartOfAll === act.isAlone) ||
						(act.isAlone && byExecution?.isPartOfAll === true);
					if (isWrong) wrong.push(`${nameOf(act)} at ${level}`);
				}
			}
			const rule = parseStrictRule('fs.write src', 'a test');
			assert.ok(typeof rule !== 'string');
			for (const strict of [
				{ ...NO_STRICT_RULES, ask: [rule] },
				{ ...NO_STRICT_RULES, unreadable: ['a test'] },
			]) {
				const decision = judge('fs.write', targets.write, 'ask', [], { strict });
				if (decision.kind !== 'ask' || decision.isPartOfAll) wrong.push(`fs.write, by ${JSON.stringify(strict)}`);
			}
			assert.deepEqual(wrong, []);
			assert.ok(asked > 500, `${asked}`);
		});

		it('shows and offers each in any batch as alone, and takes no other with it, whichever answer is given to one', async () => {
			const seed = Math.floor(Math.random() * 2 ** 32);
			const next = seeded(seed);
			const random = (limit: number) => below(next, limit);
			const asked = acts.flatMap((act) => {
				const decision = isAsked(act, {});
				return decision === undefined ? [] : [{ act, decision }];
			});
			const desk = new PersonDesk({
				person: { approve: () => Promise.resolve(undefined), answer: () => Promise.resolve(undefined) },
				timeoutMs: () => 60_000,
				isUnattended: () => false,
				onPortFailure: (error) => assert.fail(String(error)),
			});
			const put = ({ act, decision }: (typeof asked)[number], grants: ThreadGrants, list: string) => {
				const { reason, threadScope, pattern, isPartOfAll } = decision;
				const draft = {
					opId: newId('op'),
					threadId: agent.threadId,
					op: act.op,
					title: nameOf(act),
					risk: ops[act.op].risk,
					act: 'runs' as const,
					warning: null,
					detail: { kind: 'path' as const, path: 'a' },
					reason,
					isOnceOffered: true,
					threadScope,
					pattern,
					isProjectOffered: false,
					isPartOfAll,
					...(decision.isTurnOffered ? { turnScope: text('the turn') } : {}),
					isSettled: () => isAsked(act, { grants, isTurnGranted: isTurnOf.has(grants) }) === undefined,
				};
				return desk.ask(agent.threadId, () => draft, new AbortController().signal, list).catch(() => undefined);
			};
			const isTurnOf = new Set<ThreadGrants>();
			const shape = ({ id: _id, opId: _op, askedAt: _at, expiresAt: _by, hasTurnAsked: _has, ...shown }: Approval) =>
				shown;
			const shownAlone = new Map<string, unknown>();
			for (const [index, each] of asked.entries()) {
				const answer = put(each, new ThreadGrants(), `alone ${index}`);
				await new Promise(setImmediate);
				const [shown] = desk.current.approvals;
				assert.ok(shown !== undefined);
				shownAlone.set(shown.title, shape(shown));
				desk.approve(shown.id, { kind: 'deny' });
				await answer;
			}
			for (let batch = 0; batch < 40; batch += 1) {
				const grants = new ThreadGrants();
				const chosen = Array.from({ length: 2 + random(9) }, () => asked[random(asked.length)]).filter(
					(each) => each !== undefined,
				);
				const answers = chosen.map((each) => put(each, grants, `batch ${batch}`));
				await new Promise(setImmediate);
				const { approvals } = desk.current;
				const what = `seed ${seed}, batch ${batch}: ${approvals.map(({ title }) => title).join(' | ')}`;
				for (const each of approvals) assert.deepEqual(shape(each), shownAlone.get(each.title), what);
				const isAlone = new Map(chosen.map(({ act }) => [nameOf(act), act.isAlone]));
				const left = () => desk.current.approvals.filter(({ title }) => isAlone.get(title) === true).length;
				const before = left();
				// An answer of a wider reach to an ordinary act.
				const ordinary = chosen.find(({ act, decision }) => !act.isAlone && decision.threadScope !== null);
				if (ordinary !== undefined && random(2) === 0) {
					grants.add(agent.threadId, ordinary.act.op, ops[ordinary.act.op], ordinary.act.targets);
					isTurnOf.add(grants);
					desk.reconsider();
					await new Promise(setImmediate);
					assert.equal(left(), before, what);
				}
				const ids = desk.current.approvals.map(({ id }) => id);
				desk.approveAll(ids, { kind: 'once' });
				await new Promise(setImmediate);
				assert.deepEqual([left(), desk.current.approvals.length], [before, before], what);
				desk.approveAll(ids, { kind: 'deny' });
				await Promise.all(answers);
			}
		});
	});

	it('says of an op before a workspace is trusted why it passes, and afterwards that the workspace is trusted', () => {
		const whyOf = (isTrusted: boolean) => inEnglish(decideTrust(ops['user.ask'], isTrusted).reason);
		assert.equal(whyOf(false), 'It only speaks with the user.');
		assert.equal(whyOf(true), 'The workspace is trusted.');
	});

	it('shows the reason why a command asks that its sandbox would keep in, if it guarded all', () => {
		const isUsual = (all: readonly OpTarget[]) => {
			const decision = judge('shell.run', all, 'ask');
			return decision.kind === 'ask' && decision.isReasonUsual;
		};
		assert.deepEqual([isUsual(targets.command), isUsual(targets.guardedInPart)], [true, false]);
	});

	it('passes a file behind a reading command at Edit freely, but not where undo could not bring it back', () => {
		const of = (target: OpTarget, level: PermissionLevel) =>
			judge('shell.run', [reading, target], 'ask', [], { level }).kind;
		const lost = file('write', 'a.bin', { hasNoUndo: true });
		assert.deepEqual([of(file('write', 'a.txt'), 'ask'), of(file('write', 'a.txt'), 'edit')], ['ask', 'allow']);
		assert.deepEqual([of(lost, 'edit'), of(lost, 'auto')], ['ask', 'allow']);
	});

	it('refuses a capability a file behind its command without the permission for files, whatever is allowed', () => {
		const decided = (target: OpTarget, ...permissions: Permission[]) => {
			const caller: Caller = {
				kind: 'execution',
				threadId: null,
				executionId: 'e1',
				capability: 'skill/test',
				permissions: new Set(permissions),
				level: 'PRIVILEGED',
			};
			const rules = ['shell.run ls', 'fs.write **', 'fs.read **'];
			const decision = judge('shell.run', [reading, target], 'full', rules, { caller, level: 'full' });
			return decision.kind === 'deny' ? inEnglish(decision.reason) : decision.kind;
		};
		const lacks = (permission: string) =>
			`shell.run needs the permission "${permission}", which the capability does not have.`;
		assert.equal(decided(file('write', 'a.txt'), 'shell', 'workspace.read'), lacks('workspace.write'));
		assert.equal(decided(file('read', 'a.txt'), 'shell'), lacks('workspace.read'));
		assert.equal(decided(file('write', 'a.txt'), 'shell', 'workspace.write'), 'allow');
	});

	it('asks for PRIVILEGED every time, whatever the rules say, and never approves it automatically', () => {
		const rules = ['fs.write **'];
		assert.equal(judge('fs.write', targets.write, 'ask', rules, { risk: 'PRIVILEGED' }).kind, 'ask');
		assert.equal(judge('fs.write', targets.write, 'auto', rules, { risk: 'PRIVILEGED' }).kind, 'deny');
	});

	it('asks in manual also what rules and earlier answers would allow, and offers neither', () => {
		const grants = new ThreadGrants();
		grants.add(agent.threadId, 'fs.write', ops['fs.write'], targets.write);
		const decision = judge('fs.write', targets.write, 'ask', ['fs.write **'], { grants, level: 'manual' });
		assert.equal(decision.kind, 'ask');
		assert.deepEqual(decision.kind === 'ask' && [decision.pattern, decision.threadScope], [null, null]);
	});

	it('approves nothing automatically in manual, and names no rule that would not help', () => {
		for (const mode of ['auto', 'never'] as const) {
			const decision = judge('fs.write', targets.write, mode, ['fs.write **'], { level: 'manual' });
			assert.equal(decision.kind, 'deny');
			assert.doesNotMatch(inEnglish(decision.reason), /add the rule/);
		}
	});

	it('asks in manual for a MONITORED op that is no reading', () => {
		const of = (level: PermissionLevel) => judge('fs.write', [], 'ask', [], { risk: 'MONITORED', level }).kind;
		assert.deepEqual([of('manual'), of('ask'), of('full')], ['ask', 'allow', 'allow']);
	});

	it('leaves hosts, secrets and PRIVILEGED to the person in full too', () => {
		const away: readonly OpTarget[] = [{ kind: 'host', host: 'example.org' }];
		const secret: readonly OpTarget[] = [{ kind: 'secret', name: 'github', host: 'api.github.com' }];
		for (const [target, risk] of [
			[away, 'RESTRICTED'],
			[secret, 'CONTROLLED'],
			[targets.write, 'PRIVILEGED'],
		] as const) {
			assert.equal(judge('fs.write', target, 'ask', [], { risk, level: 'full' }).kind, 'ask');
		}
	});

	it('leaves a host that was started to refuse every question as it is, in full too', () => {
		assert.equal(judge('fs.write', targets.write, 'never', [], { level: 'full' }).kind, 'deny');
	});

	it('hands a secret out to a running capability only, asking each time whatever the rules say', () => {
		const execution: Caller = {
			kind: 'execution',
			threadId: null,
			executionId: 'e1',
			capability: 'skill/test',
			permissions: new Set(['secrets']),
			level: 'PRIVILEGED',
		};
		const asked = (caller: Caller, mode: ApprovalMode) =>
			decideOp({
				op: 'secrets.read',
				def: ops['secrets.read'],
				caller,
				targets: targets.secret,
				mode,
				rules: parseAllowRules(['secrets.read github', 'secrets.read *']),
				level: 'ask',
				strict: NO_STRICT_RULES,
				hasSeveralFolders: false,
				isGranted: () => true,
			});
		const decision = asked(execution, 'ask');
		assert.deepEqual([decision.kind, decision.kind === 'ask' && decision.threadScope], ['ask', null]);
		assert.equal(decision.kind === 'ask' && decision.pattern, null);
		assert.deepEqual([asked(execution, 'auto').kind, asked(execution, 'never').kind], ['deny', 'deny']);
		assert.deepEqual([asked(agent, 'ask').rule, asked(user, 'ask').rule], ['caller', 'caller']);
	});

	it('keeps asking for protected paths whatever the rules say', () => {
		const decision = judge('fs.write', targets.writeProtected, 'ask', ['fs.write **', 'fs.write .vscode/tasks.json']);
		assert.equal(decision.kind, 'ask');
		assert.equal(decision.kind === 'ask' && decision.threadScope, null);
	});

	it('judges several protected files by the one that no answer for the thread may cover, whatever their order', () => {
		const both = [...targets.instructions, ...targets.writeProtected];
		for (const moved of [both, both.toReversed()]) {
			const decision = judge('fs.move', moved, 'ask');
			assert.deepEqual([decision.rule, decision.reason.args?.['path']], ['protected-path', '.vscode/tasks.json']);
			assert.equal(decision.kind === 'ask' && decision.threadScope, null);
		}
	});

	it('opens a secret file only to a rule that names it', () => {
		assert.equal(judge('fs.read', targets.readSecret, 'never', ['fs.read **', 'fs.read .env*']).kind, 'deny');
		assert.equal(judge('fs.read', targets.readSecret, 'never', ['fs.read .env']).kind, 'allow');
	});

	it('says in a denial without a person how it could be allowed', () => {
		const decision = judge('fs.edit', [file('write', 'src/[id].ts')], 'never');
		assert.match(inEnglish(decision.reason), /add the rule "fs\.edit src\/\\\[id\\\]\.ts"/);
	});

	it('offers to change the folder of a file always, brackets and stars included, and nothing beside it', () => {
		const odd = [file('write', 'src/[id] (copy)/*.ts')];
		const decision = judge('fs.write', odd, 'ask');
		const pattern = decision.kind === 'ask' ? decision.pattern : null;
		assert.equal(pattern, String.raw`fs.write src/\[id\] \(copy\)/**`);
		const verdictOn = (path: string) => judge('fs.write', [file('write', path)], 'never', [pattern ?? '']).kind;
		assert.deepEqual(['src/[id] (copy)/*.ts', 'src/[id] (copy)/a/b.ts'].map(verdictOn), ['allow', 'allow']);
		assert.deepEqual(['src/i (copy)/x.ts', 'src/a.ts', 'x.ts'].map(verdictOn), ['deny', 'deny', 'deny']);
	});

	it('offers to change exactly a file at the root always, because the root is everything', () => {
		const offered = (path: string, options: JudgeOptions = {}) => {
			const decision = judge('fs.write', [file('write', path)], 'ask', [], options);
			return decision.kind === 'ask' ? decision.pattern : undefined;
		};
		assert.equal(offered('*.md'), String.raw`fs.write \*.md`);
		assert.equal(offered('app/a.md', { hasSeveralFolders: true }), 'fs.write app/a.md');
		assert.equal(offered('app/src/a.md', { hasSeveralFolders: true }), 'fs.write app/src/**');
	});

	it('lets "all file changes" stand for no change that is riskier than an edit', () => {
		const grants = new ThreadGrants();
		grants.add(agent.threadId, 'fs.edit', ops['fs.edit'], targets.write);
		assert.equal(judge('fs.write', targets.write, 'ask', [], { grants, risk: 'RESTRICTED' }).kind, 'ask');
	});

	it('keeps what was allowed in one thread from all others, and forgets it with its thread', () => {
		const grants = new ThreadGrants();
		const [target] = targets.write;
		grants.add(agent.threadId, 'fs.edit', ops['fs.edit'], [target]);
		grants.addRule(agent.threadId, 'fs.edit src/**');
		const other = newId('thr');
		assert.deepEqual([grants.has(other, 'fs.edit', ops['fs.edit'], target), grants.rulesOf(other)], [false, []]);
		grants.forget(agent.threadId);
		assert.equal(grants.has(agent.threadId, 'fs.edit', ops['fs.edit'], target), false);
		assert.deepEqual(grants.rulesOf(agent.threadId), []);
	});

	for (const [op, kind, text] of [
		['fs.edit', 'write', 'all file changes in this workspace, except protected and secret files'],
		['shell.run', 'command', 'this exact command'],
		['fs.read', 'readSecret', 'fs.read of exactly this file'],
	] as const) {
		it(`says that ${op} for the thread means ${text}`, () => {
			const decision = judge(op, targets[kind], 'ask');
			assert.equal(decision.kind === 'ask' && decision.threadScope && inEnglish(decision.threadScope), text);
		});
	}

	it('takes no pattern for a server on this machine, only the rule that names it with its port', () => {
		const kinds = ['*', '*.localhost:3000', 'localhost', 'localhost:3001', '127.0.0.1:3000'].map(
			(pattern) => judge('http.get', targets.here, 'ask', [`http.get ${pattern}`]).kind,
		);
		assert.deepEqual(new Set(kinds), new Set(['ask']));
		assert.equal(judge('http.get', targets.here, 'ask', ['http.get localhost:3000']).kind, 'allow');
		assert.equal(judge('http.get', [{ kind: 'host', host: 'localhost:3000' }], 'ask', ['http.get *']).kind, 'allow');
	});

	it('needs every target of an op to be covered', () => {
		const two = [file('write', 'src/a.ts'), file('write', 'lib/b.ts')];
		assert.equal(judge('fs.write', two, 'never', ['fs.write src/**']).kind, 'deny');
		assert.equal(judge('fs.write', two, 'never', ['fs.write src/**', 'fs.write lib/*']).kind, 'allow');
	});

	it('asks a person about what looks dangerous at every level, kept in or not', () => {
		const danger = ['rm', '-rf', 'src'];
		const verdict = (target: OpTarget, mode: ApprovalMode, level: PermissionLevel) =>
			judge('shell.run', [target], mode, [], { level }).kind;
		assert.equal(verdict(command(...danger), 'ask', 'full'), 'ask');
		assert.equal(verdict(command(...danger), 'full', 'ask'), 'allow');
		for (const level of PERMISSION_LEVELS) {
			assert.equal(verdict(sandboxed(...danger), 'ask', level), 'ask', level);
		}
	});

	it('takes an answer for the turn for what the level Auto allows, in that turn alone', () => {
		const grants = new ThreadGrants();
		grants.addTurn(agent.threadId, agent.turnId);
		const isGranted = (caller: Caller) => caller.kind === 'agent' && grants.hasTurn(caller.threadId, caller.turnId);
		const verdict = (op: OpName, all: readonly OpTarget[], more: JudgeOptions = {}) => {
			const { caller = agent } = more;
			return judge(op, all, 'ask', [], { ...more, isTurnGranted: isGranted(caller) });
		};
		const passed = verdict('fs.write', targets.write);
		assert.deepEqual(passed.kind === 'allow' && passed.allowedBy, { kind: 'turn' });
		assert.equal(verdict('shell.run', [sandboxed('npm', 'test')]).kind, 'allow');
		const asked: readonly (readonly [OpName, readonly OpTarget[], JudgeOptions?])[] = [
			['shell.run', [sandboxed('git', 'reset', '--hard')]],
			['shell.run', [command('npm', 'test')]],
			['shell.run', [sandboxed('npm', 'ci'), { kind: 'host', host: 'example.org' }]],
			['fs.write', targets.writeProtected],
			['fs.read', targets.readSecret],
			['fs.write', targets.write, { caller: { ...agent, turnId: newId('trn') } }],
			['fs.write', targets.write, { caller: { ...agent, threadId: newId('thr') } }],
			['fs.write', targets.write, { level: 'manual' }],
			['fs.write', targets.write, { strict: { ...NO_STRICT_RULES, widest: { level: 'edit', source: 'a test' } } }],
		];
		for (const [op, all, more] of asked) {
			const decision = verdict(op, all, more);
			assert.equal(decision.kind, 'ask', op);
			const isOtherTurn = more?.caller !== undefined;
			assert.equal(decision.kind === 'ask' && decision.isTurnOffered, isOtherTurn);
		}
		grants.endTurn(agent.turnId);
		assert.equal(verdict('fs.write', targets.write).kind, 'ask');
	});

	it('takes no answer for the thread for what looks dangerous, and of a rule its very words only', () => {
		const danger = sandboxed('git', 'stash', 'clear');
		const grants = new ThreadGrants();
		grants.add(agent.threadId, 'shell.run', ops['shell.run'], [danger]);
		const verdict = (all: readonly OpTarget[], rules: readonly string[]) =>
			judge('shell.run', all, 'ask', rules, { grants, level: 'auto' }).kind;
		assert.equal(verdict([danger], []), 'ask');
		assert.equal(verdict([danger, sandboxed('npm', 'test')], []), 'ask');
		assert.equal(verdict([danger], ['shell.run git stash **']), 'ask');
		assert.equal(verdict([sandboxed('git', 'stash', 'pop')], ['shell.run git stash **']), 'allow');
		assert.equal(verdict([danger], ['shell.run git stash clear']), 'allow');
	});

	it('says whose rules forbid the level at which nobody would be asked, and advises no such level', () => {
		const refused = (widest: PermissionLevel, target: readonly OpTarget[]) => {
			const strict = { ...NO_STRICT_RULES, widest: { level: widest, source: 'Your organisation (Example)' } };
			const decision = judge('shell.run', target, 'full', [], { strict });
			assert.ok(decision.kind === 'deny');
			return [inEnglish(decision.reason).includes('Your organisation (Example) permits no wider'), decision.unattended];
		};
		assert.deepEqual(refused('edit', [sandboxed('touch', 'x')]), [true, { automatic: 'never' }]);
		assert.deepEqual(refused('auto', targets.command), [true, { automatic: 'never' }]);
		assert.deepEqual(refused('full', targets.secret), [false, { automatic: 'never' }]);
	});

	it('allows nothing automatically that a capability runs without a sandbox or needs beyond it', () => {
		const caller: Caller = {
			kind: 'execution',
			threadId: null,
			executionId: 'cap_1',
			capability: 'skill/a',
			permissions: new Set(['shell']),
			level: 'RESTRICTED',
		};
		const verdict = (kind: TargetKind, mode: ApprovalMode, level: PermissionLevel = 'ask') =>
			judge('shell.run', targets[kind], mode, [], { caller, level }).kind;
		assert.deepEqual([verdict('command', 'auto'), verdict('command', 'full')], ['deny', 'deny']);
		assert.deepEqual([verdict('needsHost', 'full'), verdict('needsPath', 'ask', 'full')], ['deny', 'ask']);
		assert.deepEqual([verdict('sandboxed', 'auto'), verdict('sandboxed', 'ask', 'auto')], ['allow', 'allow']);
	});

	it('asks at auto once for a host that commands of a thread need', () => {
		const grants = new ThreadGrants();
		const [, host] = targets.needsHost;
		grants.add(agent.threadId, 'shell.run', ops['shell.run'], targets.needsHost);
		const install = (needed: OpTarget, level: PermissionLevel) =>
			judge('shell.run', [sandboxed('npm', 'install', 'left-pad'), needed], 'ask', [], { grants, level }).kind;
		assert.equal(install(host, 'auto'), 'allow');
		assert.equal(install(host, 'ask'), 'ask');
		assert.equal(install({ kind: 'host', host: 'evil.test' }, 'auto'), 'ask');
	});

	it('takes a rule for connections as one for the hosts that a command names', () => {
		const rules = ['net.connect registry.npmjs.org'];
		const decision = judge('shell.run', targets.needsHost, 'auto', rules);
		assert.deepEqual(decision.kind === 'allow' && decision.allowedBy, {
			kind: 'rules',
			rules: [{ rule: 'net.connect registry.npmjs.org', scope: 'everywhere' }],
		});
		assert.equal(judge('shell.run', targets.needsHost, 'never', rules).kind, 'deny');
		assert.equal(judge('shell.run', targets.needsHost, 'never', [...rules, 'shell.run npm ci']).kind, 'allow');
		assert.equal(judge('shell.run', targets.needsPath, 'auto', rules).kind, 'deny');
		assert.equal(judge('shell.run', targets.needsHost, 'auto', ['net.connect evil.test']).kind, 'deny');
		const manual = judge('shell.run', targets.needsHost, 'ask', rules, { level: 'manual' });
		assert.equal(manual.kind, 'ask');
	});

	it('offers no rule for words that do not show where a link leads', () => {
		const linked = { ...command('cat', 'notes.txt'), strays: [{ argument: 'notes.txt', isByLink: true }] };
		const decision = judge('shell.run', [linked], 'ask');
		assert.equal(decision.kind === 'ask' && decision.pattern, null);
	});

	it('takes no rule for commands as one for the hosts and paths that they need', () => {
		const rules = [
			'shell.run *',
			'shell.run npm ci',
			'shell.run registry.npmjs.org',
			'http.get *',
			'shell.run /opt/out',
		];
		for (const kind of ['needsHost', 'needsPath'] as const) {
			assert.equal(judge('shell.run', targets[kind], 'never', rules).kind, 'deny');
		}
	});

	it('names the level that has allowed it', () => {
		const allowedBy = (mode: ApprovalMode, level: PermissionLevel) => {
			const decision = judge('shell.run', targets.sandboxed, mode, [], { level });
			return decision.kind === 'allow' ? [decision.rule, decision.allowedBy] : [];
		};
		assert.deepEqual(allowedBy('ask', 'auto'), ['auto', { kind: 'level', level: 'auto' }]);
		assert.deepEqual(allowedBy('ask', 'full'), ['full', { kind: 'level', level: 'full' }]);
		assert.deepEqual(allowedBy('full', 'ask'), ['full', { kind: 'host' }]);
	});

	it('says of each kind of protected file what reads it', () => {
		const reasonOf = (path: string, protectedKind: FileTarget['protectedKind']) => {
			const traits = protectedKind === undefined ? {} : { protectedKind };
			return inEnglish(judge('fs.write', [file('write', path, { isProtected: true, ...traits })], 'ask').reason);
		};
		assert.match(reasonOf('AGENTS.md', 'instructions'), /^"AGENTS\.md" is read by agents at each start/);
		assert.match(reasonOf('.travis.yml', 'integration'), /is run by a build service/);
		assert.match(reasonOf('.vscode/a.db', undefined), /controls what can run/);
	});

	describe('of commands in a chain', () => {
		const fed = (argv: string[], ...fedBy: string[][]): OpTarget => ({ kind: 'command', argv, cwd: '.', fedBy });
		const list = command('ls', '-la');
		const sorted = [list, fed(['sort', '-r'], ['ls', '-la'])];
		const shell = [command('cat', 'a.sh'), fed(['sh'], ['cat', 'a.sh'])];

		it('asks for all when one is not covered, and offers no rule for several', () => {
			const decision = judge('shell.run', sorted, 'ask', ['shell.run ls -la']);
			assert.equal(decision.kind, 'ask');
			assert.equal(decision.kind === 'ask' && decision.pattern, null);
			assert.deepEqual(decision.kind === 'ask' && decision.threadScope, text('these exact commands'));
			assert.equal(judge('shell.run', [list, command('rm', 'a')], 'never', ['shell.run ls -la']).kind, 'deny');
		});

		it('allows by rules when each command is covered, and what reads a pipe is a filter of the PATH', () => {
			const rules = ['shell.run ls -la', 'shell.run sort -r', 'shell.run ./sort -r', 'shell.run git apply'];
			assert.equal(judge('shell.run', sorted, 'never', rules).kind, 'allow');
			for (const argv of [
				['git', 'apply'],
				['./sort', '-r'],
			]) {
				assert.equal(judge('shell.run', [list, fed(argv, ['ls', '-la'])], 'never', rules).kind, 'deny', argv[0]);
			}
		});

		it('lets no rule and no automatic approval pipe anything into a program that runs it', () => {
			const rules = ['shell.run cat *', 'shell.run sh', 'shell.run xargs rm'];
			for (const level of ['ask', 'full'] as const) {
				const decision = judge('shell.run', shell, 'ask', rules, { level });
				assert.deepEqual([decision.kind, decision.rule], ['ask', 'piped-program']);
			}
			assert.equal(judge('shell.run', shell, 'auto', rules).kind, 'deny');
			assert.equal(judge('shell.run', [list, fed(['xargs', 'rm'], ['ls'])], 'auto', rules).kind, 'deny');
		});

		it('takes an answer for the thread for the same pipe only', () => {
			const grants = new ThreadGrants();
			grants.add(agent.threadId, 'shell.run', ops['shell.run'], shell);
			const verdict = (all: readonly OpTarget[]) => judge('shell.run', all, 'ask', [], { grants }).kind;
			assert.equal(verdict(shell), 'allow');
			assert.equal(verdict([command('cat', 'a.sh'), fed(['sh'], ['cat', 'b.sh'])]), 'ask');
			assert.equal(verdict([command('cat', 'a.sh'), fed(['sh'], ['cat', 'a.sh'], ['rev'])]), 'ask');
			assert.equal(verdict([command('sh')]), 'ask');
		});
	});

	describe('of what a capability was allowed beforehand', () => {
		const caller: Caller = {
			kind: 'execution',
			threadId: null,
			executionId: 'cap_1',
			capability: 'skill/a',
			permissions: new Set(['shell', 'workspace.write']),
			level: 'RESTRICTED',
			beforehand: { tools: [['Bash(npm test)', 'Edit', 'Read']], folder: '/snapshots/1/capability' },
		};
		const verdict = (op: OpName, kind: TargetKind, options: JudgeOptions = {}) =>
			judge(op, targets[kind], 'ask', [], { caller, ...options }).kind;

		it('asks nothing more', () => {
			assert.equal(verdict('shell.run', 'command'), 'allow');
			assert.equal(verdict('fs.edit', 'write'), 'allow');
			assert.equal(judge('shell.run', targets.command, 'never', [], { caller }).kind, 'allow');
		});

		it('asks what it does not name, what is protected and what holds secrets', () => {
			assert.equal(verdict('fs.write', 'write'), 'ask');
			assert.equal(verdict('fs.edit', 'writeProtected'), 'ask');
			assert.equal(verdict('fs.edit', 'writeSecret'), 'ask');
			assert.equal(verdict('fs.read', 'readSecret'), 'ask');
			assert.equal(verdict('fs.edit', 'outside'), 'deny');
		});

		it('goes by the rules of the user and by the level "manual" first', () => {
			const rule = { text: 'shell.run npm', op: 'shell.run', pattern: 'npm', source: 'yours' };
			assert.equal(verdict('shell.run', 'command', { strict: { ...NO_STRICT_RULES, deny: [rule] } }), 'deny');
			assert.equal(verdict('shell.run', 'command', { strict: { ...NO_STRICT_RULES, ask: [rule] } }), 'ask');
			assert.equal(verdict('shell.run', 'command', { level: 'manual' }), 'ask');
		});
	});

	it('takes a rule of one op for no other', () => {
		assert.equal(judge('fs.write', targets.write, 'never', ['fs.edit **', 'shell.run *', 'nonsense', '']).kind, 'deny');
	});

	it('lets the user do what they do, inside the workspace', () => {
		const base = {
			op: 'fs.write',
			def: ops['fs.write'],
			caller: user,
			mode: 'never',
			level: 'manual',
			strict: NO_STRICT_RULES,
			rules: [],
			hasSeveralFolders: false,
			isGranted: () => false,
		} as const;
		assert.equal(decideOp({ ...base, targets: targets.writeProtected }).kind, 'allow');
		assert.equal(decideOp({ ...base, targets: targets.outside }).kind, 'deny');
	});
});
