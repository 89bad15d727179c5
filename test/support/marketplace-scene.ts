/** A marketplace over real folders, with a real index, for tests. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildIndex, type IndexOptions, writeIndex } from '../../src/catalog/marketplace/build-index.ts';
import { RevokedVersions } from '../../src/catalog/marketplace/revoked-versions.ts';
import { Marketplace, type MarketplaceDeps } from '../../src/catalog/marketplace/marketplace.ts';
import { writeZip } from '../../src/catalog/marketplace/package/write-zip.ts';
import { EnabledCapabilities } from '../../src/catalog/registry/sources/enabled-capabilities.ts';
import { RUN_BY } from '../../src/protocol/execution/execution.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { tempDir } from './temp-dir.ts';

export const never = new AbortController().signal;

export type Files = Readonly<Record<string, string | Buffer>>;

interface Described {
	readonly name?: string;
	readonly type?: string;
	readonly version?: string;
	readonly permissions?: readonly string[];
	readonly level?: string;
	readonly files?: Files;
}

/** The files of a capability that does nothing. */
export function capabilityFiles({
	name = 'greet',
	type = 'skill',
	version = '1.0.0',
	permissions = [],
	level = 'CONTROLLED',
	files = {},
}: Described = {}): Files {
	const manifest = [
		`name: ${name}`,
		`type: ${type}`,
		`version: "${version}"`,
		`description: says hello in version ${version}`,
		`permissions: [${permissions.join(', ')}]`,
		`level: ${level}`,
	];
	return {
		'capability.yaml': `${manifest.join('\n')}\n`,
		[RUN_BY.get(type)?.[0] ?? 'index.js']:
			`export const execute = async () => ({ success: true, version: ${JSON.stringify(version)} });\n`,
		'README.md': `# ${name}\n\nVersion ${version}.\n`,
		...files,
	};
}

export function zipOf(files: Files): Buffer {
	return writeZip(Object.entries(files).map(([path, content]) => ({ path, bytes: Buffer.from(content) })));
}

export function writeFiles(folder: string, files: Files): void {
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
}

/** Every file below a folder, with its text. */
export function filesBelow(folder: string): Record<string, string> {
	const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => !entry.isDirectory())
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
	return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, 'latin1')]));
}

/** A folder with archives and their index. */
export async function indexFolder(
	capabilities: readonly Described[],
	options: Partial<IndexOptions> = {},
	folder = tempDir('index'),
): Promise<string> {
	for (const described of capabilities) {
		const { name = 'greet', type = 'skill', version = '1.0.0' } = described;
		writeFileSync(join(folder, `${type}-${name}-${version}.zip`), zipOf(capabilityFiles(described)));
	}
	await writeIndex(folder, await buildIndex(folder, { name: 'test', ...options }, never));
	return folder;
}

interface MarketplaceScene {
	readonly marketplace: Marketplace;
	readonly home: string;
	readonly workspace: string;
	readonly ledger: MemoryLedger;
	readonly enabled: EnabledCapabilities;
}

export function marketplaceScene(
	locations: readonly (string | { readonly location: string; readonly key?: string })[],
	over: Partial<MarketplaceDeps> = {},
): MarketplaceScene {
	const home = over.home ?? tempDir('home');
	const workspace = tempDir('workspace');
	const ledger = new MemoryLedger();
	const openFolder = { folders: [{ name: 'app', path: workspace }], isTrusted: true };
	const { organisation } = over;
	const revoked = new RevokedVersions({ home, workspace: openFolder, organisation, log: { warn: () => undefined } });
	const enabled = new EnabledCapabilities(home, join(home, 'nothing-ships'), () => revoked.refusals());
	const marketplace = new Marketplace({
		home,
		workspace: openFolder,
		revoked,
		indexes: () => locations.map((each) => (typeof each === 'string' ? { location: each } : each)),
		allowedHosts: () => ['market.test'],
		resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
		builtIn: undefined,
		environment: { PATH: process.env['PATH'] ?? '' },
		ledger,
		enabled,
		...over,
	});
	return { marketplace, home, workspace, ledger, enabled };
}
