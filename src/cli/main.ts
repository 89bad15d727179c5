/**
 * The entry of `prowess`. Does little but look at the version of Node: modules that load after that would not even load
 * in an older one.
 */

import { setFlagsFromString } from 'node:v8';
import { openFilesProblem } from './home/open-files.ts';
import { exitCodes } from './terminal/exit-codes.ts';

/** Within it, a start has loaded what it needs, also on a busy machine. */
const START_MS = 2_000;

// The young generation stays as small as it starts: what is left of loading the program would fill one that grows, and is
// never used again. A program that runs by its own name is given no flags of Node, so this is done before it loads anything.
setFlagsFromString('--semi-space-growth-factor=1');
// Marking what a start has loaded frees next to nothing, and takes a twelfth of the time to the first request. Only a
// command that goes on is collected step by step.
setFlagsFromString('--no-incremental-marking');
setTimeout(() => {
	setFlagsFromString('--incremental-marking');
}, START_MS).unref();

const openFiles = openFilesProblem();
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 16)) {
	process.stderr.write(
		`prowess needs Node.js 22.16 or newer, this is ${process.versions.node}. Install a newer one from https://nodejs.org and run prowess with it.\n`,
	);
	process.exitCode = 2;
} else if (openFiles !== undefined) {
	process.stderr.write(`${openFiles}\n`);
	process.exitCode = 1;
} else {
	const { earlyServer } = await import('./early-server.ts');
	const words = process.argv.slice(2);
	const server = earlyServer(words, process.env);
	const { codeFolder } = await import('./home/code-folder.ts');
	const { keepCode, useKeptCode } = await import('../start/program.ts');
	const [word = ''] = words;
	// Each command runs another part of the program.
	useKeptCode(codeFolder(), `cli-${/^[a-z-]+$/.test(word) ? word : 'other'}`);
	process.once('exit', (code) => {
		if (code !== exitCodes.usage) {
			keepCode();
		}
	});
	const { runCommandLine } = await import('./command-line.ts');
	await runCommandLine(words, server);
}
