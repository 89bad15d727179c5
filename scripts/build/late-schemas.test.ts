import assert from 'node:assert/strict';
import { withLateSchemas } from './late-schemas.ts';

describe('what a bundle makes of a module that declares schemas', () => {
	const cases: readonly (readonly [what: string, written: string, bundled: string])[] = [
		[
			'makes the outermost schema later, with all inside of it',
			'const A = z.object({ b: z.string().max(3) });',
			'const A = z.later(() => z.object({ b: z.string().max(3) }));',
		],
		[
			'makes a schema of another one later',
			'export const C = A.extend({ d: B.optional() });',
			'export const C = z.later(() => A.extend({ d: B.optional() }));',
		],
		[
			'makes those later that a message or an op is declared with',
			"const get = request('x/get', z.object({}), A.array());",
			"const get = request('x/get', z.later(() => z.object({})), z.later(() => A.array()));",
		],
		[
			'keeps the lines, for a source map',
			'const A = z\n\t.string()\n\t.min(1);\nconst b = 1;',
			'const A = z.later(() => z\n\t.string()\n\t.min(1));\nconst b = 1;',
		],
		[
			'leaves alone what runs later by itself',
			'const of = (max: number) => z.string().max(max);\nfunction g() { return z.string(); }',
			'const of = (max: number) => z.string().max(max);\nfunction g() { return z.string(); }',
		],
		[
			'leaves alone what is no schema, and makes it of one that is made for it',
			'z.config({ jitless: true });\nconst n = Math.max(1, 2);\nconst names = z.enum(["a"]).options;\nconst p = A.parse({});',
			'z.config({ jitless: true });\nconst n = Math.max(1, 2);\nconst names = z.later(() => z.enum(["a"])).options;\nconst p = A.parse({});',
		],
		[
			'leaves alone what reads of a schema',
			'const x = z.toJSONSchema(A);\nconst { shape } = A;',
			'const x = z.toJSONSchema(A);\nconst { shape } = A;',
		],
	];
	for (const [what, written, bundled] of cases) {
		it(what, () => assert.equal(withLateSchemas(written), bundled));
	}
});
