import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';
import { whenNpmEnds } from './end-with-npm.mjs';
import { ensureNode } from './node.mjs';
import { root } from './paths.mjs';

/**
 * Does the set-up that everything needs, then runs a script on the pinned Node and ends as it ends. Callers must
 * themselves run on Node 20 with built-in modules alone: a fresh clone has nothing else yet.
 * @param {string} script
 * @param {readonly string[]} args
 */
export async function onPinnedNode(script, args) {
	await ensureDependencies();
	const node = await ensureNode();
	if (node === process.execPath) {
		process.argv = [node, script, ...args];
		await import(pathToFileURL(script).href);
		return;
	}
	const child = spawn(node, [script, ...args], { cwd: root, stdio: 'inherit' });
	let isEnding = false;
	/** @param {NodeJS.Signals} signal */
	const pass = (signal) => {
		isEnding = true;
		child.kill(signal);
	};
	// The child stops in its own order; this one only waits for it.
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, pass);
	whenNpmEnds(() => {
		if (!isEnding) pass('SIGTERM');
	});
	process.exitCode = await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)));
	});
}
