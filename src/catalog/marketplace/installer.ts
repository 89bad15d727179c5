/** From an offer to what lies on the disk: fetched, checked, compared with what it takes the place of, and put there. */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { lstat } from 'node:fs/promises';
import { v7 } from 'uuid';
import type { Emitter } from '../../base/emitter.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { LockedVersion } from '../../protocol/capability/marketplace.ts';
import { text } from '../../protocol/text/text.ts';
import { findErrno } from '../../machine/paths/file-error.ts';
import type { EnabledCapabilities } from '../registry/sources/enabled-capabilities.ts';
import { applyChange, type ChangeStep } from './change.ts';
import { diffVersions, isWiderUpdate } from './diff.ts';
import { readPackageFolder } from './indexes/folder-tree.ts';
import type { Offer } from './indexes/offer.ts';
import { isModified, splitCapabilityKey } from './installed-versions.ts';
import { formatOfferKey } from './listings.ts';
import { type CheckedPackage, checkPackage } from './package/check-package.ts';
import { sha256Of } from '../package-file.ts';
import type { LockedCapability, ScopeFolder } from './scope-folder.ts';

export type InstallStep = 'fetch' | ChangeStep;

export interface InstallProgress {
	/** `<type>/<name>`. */
	readonly key: string;
	readonly step: InstallStep;
}

/** Only under the lock of the scope. */
export class Installer {
	readonly #enabled: EnabledCapabilities;
	readonly #progressed: Emitter<InstallProgress>;

	constructor(enabled: EnabledCapabilities, progressed: Emitter<InstallProgress>) {
		this.#enabled = enabled;
		this.#progressed = progressed;
	}

	/** Rejects with DOWNLOAD_FAILED, EXTRACTION_FAILED or INVALID_CAPABILITY_CONFIG. */
	async fetch(offer: Offer, signal: AbortSignal): Promise<CheckedPackage> {
		this.#progressed.fire({ key: formatOfferKey(offer), step: 'fetch' });
		const { files, sha256 } = await offer.fetch(signal);
		const { about, isUntold = false } = offer;
		return checkPackage(files, sha256, { ...about, isUntold });
	}

	/** `expected`: the content that was shown. Does nothing when just that is installed, and still what it was. Rejects as `fetch`, and as `replace`. */
	async put(
		folder: ScopeFolder,
		key: string,
		offer: Offer,
		current: LockedCapability | undefined,
		expected: string | undefined,
		signal: AbortSignal,
	): Promise<void> {
		const fetched = await this.fetch(offer, signal);
		const isSame = current?.contentHash === fetched.contentHash && current.version === fetched.manifest.version;
		if (isSame && !(await isModified(folder.target(key), current))) {
			return;
		}
		if (expected !== undefined && fetched.contentHash !== expected) {
			const message = `${key} is not what was shown: its content is ${fetched.contentHash}, not ${expected}. Look at it again`;
			throw new ProwessError('DOWNLOAD_FAILED', message, {
				key,
				said: text('{key} is not what was shown: its content has changed. Look at it again.', { key }),
			});
		}
		if (current?.key !== undefined && offer.claim?.key !== current.key) {
			const message = `${key} ${offer.about.version} is not signed by ${current.key}, as the installed version is. Remove that one first if you trust the new one`;
			throw new ProwessError('DOWNLOAD_FAILED', message, {
				key,
				said: text(
					'{key} {version} is not signed by {signer}, as the installed version is. Remove that one first if you trust the new one.',
					{ key, version: offer.about.version, signer: current.key },
				),
			});
		}
		const { previous: _older, ...now } = current ?? {};
		const locked = {
			...toLockedVersion(fetched, offer),
			...(current !== undefined && (await hasDiskEntry(folder.target(key))) ? { previous: now as LockedVersion } : {}),
		};
		await this.replace(folder, key, fetched.files, locked, current, signal);
	}

	/** The version before, as it lies there now. Rejects with EXTRACTION_FAILED or INVALID_CAPABILITY_CONFIG when it is none. */
	async keptVersion(folder: ScopeFolder, key: string): Promise<CheckedPackage> {
		await folder.refuseLinks(key);
		const { type, name } = splitCapabilityKey(key);
		const kept = checkPackage(await readPackageFolder(folder.previous(key)), undefined, undefined, name);
		if (kept.manifest.type !== type || kept.manifest.name !== name) {
			const message = `the version of ${key} that was kept says that it is ${kept.manifest.type}/${kept.manifest.name}`;
			throw new ProwessError('INVALID_CAPABILITY_CONFIG', message, {
				key,
				said: text('The version of {key} that was kept says that it is {other}.', {
					key,
					other: `${kept.manifest.type}/${kept.manifest.name}`,
				}),
			});
		}
		return kept;
	}

	/** Switched off when it was not there before, or may now do more. Rejects with ALREADY_EXISTS or EXTRACTION_FAILED; then all is as it was. */
	async replace(
		folder: ScopeFolder,
		key: string,
		files: CheckedPackage['files'],
		locked: LockedCapability,
		current: LockedCapability | undefined,
		signal: AbortSignal,
	): Promise<void> {
		const enabled = this.#enabled;
		const target = folder.target(key);
		if (current === undefined && (await hasDiskEntry(target))) {
			const message = `${target} is there and was not installed from a marketplace; move it away first`;
			throw new ProwessError('ALREADY_EXISTS', message, { path: target });
		}
		const wasEnabled = current === undefined || (await enabled.isEnabled(target));
		const switchesOff = wasEnabled && (current === undefined || isWiderUpdate(diffVersions(current, locked)));
		if (switchesOff) {
			await enabled.set(target, false, signal);
		}
		try {
			const change = { key, files, locked, keepsOld: true };
			await applyChange(folder, change, (step) => this.#progressed.fire({ key, step }), signal);
		} catch (error) {
			if (switchesOff) {
				await enabled.set(target, true, new AbortController().signal).catch(() => undefined);
			}
			const errno = findErrno(error);
			if (errno === 'ENOSPC' || errno === 'EDQUOT') {
				throw new ProwessError(
					'EXTRACTION_FAILED',
					`${key} cannot be unpacked: the disk is full`,
					{ key, errno, said: text('{key} cannot be unpacked: the disk is full.', { key }) },
					error,
				);
			}
			if (errno !== undefined && !isProwessError(error)) {
				const why = toErrorMessage(error);
				throw new ProwessError(
					'EXTRACTION_FAILED',
					`${key} cannot be unpacked: ${why}`,
					{ key, errno, said: text('{key} cannot be unpacked: {why}', { key, why }) },
					error,
				);
			}
			throw error;
		}
	}

	async remove(folder: ScopeFolder, key: string, signal: AbortSignal): Promise<void> {
		const change = { key, files: undefined, locked: undefined, keepsOld: false };
		await applyChange(folder, change, (step) => this.#progressed.fire({ key, step }), signal);
		await this.#enabled.set(folder.target(key), true, signal);
	}
}

/** `id` makes it a version of its own, also where the same one is installed again. */
export function toLockedVersion({ manifest, files, contentHash, sha256 }: CheckedPackage, offer: Offer): LockedVersion {
	const key = offer.claim?.key;
	return {
		id: v7(),
		version: manifest.version,
		index: offer.index.location,
		sha256,
		contentHash,
		...(key === undefined ? {} : { key }),
		...(offer.plugin === undefined ? {} : { plugin: offer.plugin.name }),
		installedAt: new Date().toISOString(),
		permissions: manifest.permissions,
		level: manifest.level,
		files: Object.fromEntries(files.map(({ path, bytes }) => [path, sha256Of(bytes)])),
	};
}

export async function hasDiskEntry(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch {
		return false;
	}
}
