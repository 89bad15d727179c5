/**
 * The `readme.md` of a skill for AgentOS: front matter that says what it is called and which of the engine's topics it
 * uses. Their permissions are what it asks for, at the lowest level at which its ops could run.
 */
import type { Permission, RiskLevel } from '../ops/risk.ts';
import { MAX_AUTHOR_CHARS, MAX_DESCRIPTION_CHARS, MAX_VERSION_CHARS } from '../capability/limits.ts';
import { findProvidedServices, NOT_OFFERED } from './agent-os-services.ts';
import { splitFrontMatter } from './front-matter.ts';
import { text } from '../text/text.ts';
import { WORKER_ENTRIES } from '../execution/worker.ts';
import { type ForeignManifest, readFrontMatter } from './read-front-matter.ts';

const PERMISSION_OF: Readonly<Partial<Record<string, Permission>>> = {
	http: 'http',
	cookie: 'http',
	secrets: 'secrets',
	sql: 'database',
	llm: 'llm',
	shell: 'shell',
	crypto: 'crypto',
	plist: 'workspace.read',
	fs: 'workspace.read',
};
/** Topics without a permission of their own. */
const FREE: ReadonlySet<string> = new Set(['progress']);
const RISKY: readonly (readonly [Permission, RiskLevel])[] = [
	['secrets', 'PRIVILEGED'],
	['shell', 'RESTRICTED'],
];

/** Services of one skill. */
const MAX_SERVICES = 100;

/** True for front matter that says what a skill is called. */
export function saysAgentOsName(written: string): boolean {
	return /^id[ \t]*:[ \t]*\S/m.test(splitFrontMatter(written).yaml ?? '');
}

/**
 * `modules`: the Python modules beside it; the first is its program, unless one is called as programs of workers are.
 * `programs`: their texts, as far as they were read.
 */
export function readAgentOsFile(
	written: string,
	file: string,
	modules: readonly string[] = [],
	programs: Readonly<Partial<Record<string, string>>> = {},
): ForeignManifest {
	const { front, problems: read, found, problemAt } = readFrontMatter(written, file);
	const problems = [...read];
	if (splitFrontMatter(written).yaml === undefined) {
		problems.push(problemAt('warning', [], text('there is no front matter, so it has no permissions')));
	}
	const lists = [front['capabilities'], front['services']].filter((each) => Array.isArray(each));
	const named: readonly unknown[] = lists.flat();
	const topics = named.filter((each) => typeof each === 'string');
	for (const topic of topics.filter((each) => PERMISSION_OF[each] === undefined && !FREE.has(each))) {
		const words = text('there is nothing here that is called "{topic}"', { topic: topic.slice(0, 100) });
		problems.push(problemAt('warning', ['capabilities'], words));
	}
	const permissions = [...new Set(topics.flatMap((topic) => PERMISSION_OF[topic] ?? []))];
	const level = RISKY.find(([permission]) => permissions.includes(permission))?.[1] ?? 'CONTROLLED';
	const fields: Record<string, unknown> = { runtime: 'python-worker', permissions, level };
	const [program] = modules;
	const hasOneProgram = modules.includes(WORKER_ENTRIES['python-worker']);
	if (program !== undefined && !hasOneProgram) {
		fields['entryPoint'] = program;
	}
	const offering = hasOneProgram ? [WORKER_ENTRIES['python-worker']] : modules;
	const provides = offering.flatMap((name) => findProvidedServices(programs[name] ?? ''));
	fields['provides'] = [...new Set(provides)].filter((service) => !NOT_OFFERED.has(service)).slice(0, MAX_SERVICES);
	const told = {
		name: found.text(['id'], MAX_DESCRIPTION_CHARS) ?? found.text(['name'], MAX_DESCRIPTION_CHARS),
		description: found.text(['description'], MAX_DESCRIPTION_CHARS),
		version: found.text(['version'], MAX_VERSION_CHARS),
		author: found.text(['author'], MAX_AUTHOR_CHARS),
	};
	for (const [key, given] of Object.entries(told)) {
		if (given !== undefined) fields[key] = given;
	}
	return { fields, problems: [...problems, ...found.problems], problemAt };
}
