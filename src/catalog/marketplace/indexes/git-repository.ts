/**
 * A commit of somebody else's repository, fetched into our own store. Git connects to the checked addresses only, over
 * https, or over http to hosts in `prowess.http.allowHosts`; a `file:` location is read from the disk. Git uses no
 * configuration of the machine, no helper, no hook, no proxy and no redirect.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { isListedHost, resolveHost } from '../../../machine/http/resolve-host.ts';
import { parseTargetUrl } from '../../../machine/http/target-url.ts';
import { gitEnvironment, gitFlags } from '../../../machine/shell/git-settings.ts';
import { type GitOutput, runGit } from '../../../machine/git/run-git.ts';
import { findProgram } from '../../../machine/shell/find-program.ts';
import type { Downloads } from '../download.ts';
import type { GitLocation } from '../../../protocol/git-location.ts';
import { inEnglish, text, type Text } from '../../../protocol/text/text.ts';
import { INDEX_TIMEOUT_MS, MAX_INDEX_FILE_BYTES, MAX_REPOSITORY_BYTES, REPOSITORY_POLL_MS } from '../limits.ts';
import { withLock } from '../../../machine/home-files/file-lock.ts';

export interface GitAccess {
	/** Our own folder for repositories. */
	readonly store: string;
	/** Environment that commands get. */
	readonly environment: Readonly<Record<string, string>>;
}

export interface Repository {
	/** Rejects with DOWNLOAD_FAILED when git does not end well, unless only too much was written. */
	run(args: readonly string[], maxBytes: number, signal: AbortSignal): Promise<GitOutput>;
}

export async function fetchRepository(
	{ url, ref = 'HEAD' }: Pick<GitLocation, 'url' | 'ref'>,
	{ store, environment }: GitAccess,
	{ allowedHosts, resolve }: Pick<Downloads, 'allowedHosts' | 'resolve'>,
	signal: AbortSignal,
): Promise<{ readonly repository: Repository; readonly commit: string }> {
	if (!/^[\w][\w./-]{0,200}$/.test(ref) || ref.includes('..')) {
		throw createRepositoryError(url, text('"{ref}" is not a branch or tag', { ref }));
	}
	const flags = await transportFlags(url, allowedHosts(), resolve, signal);
	const folder = join(store, createHash('sha256').update(url).digest('hex').slice(0, 32));
	await mkdir(store, { recursive: true, mode: 0o700 });
	const env = {
		...gitEnvironment(environment),
		GIT_ALLOW_PROTOCOL: url.startsWith('file:') ? 'file' : 'https:http',
		GIT_CONFIG_NOSYSTEM: '1',
		GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
		GIT_CONFIG_COUNT: '0',
		GIT_DIR: folder,
	};
	const program = await findProgram('git', store, env);
	const run: Repository['run'] = async (args, maxBytes, within) => {
		const limits = { outputBytes: maxBytes, timeoutMs: INDEX_TIMEOUT_MS };
		const output = await runGit(program, [...gitFlags([]), ...flags, ...args], store, env, limits, within);
		if (output.exitCode !== 0 && !output.truncated) {
			throw createRepositoryError(
				url,
				output.stderr.split('\n')[0] || `git ends with ${output.exitCode ?? 'a signal'}`,
			);
		}
		return output;
	};
	return await withLock(
		`${folder}.db`,
		async () => {
			if ((await countFolderBytes(folder)) > MAX_REPOSITORY_BYTES / 2) {
				await rm(folder, { recursive: true, force: true });
			}
			await run(['init', '--bare', '--quiet', '--template=', folder], MAX_INDEX_FILE_BYTES, signal);
			const fetch = ['fetch', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-auto-maintenance', '--force'];
			await limitRepositorySize(folder, signal, (within) =>
				run([...fetch, '--', url, `${ref}:refs/prowess/index`], MAX_INDEX_FILE_BYTES, within),
			);
			const found = await run(['rev-parse', '--verify', 'refs/prowess/index^{commit}'], MAX_INDEX_FILE_BYTES, signal);
			return { repository: { run }, commit: found.stdout.toString('utf8').trim() };
		},
		signal,
	);
}

/** Only the addresses that were judged are connected to, whatever the name means a moment later. */
async function transportFlags(
	url: string,
	allowed: readonly string[],
	resolve: Downloads['resolve'],
	signal: AbortSignal,
): Promise<string[]> {
	const settings = [
		'http.proxy=',
		'http.followRedirects=false',
		'http.sslVerify=true',
		'core.hooksPath=/dev/null',
		'gc.auto=0',
	];
	if (!url.startsWith('file:')) {
		const target = parseTargetUrl(url);
		if (!target.isSecure && !isListedHost(target, allowed)) {
			throw createRepositoryError(url, text('only https is accepted, except from hosts in prowess.http.allowHosts'));
		}
		const addresses = await resolveHost(target, allowed, resolve, signal);
		settings.push(
			`http.curloptResolve=${target.hostname}:${target.port}:${addresses.map(({ address }) => address).join(',')}`,
		);
	}
	return settings.flatMap((setting) => ['-c', setting]);
}

/** Git has no limit of its own on what it takes in. */
async function limitRepositorySize<T>(
	folder: string,
	signal: AbortSignal,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const limited = deriveSignal(signal);
	const tooLarge = createRepositoryError(
		folder,
		text('the repository has more than {n} bytes', { n: MAX_REPOSITORY_BYTES }),
	);
	const timer = setInterval(() => {
		void countFolderBytes(folder).then((bytes) => bytes > MAX_REPOSITORY_BYTES && limited.abort(tooLarge));
	}, REPOSITORY_POLL_MS);
	try {
		return await work(limited.signal);
	} finally {
		clearInterval(timer);
		limited.dispose();
	}
}

async function countFolderBytes(folder: string): Promise<number> {
	let bytes = 0;
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
		if (entry.isFile()) {
			// A file that git has just moved counts at the next look.
			bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
		}
	}
	return bytes;
}

function createRepositoryError(url: string, why: string | Text): ProwessError {
	return new ProwessError('DOWNLOAD_FAILED', `cannot read the repository ${url}: ${inEnglish(why)}`, {
		url,
		said: text('Cannot read the repository {url}: {why}', { url, why }),
	});
}
