/** The settings of src/protocol/settings.ts, as package.json, package.nls.json and docs/settings.md say them. */
import * as z from 'zod';
import { type SettingDef, settings } from '../../src/protocol/settings.ts';

type Json = Record<string, unknown>;

const all: readonly (readonly [string, SettingDef])[] = Object.entries(settings);
const groups = [...new Set(all.map(([, { group }]) => group))];

/** Settings whose values a workspace could bend against the user, were it not trusted. */
const restricted = all.filter(([, { scope }]) => scope !== 'resource').map(([name]) => name);

export function manifestWithSettings(manifest: Json): Json {
	const contributes = manifest['contributes'] as Json;
	const capabilities = manifest['capabilities'] as Json;
	const configuration = groups.map((group, order) => ({
		id: `prowess.${group.toLowerCase()}`,
		title: group,
		order,
		properties: Object.fromEntries(
			all.filter(([, def]) => def.group === group).map(([name, def], place) => [name, property(name, def, place)]),
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
	const others = Object.entries(names).filter(([key]) => !key.startsWith('setting.'));
	return Object.fromEntries([...others, ...all.map(([name, { description }]) => [keyOf(name), description])]);
}

export function settingsPage(): string {
	const sections = groups.flatMap((group) => [
		`## ${group}`,
		...all.filter(([, def]) => def.group === group).map(([name, def]) => section(name, def)),
	]);
	return [
		'# Settings',
		'Generated from `src/protocol/settings.ts` by `npm run generate`. Settings of the scope _application_ or _machine_ are read from your own settings only: a workspace cannot set them.',
		...sections,
		'',
	]
		.join('\n\n')
		.replace(/\n+$/, '\n');
}

function property(name: string, { schema, default: value, scope, description }: SettingDef, order: number): Json {
	const { $schema: _dialect, additionalProperties: _closed, ...json } = z.toJSONSchema(schema, { io: 'input' }) as Json;
	return { ...json, default: value, scope, order, markdownDescription: `%${keyOf(name)}%`, ...tags(name, description) };
}

function tags(name: string, _description: string): Json {
	return name.startsWith('prowess.approvals.') ? { tags: ['security'] } : {};
}

const EFFECTS = { ask: 'asked', refuse: 'refused' } as const;

function section(name: string, { default: value, scope, description, schema, whileUnreadable }: SettingDef): string {
	const { enum: choices } = z.toJSONSchema(schema, { io: 'input' }) as { enum?: unknown[] };
	const facts = [
		`- Default: \`${JSON.stringify(value)}\``,
		...(choices === undefined
			? []
			: [`- Values: ${choices.map((choice) => `\`${JSON.stringify(choice)}\``).join(', ')}`]),
		`- Scope: ${scope}`,
		...(whileUnreadable === undefined ? [] : [`- While it cannot be read: everything is ${EFFECTS[whileUnreadable]}`]),
	];
	return [
		`### \`${name}\``,
		description.replaceAll(/\*([^*]+)\*(?!\*)/g, (whole, text: string) => (whole.includes('`') ? whole : `_${text}_`)),
		facts.join('\n'),
	].join('\n\n');
}

function keyOf(name: string): string {
	return `setting.${name}`;
}
