/**
 * The marketplace: what an index of capabilities says, and what a person is told of it. An index is written by others, so each
 * of its entries is parsed alone, and what it promises is compared with what the package then holds.
 */
import * as z from '../text/zod.ts';
import { CapabilityName, ItemName } from './manifest.ts';
import { PluginName, PluginPart } from './plugin.ts';
import { RiskLevel } from '../ops/risk.ts';

/** Name of a capability, or of a plugin, which may hold dots. */
const name = z.union([CapabilityName, PluginName]);
/** Type of a capability; `executors` for an executor, like its folder among the types. */
const type = ItemName;
const capabilityVersion = z.string().min(1).max(100);

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'expected a sha256 in lower-case hexadecimal digits');
/** 32 bytes of an ed25519 public key, 64 of a signature. */
const Ed25519Key = z.base64().length(44);
const Ed25519Signature = z.base64().length(88);

/** Stands among the permissions of an executor that is reached by a port (`channel: loopback`). */
export const PORT_PERMISSION = 'channel:loopback';

/** Description of a capability in an index. Permissions are plain words, because an index may be newer than this version. */
const describedFields = {
	name,
	type,
	version: capabilityVersion,
	description: z.string().max(2_000).default(''),
	author: z.string().max(200).optional(),
	tags: z.array(z.string().min(1).max(100)).max(100).default([]),
	/** Requested permissions. For an executor: `run:<type>` for each type it runs, and `PORT_PERMISSION` for a port. */
	permissions: z.array(z.string().min(1).max(100)).max(100).default([]),
	level: RiskLevel.optional(),
};

/** Version of a capability in an index of ours. */
export const IndexEntry = z.object({
	...describedFields,
	/** Place of an archive or a folder: a path below the index, or an https address of an archive. */
	download: z.string().min(1).max(2_000),
	/** Hash of the archive's bytes; for a folder, the hash over its files. */
	sha256: Sha256,
	/** Bytes of the archive, or of the folder's files. */
	size: z.int().positive(),
	/** Signature by `key`, over `signedStatement`. */
	signature: Ed25519Signature.optional(),
	key: Ed25519Key.optional(),
});
export type IndexEntry = z.infer<typeof IndexEntry>;

/** A version that its index takes back. */
export const RevokedVersion = z.object({
	name,
	type,
	/** Absent: all. */
	version: capabilityVersion.optional(),
	reason: z.string().min(1).max(500).optional(),
});
export type RevokedVersion = z.infer<typeof RevokedVersion>;

/** `index.json`. Entries are parsed one by one: a bad one costs only itself. */
export const IndexFile = z.object({
	prowessIndex: z.literal(1),
	name: z.string().min(1).max(100),
	description: z.string().max(2_000).optional(),
	/** From then on the index counts as out of date: somebody may be holding back a newer one. */
	expires: z.iso.datetime().optional(),
	capabilities: z.array(z.unknown()).max(10_000),
	/** Versions that are disabled wherever they are installed from this index. */
	revoked: z.array(RevokedVersion).max(10_000).optional(),
});
export type IndexFile = z.infer<typeof IndexFile>;

/** Builds the text that a signature covers: which bytes are which version of which capability. */
export function signedStatement(entry: Pick<IndexEntry, 'name' | 'type' | 'version' | 'sha256'>): string {
	return `prowess capability 1\n${entry.type}/${entry.name}\n${entry.version}\nsha256 ${entry.sha256}\n`;
}

/** A line of `prowess.marketplace.indexes`. */
export const IndexSource = z.object({
	/** An absolute path, an https address, or a Git repository: its address, `owner/repo` on GitHub, with `#branch:folder`. */
	location: z.string().min(1).max(2_000),
	/** Only what this key has signed is taken from it. */
	key: Ed25519Key.optional(),
});
export type IndexSource = z.infer<typeof IndexSource>;

/** `global`: for you, in every workspace. `project`: in `.prowess` of the workspace. */
export const InstallScope = z.enum(['global', 'project']);
export type InstallScope = z.infer<typeof InstallScope>;

export const CapabilityRef = z.object({
	name,
	type: type.optional(),
	/** Newest when absent. */
	version: capabilityVersion.optional(),
	/** Name or location of an index; needed when several have it. */
	index: z.string().max(2_000).optional(),
});
export type CapabilityRef = z.infer<typeof CapabilityRef>;

export const MarketplaceQuery = z.object({
	/** Words that name, description, author or tags hold, all of them. */
	text: z.string().max(500).optional(),
	type: z.string().max(64).optional(),
	tag: z.string().max(100).optional(),
	/** Name or location of the only index. */
	index: z.string().max(2_000).optional(),
	/** Permission that it asks for, such as shell. */
	permission: z.string().max(100).optional(),
	/** Only what holds programs, or may: an archive is not opened to find out. */
	scripts: z.boolean().optional(),
	/** Read the indexes again, whatever was read before. */
	refresh: z.boolean().optional(),
});
export type MarketplaceQuery = z.infer<typeof MarketplaceQuery>;

/** A version of a capability that an index offers: the newest, where none was asked for. */
export const MarketplaceListing = z.object({
	...describedFields,
	/** All versions, newest first. */
	versions: z.array(z.string()),
	index: z.string(),
	location: z.string(),
	/** Name of the plugin that it is a part of; null: none. */
	plugin: z.string().nullable(),
	/** The key that has signed it; whoever that is. */
	signedBy: z.string().nullable(),
	size: z.number().nullable(),
	/** The version that is there already: in each scope, and with the product. */
	installed: z.object({
		global: z.string().optional(),
		project: z.string().optional(),
		'built-in': z.string().optional(),
	}),
});
export type MarketplaceListing = z.infer<typeof MarketplaceListing>;

export const IndexState = z.object({
	location: z.string(),
	name: z.string(),
	/** Capabilities in it. */
	count: z.int(),
	/** Why it, or a part of it, could not be read. */
	problems: z.array(z.string()),
});
export type IndexState = z.infer<typeof IndexState>;

export const MarketplaceSearch = z.object({ items: z.array(MarketplaceListing), indexes: z.array(IndexState) });
export type MarketplaceSearch = z.infer<typeof MarketplaceSearch>;

/** A package that was fetched and checked, and is not installed by that. */
export const MarketplaceDetails = z.object({
	listing: MarketplaceListing,
	/** Permissions in its manifest; `listing` has what the index says. */
	permissions: z.array(z.string()),
	level: RiskLevel,
	readme: z.string().nullable(),
	files: z.array(z.object({ path: z.string(), bytes: z.int() })),
	/** Parts of a plugin; empty for others. */
	parts: z.array(PluginPart).default([]),
	/** Parts of a plugin that have no place here, in words. */
	notTaken: z.array(z.string()).default([]),
	/** The hash over its files: what a consent is tied to. */
	contentHash: Sha256,
	sha256: Sha256,
});
export type MarketplaceDetails = z.infer<typeof MarketplaceDetails>;

/** Installed version, as the lock file stores it. */
export const LockedVersion = z.object({
	/** Id of the installation that put it there. */
	id: z.uuid(),
	version: capabilityVersion,
	/** Location of the index it came from. */
	index: z.string().max(2_000),
	/** Hash of the archive; for a folder, the content hash. */
	sha256: Sha256,
	contentHash: Sha256,
	/** Updates must be signed by the same. */
	key: Ed25519Key.optional(),
	/** Name of the plugin that it is a part of; absent: none. */
	plugin: z.string().max(200).optional(),
	installedAt: z.iso.datetime(),
	permissions: z.array(z.string().max(100)).max(100),
	level: RiskLevel,
	/** sha256 of each file. */
	files: z.record(z.string().max(4_096), Sha256),
});
export type LockedVersion = z.infer<typeof LockedVersion>;

/** `<type>/<name>`. */
export const CapabilityKey = z
	.string()
	.refine((key) => ItemName.safeParse(key.split('/')[0]).success, 'expected <type>/<name>')
	.refine((key) => name.safeParse(key.slice(key.indexOf('/') + 1)).success, 'expected <type>/<name>');

/** `prowess-lock.json`: what is installed in a scope, under `<type>/<name>`. */
export const LockFile = z.object({
	prowessLock: z.literal(1),
	capabilities: z.record(CapabilityKey, LockedVersion.extend({ previous: LockedVersion.optional() })),
});
export type LockFile = z.infer<typeof LockFile>;

export const InstalledCapability = z.object({
	name,
	type,
	version: capabilityVersion,
	scope: InstallScope,
	/** Name of the workspace folder; null in the global scope. */
	folder: z.string().nullable(),
	/** Absolute. */
	path: z.string(),
	index: z.string(),
	/** Name of the plugin that it is a part of; null: none. */
	plugin: z.string().nullable(),
	permissions: z.array(z.string()),
	level: RiskLevel,
	contentHash: Sha256,
	isEnabled: z.boolean(),
	/** Files are not those that were installed. */
	isModified: z.boolean(),
	/** Version that `rollBack` would restore. */
	previousVersion: z.string().nullable(),
});
export type InstalledCapability = z.infer<typeof InstalledCapability>;

const Added = z.object({ added: z.array(z.string()), removed: z.array(z.string()) });

/** Difference to another version. */
export const UpdateDiff = z.object({
	from: z.string(),
	to: z.string(),
	permissions: Added,
	level: z.object({ from: RiskLevel, to: RiskLevel }),
	files: Added.extend({ changed: z.array(z.string()) }),
});
export type UpdateDiff = z.infer<typeof UpdateDiff>;

/** A newer version in the index that the installed one came from. */
export const AvailableUpdate = z.object({ name, type, scope: InstallScope, from: z.string(), to: z.string() });
export type AvailableUpdate = z.infer<typeof AvailableUpdate>;

/** An update that was fetched and checked, and is not installed by that. */
export const UpdatePreview = z.object({
	diff: UpdateDiff,
	/** Give it to `update`, and exactly this is installed or nothing. */
	contentHash: Sha256,
	/** Files were changed since; the update takes their place, a roll back brings them back. */
	isModified: z.boolean(),
});
export type UpdatePreview = z.infer<typeof UpdatePreview>;

/** Data that a plugin has kept, in a folder of its own that an update leaves as it is. */
export interface PluginData {
	/** Absolute. */
	readonly path: string;
	readonly files: number;
	readonly bytes: number;
}
