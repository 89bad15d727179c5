/** A browser of the machine over pages of our own, under made-up names: the package that drives it is that of this project. */
import { readdirSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpContext } from '../../src/contract/ops/op-implementation.ts';
import { SecretVault } from '../../src/machine/secrets/secret-vault.ts';
import { Browsers } from '../../src/ops/network/browser.ts';
import { DRIVER } from '../../src/ops/network/page-driver.ts';
import type { OpParams, OpResult } from '../../src/protocol/op-table/ops.ts';
import { Redactor } from '../../src/trust/record/redaction/redactor.ts';
import { testHost } from './host-ports.ts';
import { type HttpSite, httpSite, type Received } from './http-site.ts';
import { tempDir } from './temp-dir.ts';
import { workspaceOnDisk } from './workspace-on-disk.ts';

/** The package where a host would have fetched it to. */
export async function placeDriver(home: string): Promise<void> {
	const tools = join(home, 'tools');
	await mkdir(tools, { recursive: true });
	const own = join(import.meta.dirname, '../../node_modules', DRIVER.package);
	await symlink(own, join(tools, `${DRIVER.package}-${DRIVER.version}`), 'junction');
}

/** Pages by host and path: `shop.test/cart`. */
export type Pages = Readonly<Record<string, string | ((request: Received) => string)>>;

export interface PageBrowser {
	/** Address of a page. */
	at(place: string): string;
	readonly site: HttpSite;
	open(place: string, params?: Partial<OpParams<'browser.open'>>, as?: Partial<OpContext>): Promise<string>;
	look(params?: Partial<OpParams<'browser.look'>>): Promise<OpResult<'browser.look'>>;
	act(
		act: OpParams<'browser.act'>['act'],
		params?: Partial<OpParams<'browser.act'>>,
		as?: Partial<OpContext>,
	): Promise<string>;
	/** Acts on the first element whose line in the last look matches. */
	on(
		element: RegExp,
		act: OpParams<'browser.act'>['act'],
		params?: Partial<OpParams<'browser.act'>>,
		as?: Partial<OpContext>,
	): Promise<string>;
	/** Folders in the home of the host. */
	homeFolders(): readonly string[];
	readonly disk: Awaited<ReturnType<typeof workspaceOnDisk>>;
	close(): Promise<void>;
}

export async function pageBrowser(pages: Pages, secrets: Readonly<Record<string, string>> = {}): Promise<PageBrowser> {
	const site = await httpSite((request, response) => {
		const host = (request.headers.host ?? '').replace(/:\d+$/, '');
		const page = pages[`${host}${request.path.replace(/\?.*$/, '')}`];
		if (page === undefined) {
			response.writeHead(404).end('nothing here');
			return;
		}
		const body = typeof page === 'string' ? page : page(request);
		const [, status, location] = /^(30\d) (.*)$/.exec(body) ?? [];
		if (status !== undefined) {
			response.writeHead(Number(status), { location }).end();
		} else if (body.startsWith('FILE')) {
			response.writeHead(200, { 'content-disposition': 'attachment; filename="a.bin"' }).end(body);
		} else {
			response.setHeader('content-type', request.path.endsWith('.js') ? 'text/javascript' : 'text/html').end(body);
		}
	});
	const home = tempDir('page-browser');
	await placeDriver(home);
	const names = [...new Set(Object.keys(pages).map((place) => place.split('/')[0] ?? ''))];
	const redactor = new Redactor();
	const { ports } = testHost({ secrets, settings: { 'prowess.http.allowHosts': names } });
	const browsers = new Browsers({
		home,
		environment: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: join(home, 'config') },
		settings: ports.settings,
		resolve: async () => [{ address: '127.0.0.1', family: 4 }],
		secrets: new SecretVault(ports.secrets, (value) => redactor.addSecret(value)),
		redactor,
	});
	const disk = await workspaceOnDisk({}, { browsers });
	const at = (place: string) => `http://${place.replace(/(?=\/)|$/, `:${site.port}`)}`;
	let seen = '';
	const nobody: Partial<OpContext> = { isAllowed: () => false };
	const act: PageBrowser['act'] = async (what, params = {}, as = nobody) => {
		({ text: seen } = await disk.perform('browser.act', { act: what, accept: false, ...params }, as));
		return redactor.redact(seen);
	};
	return {
		...{ at, site, act, disk, homeFolders: () => readdirSync(home) },
		async open(place, params = {}, as = nobody) {
			({ text: seen } = await disk.perform('browser.open', { url: at(place), hosts: [], ...params }, as));
			return redactor.redact(seen);
		},
		async look(params = {}) {
			const result = await disk.perform('browser.look', { at: 'page', picture: false, ...params }, nobody);
			if ((params.at ?? 'page') === 'page') seen = result.text;
			return result;
		},
		async on(element, what, params, as) {
			const line = seen.split('\n').find((each) => element.test(each)) ?? '';
			const ref = /\[ref=(\w+)\]/.exec(line)?.[1];
			if (ref === undefined) throw new Error(`the page has no ${String(element)}:\n${seen}`);
			return await act(what, { ref, ...params }, as);
		},
		async close() {
			await browsers.close();
			await disk.close();
			await site.close();
		},
	};
}
