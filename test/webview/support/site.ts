/** Serves the built view as the editor does: same files, same content security policy. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { buildOptions } from '../../../scripts/build/build-options.ts';
import { bundles } from '../../../scripts/build/bundles.ts';
import { pageHtml, scriptOfFace } from '../../../src/protocol/pages/page-html.ts';
import { isBuilt } from '../../support/programs.ts';
import { bodyClasses, themeCss, type ThemeName } from './themes.ts';

const root = join(import.meta.dirname, '../../..');
const codicons = join(root, 'node_modules/@vscode/codicons/dist');

/** The chat, the view of capabilities, a page about capabilities, or the ledger. */
export type Face = 'chat' | 'capabilities' | 'page' | 'ledger' | 'trace';

export interface Site {
	readonly origin: string;
	/** In the dark theme. `story`: keeps what two pages in one tab store apart. */
	pageUrl(face?: Face, story?: number): string;
	/** Draws nothing, and runs in the process of the pages. */
	readonly emptyUrl: string;
	close(): Promise<void>;
}

/** Cache header for built files, which do not change while they are served: a page reads and compiles them once. */
const KEPT = 'max-age=86400, immutable';
const EMPTY = '/empty.css';

/**
 * The files of the bundles named `webview` and `webview styles`, in memory, and any further entry for a measurement. Where
 * the programs are built (test/support/programs.ts), those of `dist/`: what people get.
 */
export async function buildView(extraEntry?: string): Promise<Map<string, Uint8Array>> {
	const files = new Map<string, Uint8Array>();
	const own = bundles(root).filter(({ name }) => name.startsWith('webview'));
	for (const bundle of own) {
		if (isBuilt) {
			files.set(`/${bundle.out}`, await readFile(join(root, 'dist', bundle.out)));
			continue;
		}
		const { outputFiles } = await esbuild.build({ ...buildOptions(root, bundle, true), write: false });
		for (const file of outputFiles) {
			files.set(`/${file.path.split('/').at(-1)}`, file.contents);
		}
	}
	const first = own[0];
	if (extraEntry !== undefined && first !== undefined) {
		const options = buildOptions(root, { ...first, entry: extraEntry, out: 'extra.js' }, true);
		const { outputFiles } = await esbuild.build({ ...options, plugins: [], write: false });
		files.set('/extra.js', outputFiles.find(({ path }) => path.endsWith('.js'))?.contents ?? new Uint8Array());
	}
	// Stops esbuild's service, which would outlive the tests.
	await esbuild.stop();
	files.set(EMPTY, new Uint8Array());
	files.set('/codicon.css', await readFile(join(codicons, 'codicon.css')));
	files.set('/codicon.ttf', await readFile(join(codicons, 'codicon.ttf')));
	return files;
}

export async function serveView(files: Map<string, Uint8Array>, script?: string): Promise<Site> {
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? '/', 'http://127.0.0.1');
		// No test finds a connection of the one before.
		response.setHeader('connection', 'close');
		if (url.pathname === '/page') {
			response
				.setHeader('content-type', 'text/html; charset=utf-8')
				.end(html(origin, (url.searchParams.get('face') ?? 'chat') as Face, script));
		} else if (url.pathname === '/theme.css') {
			response
				.setHeader('cache-control', KEPT)
				.setHeader('content-type', 'text/css')
				.end(themeCss(url.searchParams.get('theme') as ThemeName));
		} else if (files.has(url.pathname)) {
			response
				.setHeader('cache-control', KEPT)
				.setHeader('content-type', mime(url.pathname))
				.end(files.get(url.pathname));
		} else {
			response.writeHead(404).end();
		}
	});
	// A browser connects ahead of its requests; that belongs to no test.
	server.on('connection', (socket) => socket.unref());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		origin,
		emptyUrl: `${origin}${EMPTY}`,
		pageUrl: (face = 'chat', story = 0) => `${origin}/page?face=${face}&story=${story}`,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** The extension's own page, with the tokens of the dark theme and the class that the editor adds. */
function html(origin: string, face: Face, script = `/${scriptOfFace(face)}`): string {
	const page = pageHtml({
		face,
		scriptUri: script,
		styleUris: ['/theme.css?theme=dark', '/codicon.css', '/webview.css'],
		cspSource: origin,
		nonce: 'nonce-of-this-load',
		language: 'en',
		title: 'Prowess',
	});
	return page.replace('<body>', `<body class="${bodyClasses.dark}">`);
}

function mime(path: string): string {
	return path.endsWith('.css') ? 'text/css' : path.endsWith('.js') ? 'text/javascript' : 'font/ttf';
}
