import assert from 'node:assert/strict';
import { htmlToMarkdown } from './html-to-markdown.ts';

const markdown = (html: string) => htmlToMarkdown(html, 'https://site.test/docs/page');

describe('a page as Markdown', () => {
	for (const [what, html, expected] of [
		['nothing', '', ''],
		[
			'scripts, styles and what is hidden',
			'<style>a{}</style><script>x("<p>no</p>")</script><p>yes<span hidden>no</span><i style="color:red; display: none">no</i></p><div aria-hidden="true"><p>no</p><br></div><template><p>no</p></template><!-- no -->',
			'yes',
		],
		['its title once', '<title>A &amp; B</title><h1>A &amp; B</h1><p>x</p>', '# A & B\n\nx'],
		['its title, where no heading says it', '<head><title> A\n page</title></head><body>x</body>', '# A page\n\nx'],
		[
			'headings and paragraphs',
			'<h2>Two</h2><p>one\n  two</p><p>three<br>four</p>',
			'## Two\n\none two\n\nthree\nfour',
		],
		[
			'links by their whole address',
			'<a href="../x?a=1#b">x</a> <a href="#top">top</a> <a href="javascript:alert(1)">no</a> <a href="/a(b)">y</a>',
			'[x](https://site.test/x?a=1#b) top no [y](https://site.test/a%28b%29)',
		],
		['words that stay apart', 'one <b>two</b> three<i>!</i> <code>a b</code>.', 'one **two** three_!_ `a b`.'],
		['lists', '<ul><li>a</li><li><p>b</p><ol><li>c<li>d</ol></li></ul><p>e</p>', '- a\n- b\n  1. c\n  2. d\n\ne'],
		[
			'code as it is',
			'<pre><code class="x">if (a &lt; b) {\n\tc();\n}</code></pre>after',
			'```\nif (a < b) {\n\tc();\n}\n```\n\nafter',
		],
		[
			'tables',
			'<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><p>2</p></td></tr></table><p>x</p>',
			'| a | b |\n| --- | --- |\n| 1 | 2 |\n\nx',
		],
		['quotes', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n>\n> b\n\nc'],
		[
			'pictures by their text',
			'<img src="a.png" alt="A cat"><img src="b.png">',
			'![A cat](https://site.test/docs/a.png)',
		],
		['tags that nobody closed', '<div><p>a<div>b<span>c', 'a\n\nbc'],
		['ends of what was never open', '</p></ul></table></a></pre>x', 'x'],
	] as const) {
		it(`has ${what}`, () => assert.equal(markdown(html), expected));
	}

	it('is whole however deep it is, and says from where on it is too deep', () => {
		assert.match(
			markdown(`<p>start</p>${'<div><ul><li><blockquote><b>'.repeat(50_000)}x`),
			/^start\n[^]*nested too deep/,
		);
		markdown('<a href="x">'.repeat(100_000));
		markdown('<'.repeat(500_000));
		markdown(`${'&'.repeat(300_000)}${'<p '.repeat(100_000)}`);
	});
});
