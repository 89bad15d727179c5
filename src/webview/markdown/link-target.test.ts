import assert from 'node:assert/strict';
import { createTranslator } from '../parts/translate.ts';
import { decodeEntities } from './entities.ts';
import { linkTarget } from './link-target.ts';

describe('links of the model', () => {
	for (const href of [
		'javascript:alert(1)',
		' JaVaScRiPt:x',
		'java\tscript:x',
		'data:text/html,x',
		'vbscript:x',
		'command:x',
		'vscode://x',
		'file:///etc/passwd',
		'//evil.test',
		'#top',
		'',
		'http://u:p@evil.test',
		'https://',
		'mailto:a@b.c',
		'C:\\x',
		'&#106;avascript:x',
		'https://a.test/\u202ex',
		'package.json%00.ts',
		'package.json%0a',
		'src/%E2%80%AEst.ts',
		'src/%26lt;.ts',
	]) {
		it(`follows nothing for ${JSON.stringify(href)}`, () => assert.deepEqual(linkTarget(href), { kind: 'inert' }));
	}

	it('knows the host of a web page', () => {
		assert.deepEqual(linkTarget('HTTPS://Example.com/a?b'), {
			kind: 'web',
			url: 'https://example.com/a?b',
			host: 'example.com',
		});
	});

	it('reads file and line', () => {
		assert.deepEqual(linkTarget('src/a%20b.ts'), { kind: 'file', path: 'src/a b.ts' });
		assert.deepEqual(linkTarget('src/a.ts:12:3'), { kind: 'file', path: 'src/a.ts', line: 12 });
		assert.deepEqual(linkTarget('src/a.ts#L7-L9'), { kind: 'file', path: 'src/a.ts', line: 7 });
		assert.deepEqual(linkTarget('src/100%.ts'), { kind: 'file', path: 'src/100%.ts' });
	});
});

describe('texts', () => {
	it('decodes character references and leaves what is none', () => {
		assert.equal(
			decodeEntities('&lt;b&gt; &#65;&#x42; &nope; &constructor; &#0; &#xD800; &'),
			'<b> AB &nope; &constructor; \ufffd \ufffd &',
		);
	});

	it('translates by the table and fills in arguments, which are not read again', () => {
		const t = createTranslator({ 'Hello {name}': 'Hallo {name}', toString: 'x' });
		assert.equal(t('Hello {name}', { name: '{other}', other: 'y' }), 'Hallo {other}');
		assert.equal(t('constructor'), 'constructor');
		assert.equal(t('{missing}'), '{missing}');
	});
});
