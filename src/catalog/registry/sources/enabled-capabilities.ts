/**
 * Capabilities that are switched off, listed by the real path of their folder: every installed one until the user
 * switches it on, and any other that the user switches off. Shipped ones are listed by type and name, because their
 * next version lies elsewhere. Asked wherever a capability is offered or started. When the list cannot be read,
 * everything counts as off.
 */
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as z from '../../../protocol/text/zod.ts';
import { Emitter } from '../../../base/emitter.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { readIfThere, replaceDurably } from '../../../machine/home-files/durable-file.ts';
import { findPluginRoot } from '../reading/plugin-place.ts';
import { withLock } from '../../../machine/home-files/file-lock.ts';
import { inEnglish, type Text, text } from '../../../protocol/text/text.ts';

const DisabledFile = z.object({ disabled: z.array(z.string().max(4_096)).max(20_000) });

export class EnabledCapabilities {
	readonly #path: string;
	readonly #mutex: string;
	readonly #shipped: string;
	readonly #refused: () => Promise<ReadonlyMap<string, Text>>;
	readonly #changed = new Emitter<void>();

	/** `shipped`: the folder of what ships. `refused`: folders of what may not be used whatever the user has switched, with why; absent: none. */
	constructor(home: string, shipped: string, refused?: () => Promise<ReadonlyMap<string, Text>>) {
		this.#refused = refused ?? (() => Promise.resolve(new Map<string, Text>()));
		this.#shipped = shipped;
		this.#path = join(home, 'disabled-capabilities.json');
		this.#mutex = join(home, 'marketplace', 'enabled.db');
	}

	readonly onDidChange = this.#changed.event;

	async isEnabled(folder: string): Promise<boolean> {
		return !(await this.disabled())(folder);
	}

	/** For many at once: says of each folder whether it is off. */
	async disabled(): Promise<(folder: string) => boolean> {
		const [entries, entryOf, refused] = await Promise.all([this.#disabled(), this.#entryOf(), this.#refused()]);
		const isOff = new Set([...entries, ...refused.keys()]);
		if (isOff.size === 0) return () => false;
		return (folder) => {
			const plugin = findPluginRoot(folder);
			// A part of a plugin is off with the plugin.
			return isOff.has(entryOf(folder)) || (plugin !== undefined && isOff.has(plugin));
		};
	}

	/** The same for each place alone, whatever it is a part of. */
	async switchedOff(): Promise<(folder: string) => boolean> {
		const [entries, entryOf] = await Promise.all([this.#disabled(), this.#entryOf()]);
		const isOff = new Set(entries);
		return (folder) => isOff.has(entryOf(folder));
	}

	/** Another text when something else is off. */
	async fingerprint(): Promise<string> {
		const refused = [...(await this.#refused()).keys()];
		return `${(await readIfThere(this.#path)) ?? ''}${refused.length === 0 ? '' : JSON.stringify(refused)}`;
	}

	/** Rejects with CAPABILITY_DISABLED. */
	async require(folder: string, what: string): Promise<void> {
		await this.#requireUnrefused(folder);
		if (!(await this.isEnabled(folder))) {
			const message = `${what} is switched off. The user can switch it on: prowess capability enable`;
			const said = text('{name} is disabled. Enable it in the view Capabilities, or with prowess capability enable.', {
				name: what,
			});
			throw new ProwessError('CAPABILITY_DISABLED', message, { path: folder, said });
		}
	}

	/** Says that other capabilities than before may not be used. */
	refusedAnew(): void {
		this.#changed.fire();
	}

	/** Why one may not be used, whatever the user has switched; undefined: it may. */
	async refusalOf(folder: string): Promise<Text | undefined> {
		const refused = await this.#refused();
		return refused.size === 0 ? undefined : (refused.get(folder) ?? refused.get(findPluginRoot(folder) ?? ''));
	}

	async #requireUnrefused(folder: string): Promise<void> {
		const said = await this.refusalOf(folder);
		if (said !== undefined) throw new ProwessError('CAPABILITY_DISABLED', inEnglish(said), { path: folder, said });
	}

	/** Rejects with CAPABILITY_DISABLED where one that may not be used is switched on. */
	async set(folder: string, isEnabled: boolean, signal: AbortSignal): Promise<void> {
		if (isEnabled) await this.#requireUnrefused(folder);
		await withLock(
			this.#mutex,
			async () => {
				const entry = (await this.#entryOf())(folder);
				const others = (await this.#disabled()).filter((each) => each !== entry);
				const disabled = isEnabled ? others : [...others, entry].sort();
				await replaceDurably(this.#path, `${JSON.stringify({ disabled }, null, '\t')}\n`);
			},
			signal,
		);
		this.#changed.fire();
	}

	async #entryOf(): Promise<(folder: string) => string> {
		const shipped = await realpath(this.#shipped).catch(() => this.#shipped);
		return (folder) => {
			const below = relative(shipped, folder);
			return below.startsWith('..') || below === folder ? folder : `built-in:${below.split(sep).join('/')}`;
		};
	}

	async #disabled(): Promise<string[]> {
		const written = await readIfThere(this.#path);
		if (written === undefined) {
			return [];
		}
		try {
			return DisabledFile.parse(JSON.parse(written)).disabled;
		} catch (error) {
			const message = `${this.#path} cannot be read, so no capability is started. Repair it, or move it away`;
			const said = text('{path} cannot be read, so no capability is started. Repair it, or move it away.', {
				path: this.#path,
			});
			throw new ProwessError('CAPABILITY_DISABLED', message, { path: this.#path, said }, error);
		}
	}
}
