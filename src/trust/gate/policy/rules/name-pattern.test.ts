import assert from 'node:assert/strict';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { type OpName, ops } from '../../../../protocol/op-table/ops.ts';
import { newId } from '../../../../protocol/rpc/ids.ts';
import { decideOp } from '../gate.ts';
import { exactPattern, parseAllowRules, ruleCovers } from './allow-rule.ts';
import { parseStrictRule, strictRuleOn } from './strict-rule.ts';

/** Tells whether a rule that denies, and one that allows, covers the target. */
function verdicts(op: string, pattern: string, target: OpTarget): [boolean, boolean] {
	const strict = parseStrictRule(`${op} ${pattern}`, 'a test');
	assert.ok(typeof strict !== 'string');
	const isDenied = strictRuleOn([strict], op, [target]) !== undefined;
	return [isDenied, parseAllowRules([`${op} ${pattern}`]).some((rule) => ruleCovers(rule, op, target))];
}
const of = (name: string): OpTarget => {
	const [server = '', ...rest] = name.split('/');
	return { kind: 'mcp', server, tool: rest.join('/') };
};

describe('A rule with a star over names that hold a slash', () => {
	for (const [op, pattern, name, isDenied, isAllowed] of [
		['mcp.call', 'odd/*', 'odd/healthy', true, true],
		['mcp.call', 'odd/*', 'odd/a.b/c', true, true],
		['mcp.call', 'odd/*', 'odd/a/b/c/d', true, true],
		['mcp.call', 'odd/*', 'odd/.hidden/.c', true, true],
		['mcp.call', 'odd/*', 'odd/a/', true, true],
		['mcp.call', 'odd/*', 'odd//a', true, true],
		['mcp.call', 'odd/*', 'odd/a/\ue000', true, true],
		['mcp.call', 'odd/*', 'odd/a\n/b', true, true],
		['mcp.call', 'odd/**', 'odd/a.b/c', true, true],
		['mcp.call', 'odd/a*', 'odd/a.b/c', true, true],
		['mcp.call', 'odd/*c', 'odd/a.b/c', true, true],
		['mcp.call', 'odd/a.b/*', 'odd/a.b/c/d', true, true],
		['mcp.call', 'odd/a/**', 'odd/a', true, true],
		['mcp.call', 'odd/{a,b}*', 'odd/b/c', true, true],
		['mcp.call', 'ODD/*', 'odd/a.b/c', true, false],
		['mcp.call', 'odd', 'odd/a.b/c', true, false],
		['mcp.call', '*/c', 'odd/a.b/c', true, false],
		['mcp.call', 'o*', 'odd/a.b/c', true, false],
		['mcp.call', 'odd/*', 'odder/a.b/c', false, false],
		['mcp.call', 'odd/b*', 'odd/a.b/c', false, false],
		['mcp.call', 'odd/a.b/c', 'odd/a.b/c/d', false, false],
		['mcp.call', 'odd/a/b', 'odd/a\ue000b', false, false],
		['mcp.tools', 'odd', 'odd', true, true],
		['mcp.tools', 'odd/*', 'odd', true, true],
		['mcp.tools', 'odd/**', 'odd', true, true],
		['mcp.tools', 'ODD', 'odd', true, false],
		['mcp.tools', 'o*', 'odd', true, false],
		['mcp.tools', 'odder', 'odd', false, false],
		['mcp.tools', 'odd/healthy', 'odd', false, false],
		['mcp.resources', 'docs', 'docs', true, true],
		['mcp.resources', 'docs/file:*', 'docs', false, false],
		['mcp.read', 'docs/*', 'docs/file:///a/b', true, true],
		['mcp.read', 'docs/file:*', 'docs/file:///a/b', true, true],
		['mcp.read', 'docs/https:*', 'docs/file:///a/b', false, false],
		['mcp.sample', 'notes/*', 'notes/anthropic/sonnet', true, true],
		['mcp.sample', 'notes/anthropic*', 'notes/openai/anthropic', false, false],
	] as const) {
		const [denies, allows] = [isDenied ? 'denies' : 'does not deny', isAllowed ? 'allows' : 'does not allow'];
		it(`"${op} ${pattern}" ${denies} and ${allows} ${JSON.stringify(name)}`, () => {
			assert.deepEqual(verdicts(op, pattern, of(name)), [isDenied, isAllowed]);
		});
	}

	for (const name of ['odd/a.b/c', 'odd/a*/b', 'docs/file:///a/[b]?c={d}', 'odd/a\\b']) {
		it(`that was saved for "${name}" covers it, and nothing beside it`, () => {
			const saved = exactPattern(of(name));
			assert.deepEqual(verdicts('mcp.call', saved, of(name)), [true, true]);
			assert.deepEqual(verdicts('mcp.call', saved, of(`${name}/x`)), [false, false]);
			assert.deepEqual(verdicts('mcp.call', saved, of(name.replace('/a', '/x/a'))), [false, false]);
		});
	}

	it('keeps its meaning for paths: one level', () => {
		const file = (path: string): OpTarget => ({
			kind: 'file',
			access: 'read',
			path,
			absolutePath: `/w/${path}`,
			isSecret: false,
			isProtected: false,
		});
		assert.deepEqual(verdicts('fs.read', 'src/*.ts', file('src/a.ts')), [true, true]);
		assert.deepEqual(verdicts('fs.read', 'src/*.ts', file('src/a/b.ts')), [false, false]);
		assert.deepEqual(verdicts('fs.read', 'src/*', file('src/a/b.ts')), [true, false]);
	});
});

/** Names as servers, capabilities and files have them: each has one character that a glob, a line or a letter could be read by. */
const NAMES = [
	'plain',
	'a/b',
	'a.b',
	'.a/.b',
	'a:b',
	'file:///a/b',
	'a b',
	' a',
	'ä/ö',
	'a\u0308',
	'日本/語',
	'🦄/x',
	'a\nb',
	'a\n/b',
	'a\\b',
	'a/../b',
	'a//b',
	'[a]/{b}',
	'*',
	'!a',
] as const;
/** Kinds of target whose names are no paths: the op, the target of a name, and whether a rule can allow it. */
const NAMED = {
	'mcp.call': [(tool: string): OpTarget => ({ kind: 'mcp', server: 'odd', tool }), 'odd/', true],
	'mcp.read': [(tool: string): OpTarget => ({ kind: 'mcp', server: 'odd', tool }), 'odd/', true],
	'mcp.sample': [(tool: string): OpTarget => ({ kind: 'mcp', server: 'odd', tool }), 'odd/', true],
	'mcp.prompt': [(tool: string): OpTarget => ({ kind: 'mcp', server: 'odd', tool, isKnown: true }), 'odd/', false],
	'capability.start': [(name: string): OpTarget => ({ kind: 'capability', type: 'skill', name }), 'skill/', false],
} as const;

/** The gate's answer to the agent, where these are the only rules. */
function decided(op: OpName, target: OpTarget, rules: { readonly [K in 'allow' | 'ask' | 'deny']?: string }): string {
	const strict = (text: string | undefined) =>
		text === undefined ? [] : [parseStrictRule(text, 'a test')].filter((rule) => typeof rule !== 'string');
	const { kind, rule } = decideOp({
		op,
		def: ops[op],
		caller: { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') },
		targets: [target],
		mode: 'ask',
		level: 'ask',
		rules: parseAllowRules(rules.allow === undefined ? [] : [rules.allow]),
		strict: { deny: strict(rules.deny), ask: strict(rules.ask), unreadable: [] },
		hasSeveralFolders: false,
		isGranted: () => false,
	});
	return kind === 'deny' ? `deny by ${rule}` : kind;
}

describe('The gate, asked about a name that only a star covers', () => {
	for (const [op, [toTarget, owner, isAllowable]] of Object.entries(NAMED) as [OpName, (typeof NAMED)['mcp.call']][]) {
		it(`denies, asks about and allows ${op} of every name, whatever is in it`, () => {
			for (const name of NAMES) {
				const target = toTarget(name);
				for (const pattern of [`${owner}*`, `${owner}**`]) {
					const about = `${op} ${pattern} of ${JSON.stringify(name)}`;
					assert.equal(decided(op, target, { deny: `${op} ${pattern}` }), 'deny by deny-rule', about);
					// Beside a rule that allows, a question is that of the rule that asks.
					const asked = { ask: `${op} ${pattern}`, allow: `${op} ${pattern}` };
					assert.equal(decided(op, target, asked), 'ask', about);
					assert.equal(decided(op, target, { allow: `${op} ${pattern}` }), 'allow', about);
					// A rule that denies goes before one that allows, and so does one that asks.
					const both = { allow: `${op} ${pattern}`, deny: `${op} ${owner}*` };
					assert.equal(decided(op, target, both), 'deny by deny-rule', about);
				}
				assert.equal(decided(op, target, {}), isAllowable ? 'ask' : 'allow', `${op} of ${JSON.stringify(name)}`);
				for (const other of ['other/*', `${owner}other*`, `${owner}other/**`]) {
					assert.equal(decided(op, target, { deny: `${op} ${other}` }), isAllowable ? 'ask' : 'allow', other);
				}
			}
		});
	}

	it('means a letter with its accent, however it is written, by a rule that denies', () => {
		const called = (tool: string): OpTarget => ({ kind: 'mcp', server: 'odd', tool });
		assert.equal(decided('mcp.read', called('a:e\u0301/x'), { deny: 'mcp.read odd/a:\u00e9*' }), 'deny by deny-rule');
		assert.equal(decided('mcp.read', called('a:\u00e9/x'), { deny: 'mcp.read odd/A:E\u0301*' }), 'deny by deny-rule');
		assert.equal(decided('mcp.read', called('a:e\u0301'), { allow: 'mcp.read odd/a:\u00e9' }), 'ask');
	});

	it('holds for a capability that is asked for a service as for one that is started', () => {
		const skill: OpTarget = { kind: 'capability', type: 'skill', name: 'deploy' };
		const isCovered = (text: string) => {
			const rule = parseStrictRule(text, 'a test');
			return typeof rule !== 'string' && strictRuleOn([rule], 'services.call', [skill]) !== undefined;
		};
		for (const pattern of ['skill/deploy', 'deploy', '*']) {
			assert.ok(isCovered(`capability.start ${pattern}`), pattern);
		}
		assert.equal(isCovered('capability.start skill/other'), false);
	});

	it('knows a capability by its name alone, too', () => {
		const skill: OpTarget = { kind: 'capability', type: 'skill', name: 'tools.deploy' };
		for (const pattern of ['tools.deploy', 'skill/tools.deploy', 'tools.*', '*deploy', '*/tools.*', 'SKILL/*']) {
			assert.equal(
				decided('capability.start', skill, { deny: `capability.start ${pattern}` }),
				'deny by deny-rule',
				pattern,
			);
		}
		for (const pattern of ['deploy', 'tools', 'power/*', 'tools.deploy.x']) {
			assert.equal(decided('capability.start', skill, { deny: `capability.start ${pattern}` }), 'allow', pattern);
		}
	});

	it('reads a star for hosts, secrets and files as before', () => {
		const file = (path: string): OpTarget => ({
			kind: 'file',
			access: 'write',
			path,
			absolutePath: `/w/${path}`,
			isSecret: false,
			isProtected: false,
		});
		const host: OpTarget = { kind: 'host', host: 'api.example.org' };
		const secret: OpTarget = { kind: 'secret', name: 'api/key', host: 'example.org' };
		for (const [op, target, pattern, isCovered, isAllowed, all] of [
			['fs.write', file('src/a b.ts'), 'src/*', true, true, '**'],
			['fs.write', file('src/a/b.ts'), 'src/*.ts', false, false, '**'],
			['fs.write', file('src/a/b.ts'), 'src/**', true, true, '**'],
			['fs.write', file('src/ä\nb.ts'), 'src/*', true, true, '**'],
			['fs.write', file('src/ä\nb.ts'), 'src/**', true, true, '**'],
			['http.get', host, '*.example.org', true, true, '*'],
			['http.get', host, 'example.org', false, false, '*'],
			['http.request', secret, 'api/*', true, false, 'api/key@example.org'],
			['http.request', secret, 'api/key@example.org', true, true, 'api/key@example.org'],
		] as const) {
			const rule = `${op} ${pattern}`;
			const strictly = isCovered ? 'deny by deny-rule' : 'ask';
			assert.equal(decided(op, target, { deny: rule }), strictly, rule);
			assert.equal(decided(op, target, { ask: rule, allow: `${op} ${all}` }), isCovered ? 'ask' : 'allow', rule);
			assert.equal(decided(op, target, { allow: rule }), isAllowed ? 'allow' : 'ask', rule);
		}
	});
});
