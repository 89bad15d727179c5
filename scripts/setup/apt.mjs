import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { run } from './run.mjs';

const limitMs = 10 * 60_000;

/** Returns true when apt-get can change this machine without asking anybody. */
export function hasApt() {
	return isDebianLike() && prefix() !== undefined;
}

/**
 * Runs apt-get as root; throws a `StepFailed` with the advice when it fails.
 * @param {readonly string[]} args
 * @param {{ readonly advice: string, readonly cwd?: string }} options
 */
export async function aptGet(args, { advice, cwd }) {
	const [command = '', ...rest] = [...(prefix() ?? []), 'apt-get', ...args];
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const where = cwd === undefined ? {} : { cwd };
	await run({ what: `apt-get ${args[0]}`, command, args: rest, limitMs, env, advice, ...where });
}

const isRoot = () => process.getuid?.() === 0;

function prefix() {
	return isRoot() ? [] : hasPasswordlessSudo() ? ['sudo', '-n'] : undefined;
}

function hasPasswordlessSudo() {
	try {
		execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore', timeout: 10_000 });
		return true;
	} catch {
		return false;
	}
}

function isDebianLike() {
	try {
		return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
	} catch {
		return false;
	}
}
