/**
 * The sandbox of commands: a program sees the machine read-only, without the homes of users, and changes only the workspace
 * and folders of its own; of the workspace it neither reads secrets nor changes what steers other programs. It has no
 * network, and no process of it outlives it. What works is tried out once on each host, never assumed.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { text, type Text } from '../../../protocol/text.ts';
import { GuardedPlaces } from './guarded-places.ts';
import { isIn } from './mounts.ts';
import { type HeldSandbox, OpenSandbox, type SandboxReach } from './open-sandbox.ts';
import { probeCommandSandbox } from './probe-command-sandbox.ts';
import { SandboxFolders } from './sandbox-folders.ts';

interface CommandSandboxDeps {
	/** PROWESS_HOME. */
	readonly home: string;
	/** Folders of the workspace as they are now, absolute. */
	folders(): readonly string[];
	/** Where bubblewrap may lie, best first. */
	bubblewrapCandidates(): readonly string[];
}

/** Whether commands run in it here and now; if not, why, and what helps. */
export type SandboxUse = { readonly works: true } | { readonly works: false; readonly why: Text };

interface SandboxRequest {
	/** Absolute and free of links. */
	readonly cwd: string;
	readonly environment: Readonly<Record<string, string>>;
	readonly reach: SandboxReach;
	/** False: it may not change the workspace. */
	readonly isWritable: boolean;
}

export class CommandSandbox {
	readonly #deps: CommandSandboxDeps;
	readonly #folders: SandboxFolders;
	readonly #guarded = new GuardedPlaces();
	#probed: { readonly candidates: string; readonly held: Promise<HeldSandbox | Text> } | undefined;

	constructor(deps: CommandSandboxDeps) {
		this.#deps = deps;
		this.#folders = new SandboxFolders(deps.home);
	}

	async state(): Promise<SandboxUse> {
		const held = await this.#probe();
		if (!('bubblewrap' in held)) {
			return { works: false, why: held };
		}
		const why = unfit(this.#deps.folders());
		return why === undefined ? { works: true } : { works: false, why };
	}

	/** For one command; whoever opens it closes it when the command has ended. Rejects when the sandbox does not work. */
	async open({ cwd, environment, reach, isWritable }: SandboxRequest): Promise<OpenSandbox> {
		const held = await this.#probe();
		const roots = this.#deps.folders().flatMap((path) => realPath(path) ?? []);
		if (!('bubblewrap' in held) || unfit(roots) !== undefined) {
			throw new Error('a command was to run in a sandbox that does not work here');
		}
		return new OpenSandbox({
			held,
			own: this.#folders.make(roots),
			home: this.#deps.home,
			roots,
			guarded: roots.flatMap((root) => this.#guarded.find(root)),
			cwd,
			environment,
			reach,
			isWritable,
		});
	}

	#probe(): Promise<HeldSandbox | Text> {
		const candidates = this.#deps.bubblewrapCandidates();
		const key = candidates.join('\0');
		if (this.#probed?.candidates !== key) {
			this.#probed = { candidates: key, held: probeCommandSandbox(candidates, this.#folders) };
		}
		return this.#probed.held;
	}
}

/** Why a workspace cannot be kept apart from what is to be kept out of it. */
function unfit(folders: readonly string[]): Text | undefined {
	const roots = folders.flatMap((path) => realPath(path) ?? []);
	const homes = [homedir(), userInfo().homedir].flatMap((path) => realPath(path) ?? []);
	if (roots.some((root) => homes.some((home) => isIn(home, root)))) {
		return text('The workspace contains your home folder. Open a project folder instead.');
	}
	// In the sandbox the superuser is an ordinary user, who does not own it.
	const isForeign = (root: string) => process.getuid?.() === 0 && statSync(root).uid !== 0;
	return roots.some(isForeign) ? text('The workspace belongs to another user of this machine.') : undefined;
}

function realPath(path: string): string | undefined {
	return existsSync(path) ? realpathSync(path) : undefined;
}
