/** Writes the settings of src/protocol/settings into package.json, package.nls.json and docs/settings.md. */
import * as z from '../../src/protocol/text/zod.ts';
import type { SettingDef } from '../../src/protocol/settings/setting-def.ts';
import { settingGroups, settings } from '../../src/protocol/settings/settings.ts';

type Json = Record<string, unknown>;

const all: readonly (readonly [string, SettingDef])[] = Object.entries(settings);
const groups = Object.entries(settingGroups) as [keyof typeof settingGroups, Readonly<Record<string, SettingDef>>][];

/** Headings of the groups, in the settings editor and on the page. */
const titles: Readonly<Record<keyof typeof settingGroups, string>> = {
	models: 'Models',
	quotas: 'Quotas',
	approvals: 'Approvals',
	capabilities: 'Capabilities',
	mcp: 'MCP',
	memory: 'Memory',
	checkpoints: 'Checkpoints',
	context: 'Chat and Context',
	terminal: 'Terminal',
	notifications: 'Notifications',
	privacy: 'Privacy',
	advanced: 'Advanced',
};

/** Settings that VS Code ignores in an untrusted workspace. */
const restricted = all.filter(([, { scope }]) => scope !== 'resource').map(([name]) => name);

export function manifestWithSettings(manifest: Json): Json {
	const contributes = manifest['contributes'] as Json;
	const capabilities = manifest['capabilities'] as Json;
	const configuration = groups.map(([group, members], order) => ({
		id: `prowess.${group}`,
		title: `%${titleKeyOf(group)}%`,
		order,
		properties: Object.fromEntries(
			Object.entries(members).map(([name, def], place) => [name, property(name, def, place)]),
		),
	}));
	return {
		...manifest,
		contributes: { ...contributes, configuration },
		capabilities: {
			...capabilities,
			untrustedWorkspaces: { ...(capabilities['untrustedWorkspaces'] as Json), restrictedConfigurations: restricted },
		},
	};
}

export function namesWithSettings(names: Json): Json {
	const others = Object.entries(names).filter(([key]) => !/^settings?\./.test(key));
	const headings = groups.map(([group]) => [titleKeyOf(group), titles[group]]);
	const texts = all.flatMap(([name, { description, choices = {} }]) => [
		[keyOf(name), description],
		...Object.entries(choices).map(([choice, sentence]) => [keyOf(name, choice), sentence]),
	]);
	return Object.fromEntries([...others, ...headings, ...texts]) as Json;
}

export function settingsPage(): string {
	const sections = groups.flatMap(([group, members]) => [
		`## ${titles[group]}`,
		...Object.entries(members).map(([name, def]) => section(name, def)),
	]);
	return [
		'# Settings',
		'Settings with the scope _application_ or _machine_ are read only from your own settings. A workspace cannot set them. `npm run generate` writes this page from `src/protocol/settings/groups`.',
		...sections,
		'',
	]
		.map(wrapped)
		.join('\n\n')
		.replace(/\n+$/, '\n');
}

function property(name: string, { schema, default: value, scope, choices }: SettingDef, order: number): Json {
	const { $schema: _dialect, additionalProperties: _closed, ...json } = z.toJSONSchema(schema, { io: 'input' }) as Json;
	const markdownEnumDescriptions = (json['enum'] as string[] | undefined)?.map((choice) => `%${keyOf(name, choice)}%`);
	return {
		...json,
		...(choices === undefined ? {} : { markdownEnumDescriptions }),
		default: value,
		scope,
		order,
		markdownDescription: `%${keyOf(name)}%`,
		...(name.startsWith('prowess.approvals.') ? { tags: ['security'] } : {}),
	};
}

/** The longest line of a document; scripts/check-texts.ts holds documents to it. */
const DOCUMENT_COLUMNS = 115;
const EFFECTS = { ask: 'asked', refuse: 'refused' } as const;

function section(
	name: string,
	{ default: value, scope, description, choices = {}, whileUnreadable }: SettingDef,
): string {
	const values = Object.entries(choices).map(([choice, sentence]) => `| \`${choice}\` | ${sentence} |`);
	const facts = [
		`- Default: \`${JSON.stringify(value)}\``,
		`- Scope: ${scope}`,
		...(whileUnreadable === undefined ? [] : [`- While it cannot be read: everything is ${EFFECTS[whileUnreadable]}`]),
	];
	return [
		`### \`${name}\``,
		wrapped(
			description.replaceAll(/\*([^*]+)\*(?!\*)/g, (whole, text: string) =>
				whole.includes('`') ? whole : `_${text}_`,
			),
		),
		...(values.length === 0 ? [] : [['| Value | Effect |', '| --- | --- |', ...values].join('\n')]),
		facts.join('\n'),
	].join('\n\n');
}

/** Breaks a paragraph at the line length of documents. Blocks with lines of their own stay as they are. */
function wrapped(paragraph: string): string {
	if (paragraph.includes('\n')) {
		return paragraph;
	}
	const lines = [''];
	for (const word of paragraph.split(' ')) {
		const line = lines.at(-1) ?? '';
		if (line.length + 1 + word.length > DOCUMENT_COLUMNS) {
			lines.push(word);
		} else {
			lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
		}
	}
	return lines.join('\n');
}

function titleKeyOf(group: keyof typeof settingGroups): string {
	return `settings.${group}`;
}

function keyOf(name: string, choice?: string): string {
	return choice === undefined ? `setting.${name}` : `setting.${name}.${choice}`;
}
