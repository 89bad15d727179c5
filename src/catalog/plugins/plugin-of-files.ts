/**
 * Derives the parts of a plugin from its files alone, so that the list shown before it is installed or enabled is true,
 * whatever its manifest claims.
 */
import { decodeUtf16 } from '../../base/text/utf16.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { cutText } from '../../base/text/one-line.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { readFrontMatter, toFieldText } from '../../protocol/manifest/read-front-matter.ts';
import {
	PLUGIN_COMMANDS,
	PLUGIN_HOOKS,
	PLUGIN_MANIFEST,
	PLUGIN_SERVERS,
	PluginManifest,
	type PluginPart,
	splitPluginName,
} from '../../protocol/capability/plugin.ts';
import { formatSchemaProblems } from '../../protocol/text/schema-problem.ts';
import { text } from '../../protocol/text/text.ts';
import * as z from '../../protocol/text/zod.ts';
import type { CapabilityFile } from '../capability-files.ts';
import { manifestOfFiles } from '../registry/reading/manifest-of-files.ts';

interface PluginContent {
	readonly manifest: PluginManifest;
	readonly parts: readonly PluginPart[];
}

const MAX_SAID = 500;

/** Undefined where it is no plugin. Rejects with INVALID_CAPABILITY_CONFIG. */
export function pluginOfFiles(files: readonly CapabilityFile[]): PluginContent | undefined {
	const file = files.find(({ path }) => path === PLUGIN_MANIFEST);
	if (file === undefined) {
		return undefined;
	}
	const read = PluginManifest.safeParse(parseJsonFile(file));
	if (!read.success) {
		throw createPluginConfigError(`${PLUGIN_MANIFEST}: ${formatSchemaProblems(read.error)}`);
	}
	const manifest = read.data;
	const parts = [
		...manifest.skills.map((folder) => skillIn(files, folder, manifest.name)),
		...manifest.agents.map((path) => agentIn(files, path)),
		...hooksIn(files),
		...serversIn(files),
	];
	return { manifest, parts };
}

/** Each as `kind:name`, in the place of permissions: a part that is added makes a plugin wider. */
export function permissionsOfParts(parts: readonly Pick<PluginPart, 'kind' | 'name'>[]): string[] {
	const named = [...new Set(parts.map(({ kind, name }) => cutText(`${kind}:${name}`, MAX_PERMISSION_CHARS)))].sort();
	if (named.length <= MAX_PERMISSIONS) {
		return named;
	}
	const texts = parts.filter(({ kind }) => kind === 'skill' || kind === 'command').length;
	const others = named.filter((each) => !/^(?:skill|command):/.test(each));
	return [...others.slice(0, MAX_PERMISSIONS - 1), `skill:${texts} skills and commands`].sort();
}

const MAX_PERMISSIONS = 100;
const MAX_PERMISSION_CHARS = 100;

function skillIn(files: readonly CapabilityFile[], folder: string, plugin: string): PluginPart {
	const own = filesIn(files, folder);
	const name = folder.slice(folder.lastIndexOf('/') + 1);
	const manifest = manifestOfFiles(own, folder, { name: `${plugin}:${name}`, type: undefined });
	return {
		kind: folder.startsWith(`${PLUGIN_COMMANDS}/`) ? 'command' : 'skill',
		name: splitPluginName(manifest.name).own,
		says: cutText(manifest.description, MAX_SAID),
		runs: own.some(({ path }) => isProgramFile(path)),
	};
}

/** True when the file name is that of a program: an agent that follows the instructions may run it. */
export function isProgramFile(path: string): boolean {
	return /\.(?:py|sh|bash|zsh|[cm]?js|[cm]?ts|rb|pl|ps1|bat|cmd|exe|php|lua|go|rs)$/i.test(path);
}

function agentIn(files: readonly CapabilityFile[], path: string): PluginPart {
	const file = files.find((each) => each.path === path);
	if (file === undefined) {
		throw createPluginConfigError(`its agent ${path} is not in it`);
	}
	const { front } = readFrontMatter(decodeUtf16(file.bytes) ?? file.bytes.toString('utf8'), path);
	const said = toFieldText(front['description']) ?? '';
	const name = path.slice(path.lastIndexOf('/') + 1).replace(/(?:\.agent)?\.md$/i, '');
	return { kind: 'agent', name: cutText(name, 200), says: cutText(said, MAX_SAID), runs: false };
}

const Hooks = z.object({ hooks: z.record(z.string().max(100), z.array(z.unknown())) });
const PluginHookCommand = z.looseObject({
	command: z.string().optional(),
	bash: z.string().optional(),
	powershell: z.string().optional(),
	windows: z.string().optional(),
	linux: z.string().optional(),
	osx: z.string().optional(),
});

function hooksIn(files: readonly CapabilityFile[]): PluginPart[] {
	const file = files.find(({ path }) => path === PLUGIN_HOOKS);
	return file === undefined ? [] : hookParts(parsePluginFile(Hooks, file).hooks);
}

/** Returns one part for each command of the hooks. */
export function hookParts(hooks: Readonly<Record<string, readonly unknown[]>>): PluginPart[] {
	return Object.entries(hooks).flatMap(([event, entries]) =>
		entries
			.flatMap((entry) => (entry as { readonly hooks?: readonly unknown[] } | null)?.hooks ?? [entry])
			.map((entry) => {
				const read = PluginHookCommand.safeParse(entry).data;
				const { command, bash, powershell, windows, linux, osx } = read ?? {};
				const lines = [command, bash, powershell, windows, linux, osx].filter((line) => line !== undefined);
				const says = lines.length === 0 ? JSON.stringify(entry) : [...new Set(lines)].join(' | ');
				return { kind: 'hook', name: event, says: cutText(says, MAX_SAID), runs: true } as const;
			}),
	);
}

const Servers = z.object({ mcpServers: z.record(z.string().min(1).max(200), z.looseObject({})) });
const Server = z.looseObject({
	command: z.string().optional(),
	args: z.array(z.unknown()).optional(),
	url: z.string().optional(),
});

function serversIn(files: readonly CapabilityFile[]): PluginPart[] {
	const file = files.find(({ path }) => path === PLUGIN_SERVERS);
	return file === undefined ? [] : serverParts(parsePluginFile(Servers, file).mcpServers);
}

export function serverParts(servers: Readonly<Record<string, unknown>>): PluginPart[] {
	return Object.entries(servers).map(([name, entry]) => {
		const { command, args = [], url } = Server.safeParse(entry).data ?? {};
		const says = command === undefined ? (url ?? '') : [command, ...args.map(String)].join(' ');
		return { kind: 'server', name, says: cutText(says, MAX_SAID), runs: command !== undefined };
	});
}

function filesIn(files: readonly CapabilityFile[], folder: string): CapabilityFile[] {
	const prefix = `${folder}/`;
	return files
		.filter(({ path }) => path.startsWith(prefix))
		.map(({ path, bytes }) => ({ path: path.slice(prefix.length), bytes }));
}

function parsePluginFile<S extends z.ZodType>(schema: S, file: CapabilityFile): z.output<S> {
	const read = schema.safeParse(parseJsonFile(file));
	if (!read.success) {
		throw createPluginConfigError(`${file.path}: ${formatSchemaProblems(read.error)}`);
	}
	return read.data;
}

function parseJsonFile({ path, bytes }: CapabilityFile): unknown {
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch (error) {
		throw createPluginConfigError(`${path}: ${toErrorMessage(error)}`, error);
	}
}

function createPluginConfigError(why: string, cause?: unknown): ProwessError {
	return new ProwessError(
		'INVALID_CAPABILITY_CONFIG',
		`the plugin is refused: ${why}`,
		{ said: text('The plugin is refused: {why}', { why }) },
		cause,
	);
}
