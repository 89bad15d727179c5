/**
 * Writes the card of Prowess for the registry of ACP agents, with its icon, as that registry wants them: `dist/acp/prowess/`.
 * The argument is the npm package that holds the command line, which only whoever publishes it knows.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup/paths.mjs';

interface OwnManifest {
	readonly version: string;
	readonly license: string;
}

/** Throws for what is no name of a package, or names a version. */
export function createAcpCard({ version, license }: OwnManifest, description: string, packageName: string) {
	if (!/^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(packageName)) {
		throw new Error(`expected the name of an npm package, without a version; got "${packageName}"`);
	}
	return {
		id: 'prowess',
		name: 'Prowess',
		version,
		description,
		license,
		icon: './icon.svg',
		// Never the newest: a card names what was looked at.
		distribution: { npx: { package: `${packageName}@${version}`, args: ['acp'] } },
	};
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

export function readOwnCard(packageName: string) {
	const { description } = readJson('package.nls.json') as { readonly description: string };
	return createAcpCard(readJson('package.json') as OwnManifest, description, packageName);
}

if (import.meta.main) {
	const folder = join(root, 'dist', 'acp', 'prowess');
	const card = readOwnCard(process.argv[2] ?? '');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'agent.json'), `${JSON.stringify(card, null, 2)}\n`);
	copyFileSync(join(root, 'media', 'acp-icon.svg'), join(folder, 'icon.svg'));
	console.log(`Written: ${folder}. Copy it into a fork of the registry.`);
}
