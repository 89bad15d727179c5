/** Parts of an installed plugin: each with whether it is enabled, and switched off or on by itself. */
import { join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { PluginPart } from '../../protocol/capability/plugin.ts';
import { text } from '../../protocol/text/text.ts';
import { readCapabilityFiles } from '../capability-files.ts';
import type { EnabledCapabilities } from '../registry/sources/enabled-capabilities.ts';
import { partPlace } from '../registry/reading/plugin-place.ts';
import { pluginOfFiles } from './plugin-of-files.ts';

interface InstalledPart extends PluginPart {
	/** True when the part itself is enabled; no part of a disabled plugin is in effect. */
	readonly isEnabled: boolean;
	/** Name that switches the part on or off; all hooks of a plugin share one. */
	readonly word: string;
	/** Path that stands for the part in the list of disabled capabilities. */
	readonly place: string;
}

export interface InstalledPlugin {
	readonly parts: readonly InstalledPart[];
	/** In words. */
	readonly notTaken: readonly string[];
}

/** Empty for what is no plugin. */
export async function installedParts(
	root: string,
	enabled: Pick<EnabledCapabilities, 'switchedOff'>,
): Promise<InstalledPlugin> {
	const plugin = pluginOfFiles((await readCapabilityFiles(root)).files);
	if (plugin === undefined) {
		return { parts: [], notTaken: [] };
	}
	const isOff = await enabled.switchedOff();
	const { skills, agents, notTaken } = plugin.manifest;
	const folders = [...skills, ...agents];
	const parts = plugin.parts.map((part, at) => {
		// Skills, commands and agents come first, in the order of the manifest.
		const folder = folders[at];
		const place = folder === undefined ? resolvePartPlace(root, part) : join(root, ...folder.split('/'));
		return { ...part, word: formatPartWord(part), place, isEnabled: !isOff(place) };
	});
	return { parts, notTaken };
}

/** `wanted`: `hooks`, `skill:pdf`, `command:commit`, `agent:reviewer` or `server:github`. Rejects with NOT_FOUND. */
export function partNamed(parts: readonly InstalledPart[], wanted: string): InstalledPart {
	const found = parts.find(({ word }) => word === wanted);
	if (found === undefined) {
		const all = [...new Set(parts.map(({ word }) => word))].join(', ');
		throw new ProwessError('NOT_FOUND', `the plugin has no part "${wanted}"; it has ${all || 'none'}`, {
			wanted,
			said: text('The plugin has no part "{wanted}".', { wanted }),
		});
	}
	return found;
}

function formatPartWord({ kind, name }: PluginPart): string {
	return kind === 'hook' ? 'hooks' : `${kind}:${name}`;
}

function resolvePartPlace(root: string, { kind, name }: PluginPart): string {
	return kind === 'hook' ? partPlace(root, 'hooks') : partPlace(root, 'server', name);
}
