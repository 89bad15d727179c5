/** Attempts to get out of the sandbox, each made in it and, where that harms nobody, without it; and what they reached. */
import { randomBytes } from 'node:crypto';
import type { Escape, Places } from '../fixtures/escapes/escape.ts';
import { CommandHost, type CommandLine } from './command-host.ts';
import { endAll, leftBy, pidsNow } from './outside/left-processes.ts';
import type { OutsideParents } from './outside/outside-folders.ts';
import { Outside } from './outside/outside.ts';
import { waitFor } from './wait-for.ts';

interface Attempted {
	readonly title: string;
	/** Effects that the attempt had without the sandbox; undefined: not tried. */
	readonly outside: readonly string[] | undefined;
	readonly inside: readonly string[];
	/** Output of the attempt in the sandbox, which shows why it failed. */
	readonly said: string;
}

interface Reached {
	readonly effects: readonly string[];
	readonly said: string;
}

interface HostileReached extends Reached {
	/** Number of lines that ran; the others were refused, or their program does not exist. */
	readonly ran: number;
}

class RanOutside extends Error {}

/** Longer than the slowest attempt takes. */
const ATTEMPT_LIMIT_MS = 8_000;
/** Lines that wait for something end here. */
const HOSTILE_LIMIT_MS = 1_500;
/** Longest time until everything that a sandbox leaves must be gone. */
const GONE_LIMIT_MS = 2_000;

export interface EscapeOptions {
	readonly bubblewrap: string;
	/** Where what attempts aim at is made; absent: where this user can. */
	readonly parents?: OutsideParents;
	/** True when the host runs nothing without the sandbox. Default: false. */
	readonly isSandboxOnly?: boolean;
}

export class EscapeAttempts {
	readonly #outside: Outside;
	readonly #bubblewrap: string;
	readonly #isSandboxOnly: boolean;
	#host: CommandHost;
	/** Process ids of the host itself and of the processes that it keeps beside its commands. */
	#known: ReadonlySet<number> = new Set();

	private constructor(outside: Outside, bubblewrap: string, isSandboxOnly: boolean) {
		this.#outside = outside;
		this.#bubblewrap = bubblewrap;
		this.#isSandboxOnly = isSandboxOnly;
		this.#host = this.#startHost();
	}

	static async create({ bubblewrap, parents, isSandboxOnly = false }: EscapeOptions): Promise<EscapeAttempts> {
		const attempts = new EscapeAttempts(await Outside.create(parents), bubblewrap, isSandboxOnly);
		try {
			await attempts.#warmUp();
		} catch (error) {
			await attempts.close();
			throw error;
		}
		return attempts;
	}

	async both(escape: Escape): Promise<Attempted> {
		const outside = escape.onlyInside === undefined ? await this.#withoutSandbox(escape) : undefined;
		const { effects, said } = await this.#attempt(escape, false);
		return { title: escape.title, outside, inside: effects, said };
	}

	/** Again when it reached nothing: on a busy machine a process that is to stay may end before it has begun. */
	async #withoutSandbox(escape: Escape): Promise<readonly string[]> {
		const { effects } = await this.#attempt(escape, true);
		return effects.length > 0 ? effects : (await this.#attempt(escape, true)).effects;
	}

	/**
	 * Runs lines that may do anything, one after the other, in the sandbox only: the host has no other answer for them, and a
	 * look at a secret has to fail before the first.
	 */
	async hostile(linesOf: (places: Places) => readonly CommandLine[]): Promise<HostileReached> {
		await this.#seeThatItHolds();
		let ran = 0;
		const reached = await this.#reachedBy(async (places) => {
			const said: string[] = [];
			for (const argv of linesOf(places)) {
				try {
					const state = await this.#host.run({ argv, timeoutMs: HOSTILE_LIMIT_MS });
					if (state.sandboxed !== true) throw new RanOutside(argv.join(' '));
					ran += 1;
					said.push(state.output, ...(state.kept ?? []));
				} catch (error) {
					if (error instanceof RanOutside) throw error;
					// Refused before it ran, or no such program.
					said.push(error instanceof Error ? error.message : String(error));
				}
			}
			return said;
		}, false);
		return { ...reached, ran };
	}

	async close(): Promise<void> {
		await this.#host.close();
		await this.#outside.close();
	}

	async #attempt(escape: Escape, isOutside: boolean): Promise<Reached> {
		return await this.#reachedBy(async (places) => {
			const argv = wordsOf(escape, places);
			const state = await this.#host.run({ argv, timeoutMs: ATTEMPT_LIMIT_MS, isOutside });
			if (state.sandboxed !== !isOutside) {
				throw new Error(`${escape.title}: ${isOutside ? 'it ran in the sandbox' : 'it ran without the sandbox'}`);
			}
			return [state.output, ...(state.kept ?? [])];
		}, isOutside);
	}

	/**
	 * Returns the effects that a run has on things outside, with everything it said; `run` resolves with its output.
	 */
	async #reachedBy(run: (places: Places) => Promise<readonly string[]>, isOutside: boolean): Promise<Reached> {
		const mark = `m${randomBytes(6).toString('hex')}`;
		await this.#outside.prepare();
		const before = new Set(pidsNow());
		const left = () => leftBy(this.#outside.home, mark, before).filter((pid) => !this.#known.has(pid));
		const said = (await run(this.#outside.placesOf(mark))).join('\n');
		const isAllGone = isOutside
			? left().length === 0
			: await waitFor('the end of what it left', () => left().length === 0, GONE_LIMIT_MS).catch(() => false);
		const effects = this.#outside.effects(mark, said);
		if (!isAllGone) {
			effects.push('left a process');
			await endAll(left);
		}
		if (effects.length > 0) this.#outside.restore();
		return { effects, said };
	}

	#startHost(): CommandHost {
		const { home: userHome, prowessHome, workspace } = this.#outside;
		return new CommandHost({
			userHome,
			prowessHome,
			workspace,
			bubblewrap: this.#bubblewrap,
			isSandboxOnly: this.#isSandboxOnly,
		});
	}

	async #seeThatItHolds(): Promise<void> {
		const state = await this.#host.run({ argv: ['/bin/cat', `${this.#outside.home}/.ssh/id_ed25519`] });
		if (state.sandboxed !== true || state.exitCode === 0 || state.output.includes(Outside.secret)) {
			throw new Error(`the sandbox does not work here: ${JSON.stringify(state)}`);
		}
	}

	/** Has it start what it keeps for all commands, so that none of that passes for something an attempt left. */
	async #warmUp(): Promise<void> {
		await this.#outside.prepare();
		await this.#seeThatItHolds();
		if (!this.#isSandboxOnly) await this.#host.run({ argv: ['true'], isOutside: true });
		this.#outside.hostPid = this.#host.pid;
		this.#known = new Set(leftBy(this.#outside.home, ' ', new Set()));
	}
}

function wordsOf({ program, text }: Escape, places: Places): string[] {
	switch (program) {
		case 'sh':
			return ['/bin/sh', '-c', text(places)];
		case 'python':
			return ['/usr/bin/python3', '-c', text(places)];
		case 'node':
			return [process.execPath, '-e', text(places)];
	}
}
