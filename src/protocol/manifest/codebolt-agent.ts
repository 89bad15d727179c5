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
import { text } from '../text/text.ts';
import { type ManifestProblem, manifestProblem } from './problem.ts';
import { lineByLine } from './skill-md.ts';
import { readStrictYaml, type StrictYaml } from './strict-yaml.ts';

interface CodeboltAgentFile {
	/** Fields of a manifest, as far as they are there; not yet checked. */
	readonly fields: Readonly<Record<string, unknown>>;
	readonly problems: readonly ManifestProblem[];
	readonly problemAt: StrictYaml['problemAt'];
}

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

export function readCodeboltAgent(written: string, file: string): CodeboltAgentFile {
	const { value, problems: found, problemAt } = readStrictYaml(written, file);
	const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
	const front: Readonly<Record<string, unknown>> = isMapping ? (value as Record<string, unknown>) : lineByLine(written);
	const problems = found.map((problem) =>
		manifestProblem(
			'warning',
			text('{problem}; read line by line instead', { problem: problem.said ?? problem.message }),
			problem,
		),
	);
	const takeText = (key: string, most: number): string | undefined => {
		const given = front[key];
		const whole = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
		if (whole.length > most) {
			const words = text('{length} characters, the first {most} are taken', { length: whole.length, most });
			problems.push(problemAt('warning', [key], words));
		}
		return whole === '' ? undefined : whole.slice(0, most);
	};
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
		problems,
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
