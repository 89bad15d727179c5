/**
 * Proof that bubblewrap has kept a program in at an earlier start, kept for the next starts in PROWESS_HOME.
 *
 * The proof spares a prompt the wait for a new one, and serves no other purpose: no command, hook or server is judged
 * or started on it. Each process proves the sandbox anew before the first of them, so a kept proof that is stale,
 * damaged or forged opens no door; at worst, the warning that commands are not sandboxed comes with the first command
 * rather than before the prompt. For that reason it need not expire, and the version of a bubblewrap behind a script,
 * which its file does not tell, may change.
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

	/** True when a proof is kept for exactly these conditions. */
	async holds(on: string): Promise<boolean> {
		return (await readFinding(this.#path, on))?.['held'] === true;
	}

	/** Keeps the proof. After a failed write, the next start proves the sandbox again. */
	async keep(on: string): Promise<void> {
		await keepFinding(this.#path, on, { held: true }).catch(() => undefined);
	}

	/** Removes the proof. After a failed removal, the warning comes later, as described above. */
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
			readSystemFact(() => readlinkSync('/proc/self/ns/user')),
			...NAMESPACE_SETTINGS.map((name) => readSystemFact(() => readFileSync(`/proc/sys/${name}`, 'utf8'))),
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
function readSystemFact(read: () => string): string | null {
	try {
		return read().trim();
	} catch {
		return null;
	}
}
