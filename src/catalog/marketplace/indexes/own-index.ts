/** `index.json`, our own form of an index, wherever it lies. */
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { IndexEntry, IndexFile, type IndexSource } from '../../../protocol/capability/marketplace.ts';
import { formatSchemaProblems } from '../../../protocol/text/schema-problem.ts';
import { inEnglish, text, type Text } from '../../../protocol/text/text.ts';
import { MAX_ARCHIVE_BYTES } from '../limits.ts';
import { contentHash, type PackageFile, sha256Of } from '../../package-file.ts';
import { readZip } from '../package/read-zip.ts';
import { verifyBytes, verifySignature } from '../verify-archive.ts';
import type { Offer, ReadIndex } from './offer.ts';

/** Access to the downloads that an index names: bytes of an archive, or files of a folder. */
interface IndexOrigin {
	readonly source: IndexSource;
	readonly isRemote: (download: string) => boolean;
	/** Throws when it is none that may be asked for. */
	readonly check: (download: string) => void;
	readonly get: (download: string, signal: AbortSignal) => Promise<Buffer | readonly PackageFile[]>;
}

export const INDEX_FILE = 'index.json';

/** Throws DOWNLOAD_FAILED when it is no index at all; an entry that is wrong is a problem. */
export function readOwnIndex(content: string, origin: IndexOrigin): ReadIndex {
	const { location } = origin.source;
	let value: unknown;
	try {
		value = JSON.parse(content);
	} catch (error) {
		throw createIndexError(
			location,
			content.trimStart().startsWith('<')
				? text('it is not JSON, but looks like a web page')
				: text('it is not valid JSON'),
			error,
		);
	}
	const parsed = IndexFile.safeParse(value);
	if (!parsed.success) {
		throw createIndexError(
			location,
			text('it is not a valid index: {problems}', { problems: formatSchemaProblems(parsed.error) }),
		);
	}
	const { name, expires, capabilities, revoked = [] } = parsed.data;
	const problems: string[] = [];
	if (expires !== undefined && Date.parse(expires) < Date.now()) {
		problems.push(`${location} is out of date since ${expires}: a newer one may be held back`);
	}
	const offers: Offer[] = [];
	capabilities.forEach((raw, at) => {
		const entry = IndexEntry.safeParse(raw);
		if (!entry.success) {
			problems.push(`${location}: capabilities.${at}: ${formatSchemaProblems(entry.error)}`);
			return;
		}
		try {
			origin.check(entry.data.download);
			offers.push(createArchiveOffer(entry.data, name, origin));
		} catch (error) {
			if (!isProwessError(error)) throw error;
			problems.push(`${location}: capabilities.${at}: ${error.message}`);
		}
	});
	return { name, offers, problems, revoked };
}

function createArchiveOffer({ download, ...entry }: IndexEntry, name: string, origin: IndexOrigin): Offer {
	const { sha256, size, signature, key, ...about } = entry;
	const { location, key: requiredKey } = origin.source;
	const from = `${about.type}/${about.name} ${about.version} of ${location}`;
	if (size > MAX_ARCHIVE_BYTES) {
		throw createIndexError(from, text('{size} bytes, the limit is {limit}', { size, limit: MAX_ARCHIVE_BYTES }));
	}
	return {
		about,
		index: { name, location },
		claim: { sha256, size, ...(signature === undefined ? {} : { signature }), ...(key === undefined ? {} : { key }) },
		requiredKey,
		isRemote: origin.isRemote(download),
		async fetch(signal) {
			verifySignature(entry, requiredKey, from);
			const got = await origin.get(download, signal);
			if (Buffer.isBuffer(got)) {
				verifyBytes(got, entry, from);
				return { files: await readZip(got, signal), sha256: sha256Of(got) };
			}
			const hash = contentHash(got);
			if (hash !== sha256) {
				throw createIndexError(
					from,
					text('the hash over its files is {hash}, the index says {said}', { hash, said: sha256 }),
				);
			}
			return { files: got, sha256: hash };
		},
	};
}

function createIndexError(location: string, why: string | Text, cause?: unknown): ProwessError {
	return new ProwessError(
		'DOWNLOAD_FAILED',
		`cannot use ${location}: ${inEnglish(why)}`,
		{ location, said: text('Cannot use {location}: {why}', { location, why }) },
		cause,
	);
}
