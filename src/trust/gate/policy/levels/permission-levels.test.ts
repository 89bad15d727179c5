import assert from 'node:assert/strict';
import { newId } from '../../../../protocol/rpc/ids.ts';
import { type OpName, ops } from '../../../../protocol/op-table/ops.ts';
import {
	pickNarrowerLevel,
	PERMISSION_LEVELS,
	type PermissionLevel,
} from '../../../../protocol/ops/permission-level.ts';
import { text } from '../../../../protocol/text/text.ts';
import type { Caller } from '../../../../contract/ops/caller.ts';
import type { ApprovalMode } from '../../../../contract/ports/ports.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { parseAllowRules } from '../rules/allow-rule.ts';
import { decideOp } from '../gate.ts';
import type { GateDecision } from '../gate-decision.ts';
import { mergeStrictRules, NO_STRICT_RULES, parseStrictRule, type StrictRules } from '../rules/strict-rule.ts';

const agent: Caller = { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') };

function file(
	access: 'read' | 'write',
	path: string,
	traits: Partial<Extract<OpTarget, { kind: 'file' }>> = {},
): OpTarget {
	return { kind: 'file', access, path, absolutePath: `/w/${path}`, isSecret: false, isProtected: false, ...traits };
}
function command(line: string, isSandboxed?: true): OpTarget {
	return { kind: 'command', argv: line.split(' '), cwd: '.', ...(isSandboxed === undefined ? {} : { isSandboxed }) };
}
const orders: OpTarget = {
	kind: 'database',
	access: 'write',
	path: 'data/orders.db',
	absolutePath: '/w/data/orders.db',
	isSecret: false,
	isProtected: false,
};

interface JudgeOptions {
	readonly mode?: ApprovalMode;
	readonly strict?: StrictRules;
	readonly allow?: readonly string[];
}

function judge(
	op: OpName,
	targets: readonly OpTarget[],
	level: PermissionLevel,
	{ mode = 'ask', strict = NO_STRICT_RULES, allow = [] }: JudgeOptions = {},
): GateDecision {
	return decideOp({
		op,
		def: ops[op],
		caller: agent,
		targets,
		mode,
		level,
		strict,
		rules: parseAllowRules(allow),
		hasSeveralFolders: false,
		isGranted: () => false,
	});
}

/** Acts, each with the strictest level at which nobody is asked; `never`: a person is asked at every level. */
const kinds: readonly (readonly [string, OpName, readonly OpTarget[], PermissionLevel | 'never'])[] = [
	['reading a file', 'fs.read', [file('read', 'src/a.ts')], 'manual'],
	['reading a secret file', 'fs.read', [file('read', '.env', { isSecret: true })], 'never'],
	['editing a file', 'fs.edit', [file('write', 'src/a.ts')], 'edit'],
	['writing a new file', 'fs.write', [file('write', 'src/new.ts')], 'edit'],
	['making a folder', 'fs.makeFolder', [file('write', 'src/new')], 'edit'],
	['moving a file', 'fs.move', [file('write', 'a.ts'), file('write', 'b.ts')], 'edit'],
	['deleting a file', 'fs.delete', [file('write', 'src/a.ts')], 'edit'],
	[
		'what undo could not restore',
		'fs.delete',
		[file('write', 'src', { onlyByPerson: text('A whole folder.') })],
		'never',
	],
	['changing a secret file', 'fs.write', [file('write', '.env', { isSecret: true })], 'never'],
	['changing a protected file', 'fs.edit', [file('write', '.vscode/tasks.json', { isProtected: true })], 'never'],
	[
		'an ordinary file together with a secret one',
		'fs.move',
		[file('write', 'a.ts'), file('write', '.env', { isSecret: true })],
		'never',
	],
	['changing a database', 'sql.execute', [orders], 'auto'],
	['a sandboxed command', 'shell.run', [command('npm test', true)], 'auto'],
	['a dangerous command in the sandbox', 'shell.run', [command('rm -rf src', true)], 'never'],
	['a deletion of what a build makes, in the sandbox', 'shell.run', [command('rm -rf dist', true)], 'auto'],
	['a command that nothing keeps in', 'shell.run', [command('npm test')], 'full'],
	['a dangerous command that nothing keeps in', 'shell.run', [command('rm -rf src')], 'never'],
	[
		'a dangerous command that needs a host',
		'shell.run',
		[command('git reset --hard', true), { kind: 'host', host: 'example.org' }],
		'never',
	],
	[
		'a sandboxed command that needs a host',
		'shell.run',
		[command('npm ci', true), { kind: 'host', host: 'registry.npmjs.org' }],
		'full',
	],
	['a request to a host', 'http.get', [{ kind: 'host', host: 'example.org' }], 'never'],
];

describe('A permission level', () => {
	for (const [what, op, targets, from] of kinds) {
		const at = from === 'never' ? 'at every level' : `below ${from}`;
		it(`asks about ${what} ${at}`, () => {
			const allowing = PERMISSION_LEVELS.filter((level) => judge(op, targets, level).kind === 'allow');
			const expected = from === 'never' ? [] : PERMISSION_LEVELS.slice(PERMISSION_LEVELS.indexOf(from));
			assert.deepEqual(allowing, expected);
		});
	}

	it('is named by what it lets through', () => {
		const decision = judge('fs.edit', [file('write', 'src/a.ts')], 'edit');
		assert.deepEqual(decision.kind === 'allow' && [decision.rule, decision.allowedBy], [
			'edit',
			{ kind: 'level', level: 'edit' },
		]);
	});

	for (const mode of ['edit', 'auto', 'full'] as const) {
		it(`lets through what the host does that was started with "${mode}", besides danger, and nothing else`, () => {
			for (const [what, op, targets] of kinds.filter(([words]) => !words.startsWith('a dangerous command'))) {
				const isAllowed = judge(op, targets, mode).kind === 'allow';
				assert.equal(judge(op, targets, 'ask', { mode }).kind, isAllowed ? 'allow' : 'deny', what);
			}
		});
	}

	it('lets nothing through in a host that refuses every question', () => {
		assert.equal(judge('fs.edit', [file('write', 'src/a.ts')], 'full', { mode: 'never' }).kind, 'deny');
	});

	it('gives way to rules that refuse or ask', () => {
		const rule = parseStrictRule('fs.edit src', 'a test');
		assert.ok(typeof rule !== 'string');
		const at = (strict: StrictRules) => judge('fs.edit', [file('write', 'src/a.ts')], 'full', { strict }).kind;
		assert.equal(at({ ...NO_STRICT_RULES, deny: [rule] }), 'deny');
		assert.equal(at({ ...NO_STRICT_RULES, ask: [rule] }), 'ask');
	});

	it('counts only as far as the widest one that is permitted', () => {
		for (const widest of PERMISSION_LEVELS) {
			const strict = { ...NO_STRICT_RULES, widest: { level: widest, source: 'a test' } };
			for (const level of PERMISSION_LEVELS) {
				for (const [what, op, targets] of kinds) {
					const { kind } = judge(op, targets, pickNarrowerLevel(level, widest));
					assert.equal(judge(op, targets, level, { strict }).kind, kind, `${what} at ${level}, permitted ${widest}`);
				}
			}
		}
	});

	it('of a host is limited as that of a thread is', () => {
		const strict = { ...NO_STRICT_RULES, widest: { level: 'edit', source: 'a test' } } as const;
		const started = (op: OpName, target: OpTarget) => judge(op, [target], 'ask', { mode: 'full', strict }).kind;
		assert.equal(started('shell.run', command('npm test', true)), 'deny');
		assert.equal(started('fs.edit', file('write', 'src/a.ts')), 'allow');
	});

	it('that several sources limit is limited by the strictest of them', () => {
		const of = (level: PermissionLevel): StrictRules => ({ ...NO_STRICT_RULES, widest: { level, source: level } });
		assert.equal(mergeStrictRules([of('auto'), NO_STRICT_RULES, of('ask'), of('edit')]).widest?.source, 'ask');
		assert.equal(mergeStrictRules([NO_STRICT_RULES]).widest, undefined);
	});

	it('Manual takes no rule, where it is the widest, too', () => {
		const strict = { ...NO_STRICT_RULES, widest: { level: 'manual', source: 'a test' } } as const;
		const decision = judge('fs.edit', [file('write', 'src/a.ts')], 'full', { strict, allow: ['fs.edit **'] });
		assert.deepEqual(decision.kind === 'ask' && [decision.pattern, decision.threadScope], [null, null]);
	});
});
