import assert from 'node:assert/strict';
import { nameBelow, readSyntaxReport, syntaxErrorText } from './syntax-report.ts';

const stack = '    at compileSourceTextModule (node:internal/modules/esm/utils:319:16)\n    at node:internal/x:1:1';

describe("Node's report of a module that does not parse", () => {
	it('is read with its place', () => {
		const text = `once more\nfile:///a%20b/c/lib/d.mjs:3\n\tconst x = ;\n\t          ^\n\nSyntaxError: Unexpected token ';'\n${stack}\n`;
		const report = readSyntaxReport(text);
		assert.deepEqual(report, {
			file: 'file:///a%20b/c/lib/d.mjs',
			line: 3,
			column: 12,
			message: "SyntaxError: Unexpected token ';'",
		});
		assert.equal(nameBelow('/a b/c', report), 'lib/d.mjs');
		assert.equal(nameBelow('/elsewhere', report), undefined);
		assert.equal(syntaxErrorText(report, 'lib/d.mjs'), "lib/d.mjs:3:12: SyntaxError: Unexpected token ';'");
	});

	it('is read without a column for TypeScript, and with the fields of the error', () => {
		const text = `/c/a.ts:2\nlet a: = 1;\n       ^\n}\n\nSyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: Unexpected\n${stack} {\n  code: 'X'\n}`;
		const report = readSyntaxReport(text);
		assert.deepEqual(report, {
			file: '/c/a.ts',
			line: 2,
			message: 'SyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: Unexpected',
		});
	});

	it('is read with the first line of its message, and without a place if it has none', () => {
		assert.deepEqual(readSyntaxReport(`SyntaxError: Named export 'a' not found.\nUse:\n\nimport a\n${stack}`), {
			message: "SyntaxError: Named export 'a' not found.",
		});
	});

	for (const [what, text] of [
		['nothing', ''],
		['an error of another kind', `TypeError: x\n${stack}`],
		[
			'a text that somebody parsed',
			'SyntaxError: Unexpected end\n    at JSON.parse (<anonymous>)\n    at file:///a.js:1:1',
		],
		[
			'a function made of a text',
			'SyntaxError: Unexpected\n    at new Function (<anonymous>)\n    at file:///a.js:1:1',
		],
		[
			'one that was printed before something else',
			`SyntaxError: Unexpected\n${stack}\nError: x\n    at file:///a.js:1:1`,
		],
		['a word', 'SyntaxError: Unexpected'],
	] as const) {
		it(`is not ${what}`, () => assert.equal(readSyntaxReport(text), undefined));
	}
});
