/**
 * That bubblewrap has kept a program in at an earlier start, kept for the next ones in PROWESS_HOME.
 *
 * It spares a prompt the wait for a proof, and nothing else: no command, hook or server is judged or started on it. Each
 * process proves the sandbox anew before the first of them, so a kept proof that is stale, damaged or forged opens no door; it
 * only lets the warning that commands are not sandboxed come with the first command rather than before the prompt. That is
 * also why it need not expire, and why the version of a bubblewrap behind a script, which its file does not tell, may change.
 */
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { arch, hostname, release, version } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepFinding, readFinding } from '../../home-files/kept-finding.ts';

/** Where Linux says whether users may have namespaces of their own; most systems have some of them. */
const NAMESPACE_SETTINGS = [
	'kernel/unprivileged_userns_clone',
	'kernel/apparmor_restrict_unprivileged_userns',
	'user/max_user_namespaces',
	'user/max_net_namespaces',
	'user/max_pid_namespaces',
];

export class KeptProof {
	readonly #path: string;

	/** `home`: PROWESS_HOME. */
	constructor(home: string) {
		this.#path = join(home, 'sandbox-proof.json');
	}

	/** Whether a proof is kept on exactly this. */
	async holds(on: string): Promise<boolean> {
		return (await readFinding(this.#path, on))?.['held'] === true;
	}

	/** What cannot be written is proven again at the next start. */
	async keep(on: string): Promise<void> {
		await keepFinding(this.#path, on, { held: true }).catch(() => undefined);
	}

	/** What cannot be removed lets the warning come later, as above. */
	async drop(): Promise<void> {
		await rm(this.#path, { force: true }).catch(() => undefined);
	}
}

/**
 * All that decides whether bubblewrap works, as far as it shows from outside, as JSON: the program at `bubblewrap`, the kernel
 * and what it allows, the user, and our own program, which is another one after each build. Undefined: the program is gone.
 */
export function whatItDependsOn(bubblewrap: string): string | undefined {
	const program = fileStamp(bubblewrap);
	const facts = {
		bubblewrap: [bubblewrap, program],
		machine: [hostname(), arch()],
		kernel: [release(), version()],
		namespaces: [
			// In a container it is another one than outside.
			told(() => readlinkSync('/proc/self/ns/user')),
			...NAMESPACE_SETTINGS.map((name) => told(() => readFileSync(`/proc/sys/${name}`, 'utf8'))),
		],
		user: [process.getuid?.(), process.geteuid?.()],
		prowess: fileStamp(fileURLToPath(import.meta.url)),
	};
	return program === undefined ? undefined : JSON.stringify(facts);
}

/** Which file lies there, and whether it was written, replaced or given other rights. */
function fileStamp(path: string): string | undefined {
	const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
	return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
}

/** Null where the system does not tell. */
function told(read: () => string): string | null {
	try {
		return read().trim();
	} catch {
		return null;
	}
}
