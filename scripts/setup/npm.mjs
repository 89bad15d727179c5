import { run } from './run.mjs';

/**
 * Runs npm. Below `npm start` and `npm test` it is the same npm, without a shell; else the one on the PATH.
 * Install scripts never run: nothing of ours needs one.
 * @param {{ what: string, args: readonly string[], cwd: string, limitMs: number, env?: NodeJS.ProcessEnv }} call
 */
export function npm({ what, args, cwd, limitMs, env = process.env }) {
	const own = process.env['npm_execpath'];
	const isNpm = own !== undefined && /npm-cli\.c?js$/.test(own);
	return run({
		what,
		command: isNpm ? process.execPath : process.platform === 'win32' ? 'npm.cmd' : 'npm',
		args: [...(isNpm ? [own] : []), ...args],
		cwd,
		limitMs,
		// Drop the variables that the outer npm sets for a script: they would configure the inner one.
		env: Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_(package|lifecycle|command)/.test(name))),
		advice:
			'Look at the lines above. Without a network it cannot work; otherwise run it again, or delete .tools/ and node_modules/ first.',
	});
}

/**
 * Arguments that install exactly the lock file. Warnings are hidden: those about the Node that npm itself runs on mean
 * nothing here.
 */
export const cleanInstall = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
