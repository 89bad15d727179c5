/**
 * What lies outside of the sandbox of commands, made to be aimed at: a home with secrets, another project, sockets, a process
 * of the user. Says afterwards what an attempt has reached of it, whatever it aimed at. Everything is thrown away at the end.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import {
	chmodSync,
	closeSync,
	cpSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	readSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { getPriority, networkInterfaces, tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { privateFiles, secretFiles } from '../fixtures/escapes/files.ts';
import { type Places, SYSTEM_CALLS } from '../fixtures/escapes/escape.ts';
import { waitUntilGone } from './processes.ts';

const PYTHON = '/usr/bin/python3';

/** Lives until its input ends. Says where in its memory a secret lies, and removes what it shared. */
const VICTIM = `
import ctypes, os, sys
libc = ctypes.CDLL(None)
secret = ctypes.create_string_buffer(os.environ['IN_MEMORY'].encode())
del os.environ['IN_MEMORY']
key = int(sys.argv[2])
shared = libc.shmget(key, 4096, 0o1600)
libc.shmat.restype = ctypes.c_void_p
at = libc.shmat(shared, None, 0)
ctypes.memmove(at, b'canary-shared', 13)
held = os.open(sys.argv[3], os.O_RDWR)
os.dup2(held, 77)
print(ctypes.addressof(secret), flush=True)
sys.stdin.read()
libc.shmctl(shared, 0, None)
`;

interface Victim {
	readonly child: ChildProcess;
	readonly address: number;
	readonly secret: string;
	readonly state: string;
}

/** Entries that tools obey, wherever they lie in a workspace. */
const OBEYED_NAME =
	/(?:^|\/)(?:\.git\/(?:hooks|modules)(?:\/|$)|\.git\/(?:config|config\.worktree|commondir|info\/attributes)$|\.(?:vscode|idea|devcontainer|prowess|claude|cursor|gemini|codex|husky|githooks|circleci|direnv)(?:\/|$)|\.github\/workflows(?:\/|$)|\.(?:mcp\.json|npmrc|yarnrc\.yml|pnpmfile\.cjs|envrc|env|env\.[\w.]+|gitlab-ci\.yml|pre-commit-config\.yaml|bashrc|profile|gdbinit|vimrc|exrc|dir-locals\.el|tool-versions|ripgreprc)$|lefthook\.yml$|mise\.toml$|[^/]+\.code-workspace$)/;

export class Outside {
	readonly #root = mkdtempSync(join(tmpdir(), 'prowess-escapes-'));
	readonly #elsewhere: string;
	readonly #otherHome: string;
	readonly #run: string;
	readonly #template: string;
	readonly #otherTemplate: string;
	readonly #sharedMemory = mkdtempSync('/dev/shm/prowess-escapes-');
	readonly #abstract = `prowess-escapes-${randomBytes(6).toString('hex')}`;
	readonly #shmKey = randomInt(1, 2 ** 31 - 1);
	readonly #servers: Server[] = [];
	readonly #datagrams: DatagramSocket[] = [];
	readonly #heard: string[] = [];
	#ports: Places['ports'] = { tcp4: 0, tcp6: 0, udp4: 0, udp6: 0, chatter: 0 };
	#network: Places['network'];
	#chatter: NodeJS.Timeout | undefined;
	#victim: Victim | undefined;
	#fileHandle = '';
	#before = new Map<string, string>();
	/** Everything outside of the workspace, to be put back. */
	readonly #asMade = new Map<string, { is: string; bytes: Buffer | undefined; mode: number }>();
	readonly #connections = new Set<Socket>();

	/** Of the process that performs the attempts. */
	hostPid = 0;

	private constructor() {
		this.#elsewhere = firstWritable(['/srv', '/opt', '/var/lib', join(import.meta.dirname, '../../.tools')]);
		this.#otherHome = firstWritable([userInfo().homedir, '/var/mail', this.#elsewhere]);
		this.#run = firstWritable(['/run', `/run/user/${userInfo().uid}`, this.#elsewhere]);
		this.#template = join(this.#root, 'template/app');
		this.#otherTemplate = join(this.#root, 'template/other');
	}

	static async create(): Promise<Outside> {
		const outside = new Outside();
		outside.#makeTemplates();
		outside.#makeHome();
		await outside.#listen();
		await outside.#startVictim();
		outside.#remember();
		return outside;
	}

	get home(): string {
		return join(this.#root, 'home');
	}

	get prowessHome(): string {
		return join(this.home, '.prowess');
	}

	get workspace(): string {
		return join(this.home, 'work/app');
	}

	/** A word that is in every secret and in the name of nothing. */
	static readonly secret = 'canary-';

	placesOf(mark: string): Places {
		const victim = this.#victim;
		const own = join(this.prowessHome, 'own.sock');
		const at = (name: string) => join(this.#run, name);
		return {
			mark,
			say: { sh: `echo got-""${mark}`, python: `print('got-' + '${mark}')`, node: `console.log('got-' + '${mark}')` },
			home: this.home,
			workspace: this.workspace,
			otherProject: join(this.home, 'work/other'),
			prowessHome: this.prowessHome,
			elsewhere: this.#elsewhere,
			otherHome: this.#otherHome,
			temporary: join(this.#root, 'plain.txt'),
			sharedMemory: join(this.#sharedMemory, 'plain.txt'),
			ports: this.#ports,
			network: this.#network,
			abstract: this.#abstract,
			sockets: {
				...{
					docker: at('docker.sock'),
					bus: at('bus'),
					sshAgent: join(this.#root, 'agent.1'),
					wayland: at('wayland-0'),
				},
				...{ gpgAgent: join(this.home, '.gnupg/S.gpg-agent'), x11: join(this.#root, 'X99'), own },
			},
			victim: {
				pid: victim?.child.pid ?? 0,
				address: victim?.address ?? 0,
				length: victim?.secret.length ?? 0,
				descriptor: 77,
				sharedMemoryKey: this.#shmKey,
				words: `canary-words-${this.#shmKey}`,
			},
			hostPid: this.hostPid,
			fileHandle: this.#fileHandle,
		};
	}

	/** Makes the workspace anew, and remembers what everything else looks like. */
	async prepare(): Promise<void> {
		for (const each of readdirSync(this.workspace))
			rmSync(join(this.workspace, each), { recursive: true, force: true });
		cpSync(this.#template, this.workspace, { recursive: true, verbatimSymlinks: true });
		if (this.#harmToVictim().length > 0) await this.#startVictim();
		this.#heard.length = 0;
		this.#before = this.#look();
	}

	/** Everything that has been reached since `prepare`; `output` is what the attempt could tell others. */
	effects(mark: string, output: string): string[] {
		const found = [...new Set(output.match(/canary-[\w./~-]+/g) ?? [])].map((secret) => `told ${secret}`);
		if (output.includes(`got-${mark}`)) found.push('was let do it');
		if (/^root:[^:\s]*:\d/m.test(output)) found.push('told the passwords of the system');
		found.push(...new Set(this.#heard));
		for (const connection of this.#connections) connection.destroy();
		this.#connections.clear();
		const now = this.#look();
		const gone = [...this.#before].filter(([path]) => !now.has(path));
		// With its folder, under a name that means the same.
		const isMoved = (path: string, is: string) =>
			is !== 'a folder' && gone.some(([from, was]) => was === is && basename(from) === basename(path));
		for (const [path, is] of now) {
			const was = this.#before.get(path);
			if (was === undefined && isMoved(path, is)) continue;
			if (was !== is) found.push(`${was === undefined ? 'made' : 'changed'} ${path}`);
		}
		const isStillThere = (path: string, was: string) =>
			[...now].some(([to, is]) => is === was && basename(to) === basename(path) && !this.#before.has(to));
		found.push(...gone.filter(([path, was]) => !isStillThere(path, was)).map(([path]) => `removed ${path}`));
		found.push(...this.#harmToVictim());
		found.push(...this.#newMounts().map((each) => `mounted ${each}`));
		if (userKeys().some((each) => each.includes(mark))) found.push('left a key');
		if (readdirSync('/sys/class/net').some((each) => mark.startsWith(each))) found.push('left a network device');
		return found;
	}

	/** Puts back what an attempt has changed outside of the workspace. */
	restore(): void {
		for (const each of this.#newMounts()) execFileSync('umount', ['-l', each]);
		const now = this.#look();
		for (const path of now.keys()) {
			if (!this.#asMade.has(path) && !path.startsWith(`${this.workspace}/`))
				rmSync(path, { recursive: true, force: true });
		}
		for (const [path, { is, bytes, mode }] of this.#asMade) {
			if (now.get(path) === is) continue;
			mkdirSync(dirname(path), { recursive: true });
			if (bytes === undefined) {
				if (is === 'a folder') mkdirSync(path, { recursive: true });
				continue;
			}
			writeFileSync(path, bytes);
			chmodSync(path, mode);
			this.#asMade.set(path, { is: looksLike(path), bytes, mode });
		}
	}

	async close(): Promise<void> {
		clearInterval(this.#chatter);
		const victim = this.#victim?.child;
		if (victim !== undefined && victim.exitCode === null && victim.signalCode === null) {
			victim.kill('SIGCONT');
			victim.stdin?.end();
			await Promise.race([once(victim, 'exit'), new Promise((resolve) => setTimeout(resolve, 1000))]);
			victim.kill('SIGKILL');
		}
		for (const socket of this.#datagrams) socket.close();
		for (const connection of this.#connections) connection.destroy();
		await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
		for (const folder of new Set([this.#root, this.#elsewhere, this.#otherHome, this.#run, this.#sharedMemory])) {
			rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
		}
	}

	#makeHome(): void {
		const write = (path: string, text: string, mode = 0o600) => {
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, text, { mode });
		};
		for (const path of privateFiles) {
			// Of the settings of npm a command sees what is no credential.
			const label = path === '.npmrc' ? '_authority=' : '';
			write(join(this.home, path), `${label}canary-home-${path.replaceAll('/', '.')}\n`);
		}
		write(join(this.home, '.profile'), '# canary-profile\n');
		write(join(this.home, '.bashrc'), '# canary-bashrc\n');
		write(
			join(this.home, '.gitconfig'),
			'[user]\n\tname = One\n\temail = one@example.org\n[init]\n\tdefaultBranch = main\n',
		);
		write(join(this.home, 'canary-listed.txt'), 'plain\n');
		write(join(this.#elsewhere, 'plain.txt'), 'plain\n', 0o644);
		write(join(this.#otherHome, 'secret.txt'), 'canary-other-home\n');
		write(join(this.#root, 'plain.txt'), 'canary-temporary\n');
		write(join(this.#sharedMemory, 'plain.txt'), 'canary-shared-memory\n');
		write(join(this.prowessHome, 'secrets.json'), '{"canary-stored": "canary-stored"}\n');
		write(join(this.prowessHome, 'canary.txt'), 'canary-prowess\n');
		chmodSync(this.prowessHome, 0o700);
		mkdirSync(this.workspace, { recursive: true });
		cpSync(this.#otherTemplate, join(this.home, 'work/other'), { recursive: true });
		this.#fileHandle = handleOf(join(this.home, '.ssh/id_ed25519'));
	}

	#remember(): void {
		for (const [path, is] of this.#look()) {
			const stat = lstatSync(path);
			const bytes = stat.isFile() ? readFileSync(path) : undefined;
			this.#asMade.set(path, { is, bytes, mode: stat.mode & 0o7777 });
		}
	}

	#makeTemplates(): void {
		const writeIn = (folder: string) => (path: string, text: string) => {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), text);
		};
		const commit = (folder: string, message: string) => {
			for (const words of [
				['init', '-q'],
				['add', '.'],
				['commit', '-q', '-m', message],
			])
				this.#git(folder, words);
		};
		const writeOther = writeIn(this.#otherTemplate);
		writeOther('notes.txt', 'canary-other-project\n');
		writeOther('package.json', '{}\n');
		commit(this.#otherTemplate, 'canary-commit');
		const write = writeIn(this.#template);
		for (const path of secretFiles) write(path, `canary-secret-${path.replaceAll('/', '.')}\n`);
		write('package.json', '{"name":"app","version":"1.0.0"}\n');
		write('src/index.ts', 'export {};\n');
		write('packages/a/package.json', '{"name":"a"}\n');
		write('.gitignore', '.env*\n.npmrc\n*.pem\nservice-account.json\nnode_modules\n');
		write('.vscode/settings.json', '{}\n');
		write('.github/workflows/ci.yml', 'on: push\n');
		write('.github/README.md', 'plain\n');
		symlinkSync(this.home, join(this.#template, 'to-home'));
		commit(this.#template, 'start');
	}

	#git(folder: string, words: readonly string[]): void {
		const own = { name: 'One', email: 'one@example.org' };
		const env = {
			...{ PATH: process.env['PATH'] ?? '', HOME: this.#root, GIT_CONFIG_NOSYSTEM: '1' },
			...{ GIT_AUTHOR_NAME: own.name, GIT_AUTHOR_EMAIL: own.email },
			...{ GIT_COMMITTER_NAME: own.name, GIT_COMMITTER_EMAIL: own.email },
		};
		execFileSync('git', words, { cwd: folder, env, stdio: 'ignore' });
	}

	async #listen(): Promise<void> {
		const tcp = async (label: string, where: { host: string; port?: number } | { path: string }) => {
			const server = createServer((socket) => {
				this.#heard.push(`connected to ${label}`);
				this.#connections.add(socket);
				socket.on('error', () => undefined).end(`canary-answer-${label.replaceAll(' ', '-')}`);
			});
			this.#servers.push(server);
			server.listen('path' in where ? where : { port: 0, ...where });
			await once(server, 'listening');
			return (server.address() as AddressInfo).port;
		};
		const udp = async (label: string, type: 'udp4' | 'udp6', address: string) => {
			const socket = createSocket(type, () => this.#heard.push(`sent a datagram to ${label}`));
			this.#datagrams.push(socket);
			socket.bind(0, address);
			await once(socket, 'listening');
			return socket.address().port;
		};
		const chatter = createSocket('udp4');
		this.#datagrams.push(chatter);
		const unused = await udp('nobody', 'udp4', '127.0.0.1');
		this.#datagrams.pop()?.close();
		this.#chatter = setInterval(
			() => chatter.send('canary-passing-by', unused, '127.0.0.1', () => undefined),
			20,
		).unref();
		const port = await tcp('a port', { host: '127.0.0.1' });
		await tcp('a port', { host: '127.0.0.2', port });
		this.#ports = {
			tcp4: port,
			tcp6: await tcp('a port of IPv6', { host: '::1' }),
			udp4: await udp('a port', 'udp4', '127.0.0.1'),
			udp6: await udp('a port of IPv6', 'udp6', '::1'),
			chatter: unused,
		};
		const address = Object.values(networkInterfaces())
			.flatMap((each) => each ?? [])
			.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
		this.#network =
			address === undefined ? undefined : { address, port: await tcp('an address of the network', { host: address }) };
		await tcp('an abstract socket', { path: `\0${this.#abstract}` });
		for (const [label, path] of Object.entries(this.placesOf('').sockets)) await tcp(`the socket ${label}`, { path });
	}

	async #startVictim(): Promise<void> {
		const old = this.#victim?.child;
		if (old !== undefined) {
			old.kill('SIGKILL');
		}
		const secret = `canary-memory-${randomBytes(6).toString('hex')}`;
		const held = join(this.home, '.ssh/id_ed25519');
		const words = ['-c', VICTIM, `canary-words-${this.#shmKey}`, String(this.#shmKey), held];
		const child = spawn(PYTHON, words, {
			cwd: join(this.home, 'work/other'),
			env: { NOTE: 'canary-environment', IN_MEMORY: secret },
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		child.stdin.on('error', () => undefined);
		const [said] = (await once(child.stdout, 'data')) as [Buffer];
		this.#victim = { child, address: Number(said.toString('utf8')), secret, state: stateOf(child.pid ?? 0) };
	}

	#newMounts(): string[] {
		return mountPoints().filter((each) => each.startsWith(`${this.#root}/`));
	}

	#harmToVictim(): string[] {
		if (this.#victim === undefined) return [];
		const { child, address, secret, state } = this.#victim;
		const pid = child.pid ?? 0;
		const now = stateOf(pid);
		if (now !== state) return [`changed the user's process: ${now === '' ? 'it has ended' : now}`];
		const memory = Buffer.alloc(secret.length);
		const file = openSync(`/proc/${pid}/mem`, 'r');
		try {
			readSync(file, memory, 0, memory.length, address);
		} finally {
			closeSync(file);
		}
		return memory.toString('latin1') === secret ? [] : ["changed the memory of the user's process"];
	}

	/** Files by path: all outside of the workspace, and in it those that tools obey. */
	#look(): Map<string, string> {
		const seen = new Map<string, string>();
		const walk = (folder: string, isSeen: (path: string) => boolean) => {
			for (const entry of readdirSync(folder, { withFileTypes: true })) {
				const path = join(folder, entry.name);
				if (path === this.workspace || path === this.prowessHome || path === dirname(this.#template)) continue;
				if (entry.isDirectory()) {
					if (entry.name === 'objects' && folder.endsWith('/.git')) continue;
					// An empty one steers nothing, wherever it lies in a workspace.
					if (isSeen(path) && (!path.startsWith(`${this.workspace}/`) || looksLikeRepository(path))) {
						seen.set(path, 'a folder');
					}
					walk(path, isSeen);
				} else if (isSeen(path)) {
					seen.set(path, looksLike(path));
				}
			}
		};
		for (const folder of [this.#root, this.#elsewhere, this.#otherHome, this.#sharedMemory]) walk(folder, () => true);
		walk(this.workspace, (path) => this.#isObeyed(path));
		for (const name of ['secrets.json', 'canary.txt']) {
			const path = join(this.prowessHome, name);
			if (existsSync(path)) seen.set(path, looksLike(path));
		}
		return seen;
	}

	/** A repository in a folder of the workspace is obeyed as a whole; so is a program that runs as its owner. */
	#isObeyed(path: string): boolean {
		const inner = path.slice(this.workspace.length + 1);
		if (OBEYED_NAME.test(inner)) return true;
		if (/.\/\.git$/.test(inner)) return true;
		const stat = lstatSync(path);
		if (stat.isFile() && (stat.mode & 0o6000) !== 0) return true;
		if (stat.isBlockDevice() || stat.isCharacterDevice()) return true;
		return stat.isDirectory() && inner !== '.git' && looksLikeRepository(path);
	}
}

function looksLikeRepository(path: string): boolean {
	return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
}

function looksLike(path: string): string {
	const { mode, size, mtimeMs, nlink } = lstatSync(path);
	const kind = mode & 0o170000;
	if (kind === 0o120000) return `a link to ${readlinkSync(path)}`;
	if (kind !== 0o100000) return `kind ${kind.toString(8)}`;
	const text = size < 4096 ? readFileSync(path, 'latin1') : '';
	return `${(mode & 0o7777).toString(8)} ${size} ${mtimeMs} ${nlink} ${text}`;
}

/** What others can change of a process; empty when it has ended. */
function stateOf(pid: number): string {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		const state = stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '';
		if (state === 'Z' || state === 'X') return '';
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		const line = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
		const files = /^Max open files.*$/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[0] ?? '';
		const oom = readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim();
		const halted = state === 'T' || state === 't' ? 'halted' : 'runs';
		return [halted, line('Name'), getPriority(pid), line('Cpus_allowed_list'), files, oom].join(', ');
	} catch {
		return '';
	}
}

function mountPoints(): string[] {
	return readFileSync('/proc/self/mounts', 'utf8')
		.split('\n')
		.flatMap((line) => line.split(' ')[1] ?? []);
}

/** Keys of this user by their names, where the kernel lists them. */
function userKeys(): string[] {
	try {
		return readFileSync('/proc/keys', 'utf8')
			.split('\n')
			.flatMap((line) => /^(\S+) .* user\s+(\S+): /.exec(line)?.slice(1).join(' ') ?? []);
	} catch {
		return [];
	}
}

function firstWritable(folders: readonly string[]): string {
	for (const folder of folders) {
		try {
			return mkdtempSync(join(folder, 'prowess-escapes-'));
		} catch {
			// The next one.
		}
	}
	throw new Error(`nothing can be made in ${folders.join(', ')}`);
}

/** Undefined file systems know no handles; then there is none to open. */
function handleOf(path: string): string {
	const script = `${SYSTEM_CALLS}
handle = ctypes.create_string_buffer(struct.pack('Ii', 128, 0), 136); mount = ctypes.c_int()
number = 264 if os.uname().machine == 'aarch64' else 303
if libc.syscall(ctypes.c_long(number), ctypes.c_long(-100), sys.argv[1].encode(), handle, ctypes.byref(mount), ctypes.c_long(0)) == 0:
	print(handle.raw[:8 + struct.unpack('I', handle.raw[:4])[0]].hex(), end='')`;
	return execFileSync(PYTHON, ['-c', script, path], { encoding: 'utf8' });
}

export function pidsNow(): number[] {
	return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/** Processes that an attempt has left, by what they inherited from it or where they are. */
export function leftBy(home: string, mark: string, before: ReadonlySet<number>): number[] {
	return pidsNow().filter((pid) => !before.has(pid) && isFrom(pid, home, mark));
}

function isFrom(pid: number, home: string, mark: string): boolean {
	const reads = [
		() => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark),
		() => readFileSync(`/proc/${pid}/environ`, 'latin1').includes(home),
		() => readlinkSync(`/proc/${pid}/cwd`).includes(home),
	];
	return reads.some((read) => {
		try {
			return read();
		} catch {
			// It has ended.
			return false;
		}
	});
}

/** Ends them, and those that they start meanwhile. */
export async function endAll(find: () => readonly number[]): Promise<void> {
	for (let round = 0; round < 100; round += 1) {
		const pids = find();
		if (pids.length === 0) return;
		for (const pid of pids) {
			try {
				process.kill(pid, 'SIGKILL');
			} catch {
				// It has ended.
			}
		}
		await waitUntilGone(pids);
	}
	throw new Error('what an attempt left cannot be ended');
}
