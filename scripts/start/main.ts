/** Opens VS Code with Prowess on a copy of the sample project; see scripts/start.mjs for the options. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBundles } from '../setup/bundles.mjs';
import { stopInOrder } from '../setup/child-processes.mjs';
import { root, tools } from '../setup/paths.mjs';
import { firstOnPath } from '../setup/programs.mjs';
import { run } from '../setup/run.mjs';
import { explain, StepFailed } from '../setup/step-failed.mjs';
import { companionFolder } from './companion.ts';
import { openInBrowser } from './open-in-browser.ts';
import { keptScratchWorkspace, scratchWorkspace } from './scratch-workspace.ts';
import { startWebWorkbench } from './web-workbench.ts';

/** Always the same if it is free: the browser keeps secrets and the window's state by address. */
const usualPort = 41_710;
const codeLimitMs = 60_000;

const node = process.execPath;
/** `node` in the terminals of that VS Code, and for the agent, is the pinned one: it runs the sample's TypeScript. */
const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}` };

try {
	await main();
} catch (error) {
	explain(error);
	process.exitCode = 1;
}

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			port: { type: 'string' },
			'no-open': { type: 'boolean', default: false },
			browser: { type: 'boolean', default: false },
			fresh: { type: 'boolean', default: false },
			check: { type: 'boolean', default: false },
		},
	});
	const port = flags.port === undefined ? undefined : readPort(flags.port);
	await ensureBundles(node, { isProduction: true });
	if (flags.check) return checkOnly(port);

	const code = flags.browser || port !== undefined ? undefined : firstOnPath(['code']);
	const workspace = keptScratchWorkspace(flags.fresh);
	if (code !== undefined) return openInCode(code, workspace);

	const dataFolder = join(tools, 'vscode-user');
	const workbench = await startWebWorkbench({
		node,
		env,
		workspace,
		dataFolder,
		port: port ?? usualPort,
		mayMove: port === undefined,
	});
	let isStopping = false;
	stopInOrder(() => {
		isStopping = true;
		return workbench.stop();
	});
	console.log(
		`\nProwess in VS Code, on a copy of the sample project:\n\n  ${workbench.url}\n\nThe copy: ${workspace}\nCtrl+C stops it.`,
	);
	if (!flags['no-open']) openInBrowser(workbench.url);
	await workbench.ended;
	if (isStopping) return;
	await workbench.stop();
	throw new StepFailed('the VS Code server has ended by itself', {
		advice: `Its last lines are in ${join(dataFolder, 'server.log')}. Start again; the windows come back by themselves.`,
	});
}

async function openInCode(code: string, workspace: string): Promise<void> {
	await run({
		what: 'opening VS Code',
		command: code,
		args: [
			...[root, companionFolder].map((path) => `--extensionDevelopmentPath=${path}`),
			...['--new-window', workspace],
		],
		env,
		limitMs: codeLimitMs,
		advice: 'Run `npm start -- --browser` to use the VS Code server instead.',
	});
	console.log(`\nProwess runs in a new VS Code window, on a copy of the sample project: ${workspace}`);
}

/** In folders of its own, so that it neither sees nor disturbs a workbench that is running. */
async function checkOnly(port: number | undefined): Promise<void> {
	const workspace = scratchWorkspace();
	const dataFolder = mkdtempSync(join(tmpdir(), 'prowess-check-'));
	try {
		const workbench = await startWebWorkbench({ node, env, workspace, dataFolder, port: port ?? 0, mayMove: false });
		console.log(workbench.url);
		await workbench.stop();
	} finally {
		for (const folder of [dirname(workspace), dataFolder])
			rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

function readPort(text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new StepFailed(`--port: expected a number from 1 to 65535; got "${text}"`, {
		advice: 'Leave it out to use 41710.',
	});
}
