/** Rights that a failed command seems to have lacked in its sandbox, told from the end of its output. */
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { GuardedPlace } from './mounts/guarded-place.ts';
import { MAX_EXPLANATIONS } from './limits.ts';
import { isInFolder } from './mounts/mounts.ts';

interface SandboxFacts {
	readonly cwd: string;
	readonly roots: readonly string[];
	/** Repositories around the workspace that the sandbox does not show. */
	readonly notShown: readonly string[];
	readonly home: string;
	readonly guarded: readonly GuardedPlace[];
	/** Empty folders that stand for some that do not exist. */
	readonly placeholders: readonly string[];
	/** True when the sandbox shows nothing of the machine at this place. */
	isHidden(path: string): boolean;
}

const CANNOT_WRITE = /read-only file system|EROFS|device or resource busy|EBUSY/i;
/** Programs that name what they make before what it leads to. */
const MADE_FIRST = /\b(?:sym|hard )?link\b[^]*->/i;
const NO_HOST =
	/(?:could not resolve host(?:name)?:?|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|failed to lookup address information for|unable to resolve host(?: address)?|lookup) ["']?((?:[\w-]+\.)+[\w-]+)/gi;
const NO_NETWORK =
	/network is unreachable|ENETUNREACH|temporary failure in name resolution|name or service not known|EAI_AGAIN/i;
const NO_REPOSITORY = /not a git repository/i;
const NO_DOCKER = /docker daemon|docker\.sock|podman\.sock/i;
const MENTIONED_PATH = /(?:~|\.{1,2})?\/?[\w@%+=:,.-]*(?:\/[\w@%+=:,.-]+)*/g;

/** Each as a sentence that names what to ask for. */
export function missingRights(output: string, facts: SandboxFacts): readonly string[] {
	const said = new Set<string>();
	for (const [, host = ''] of output.matchAll(NO_HOST)) {
		said.add(
			`To reach ${host}, use https and a program that takes a proxy (HTTPS_PROXY), or ask with needs.noSandbox.`,
		);
	}
	for (const line of output.split('\n')) {
		const isWrite = CANNOT_WRITE.test(line);
		const paths = findPathsInLine(line, facts);
		const sentences = paths.flatMap((path) => describeMissingRight(path, isWrite, facts) ?? []);
		// A copy, a move or a link names two paths; what could not be changed is the one that was to be made.
		const isOfTwo = isWrite && sentences.length > 1 && / to ['"`]|->|=>/.test(line);
		for (const sentence of isOfTwo ? sentences.slice(...(MADE_FIRST.test(line) ? [0, 1] : [-1])) : sentences) {
			said.add(sentence);
		}
	}
	if (said.size === 0 && NO_NETWORK.test(output)) {
		said.add(
			'The sandbox reaches hosts through a proxy only (HTTPS_PROXY), and not with SSH. Use https, or ask with needs.noSandbox.',
		);
	}
	if (NO_REPOSITORY.test(output)) {
		for (const tree of facts.notShown) {
			said.add(
				`The repository in ${tree} holds more than can be guarded, so the sandbox does not show it. Use git_status and git_diff, or ask with needs.noSandbox.`,
			);
		}
	}
	if (NO_DOCKER.test(output)) {
		said.add('The sandbox hides the container engine. To use it, ask with needs.noSandbox.');
	}
	return [...said].slice(0, MAX_EXPLANATIONS);
}

function findPathsInLine(line: string, { cwd, home }: SandboxFacts): string[] {
	return [...line.matchAll(MENTIONED_PATH)]
		.map(([path]) => path.replace(/[:.,]+$/, ''))
		.filter((path) => path.length > 1)
		.map((path) => (path.startsWith('~/') ? join(home, path.slice(2)) : resolve(cwd, path)));
}

function describeMissingRight(
	path: string,
	isWrite: boolean,
	{ roots, home, guarded, placeholders, isHidden }: SandboxFacts,
): string | undefined {
	const placeholder = placeholders.find((place) => isInFolder(path, place));
	if (isWrite && placeholder !== undefined) {
		const name = basename(placeholder);
		return `The sandbox keeps ${name} from being made. To make it, ask with needs.write ["${name}"].`;
	}
	const root = roots.find((each) => isInFolder(path, each));
	const shown =
		root !== undefined ? path.slice(root.length + 1) : isInFolder(path, home) ? path.replace(home, '~') : path;
	const guard = guarded.find((place) => isInFolder(path, place.path));
	if (guard?.isSecret === true) {
		return `The sandbox hides ${shown}, which may hold secrets. To read it, ask with needs.read ["${shown}"].`;
	}
	if (isWrite && (guard !== undefined || root === undefined) && existsSync(path)) {
		return `The sandbox keeps ${shown} from being changed. To change it, ask with needs.write ["${shown}"].`;
	}
	return root === undefined && path !== home && isHidden(path) && existsSync(path)
		? `The sandbox hides ${shown}. To read it, ask with needs.read ["${shown}"].`
		: undefined;
}
