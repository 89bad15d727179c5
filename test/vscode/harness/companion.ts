import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { kit } from './kit.ts';

interface Installed {
	readonly identifier: { readonly id: string };
	readonly version: string;
	readonly location: object;
	readonly relativeLocation: string;
}

/** Has this extension of the repository installed beside ours, and no other. VS Code reads its list anew for each window. */
export function haveCompanion(extensions: string, companion: string | undefined): void {
	const list = join(extensions, 'extensions.json');
	const ours = (JSON.parse(readFileSync(list, 'utf8')) as readonly Installed[]).filter(
		({ identifier }) => identifier.id === kit.extensionId,
	);
	const kept = new Set(ours.map(({ relativeLocation }) => relativeLocation));
	for (const entry of readdirSync(extensions, { withFileTypes: true })) {
		if (entry.isDirectory() && !kept.has(entry.name)) rmSync(join(extensions, entry.name), { recursive: true });
	}
	writeFileSync(list, JSON.stringify(companion === undefined ? ours : [...ours, install(extensions, companion)]));
}

function install(extensions: string, companion: string): Installed {
	const name = basename(companion);
	const path = join(extensions, name);
	cpSync(join(kit.root, companion), path, { recursive: true });
	if (!existsSync(join(path, 'package.json'))) throw new Error(`${companion} is no extension`);
	const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<string, string>;
	return {
		identifier: { id: `${manifest['publisher']}.${manifest['name']}` },
		version: manifest['version'] ?? '',
		location: { $mid: 1, path, scheme: 'file' },
		relativeLocation: name,
	};
}
