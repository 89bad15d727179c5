import assert from 'node:assert/strict';
import type { OpTarget } from '../../../../contract/ops/target.ts';
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
