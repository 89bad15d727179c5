/**
 * The `codeboltagent.yaml` of an agent for Codebolt, which says its name and its purpose, and asks for no rights: so the
 * agent has those that its calls can use here. Read leniently: what is no YAML is read line by line, what is too long is
 * cut.
 */
import { CODEBOLT_EXECUTOR } from '../execution/execution.ts';
import type { Permission, RiskLevel } from '../ops/risk.ts';
import {
	MAX_AUTHOR_CHARS,
	MAX_DESCRIPTION_CHARS,
	MAX_NAME_CHARS,
	MAX_TAG_CHARS,
	MAX_TAGS,
	MAX_VERSION_CHARS,
} from '../capability/limits.ts';
import { type ForeignManifest, readFields } from './read-front-matter.ts';

/** Rights of programs for Codebolt whose manifest names none: those that their calls can use here, and no others. */
export const CODEBOLT_RIGHTS: { readonly permissions: readonly Permission[]; readonly level: RiskLevel } = {
	permissions: ['workspace.read', 'workspace.write', 'shell', 'user', 'thread'],
	level: 'RESTRICTED',
};

const MESSAGE_INPUT = {
	name: 'message',
	type: 'string',
	description: 'What the agent is to do. Left out: the last message of the thread.',
};

export function readCodeboltAgent(written: string, file: string): ForeignManifest {
	const { front, problems, found, problemAt } = readFields(written, file);
	const takeText = (key: string, most: number) => found.text([key], most);
	const listed: readonly unknown[] = Array.isArray(front['tags']) ? front['tags'] : [];
	const tags = listed
		.filter((tag) => typeof tag === 'string' || typeof tag === 'number')
		.map((tag) => String(tag).slice(0, MAX_TAG_CHARS))
		.filter((tag) => tag !== '');
	const title = takeText('title', MAX_DESCRIPTION_CHARS);
	const names = [takeText('unique_id', MAX_DESCRIPTION_CHARS), takeText('name', MAX_DESCRIPTION_CHARS), title];
	const fields = {
		name: names.map((name = '') => toPlainName(name)).find((name) => name !== ''),
		description:
			takeText('description', MAX_DESCRIPTION_CHARS) ?? takeText('longDescription', MAX_DESCRIPTION_CHARS) ?? title,
		version: takeText('version', MAX_VERSION_CHARS),
		author: takeText('author', MAX_AUTHOR_CHARS),
		type: 'agent',
		executor: CODEBOLT_EXECUTOR,
		tags: tags.slice(0, MAX_TAGS),
		inputs: [MESSAGE_INPUT],
		...CODEBOLT_RIGHTS,
	};
	return {
		fields: Object.fromEntries(Object.entries(fields).filter(([, given]) => given !== undefined)),
		problems: [...problems, ...found.problems],
		problemAt,
	};
}

function toPlainName(name: string): string {
	return name
		.normalize('NFKD')
		.toLowerCase()
		.replaceAll(/\p{M}/gu, '')
		.replaceAll(/[^a-z0-9]+/g, '-')
		.slice(0, MAX_NAME_CHARS)
		.replaceAll(/^-|-$/g, '');
}
