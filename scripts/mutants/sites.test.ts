import assert from 'node:assert/strict';
import { sitesOf } from './sites.ts';

describe('A mutant', () => {
	const cases: readonly (readonly [what: string, source: string, ...changes: string[]])[] = [
		['is never a type', "type A = 'one' | 'two'; let a: 'one' = b as 'two';"],
		['is never the name of a module or of a field', "import a from 'one'; export * from 'two'; a({ 'kind': b });"],
		['is never what is empty already', 'const a = () => []; function b() { return; } const c = () => void d();'],
		['is never a longer wait', 'const MAX_WAIT_MS = 10; const limits = { mostSeconds: 3 * minute };'],
		['is never the only code of its file', "fail({ kind: 'one' }); fail({ kind: 'one' });"],
		['has the other branch', 'if (a) b();', 'condition a → !(a)'],
		['has the other branch of what was negated', 'c = !a ? 1 : 2;', 'condition !a → (a)'],
		['is another comparison', 'c = a === b;', 'condition a === b → a !== b'],
		['has a comparison moved by one', 'c = (a) <= (b);', 'limit (a) <= (b) → (a) < (b)'],
		['has a limit moved by one', 'const MAX_BYTES = 4_096;', 'limit 4_096 → 4097'],
		['has a limit of a schema moved by one', 'z.string().max(20);', 'limit 20 → 21'],
		['gives nothing back', 'function f() { return a.b(); }', 'return a.b() → undefined'],
		['gives the other answer', 'const f = () => true;', 'return true → false'],
		['gives an empty list', 'const f = () => [a];', 'return [a] → []'],
		['does not wait', 'const b = await a.c();', 'await await a.c() → (a.c())'],
		['goes on after an abort', 'signal.throwIfAborted();', 'abort signal.throwIfAborted(); → '],
		[
			'aborts nothing',
			'class A { #controller; end() { this.#controller.abort(reason); } }',
			'abort this.#controller.abort(reason); → ',
		],
		[
			'says another code of the same kind',
			"f({ kind: 'one', code: 'ITS_CODE' }); g(a.kind === 'two');",
			"code 'one' → 'two'",
			"code 'ITS_CODE' → 'two'",
			"condition a.kind === 'two' → a.kind !== 'two'",
			"code 'two' → 'one'",
		],
	];
	for (const [what, source, ...changes] of cases) {
		it(what, () => {
			const found = sitesOf('src/base/a.ts', source).map((site) => `${site.kind} ${site.old} → ${site.new}`);
			assert.deepEqual(found, changes);
		});
	}

	it('is known by what it stands in and how many of its kind stand before it', () => {
		const source = 'class A { b() { if (c) d(); if (c) e(); } } const f = () => { if (c) g(); };';
		const found = sitesOf('src/base/a.ts', source).map(({ within, occurrence }) => `${within} ${occurrence}`);
		assert.deepEqual(found, ['A.b 0', 'A.b 1', 'f 0']);
	});
});
