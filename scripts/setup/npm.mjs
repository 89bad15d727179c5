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
		// What the outer npm puts into the environment of a script would configure the inner one.
		env: Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_(package|lifecycle|command)/.test(name))),
		advice:
			'Look at the lines above. Without a network it cannot work; otherwise run it again, or delete .tools/ and node_modules/ first.',
	});
}

/** As the lock file says. Warnings about the Node that npm itself runs on say nothing here. */
export const cleanInstall = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
