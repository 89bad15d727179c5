/**
 * Targets outside the sandbox of commands, made to be attacked: a home with secrets, another project, sockets, a
 * process of the user. Reports afterwards which of them an attempt has reached, whatever it aimed at. Everything is
 * thrown away at the end.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
	chmodSync,
	cpSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { privateFiles } from '../../fixtures/escapes/files.ts';
import { type Places, SYSTEM_CALLS } from '../../fixtures/escapes/escape.ts';
import { OutsideFolders, type OutsideParents } from './outside-folders.ts';
import { allIn, looksLike, obeyedIn } from './seen-files.ts';
import { Sockets } from './sockets.ts';
import { Templates } from './templates.ts';
import { PYTHON, Victim } from './victim.ts';

export class Outside {
	readonly #root = mkdtempSync(join(tmpdir(), 'prowess-escapes-'));
	readonly #folders: OutsideFolders;
	readonly #templates = new Templates(join(this.#root, 'template'));
	readonly #sharedMemory = mkdtempSync('/dev/shm/prowess-escapes-');
	readonly #abstract = `prowess-escapes-${randomBytes(6).toString('hex')}`;
	readonly #sockets = new Sockets();
	readonly #victim: Victim;
	#fileHandle = '';
	#before = new Map<string, string>();
	/** Everything outside of the workspace, to be put back. */
	readonly #asMade = new Map<string, { is: string; bytes: Buffer | undefined; mode: number }>();

	/** Id of the process that performs the attempts. */
	hostPid = 0;

	private constructor(parents: OutsideParents | undefined) {
		this.#folders = new OutsideFolders(parents);
		const held = join(this.home, '.ssh/id_ed25519');
		this.#victim = new Victim({ cwd: join(this.home, 'work/other'), held });
	}

	/** `parents`: where its folders are made; absent: where this user can. */
	static async create(parents?: OutsideParents): Promise<Outside> {
		const outside = new Outside(parents);
		outside.#templates.make(outside.home);
		outside.#makeHome();
		await outside.#sockets.listen(outside.#socketPaths(), outside.#abstract);
		await outside.#victim.start();
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
		const { elsewhere, otherHome } = this.#folders;
		const { ports, network } = this.#sockets;
		return {
			mark,
			say: { sh: `echo got-""${mark}`, python: `print('got-' + '${mark}')`, node: `console.log('got-' + '${mark}')` },
			home: this.home,
			workspace: this.workspace,
			otherProject: join(this.home, 'work/other'),
			prowessHome: this.prowessHome,
			elsewhere,
			otherHome,
			temporary: join(this.#root, 'plain.txt'),
			sharedMemory: join(this.#sharedMemory, 'plain.txt'),
			ports,
			network,
			abstract: this.#abstract,
			sockets: this.#socketPaths(),
			victim: this.#victim.place,
			hostPid: this.hostPid,
			fileHandle: this.#fileHandle,
		};
	}

	/** Makes the workspace anew, and remembers what everything else looks like. */
	async prepare(): Promise<void> {
		for (const each of readdirSync(this.workspace))
			rmSync(join(this.workspace, each), { recursive: true, force: true });
		cpSync(this.#templates.workspace, this.workspace, { recursive: true, verbatimSymlinks: true });
		if (this.#victim.harm().length > 0) await this.#victim.start();
		this.#sockets.heard.length = 0;
		this.#before = this.#look();
	}

	/** Everything that has been reached since `prepare`; `output` is what the attempt could tell others. */
	effects(mark: string, output: string): string[] {
		const found = [...new Set(output.match(/canary-[\w./~-]+/g) ?? [])].map((secret) => `told ${secret}`);
		if (output.includes(`got-${mark}`)) found.push('was let do it');
		if (/^root:[^:\s]*:\d/m.test(output)) found.push('told the passwords of the system');
		found.push(...new Set(this.#sockets.heard));
		this.#sockets.hangUp();
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
		found.push(...this.#victim.harm());
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
		await this.#victim.close();
		await this.#sockets.close();
		const { elsewhere, otherHome, run } = this.#folders;
		for (const folder of new Set([this.#root, elsewhere, otherHome, run, this.#sharedMemory])) {
			rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
		}
	}

	#makeHome(): void {
		const write = (path: string, text: string, mode = 0o600) => {
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, text, { mode });
		};
		for (const path of privateFiles) {
			// A command may see npm's settings except for credentials, so the canary must be a credential.
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
		write(join(this.#folders.elsewhere, 'plain.txt'), 'plain\n', 0o644);
		write(join(this.#folders.otherHome, 'secret.txt'), 'canary-other-home\n');
		write(join(this.#root, 'plain.txt'), 'canary-temporary\n');
		write(join(this.#sharedMemory, 'plain.txt'), 'canary-shared-memory\n');
		write(join(this.prowessHome, 'secrets.json'), '{"canary-stored": "canary-stored"}\n');
		write(join(this.prowessHome, 'canary.txt'), 'canary-prowess\n');
		chmodSync(this.prowessHome, 0o700);
		mkdirSync(this.workspace, { recursive: true });
		cpSync(this.#templates.otherProject, join(this.home, 'work/other'), { recursive: true });
		this.#fileHandle = handleOf(join(this.home, '.ssh/id_ed25519'));
	}

	#socketPaths(): Places['sockets'] {
		const { run } = this.#folders;
		return {
			docker: join(run, 'docker.sock'),
			bus: join(run, 'bus'),
			wayland: join(run, 'wayland-0'),
			sshAgent: join(this.#root, 'agent.1'),
			x11: join(this.#root, 'X99'),
			gpgAgent: join(this.home, '.gnupg/S.gpg-agent'),
			own: join(this.prowessHome, 'own.sock'),
		};
	}

	#remember(): void {
		for (const [path, is] of this.#look()) {
			const stat = lstatSync(path);
			const bytes = stat.isFile() ? readFileSync(path) : undefined;
			this.#asMade.set(path, { is, bytes, mode: stat.mode & 0o7777 });
		}
	}

	#newMounts(): string[] {
		return mountPoints().filter((each) => each.startsWith(`${this.#root}/`));
	}

	/** Files by path: all outside of the workspace, and in it those that tools obey. */
	#look(): Map<string, string> {
		const isSkipped = (path: string) =>
			path === this.workspace || path === this.prowessHome || path === this.#templates.folder;
		const { elsewhere, otherHome } = this.#folders;
		const folders = [this.#root, elsewhere, otherHome, this.#sharedMemory];
		const seen = new Map(folders.flatMap((folder) => [...allIn(folder, isSkipped)]));
		for (const [path, is] of obeyedIn(this.workspace)) seen.set(path, is);
		for (const name of ['secrets.json', 'canary.txt']) {
			const path = join(this.prowessHome, name);
			if (existsSync(path)) seen.set(path, looksLike(path));
		}
		return seen;
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

/** Undefined file systems know no handles; then there is none to open. */
function handleOf(path: string): string {
	const script = `${SYSTEM_CALLS}
handle = ctypes.create_string_buffer(struct.pack('Ii', 128, 0), 136); mount = ctypes.c_int()
number = 264 if os.uname().machine == 'aarch64' else 303
if libc.syscall(ctypes.c_long(number), ctypes.c_long(-100), sys.argv[1].encode(), handle, ctypes.byref(mount), ctypes.c_long(0)) == 0:
	print(handle.raw[:8 + struct.unpack('I', handle.raw[:4])[0]].hex(), end='')`;
	return execFileSync(PYTHON, ['-c', script, path], { encoding: 'utf8' });
}
