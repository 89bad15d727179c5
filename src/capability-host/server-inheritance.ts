/**
 * What the server process gets of its host's environment, whichever host that is: an allow-list, so that keys and tokens of
 * whatever name stay out. It asks for a key at each use.
 */

const allowed = new Set([
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
	return allowed.has(folded) || folded.startsWith('LC_');
}
