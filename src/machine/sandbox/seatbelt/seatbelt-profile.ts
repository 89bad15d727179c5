/**
 * The profile of Seatbelt (macOS) for one command, in its own language: of the rules that match, the last one counts. Paths are
 * only ever quoted strings; patterns are made of our own tables of names alone, so that no name of a folder can end one.
 */
import { readOnlyInSandbox } from '../../paths/names/protected-names.ts';
import { openRules, secretRules } from '../../paths/names/secret-names.ts';

/** All absolute, and free of links: Seatbelt judges by where a file lies. */
interface SeatbeltPlaces {
	/** Not to be seen: homes, our own folder, temporary folders of others. */
	readonly hidden: readonly string[];
	/** Places in hidden folders that may be read. */
	readonly tools: readonly string[];
	/** The command's own. */
	readonly own: readonly string[];
	readonly workspace: readonly string[];
	readonly isWritable: boolean;
	/** Places that a person let the command reach. */
	readonly reach: { readonly read: readonly string[]; readonly write: readonly string[] };
	/** Git's settings that hold no credential. */
	readonly gitSettings: readonly string[];
}

/** Services of the system that programs need to know users and to log; none that starts programs or holds keys. */
const SERVICES = [
	'com.apple.system.opendirectoryd.libinfo',
	'com.apple.system.opendirectoryd.membership',
	'com.apple.system.notification_center',
	'com.apple.system.logger',
	'com.apple.logd',
	'com.apple.bsd.dirhelper',
];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/dtracehelper'];

/** In `.git`: what makes Git run other programs, of the repository and of its submodules and worktrees. */
const GIT_STEERING = '/[.][gG][iI][tT](/.*)?/(config|config[.]worktree|commondir|hooks|hooks/.*|info/attributes)$';
/** Git's own folder itself can neither be made nor moved away. */
const GIT_FOLDER = '/[.][gG][iI][tT]$';

/** Throws for a path that no profile can name for certain. */
export function seatbeltProfile(places: SeatbeltPlaces): string {
	const { hidden, tools, own, workspace, isWritable, reach, gitSettings } = places;
	const createWorkspaceFilters = (pattern: string) =>
		workspace.map((root) => `(require-all (subpath ${quoteProfileString(root)}) (regex #"${pattern}"))`);
	const ordinary = readOnlyInSandbox.filter((rule) => rule !== '.git/');
	const seen = [...tools, ...own, ...workspace, ...reach.read, ...reach.write];
	return [
		'(version 1)',
		'(deny default)',
		'(allow process-exec process-fork)',
		'(allow process-info* signal (target same-sandbox))',
		'(allow sysctl-read user-preference-read)',
		'(allow ipc-posix-sem)',
		formatProfileRule(
			'allow',
			'mach-lookup',
			SERVICES.map((name) => `(global-name ${quoteProfileString(name)})`),
		),
		'(allow file-read*)',
		formatProfileRule('allow', 'file-write-data', DEVICES.map(formatLiteral)),
		formatProfileRule('deny', 'file-read* file-write*', hidden.map(formatSubpath)),
		// Programs look at the folders above the one they are in.
		formatProfileRule(
			'allow',
			'file-read-metadata',
			[...new Set([...hidden, ...seen.flatMap(listFoldersAbove)])].map(formatLiteral),
		),
		formatProfileRule('allow', 'file-read*', [...tools, ...workspace].map(formatSubpath)),
		formatProfileRule('allow', 'file-read* file-write*', [...own, ...(isWritable ? workspace : [])].map(formatSubpath)),
		formatProfileRule('deny', 'file-write*', ordinary.map(toProfilePattern).flatMap(createWorkspaceFilters)),
		formatProfileRule('deny', 'file-write*', [
			...createWorkspaceFilters(GIT_FOLDER),
			...createWorkspaceFilters(GIT_STEERING),
		]),
		formatProfileRule(
			'deny',
			'file-read* file-write*',
			secretRules.map(toProfilePattern).flatMap(createWorkspaceFilters),
		),
		formatProfileRule('allow', 'file-read*', openRules.map(toProfilePattern).flatMap(createWorkspaceFilters)),
		formatProfileRule('allow', 'file-read*', gitSettings.map(formatLiteral)),
		// Moved away, what a folder of the workspace guards would be elsewhere.
		formatProfileRule('deny', 'file-write-unlink', workspace.map(formatLiteral)),
		formatProfileRule('allow', 'file-read*', [...reach.read, ...reach.write].map(formatSubpath)),
		formatProfileRule('allow', 'file-write*', reach.write.map(formatSubpath)),
		'(deny file-write-setugid)',
		'(deny network*)',
	]
		.filter((line) => line !== '')
		.join('\n');
}

/** Empty without filters: such a rule would be for everything. */
function formatProfileRule(verdict: 'allow' | 'deny', operations: string, filters: readonly string[]): string {
	return filters.length === 0 ? '' : `(${verdict} ${operations}\n  ${filters.join('\n  ')})`;
}

function formatSubpath(path: string): string {
	return `(subpath ${quoteProfileString(path)})`;
}

function formatLiteral(path: string): string {
	return `(literal ${quoteProfileString(path)})`;
}

function listFoldersAbove(path: string): string[] {
	const steps = path.split('/').slice(1, -1);
	return ['/', ...steps.map((_, index) => `/${steps.slice(0, index + 1).join('/')}`)];
}

/** Characters that a string of a profile cannot express with certainty, so they are refused. */
const UNCERTAIN = /[\p{Cc}\p{Cs}]/u;

function quoteProfileString(text: string): string {
	if (UNCERTAIN.test(text) || text === '') {
		throw new Error(`${JSON.stringify(text)} has characters that a profile of Seatbelt cannot name`);
	}
	return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** A rule of a table of names, at any depth and in any case; `*` is any text without a slash. */
function toProfilePattern(name: string): string {
	const withBelow = name.endsWith('/');
	const text = (withBelow ? name.slice(0, -1) : name).replaceAll(/[^/]/g, (character) =>
		character === '*'
			? '[^/]*'
			: /[a-z]/.test(character)
				? `[${character}${character.toUpperCase()}]`
				: `[${character}]`,
	);
	return `/${text}${withBelow ? '(/.*)?' : ''}$`;
}
