import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pageHtml } from './page-html.ts';

const page = {
	face: 'chat' as const,
	scriptUri: 'https://files.test/webview.js',
	styleUris: ['https://files.test/webview.css'],
	cspSource: 'https://files.test',
	nonce: 'abc123',
	language: 'en',
	title: 'Chat',
};

describe('pageHtml', () => {
	it('allows one script by its nonce, our own styles, fonts and pictures, and nothing else', () => {
		const policy = /Content-Security-Policy" content="([^"]*)"/.exec(pageHtml(page))?.[1];
		assert.equal(
			policy,
			"default-src 'none'; script-src 'nonce-abc123'; style-src https://files.test; font-src https://files.test; img-src https://files.test blob:; media-src blob:; base-uri 'none'; form-action 'none'",
		);
	});

	it('allows pictures of its own to the chat alone', () => {
		for (const face of ['page', 'ledger'] as const) {
			assert.doesNotMatch(pageHtml({ ...page, face }), /blob:/);
		}
	});

	it('allows pictures that it is sent in its content to a page alone', () => {
		const facesWithData = (['chat', 'capabilities', 'page', 'ledger', 'trace'] as const).filter((face) =>
			/ data:/.test(/Content-Security-Policy" content="([^"]*)"/.exec(pageHtml({ ...page, face }))?.[1] ?? ''),
		);
		assert.deepEqual(facesWithData, ['page']);
	});

	it('has no inline script or style and exactly one script element, which bears the nonce', () => {
		const html = pageHtml(page);
		assert.deepEqual(html.match(/<script[^>]*>/g), ['<script nonce="abc123" src="https://files.test/webview.js">']);
		assert.ok(!/<style|style=|\son\w+=/.test(html));
	});

	it('escapes what it is given', () => {
		assert.ok(pageHtml({ ...page, title: '"><script>' }).includes('&quot;&gt;&lt;script&gt;'));
	});
});
