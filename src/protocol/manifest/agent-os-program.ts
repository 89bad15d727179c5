/**
 * Lacks of a skill for AgentOS that its program shows before it runs: packages that Python does not bring, connections with a
 * sign-in, parts of macOS. The program is not run; what its text does not show, the call says.
 */
import type { CapabilityManifest } from '../capability/manifest.ts';
import { text, type Text } from '../text/text.ts';
import { findProvidedServices, NOT_OFFERED } from './agent-os-services.ts';
import { splitParams } from './worker-tools.ts';

/** A declaration such as `connection('api', auth={'type': 'api_key', …})`. */
interface AgentOsConnection {
	readonly name: string;
	/** `api_key`, `cookies` or `oauth`; empty without a sign-in. */
	readonly auth: string;
	/** The site whose cookies it needs, as the host that gets them; empty where it names none. */
	readonly site: string;
	/** Parts of its key, as the host puts them into a request: 0 where it cannot. */
	readonly keyParts: number;
	/** Site whose login it keeps; empty where it keeps none. */
	readonly login: string;
	readonly sqlite: string;
	readonly isOptional: boolean;
}

/** Characters of one declaration. */
const MAX_DECLARATION = 10_000;
const DECLARATIONS = /^connection[ \t]*\(/gm;
const IN_HEADER = /["']header["']\s*:/;
/** Parameters of the address, or fields of the body. */
const PLACES = /["'](?:query|body)["']\s*:\s*\{([^{}]*)\}/g;
const PLACE = /(["'])[^"']+\1\s*:\s*(["'])((?:(?!\2)[^\\\n])*)\2/g;
/** The whole key, or a part of it. */
const TEMPLATE = /^\.auth\.key(?:\s*\|\s*split\(["']:["']\)\s*\|\s*\.\[(\d{1,2})\])?$/;
/** Programs, places and a part of the SDK that only macOS has. */
const OF_MACOS =
	/["'](?:\/usr\/s?bin\/)?(security|osascript|screencapture|plutil|pbcopy|pbpaste|diskutil|mdfind|mdls|launchctl|system_profiler|sw_vers|ioreg)["']|["'](?:~|\{[\w.()]+\})?\/?(Library)\/|^[ \t]*from[ \t]+(agentos\.macos)\b/gm;

/** Results that give secrets to be kept, and reads of kept ones. */
const KEEPS_SECRETS = /["']__secrets__["']|^[^#\n]*\bcredentials\.retrieve[ \t]*\(/m;

/** `owns`: names of the modules and folders beside it. */
export function describeAgentOsNeeds(
	program: string,
	owns: readonly string[],
	{ name: skill, permissions }: Pick<CapabilityManifest, 'name' | 'permissions'>,
): readonly Text[] {
	const code = program.replaceAll(/("""|''')[\s\S]*?\1/g, '""');
	const packages = findPackages(code).filter((name) => !owns.includes(name));
	const macOs = [
		...new Set([...code.matchAll(OF_MACOS)].map(([, ...found]) => found.find((each) => each !== undefined))),
	];
	const withheld = [...new Set(findProvidedServices(code))].filter((service) => NOT_OFFERED.has(service));
	return [
		...packages.map((name) =>
			text('it needs the Python package "{name}", installed for the python3 that runs workers', { name }),
		),
		...(macOs.length > 0 ? [text('a part of its tools needs macOS: {what}', { what: macOs.join(', ') })] : []),
		...(KEEPS_SECRETS.test(code) && !permissions.includes('secrets')
			? [
					text(
						'a part of its tools stores or reads secrets, for which "secrets" must be listed under capabilities in readme.md',
					),
				]
			: []),
		...(withheld.length > 0
			? [
					text('not offered to others, because keys, logins and models come from the host: its services {names}', {
						names: withheld.join(', '),
					}),
				]
			: []),
		...readConnections(program).flatMap((connection) => describeConnection(connection, skill)),
	];
}

const IMPORTS =
	/^[ \t]*(?:import[ \t]+([A-Za-z_][\w., \t]*?)|from[ \t]+([A-Za-z_][\w.]*)[ \t]+import\b.*?)[ \t\\(]*(?:#.*)?\r?$/gm;

/** Packages that it imports and Python does not bring, each once. */
function findPackages(code: string): readonly string[] {
	const asked = [...code.matchAll(IMPORTS)].flatMap(([, plain, from]) =>
		(plain ?? from ?? '').split(',').map((each) => each.trim().split(/[.\s]/, 1)[0] ?? ''),
	);
	return [...new Set(asked)].filter((name) => name !== '' && !STANDARD.has(name)).slice(0, MAX_NEEDS);
}

function readConnections(program: string): readonly AgentOsConnection[] {
	return [...program.matchAll(DECLARATIONS)].slice(0, MAX_NEEDS).flatMap((match) => {
		const from = match.index + match[0].length;
		const parts = splitParams(program.slice(from, from + MAX_DECLARATION))?.parts ?? [];
		const [first = '', ...more] = parts;
		const fields = new Map(
			more.flatMap((part) => {
				const [, key, value] = /^(\w+)\s*=([\s\S]*)$/.exec(part) ?? [];
				return key === undefined || value === undefined ? [] : [[key, value] as const];
			}),
		);
		const readField = (name: string) => fields.get(name) ?? '';
		const auth = readField('auth');
		const [, kind = ''] = /["']type["']\s*:\s*["'](\w+)["']/.exec(auth) ?? [];
		const domain = stripQuotes(readField('domain'));
		const isOptional = readField('optional').trim() === 'True';
		return [
			{
				name: stripQuotes(first.replace(/^name\s*=/, '')),
				auth: kind,
				keyParts: countKeyParts(auth),
				login: /["'](?:header|query|body)["']\s*:/.test(auth) ? '' : domain.replaceAll(/^\.+|\.+$/g, '').toLowerCase(),
				site: findSite(stripQuotes(readField('base_url')), auth, domain),
				sqlite: stripQuotes(readField('sqlite')),
				isOptional,
			},
		];
	});
}

function countKeyParts(auth: string): number {
	if (IN_HEADER.test(auth)) return 1;
	const templates = [...auth.matchAll(PLACES)].flatMap(([, entries = '']) =>
		[...entries.matchAll(PLACE)].map(([, , , template = '']) => TEMPLATE.exec(template.trim())),
	);
	const parts = templates.map((found) => (found === null ? Number.NaN : Number(found[1] ?? 0) + 1));
	return parts.some(Number.isNaN) ? 0 : Math.max(0, ...parts);
}

/** The host of its address, else its domain. */
function findSite(base: string, auth: string, domain: string): string {
	const [, host = ''] = /^https?:\/\/([^/:"'{}]+)/i.exec(base) ?? [];
	const [, named = domain] = /["']domain["']\s*:\s*["']([^"']+)["']/.exec(auth) ?? [];
	return (host === '' ? named : host).replace(/^\./, '').toLowerCase();
}

function describeConnection(connection: AgentOsConnection, skill: string): Text[] {
	const { name, auth, keyParts, login, site, sqlite, isOptional } = connection;
	if (sqlite.startsWith('~')) {
		return [
			text('the connection {name} needs the database {path}, and only those of the workspace can be read', {
				name,
				path: sqlite,
			}),
		];
	}
	if (auth === '') return [];
	if (auth === 'api_key' && keyParts > 0) {
		const secret = `${skill.replace(':', '-')}-${name}`;
		if (isOptional) return [text('the connection {name} may use a key: the secret {secret}', { name, secret })];
		return [
			keyParts === 1
				? text('the connection {name} needs a key: store it as the secret {secret}', { name, secret })
				: text(
						'the connection {name} needs a key of {count} parts: store it with colons between them as the secret {secret}',
						{ name, secret, count: keyParts },
					),
		];
	}
	if (auth === 'api_key' && login !== '' && !isOptional) {
		return [
			text('the connection {name} needs a login at {site}: the skill keeps it as the secret {secret}', {
				name,
				site: login,
				secret: `login.${login}`,
			}),
		];
	}
	if (auth === 'cookies' && site !== '') {
		const facts = { name, site, secret: `cookie.${site}` };
		return [
			isOptional
				? text('the connection {name} may use cookies of {site}: the secret {secret}', facts)
				: text('the connection {name} needs cookies of {site}: store them as the secret {secret}', facts),
		];
	}
	if (isOptional) return [];
	switch (auth) {
		case 'oauth':
			return [text('the connection {name} needs a sign-in over OAuth, which is not available here', { name })];
		default:
			return [
				text('the connection {name} needs a session, or a key that it puts together; neither is available here', {
					name,
				}),
			];
	}
}

function stripQuotes(written: string): string {
	return written
		.trim()
		.replaceAll(/^["']|["']$/g, '')
		.slice(0, 200);
}

/** Needs of each kind that are named. */
const MAX_NEEDS = 20;

/** Modules of Python 3.9 and newer, and those of the SDK. */
const STANDARD: ReadonlySet<string> = new Set(
	`__future__ _thread abc agentos aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
	builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent
	configparser contextlib contextvars copy copyreg cProfile crypt csv ctypes curses dataclasses datetime dbm decimal difflib
	dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions
	ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib
	imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap
	marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib ntpath numbers opcode operator
	optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile
	prowess pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib resource rlcompleter runpy sched
	secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile
	sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny
	tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback
	tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg
	winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo keyring httpx requests urllib3`.split(
		/\s+/,
	),
);
