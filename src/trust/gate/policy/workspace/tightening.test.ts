import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { newId } from '../../../../protocol/rpc/ids.ts';
import { type OpName, ops } from '../../../../protocol/op-table/ops.ts';
import { PERMISSION_LEVELS } from '../../../../protocol/ops/permission-level.ts';
import { inEnglish } from '../../../../protocol/text/text.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { parseAllowRules } from '../rules/allow-rule.ts';
import { decideOp } from '../gate.ts';
import type { GateDecision, GateInput } from '../gate-decision.ts';
import { mergeStrictRules, NO_STRICT_RULES, parseStrictRule, type StrictRules } from '../rules/strict-rule.ts';
import { parseWorkspacePolicy } from './workspace-policy.ts';

const strictness = { allow: 0, ask: 1, deny: 2 } as const satisfies Record<GateDecision['kind'], number>;
const agent = { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') } as const;

function strict(deny: readonly string[], ask: readonly string[] = []): StrictRules {
	const rules = (texts: readonly string[]) =>
		texts.map((text) => parseStrictRule(text, 'a test')).filter((rule) => typeof rule !== 'string');
	return { deny: rules(deny), ask: rules(ask), unreadable: [] };
}

function write(path: string, rules: readonly string[], more: Partial<GateInput>): GateDecision {
	return decideOp({
		op: 'fs.write',
		def: ops['fs.write'],
		caller: agent,
		mode: 'ask',
		level: 'ask',
		hasSeveralFolders: false,
		targets: [{ kind: 'file', access: 'write', path, absolutePath: `/w/${path}`, isSecret: false, isProtected: false }],
		rules: parseAllowRules(rules),
		strict: NO_STRICT_RULES,
		isGranted: () => false,
		...more,
	});
}

describe('deny before ask before allow', () => {
	const all = ['fs.write **'];

	it('refuses what a rule denies, whatever else would allow it', () => {
		for (const more of [{ level: 'full' }, { mode: 'auto' }, { isGranted: () => true }] as const) {
			const decision = write('src/a.ts', all, { ...more, strict: strict(['fs.* src'], ['fs.* src']) });
			assert.equal(decision.kind, 'deny');
			assert.match(inEnglish(decision.reason), /"fs\.\* src" of a test/);
		}
	});

	it('asks what a rule wants asked, whatever else would allow it, and offers no rule against it', () => {
		for (const more of [{ level: 'full' }, { isGranted: () => true }] as const) {
			const decision = write('src/a.ts', all, { ...more, strict: strict([], ['fs.write src']) });
			assert.equal(decision.kind, 'ask');
			assert.deepEqual(decision.kind === 'ask' && [decision.pattern, decision.threadScope], [null, null]);
		}
		assert.equal(write('src/a.ts', all, { mode: 'auto', strict: strict([], ['fs.write src']) }).kind, 'deny');
	});

	it('asks for everything while a rule cannot be read, and says which', () => {
		const unreadable = { ...NO_STRICT_RULES, unreadable: ['policy.yaml:1:1: nonsense'] };
		const decision = write('src/a.ts', all, { level: 'full', strict: unreadable });
		assert.equal(decision.kind, 'ask');
		assert.match(inEnglish(decision.reason), /policy\.yaml:1:1: nonsense/);
		const reading = write('src/a.ts', all, { op: 'fs.read', def: ops['fs.read'], strict: unreadable });
		assert.equal(reading.kind, 'ask');
		const speaking = write('', [], { op: 'user.ask', def: ops['user.ask'], targets: [], strict: unreadable });
		assert.equal(speaking.kind, 'allow');
	});

	it('leaves what the user does to the user', () => {
		const decision = write('src/a.ts', [], { caller: { kind: 'user', threadId: null }, strict: strict(['* *']) });
		assert.equal(decision.kind, 'allow');
	});
});

describe('the policy of a workspace', () => {
	const paths = ['src/a.ts', 'src/b.ts', '.env', '.vscode/tasks.json', 'lib/c.ts'];
	const commands = ['npm test', 'git push', 'rm -rf x', 'sh -c ls'];
	const opNames: readonly OpName[] = ['fs.read', 'fs.write', 'fs.delete', 'shell.run', 'todo.write', 'git.status'];
	const target: fc.Arbitrary<OpTarget> = fc.oneof(
		fc
			.record({ path: fc.constantFrom(...paths), access: fc.constantFrom('read' as const, 'write' as const) })
			.map(({ path, access }): OpTarget => ({
				kind: 'file',
				access,
				path,
				absolutePath: `/w/${path}`,
				isSecret: path === '.env',
				isProtected: path.startsWith('.vscode'),
			})),
		fc.constantFrom(...commands).map((line): OpTarget => ({ kind: 'command', argv: line.split(' '), cwd: '.' })),
	);
	const rule = fc
		.tuple(
			fc.constantFrom('fs.*', '*', ...opNames),
			fc.constantFrom('*', '**', 'src/**', 'src', 'npm *', ...paths, ...commands),
		)
		.map((parts) => parts.join(' '));
	const list = fc.array(rule, { maxLength: 3 });
	const policyText = fc.oneof(
		fc
			.array(fc.tuple(fc.constantFrom('deny', 'ask', 'allow', 'widestLevel', 'mode', 'denny'), list), { maxLength: 4 })
			.map((lists) => lists.map(([name, rules]) => `${name}: ${JSON.stringify(rules)}`).join('\n')),
		fc.constantFrom(
			'deny: [',
			'{',
			'allow: *',
			'level: full',
			'widestLevel: full',
			'widestLevel: ask',
			'widestLevel: manual',
			'widestLevel:',
		),
	);

	it('never makes a decision looser than the user alone has it', () => {
		const input = fc.record({
			op: fc.constantFrom(...opNames),
			targets: fc.array(target, { maxLength: 3 }),
			mode: fc.constantFrom('ask' as const, 'auto' as const, 'never' as const),
			level: fc.constantFrom(...PERMISSION_LEVELS),
			allow: list,
			deny: list,
			ask: list,
			granted: fc.boolean(),
			policyText,
		});
		fc.assert(
			fc.property(input, ({ op, targets, mode, level, allow, deny, ask, granted, policyText: text }) => {
				const user = strict(deny, ask);
				const judged = (rules: StrictRules) =>
					decideOp({
						op,
						def: ops[op],
						caller: agent,
						targets,
						mode,
						level,
						hasSeveralFolders: false,
						rules: parseAllowRules(allow),
						strict: rules,
						isGranted: () => granted,
					});
				const alone = judged(user);
				const merged = judged(mergeStrictRules([user, parseWorkspacePolicy(text, 'policy.yaml')]));
				assert.ok(strictness[merged.kind] >= strictness[alone.kind], `${alone.kind} became ${merged.kind}`);
				if (alone.kind === 'ask' && merged.kind === 'ask') {
					assert.ok(merged.pattern === null || merged.pattern === alone.pattern);
					assert.ok(merged.threadScope === null || isDeepStrictEqual(merged.threadScope, alone.threadScope));
				}
			}),
			{ numRuns: 3_000 },
		);
	});
});
