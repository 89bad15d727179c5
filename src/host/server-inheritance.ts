/**
 * Inheritance of the server process from its host, whichever host that is: the flags of its Node, and an allow-list of
 * the environment. Keys and tokens of whatever name stay out; the server asks for a key at each use.
 */

const inheritedVariables = new Set([
	'PATH',
	'HOME',
	'USER',
	'LOGNAME',
	'LANG',
	'LANGUAGE',
	'TZ',
	'TMPDIR',
	'TEMP',
	'TMP',
	'XDG_RUNTIME_DIR',
	'SYSTEMROOT',
	'WINDIR',
	'SYSTEMDRIVE',
	'COMSPEC',
	'PATHEXT',
	'USERPROFILE',
	'APPDATA',
	'LOCALAPPDATA',
	'PROGRAMDATA',
	'HTTP_PROXY',
	'HTTPS_PROXY',
	'ALL_PROXY',
	'NO_PROXY',
	'SSL_CERT_FILE',
	'SSL_CERT_DIR',
	'NODE_EXTRA_CA_CERTS',
	'NODE_V8_COVERAGE',
	// Where whoever starts many servers, each with a home of its own, keeps compiled code.
	'NODE_COMPILE_CACHE',
	'OLLAMA_HOST',
]);

export function serverMayInherit(name: string): boolean {
	const folded = name.toUpperCase();
	return inheritedVariables.has(folded) || folded.startsWith('LC_');
}

/**
 * MB of a half of the server's young generation, by the host that it serves. Less memory is held by what a turn leaves behind;
 * with the smaller half, the hundreds of turns of a window took a tenth more processor time.
 */
const HALF_MB = { cli: 2, vscode: 4 } as const;

/**
 * Growth of the old generation, in percent of what is alive, after which V8 collects all of it. Without a bound it lets the heap
 * of a window's server triple. A server of the command line seldom lives to its first such collection.
 */
const OLD_GROWTH_PERCENT = 50;

/** Flags of the server's Node, of this version. Without SIGUSR1 nobody can open a debugger on it from outside. */
export function serverFlags(nodeVersion: string, host: keyof typeof HALF_MB): string[] {
	const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
	const knowsDisableSigusr1 = major >= 24 || (major === 22 && minor >= 14) || (major === 23 && minor >= 7);
	return [
		'--disable-warning=ExperimentalWarning',
		...(knowsDisableSigusr1 ? ['--disable-sigusr1'] : []),
		`--max-semi-space-size=${HALF_MB[host]}`,
		...(host === 'vscode' ? [`--heap-growing-percent=${OLD_GROWTH_PERCENT}`] : []),
	];
}
