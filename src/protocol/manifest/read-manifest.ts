/**
 * From the texts in a folder to its manifest, or to what is wrong with it. Without effects: the host reads folders with it
 * and snapshots, the server what is open in the editor.
 */
import { schemaText } from '../text/schema-problem.ts';
import { inEnglish, text, type Text } from '../text/text.ts';
import type * as z from '../text/zod.ts';
import {
	AGENT_OS_FILE,
	agentOsModules,
	CAPABILITY_FILES,
	CODEBOLT_AGENT_FILES,
	CapabilityManifest,
	CapabilityName,
	DEFAULT_ENTRY_POINT,
	EXECUTOR_FILES,
	ExecutorManifest,
	POWER_FILE,
	SKILL_FILES,
} from '../capability/manifest.ts';
import { nameInPlugin, splitPluginName } from '../capability/plugin.ts';
import { LEVEL_PERMISSIONS, RISK_LEVELS } from '../ops/risk.ts';
import { RUN_BY } from '../execution/execution.ts';
import { MAX_NAME_CHARS, MAX_MANIFEST_PROBLEMS } from '../capability/limits.ts';
import { createTopPlace, type ManifestProblem, manifestProblem } from './problem.ts';
import { readAgentOsFile } from './agent-os-md.ts';
import { readCodeboltAgent } from './codebolt-agent.ts';
import { readSkillFile } from './skill-md.ts';
import { readStrictYaml, type StrictYaml } from './strict-yaml.ts';

/** Texts by the names of their files. */
export type ManifestTexts = Readonly<Partial<Record<string, string>>>;

/** Defaults that the place of a folder gives its manifest. */
export interface ManifestPlace {
	/** Name of the folder, with that of its plugin before it; undefined without one, as in an archive. */
	readonly name: string | undefined;
	/** Name of the parent folder; undefined where folders are not sorted by type. */
	readonly type: string | undefined;
	/** Names of the files at its top that may be run, as `runnableFilesIn` has them. */
	readonly runnable?: readonly string[];
}

export interface ReadManifest<Manifest> {
	/** Undefined when one of the problems is an error. */
	readonly manifest: Manifest | undefined;
	readonly problems: readonly ManifestProblem[];
	/** Content as far as it could be read, to describe a capability that cannot be used. */
	readonly raw: Readonly<Record<string, unknown>>;
}

type Mapping = Readonly<Record<string, unknown>>;
type Warn = (path: readonly string[], words: Text) => void;

/** capability.yaml wins, what it leaves out is taken from SKILL.md, and what that leaves out from the place. */
export function readCapabilityManifest(texts: ManifestTexts, place: ManifestPlace): ReadManifest<CapabilityManifest> {
	const { plugin, own } = splitPluginName(place.name ?? '');
	if (plugin === undefined) {
		return readAlone(texts, place);
	}
	// The name in its file is that within the plugin.
	const read = readAlone(texts, { ...place, name: own });
	const prefixPluginName = <M extends { readonly name: string }>(manifest: M) => ({
		...manifest,
		name: nameInPlugin(plugin, manifest.name),
	});
	return { ...read, manifest: read.manifest && prefixPluginName(read.manifest) };
}

function readAlone(texts: ManifestTexts, place: ManifestPlace): ReadManifest<CapabilityManifest> {
	const [file, second] = CAPABILITY_FILES.filter((name) => texts[name] !== undefined);
	const written = [...SKILL_FILES, ...(file === undefined ? [POWER_FILE] : [])].find(
		(name) => texts[name] !== undefined,
	);
	const other = [AGENT_OS_FILE, ...CODEBOLT_AGENT_FILES].find(
		(name) => file === undefined && written === undefined && texts[name] !== undefined,
	);
	const skill =
		other === AGENT_OS_FILE
			? readAgentOsFile(texts[other] ?? '', other, agentOsModules(place.runnable ?? []), texts)
			: other !== undefined
				? readCodeboltAgent(texts[other] ?? '', other)
				: written === undefined
					? undefined
					: readSkillFile(texts[written] ?? '', written);
	const yaml = file === undefined ? undefined : readStrictYaml(texts[file] ?? '', file);
	const main = yaml ?? skill ?? createMissingYaml(CAPABILITY_FILES[0]);
	const problems: ManifestProblem[] = [...(skill?.problems ?? [])];
	const own = yaml === undefined ? {} : mappingIn(yaml, problems);
	if (own === undefined) {
		return { manifest: undefined, problems, raw: {} };
	}
	const raw: Record<string, unknown> = { ...filledIn(skill?.fields ?? {}, own), ...own };
	const warn: Warn = (path, words) => void problems.push(main.problemAt('warning', path, words));
	if (file !== undefined && second !== undefined) {
		warn([], text('{file} lies beside it and is not read', { file: second }));
	}
	const called = own['name'] === undefined ? raw['name'] : undefined;
	const plain = typeof called === 'string' ? nameFor(called, place) : undefined;
	if (plain !== undefined && plain !== called) {
		warn(['name'], calledOtherwise(String(called), plain));
		raw['name'] = plain;
	}
	if (file === undefined && skill === undefined) {
		const file = CAPABILITY_FILES[0];
		warn([], text('there is no {file}; the name of the folder is taken, and version 1.0.0', { file }));
	} else if (raw['name'] === undefined && place.name !== undefined) {
		warn([], text('there is no name; that of the folder is taken'));
	} else if (place.name !== undefined && raw['name'] !== place.name && plain === called) {
		warn(['name'], text('the folder is called "{name}"; the name in the file counts', { name: place.name }));
	}
	raw['name'] ??= place.name;
	if (file === undefined && skill !== undefined) {
		raw['type'] = written === POWER_FILE ? 'power' : (skill.fields['type'] ?? 'skill');
	}
	if (own['instructions'] === undefined && (file !== undefined || raw['type'] !== 'skill')) {
		// A manifest of ours, and a power, mean a run with a budget of its own.
		delete raw['instructions'];
	}
	if (raw['type'] === undefined && place.type !== undefined) {
		warn([], text('there is no type; that of the folder is taken: {type}', { type: place.type }));
	}
	const isUntold = file === undefined && written !== undefined && raw['description'] === undefined;
	if (isUntold) {
		const lack = text('there is no description, so nobody could tell when to use it; it is left out');
		problems.push(main.problemAt('error', ['description'], lack));
	}
	if (place.type !== undefined && raw['type'] !== undefined && raw['type'] !== place.type) {
		warn(['type'], text('it lies in the folder "{type}"; the type in the file counts', { type: place.type }));
	}
	raw['type'] ??= place.type;
	if (yaml !== undefined) {
		warnMissingFields(raw, ['version', 'description'], warn);
		// Further fields of a custom type are for its executor.
		if (RUN_BY.has(String(raw['executor'] ?? raw['type'])))
			warnUnknownFields(
				own,
				CapabilityManifest,
				text('there is no such field; only a program of its own reads it'),
				warn,
			);
	}
	// A capability without a manifest has whatever the agent may ask for.
	if (own['permissions'] !== undefined) {
		warnUngranted(CapabilityManifest.pick({ level: true, permissions: true }).safeParse(raw).data, warn);
	}
	const read = checkManifest(CapabilityManifest, raw, main, problems);
	const isUnclear = other === AGENT_OS_FILE && problems.some(({ severity }) => severity === 'error');
	return isUntold || isUnclear ? { ...read, manifest: undefined } : read;
}

/** Permissions that the level keeps from it, or that mean less at it. */
function warnUngranted(asked: Pick<CapabilityManifest, 'level' | 'permissions'> | undefined, warn: Warn): void {
	for (const [at, permission] of (asked?.permissions ?? []).entries()) {
		const level = asked?.level ?? 'SAFE';
		const needed = RISK_LEVELS.find((each) => LEVEL_PERMISSIONS[each].includes(permission)) ?? 'PRIVILEGED';
		if (!LEVEL_PERMISSIONS[level].includes(permission)) {
			const words = { permission, needed, level };
			warn(['permissions', String(at)], text('{permission} needs level {needed}; it is not granted at {level}', words));
		} else if (permission === 'secrets' && level !== 'PRIVILEGED') {
			warn(
				['permissions', String(at)],
				text(
					'secrets are read at level PRIVILEGED only; at {level} it sees their names, and a request can send one by its name without this permission',
					{ level },
				),
			);
		}
	}
}

function calledOtherwise(called: string, name: string): Text {
	const { length } = called;
	return length > MAX_NAME_CHARS
		? text('{length} characters, the limit is {most}; it is called {name} here', { length, most: MAX_NAME_CHARS, name })
		: text('"{called}" has more than lower-case letters, digits and hyphens; it is called {name} here', {
				called,
				name,
			});
}

/**
 * Name of a skill: the one in its file if it is valid, else the folder's, else the letters of the one in its file.
 * Text that could be a path, or cannot be seen, stays as it is and is refused.
 */
function nameFor(called: string, place: ManifestPlace): string {
	if (
		CapabilityName.safeParse(called).success ||
		!/^[\p{L}\p{N}\p{M} _:&'()+,.-]+$/u.test(called) ||
		called.includes('..')
	) {
		return called;
	}
	const letters = called
		.normalize('NFKD')
		.toLowerCase()
		.replaceAll(/\p{M}/gu, '')
		.replaceAll(/[^a-z0-9]+/g, '-');
	const ofAnyScript = called
		.normalize('NFC')
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-');
	const names = [
		place.name,
		...[letters, ofAnyScript].map((each) => each.slice(0, MAX_NAME_CHARS).replaceAll(/^-|-$/g, '')),
	];
	return names.find((name) => CapabilityName.safeParse(name).success) ?? called;
}

/** Fills in what SKILL.md says. The level follows from its permissions, so a manifest that names others does not get it. */
function filledIn({ level, ...skill }: Mapping, own: Mapping): Mapping {
	return own['permissions'] === undefined && level !== undefined ? { level, ...skill } : skill;
}

/** An executor without a manifest, a name or a type is none. */
export function readExecutorManifest(texts: ManifestTexts): ReadManifest<ExecutorManifest> {
	const [file, second] = EXECUTOR_FILES.filter((name) => texts[name] !== undefined);
	const yaml = file === undefined ? undefined : readStrictYaml(texts[file] ?? '', file);
	if (yaml === undefined) {
		const problem = createMissingYaml(EXECUTOR_FILES[0]).problemAt('error', [], noFile(EXECUTOR_FILES[0]));
		return { manifest: undefined, problems: [problem], raw: {} };
	}
	const problems: ManifestProblem[] = [];
	const raw = mappingIn(yaml, problems);
	if (raw === undefined) {
		return { manifest: undefined, problems, raw: {} };
	}
	const warn: Warn = (path, words) => void problems.push(yaml.problemAt('warning', path, words));
	if (second !== undefined) {
		warn([], text('{file} lies beside it and is not read', { file: second }));
	}
	if (raw['entryPoint'] === undefined) {
		warn([], text('there is no entryPoint; {file} is taken', { file: DEFAULT_ENTRY_POINT }));
	}
	warnUnknownFields(raw, ExecutorManifest, text('there is no such field; it is not read'), warn);
	return checkManifest(ExecutorManifest, raw, yaml, problems);
}

function mappingIn(yaml: StrictYaml, problems: ManifestProblem[]): Mapping | undefined {
	problems.push(...yaml.problems);
	if (yaml.problems.length > 0) {
		return undefined;
	}
	// An empty file is one that says nothing.
	const value = yaml.value ?? {};
	if (typeof value !== 'object' || Array.isArray(value)) {
		problems.push(yaml.problemAt('error', [], text('expected a mapping, with lines such as "name: …"')));
		return undefined;
	}
	return value as Mapping;
}

function warnMissingFields(raw: Mapping, names: readonly string[], warn: Warn): void {
	for (const name of names) {
		if (raw[name] === undefined) warn([], noFile(name));
	}
}

function noFile(name: string): Text {
	return text('there is no {name}', { name });
}

function warnUnknownFields(own: Mapping, { shape }: z.ZodObject, words: Text, warn: Warn): void {
	for (const name of Object.keys(own).filter((each) => !Object.hasOwn(shape, each))) {
		warn([name], words);
	}
}

function checkManifest<Manifest>(
	schema: z.ZodType<Manifest>,
	raw: Mapping,
	{ problemAt }: Pick<StrictYaml, 'problemAt'>,
	problems: ManifestProblem[],
): ReadManifest<Manifest> {
	const parsed = schema.safeParse(raw);
	if (!parsed.success) {
		for (const issue of parsed.error.issues) {
			const path = issue.path.map((each) => (typeof each === 'symbol' ? String(each) : each));
			problems.push(problemAt('error', path, wordsFor(issue, raw, path)));
		}
	}
	problems.sort(inReadingOrder).splice(MAX_MANIFEST_PROBLEMS);
	return { manifest: parsed.success ? parsed.data : undefined, problems, raw };
}

/** First what keeps it from being used, which must not be among those left out; then as they stand in their file. */
function inReadingOrder(a: ManifestProblem, b: ManifestProblem): number {
	const severity = Number(a.severity === 'warning') - Number(b.severity === 'warning');
	return severity || a.file.localeCompare(b.file, 'en') || a.line - b.line || a.column - b.column;
}

/** A file that is not there. */
function createMissingYaml(file: string): Pick<StrictYaml, 'problemAt'> {
	return { problemAt: (severity, path, words) => manifestProblem(severity, words, { ...createTopPlace(file), path }) };
}

/** The words of the schema as a text: its own are constants, and so are keys; those for the others know what was found. */
function wordsFor(issue: z.core.$ZodIssue, raw: Mapping, path: readonly (string | number)[]): Text {
	const input = path.reduce<unknown>(
		(value, key) => (typeof value === 'object' && value !== null ? (value as Mapping)[key] : undefined),
		raw,
	);
	const words = schemaText({ ...issue, input } as z.core.$ZodRawIssue);
	return inEnglish(words) === issue.message ? words : text(issue.message);
}
