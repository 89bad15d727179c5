/**
 * Installed versions that may not be used any more: an index has revoked them, or the user's organisation does not allow
 * them. Revocations of indexes are kept, so that they count while those cannot be reached.
 */
import { join } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { Organisation, PackageOfMarketplace } from '../../contract/ports/organisation.ts';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import { readIfThere, replaceDurably } from '../../machine/home-files/durable-file.ts';
import { RevokedVersion } from '../../protocol/capability/marketplace.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import * as z from '../../protocol/text/zod.ts';
import { ScopeFolder } from './scope-folder.ts';

const RevokedFile = z.record(z.string(), z.array(RevokedVersion));

interface RevokedDeps {
	readonly home: string;
	readonly workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
	readonly organisation: Organisation | undefined;
	readonly log: Pick<LogPort, 'warn'>;
}

export class RevokedVersions {
	readonly #deps: RevokedDeps;
	readonly #path: string;
	#last: Promise<unknown> = Promise.resolve();

	constructor(deps: RevokedDeps) {
		this.#deps = deps;
		this.#path = join(deps.home, 'marketplace', 'revoked.json');
	}

	/** Keeps what an index says now in place of what it said before. Resolves with true when that is something else. */
	noticed(location: string, revoked: readonly RevokedVersion[]): Promise<boolean> {
		// Indexes are read side by side, and share one file.
		const noticing = this.#last.then(() => this.#notice(location, revoked));
		this.#last = noticing.catch(() => undefined);
		return noticing;
	}

	async #notice(location: string, revoked: readonly RevokedVersion[]): Promise<boolean> {
		const before = await this.#kept();
		if (JSON.stringify(before[location] ?? []) === JSON.stringify(revoked)) return false;
		const { [location]: _before, ...others } = before;
		const all = revoked.length === 0 ? others : { ...others, [location]: revoked };
		await replaceDurably(this.#path, `${JSON.stringify(all, null, '\t')}\n`);
		return true;
	}

	/** Folders of what is refused, each with the reason. */
	async refusals(): Promise<ReadonlyMap<string, Text>> {
		const kept = await this.#kept();
		const { rules } = this.#deps.organisation ?? {};
		const judges = rules?.publishers !== undefined || rules?.marketplaces !== undefined || rules?.revoked !== undefined;
		const refused = new Map<string, Text>();
		if (!judges && Object.keys(kept).length === 0) return refused;
		for (const folder of await this.#scopes()) {
			for (const [key, { version, index, key: signedBy }] of Object.entries((await folder.readLock()).capabilities)) {
				const reason = this.#refusalOf({ key, version, index, signedBy }, kept[index] ?? []);
				if (reason !== undefined) refused.set(folder.target(key), reason);
			}
		}
		return refused;
	}

	#refusalOf(installed: PackageOfMarketplace, revoked: readonly RevokedVersion[]): Text | undefined {
		const found = revoked.find((each) => isRevoked(installed.key, installed.version, each));
		return found === undefined
			? this.#deps.organisation?.refusalOfPackage(installed)
			: text('{key} {version} was revoked by {location}: {reason}', {
					key: installed.key,
					version: installed.version,
					location: installed.index,
					reason: found.reason ?? text('no reason is given'),
				});
	}

	async #scopes(): Promise<ScopeFolder[]> {
		const { home, workspace } = this.#deps;
		const folders = workspace.isTrusted ? workspace.folders : [];
		return await Promise.all([
			ScopeFolder.at('global', home),
			...folders.map(({ path }) => ScopeFolder.at('project', join(path, '.prowess'))),
		]);
	}

	/** A file that cannot be read says nothing; the indexes say it again. */
	async #kept(): Promise<z.infer<typeof RevokedFile>> {
		const written = await readIfThere(this.#path);
		if (written === undefined) return {};
		try {
			return RevokedFile.parse(JSON.parse(written));
		} catch (error) {
			this.#deps.log.warn(`${this.#path} cannot be read`, { error: toErrorMessage(error) });
			return {};
		}
	}
}

/** `key`: `<type>/<name>`. */
export function isRevoked(key: string, version: string, revoked: RevokedVersion): boolean {
	return `${revoked.type}/${revoked.name}` === key && (revoked.version ?? version) === version;
}
