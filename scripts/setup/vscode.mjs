import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { cleanInstall, npm } from './npm.mjs';
import { root, tools } from './paths.mjs';
import { firstOnPath } from './programs.mjs';
import { say, step } from './progress.mjs';
import { contentsOf, unlessStamped } from './stamp.mjs';

const limitMs = 15 * 60_000;
const kit = join(root, 'test/vscode/kit');
const folder = join(tools, 'vscode');
const server = join(folder, 'node_modules/code-server/lib/vscode');
const main = join(server, 'out/server-main.js');

/**
 * Provides the entry script of the VS Code server that the tests run in, and that `npm start` uses where there is no
 * `code`. The server build comes from the npm package code-server and starts without code-server's own wrapper.
 * @param {string} node the pinned Node; an older one cannot run the server
 */
export function ensureVscode(node) {
	return step('VS Code server', async () => {
		const files = ['package.json', 'package-lock.json', 'vscode-server.npm-shrinkwrap.json'].map((name) =>
			join(kit, name),
		);
		const fetchServer = async () => {
			say('fetching the VS Code server (half a minute to a minute, 750 MB on disk)');
			mkdirSync(folder, { recursive: true });
			for (const name of ['package.json', 'package-lock.json']) cpSync(join(kit, name), join(folder, name));
			await npm({ what: 'fetching the VS Code server', args: cleanInstall, cwd: folder, limitMs });
			// Replace the server's own lock file: npm refuses it because an entry (tslib) is missing; ours is the same
			// with that entry.
			cpSync(join(kit, 'vscode-server.npm-shrinkwrap.json'), join(server, 'npm-shrinkwrap.json'));
			const production = [...cleanInstall, '--omit=dev'];
			await npm({ what: "fetching the VS Code server's packages", args: production, cwd: server, limitMs });
			await npm({
				what: "fetching the VS Code server's language features",
				args: production,
				cwd: join(server, 'extensions'),
				limitMs,
			});
			await compileLogging(node);
		};
		await unlessStamped('vscode', contentsOf(files), fetchServer, () => existsSync(main));
		return main;
	});
}

/** Without these two native packages all works, but the Output panel and the log files stay empty. @param {string} node */
async function compileLogging(node) {
	const nodeFolder = dirname(dirname(node));
	const hasHeaders = existsSync(join(nodeFolder, 'include/node/node.h'));
	const missing = ['g++', 'make', 'python3'].filter((tool) => firstOnPath([tool]) === undefined);
	if (!hasHeaders || missing.length > 0) {
		say(
			`VS Code's own log files stay empty: no ${hasHeaders ? missing.join(', ') : 'Node headers'} to compile its logger`,
		);
		return;
	}
	say("compiling VS Code's logger (about 20 s)");
	try {
		await npm({
			what: "compiling VS Code's logger",
			args: ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog', '--ignore-scripts=false'],
			cwd: server,
			limitMs,
			env: {
				...process.env,
				PATH: `${join(nodeFolder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
				npm_config_nodedir: nodeFolder,
			},
		});
	} catch (error) {
		say(`VS Code's own log files stay empty: ${error instanceof Error ? error.message : String(error)}`);
	}
}
