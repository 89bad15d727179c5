import assert from 'node:assert/strict';
import { namedIn, placeIn } from './code-place.ts';
import { withLines } from './edited-text.ts';

const file = [
	'import { a } from "./a.ts";',
	'',
	'export class Cart {',
	'	sum() {',
	'		return 1;',
	'	}',
	'',
	'	tax() {',
	'		return 2;',
	'	}',
	'}',
	'',
].join('\n');

const applied = (text: string, code: string) => {
	const place = placeIn(text, code);
	return place && withLines(text, place, place.code);
};

describe('the place of code in a file', () => {
	it('is none where its first line stands nowhere, or twice, or where the block does not end as the code does', () => {
		assert.equal(placeIn(file, 'function other() {\n}'), undefined);
		assert.equal(placeIn('a\nb\na\n', 'a\nc'), undefined);
		assert.equal(placeIn('f(\n\tx,\n);\nrest', 'f(\n\ty,\n)'), undefined);
		assert.equal(placeIn(file, ''), undefined);
		assert.equal(placeIn(file, '\n\n'), undefined);
		assert.equal(placeIn('one\ntwo', 'one\nthree'), undefined);
	});

	it('is the block that begins and ends as it does, as deep as that', () => {
		const code = 'sum() {\n	return 3;\n\n	// more\n}\n';
		assert.equal(applied(file, code), file.replace('		return 1;\n', '		return 3;\n\n		// more\n'));
		assert.equal(applied(file.replaceAll('\n', '\r\n'), code)?.includes('return 3;\r\n'), true);
	});

	it('is the whole of a class that the code repeats', () => {
		assert.equal(
			applied(file, 'export class Cart {\n	total = 0;\n}'),
			'import { a } from "./a.ts";\n\nexport class Cart {\n	total = 0;\n}\n',
		);
	});

	it('is the whole file that the code repeats', () => {
		const code = 'import { a } from "./a.ts";\nimport { b } from "./b.ts";\n\nexport class Cart {\n}\n';
		assert.equal(applied(file, code), code);
	});

	it('is all that is deeper, in a language without a closing line', () => {
		const python = 'def one():\n    return 1\n\n\ndef two():\n    return 2\n';
		assert.equal(
			applied(python, 'def one():\n    x = 3\n    return x\n'),
			'def one():\n    x = 3\n    return x\n\n\ndef two():\n    return 2\n',
		);
	});

	it('is one line for one line, and all of an empty file', () => {
		assert.equal(applied('a = 1\nb = 2\n', 'b = 2'), 'a = 1\nb = 2\n');
		assert.equal(applied('\n', 'a\nb'), 'a\nb\n');
	});

	it('may be in a file that the first line names', () => {
		assert.deepEqual(namedIn('// src/cart.ts\nconst a = 1;'), { path: 'src/cart.ts', code: 'const a = 1;' });
		assert.deepEqual(namedIn('# a\\b.py\nx'), { path: 'a/b.py', code: 'x' });
		assert.deepEqual(namedIn('<!-- index.html -->\n<p>'), { path: 'index.html', code: '<p>' });
		assert.deepEqual(namedIn('// see a.ts for more\nx'), { code: '// see a.ts for more\nx' });
	});
});
