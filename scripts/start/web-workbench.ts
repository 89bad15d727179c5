/** The VS Code server with the packaged extension, behind the proxy that lets secrets live over a reload. */

import { get } from 'node:http';
import { join } from 'node:path';
import { StepFailed } from '../setup/step-failed.mjs';
import { ensureVscode } from '../setup/vscode.mjs';
import { ensureVsix } from '../setup/vsix.mjs';
import { startVscodeServer } from '../vscode/server.ts';
import { quietSettings } from '../vscode/settings.ts';
import { addCompanion } from './companion.ts';
import { type KeyProxy, keptKey, startKeyProxy } from './key-proxy.ts';

const firstPageLimitMs = 20_000;

interface WebWorkbench {
	readonly url: string;
	/** Settles when the server has ended, whoever ended it. */
	readonly ended: Promise<void>;
	stop(): Promise<void>;
}

export async function startWebWorkbench(options: {
	readonly node: string;
	readonly env: NodeJS.ProcessEnv;
	readonly workspace: string;
	readonly dataFolder: string;
	/** 0 for any. */
	readonly port: number;
	/** Takes any other port when that one is in use. */
	readonly mayMove: boolean;
}): Promise<WebWorkbench> {
	const { node, env, workspace, dataFolder, port, mayMove } = options;
	const main = await ensureVscode(node);
	const vsix = await ensureVsix(node);
	addCompanion(join(dataFolder, 'extensions'));
	const server = await startVscodeServer({
		node,
		main,
		dataFolder,
		vsix,
		env,
		hasWorkspaceTrust: true,
		settings: {
			...quietSettings,
			// The chat lives in the secondary side bar: it shall be seen at once.
			'workbench.secondarySideBar.defaultVisibility': 'visible',
			'security.workspace.trust.startupPrompt': 'once',
		},
	});
	try {
		const proxy = await openProxy(server, keptKey(join(dataFolder, 'browser-key')), port, mayMove);
		const url = server.url(workspace).replace(server.origin, proxy.origin);
		await firstPage(url);
		return {
			url,
			ended: server.ended,
			async stop() {
				proxy.close();
				await server.stop();
			},
		};
	} catch (error) {
		await server.stop();
		throw error;
	}
}

async function openProxy(
	server: { origin: string; token: string },
	key: Buffer,
	port: number,
	mayMove: boolean,
): Promise<KeyProxy> {
	try {
		return await startKeyProxy(server, key, port);
	} catch (error) {
		if (mayMove) return startKeyProxy(server, key, 0);
		const advice = 'Choose another with --port, or leave it out.';
		throw new StepFailed(`port ${port} cannot be used`, { advice, output: String(error), cause: error });
	}
}

/** The whole way once: proxy, token, server, page. */
function firstPage(url: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const fail = (why: string) =>
			reject(new StepFailed(`the workbench is not served: ${why}`, { advice: 'Delete .tools/vscode and try again.' }));
		const request = get(url, { agent: false, timeout: firstPageLimitMs }, (response) => {
			response.resume();
			// With the token in the address the server sets a cookie and sends the browser on.
			if ([200, 302].includes(response.statusCode ?? 0)) resolve();
			else fail(`the answer was ${response.statusCode}`);
		});
		request.on('timeout', () => request.destroy(new Error(`no answer within ${firstPageLimitMs / 1000} s`)));
		request.on('error', (error) => fail(error.message));
	});
}
