/**
 * Schemas of `capability.yaml` and `executor.yaml`. A manifest requests permissions; the host decides which are granted.
 * `manifest/` reads the files. Editors show the descriptions to authors.
 */
import {
	MAX_ALLOWED_TOOL_CHARS,
	MAX_ALLOWED_TOOLS,
	MAX_HINT_CHARS,
	MAX_REQUIRED,
	MAX_REQUIRED_CHARS,
} from './limits.ts';
import { inEnglish, text } from '../text/text.ts';
import * as z from '../text/zod.ts';
import { DatabaseName, DatabasePath } from '../ops/definitions/data/sql.ts';
import { SubTurnBudget } from '../ops/definitions/agent/agent.ts';
import { OutputView } from '../text/output-view.ts';
import { OutputSchema } from '../ops/definitions/agent/llm.ts';
import { Permission, RiskLevel } from '../ops/risk.ts';
import { RUN_NAMES } from '../execution/execution.ts';
import { WORKER_ENTRIES, type WorkerRuntime } from '../execution/worker.ts';

/** Name of a capability, a type or an executor. */
export const ItemName = z
	.string()
	.regex(
		/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
		inEnglish(text('expected lower-case letters, digits and hyphens, at most 64')),
	);

/** Name of a capability: letters of any script, composed (NFC), so that the same name is the same text. */
export const CapabilityName = z
	.string()
	.max(64, inEnglish(text('expected at most 64 characters')))
	.regex(
		/^[\p{Ll}\p{Lo}\p{Nd}](?:[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}-]*[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}])?$/u,
		inEnglish(text('expected lower-case letters, digits and hyphens, at most 64')),
	)
	.refine((name) => name === name.normalize('NFC'), inEnglish(text('expected composed letters (NFC)')));

/** Where executors lie, beside the folders of the types; so no type has this name. */
export const EXECUTORS_FOLDER = 'executors';

const TypeName = ItemName.refine(
	(type) => type !== EXECUTORS_FOLDER,
	`"${EXECUTORS_FOLDER}" is not the name of a type`,
);
const PathBelow = z
	.string()
	.max(500)
	.regex(
		/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\\:\0]+$/,
		inEnglish(text('expected a path below the folder, with slashes')),
	);
const manifestVersion = z.string().min(1).max(100).default('1.0.0').describe('Version, such as 1.0.0.');
const description = z
	.string()
	.max(2_000)
	.default('')
	.describe('One-sentence description, which helps people and the agent pick it.');
const author = z.string().max(200).optional().describe('Author.');

const InputType = z.enum(['string', 'number', 'boolean', 'object', 'array']);
type InputType = z.infer<typeof InputType>;

/** Meaning of a text, for its field in the form and its check. */
const InputFormat = z.enum(['file', 'secret']);

const ItemType = z.enum(['string', 'number', 'boolean', 'object']);

/** `string[]` and the like are arrays. A single list, so that an unknown type is answered with all of them. */
const WrittenType = z.enum([...InputType.options, 'string[]', 'number[]', 'boolean[]', 'object[]']);
const DeclaredType = WrittenType.transform((declared) => (declared.endsWith('[]') ? 'array' : declared)).pipe(
	InputType,
);

export const CapabilityInput = z
	.object({
		name: z.string().min(1).max(100).describe('What it is called in the params.'),
		type: WrittenType.describe('What it must be; string[] and the like are lists.'),
		items: ItemType.optional().describe('What each entry of a list must be.'),
		choices: z
			.array(
				z
					.string()
					.max(200)
					.regex(/^\P{C}+$/u, inEnglish(text('expected one line of visible text'))),
			)
			.min(1)
			.max(100)
			.optional()
			.describe('Texts that it may be, of an input of type string; the form shows them as a list.'),
		format: InputFormat.optional().describe(
			'Meaning of a string: file (path of a file of the workspace) or secret (name of a stored secret, never its value).',
		),
		description: z.string().max(2_000).optional().describe('What it is for; shown in the form.'),
		required: z.boolean().default(false).describe('Whether it cannot be left out.'),
		default: z.unknown().optional().describe('Taken when it is left out; of the same type. Null: there is none.'),
	})
	.transform(({ type, items, default: given, ...input }) => {
		const [, of = items] = /^(.+)\[\]$/.exec(type) ?? [];
		const entries = ItemType.safeParse(of).data;
		return {
			...input,
			type: InputType.safeParse(type).data ?? ('array' as const),
			...(entries === undefined ? {} : { items: entries }),
			...(given === undefined || given === null ? {} : { default: given as unknown }),
		};
	})
	.refine(({ type, choices }) => choices === undefined || type === 'string', {
		path: ['choices'],
		error: inEnglish(text('expected type string beside choices')),
	})
	.refine(({ type, format, choices }) => format === undefined || (type === 'string' && choices === undefined), {
		path: ['format'],
		error: inEnglish(text('expected type string beside format, and no choices')),
	})
	.refine((input) => input.default === undefined || mistypedIn(input, input.default) === undefined, {
		path: ['default'],
		error: inEnglish(text('expected a value of the type of the input, among its choices')),
	});
export type CapabilityInput = z.infer<typeof CapabilityInput>;

const CapabilityOutput = z.object({
	name: z.string().min(1).max(100),
	type: DeclaredType,
	description: z.string().max(2_000).optional(),
});

/** Share of the conversation that a capability receives: all that fits, the last message, or nothing. */
export const ContextWish = z.enum(['full', 'last', 'none']);
export type ContextWish = z.infer<typeof ContextWish>;

export const CapabilityManifest = z.object({
	name: CapabilityName.describe('Name, the same as the folder.'),
	type: TypeName.meta({
		description: 'Type: any word. It decides which executor runs the capability.',
		examples: ['skill', 'power', 'talent'],
	}),
	version: manifestVersion,
	description,
	author,
	tags: z.array(z.string().min(1).max(100)).max(100).default([]).describe('Words to search for.'),
	inputs: z.array(CapabilityInput).max(100).default([]).describe('Inputs. Others are refused.'),
	output: OutputView.optional().describe(
		'View of the result, for people: in the chat, on the page of the run and in a terminal.',
	),
	outputs: z.array(CapabilityOutput).max(100).default([]).describe('Outputs, for readers only.'),
	permissions: z
		.array(Permission)
		.max(100)
		.default([])
		.describe('Requested permissions. The level and the user decide which are granted.'),
	level: RiskLevel.default('CONTROLLED').describe('Highest risk of its ops, which limits the permissions.'),
	runtime: z
		.enum(Object.keys(WORKER_ENTRIES) as [WorkerRuntime, ...WorkerRuntime[]])
		.optional()
		.describe(
			'Long-lived process for its tools: node-worker or python-worker. Each exported async function is a tool. Default: one process for each run.',
		),
	entryPoint: PathBelow.optional().describe(
		'Path of the file with its tools, with slashes. Default: index.js, or skill.py with python-worker.',
	),
	executor: ItemName.optional().describe(
		'Name of the only executor that may run it. Default: the executor of its type.',
	),
	context: ContextWish.default('full').describe(
		'Share of the conversation it receives: full (all that fits), last (the last message) or none.',
	),
	databases: z
		.record(DatabaseName, DatabasePath)
		.optional()
		.describe('Databases: names and their paths in the workspace. If set, it may use no others.'),
	tools: z
		.array(z.string().min(1).max(100))
		.max(200)
		.optional()
		.describe(
			'Ops for the model of written instructions, such as fs.read. An agent that follows them in its thread has no others until your next message, except to read, search and ask. Default: all that its permissions allow.',
		),
	allowedTools: z
		.array(z.string().min(1).max(MAX_ALLOWED_TOOL_CHARS))
		.max(MAX_ALLOWED_TOOLS)
		.optional()
		.describe(
			'Tools that run without asking after consent, as in SKILL.md: Edit, Bash(git status *). Everything else asks.',
		),
	requiredCapabilities: z
		.array(z.string().min(1).max(MAX_REQUIRED_CHARS))
		.max(MAX_REQUIRED)
		.optional()
		.describe(
			'Other capabilities that it needs, as name or type/name. The agent is told of it only together with them.',
		),
	instructions: z
		.enum(['thread', 'subTurn'])
		.optional()
		.describe(
			'Who follows written instructions that an agent starts: thread (the agent itself, in its thread) or subTurn (a run of their own, with its own budget). Default: subTurn; for a SKILL.md alone thread, unless it says context: fork.',
		),
	budget: SubTurnBudget.optional().describe('Budget of written instructions: answers, tokens and time of one run.'),
	schema: OutputSchema.optional().describe('JSON Schema for the result of written instructions.'),
	modelInvocable: z
		.boolean()
		.default(true)
		.describe('Whether the agent and other capabilities may start it. If false, only people can.'),
	userInvocable: z.boolean().default(true).describe('Whether people see it in lists.'),
	argumentHint: z
		.string()
		.max(MAX_HINT_CHARS)
		.optional()
		.describe('What to type after its name, such as [message]. The chat shows it after /name.'),
	license: z.string().max(500).optional().describe('Licence.'),
	compatibility: z.string().max(500).optional().describe('Requirements, for readers only.'),
	metadata: z
		.record(z.string().min(1).max(100), z.string().max(2_000))
		.optional()
		.describe('Further texts by name, for other tools and readers.'),
	provides: z
		.array(z.string().min(1).max(100))
		.max(100)
		.default([])
		.describe(
			"Services it offers. With llm it can answer other capabilities in a model's place, if the user selects it.",
		),
});
export type CapabilityManifest = z.infer<typeof CapabilityManifest>;

export const DEFAULT_ENTRY_POINT = 'dist/index.js';

export const ExecutorManifest = z.object({
	name: ItemName.describe('Name.'),
	version: manifestVersion,
	description,
	author,
	supportedTypes: z
		.array(TypeName)
		.min(1, 'expected at least one type')
		.max(100)
		.describe('Types of capabilities that it runs.'),
	entryPoint: PathBelow.default(DEFAULT_ENTRY_POINT).describe('Path of its program below its folder, with slashes.'),
	channel: z
		.enum(['descriptor', 'loopback', 'codebolt'])
		.optional()
		.describe(
			'Channel: descriptor (descriptor 3, default), loopback (a port on this machine) if nothing else works, or codebolt (written for Codebolt). Default for a program that holds its library: codebolt.',
		),
});
export type ExecutorManifest = z.infer<typeof ExecutorManifest>;

/** File that a worker loads; undefined where none runs. */
export function workerEntry({
	runtime,
	entryPoint,
}: Pick<CapabilityManifest, 'runtime' | 'entryPoint'>): string | undefined {
	return runtime === undefined ? undefined : (entryPoint ?? WORKER_ENTRIES[runtime]);
}

/** File names of a manifest, the preferred one first. */
export const CAPABILITY_FILES = ['capability.yaml', 'capability.yml'] as const;
export const EXECUTOR_FILES = ['executor.yaml', 'executor.yml'] as const;
const SKILL_FILE = 'SKILL.md';
/** Names of the file of a skill: the first as the specification has it. */
export const SKILL_FILES: readonly string[] = [SKILL_FILE, 'skill.md'];
/** Alone in a folder it makes that a power, as Kiro has them. */
export const POWER_FILE = 'POWER.md';
/** Files that make a folder a capability: read in this order, and only as far as the ones before leave something out. */
export const CAPABILITY_MANIFESTS: readonly string[] = [...CAPABILITY_FILES, ...SKILL_FILES, POWER_FILE];

/** Front matter of a skill for AgentOS: a manifest only beside the program that it is of, and where there is no other. */
export const AGENT_OS_FILE = 'readme.md';

/** An agent of Codebolt: a manifest where there is no other. */
export const CODEBOLT_AGENT_FILES: readonly string[] = ['codeboltagent.yaml', 'codeboltagent.yml'];

/** Files that say of a folder whether it is a capability, and what that is called, beside the modules of AgentOS. */
export const TELLING_FILES: readonly string[] = [...CAPABILITY_MANIFESTS, AGENT_OS_FILE, ...CODEBOLT_AGENT_FILES];

/** Modules of one skill that are read before it runs. */
const MAX_READ_MODULES = 50;

/** Python modules at the top of a folder that may be the program of a skill for AgentOS: no tests, nothing for its set-up. */
export function agentOsModules(files: readonly string[]): readonly string[] {
	return files.filter(
		(name) => /^[^/\\]+\.py$/.test(name) && !/^(?:[_.].*|test_.*|.*_test|conftest|setup)\.py$/.test(name),
	);
}

/** True for a program that is read as part of a manifest: one that cannot be read says nothing, and is no fault of it. */
export function isReadBeside(manifest: string): boolean {
	return manifest.endsWith('.py');
}

/**
 * Files whose tools a worker offers, the entry first; none where no worker runs. A skill for AgentOS offers those of each
 * module, unless one is called as a program is by default.
 */
export function workerPrograms(
	manifest: Pick<CapabilityManifest, 'runtime' | 'entryPoint'>,
	files: readonly string[],
): readonly string[] {
	const entry = workerEntry(manifest);
	if (entry === undefined) return [];
	const isOfAgentOs = capabilityManifestsIn(files).includes(AGENT_OS_FILE);
	const modules = isOfAgentOs && entry !== WORKER_ENTRIES['python-worker'] ? agentOsModules(files) : [];
	return [entry, ...(modules.includes(entry) ? modules.filter((name) => name !== entry) : [])];
}

/**
 * The manifests among the files at the top of a folder, in the order in which they are read. Beside that of AgentOS stand
 * the modules: their decorators say which services a skill provides.
 */
export function capabilityManifestsIn(files: readonly string[]): readonly string[] {
	const own = CAPABILITY_MANIFESTS.filter((name) => files.includes(name));
	const modules = files.includes(AGENT_OS_FILE) ? [...new Set(agentOsModules(files))].slice(0, MAX_READ_MODULES) : [];
	const others =
		modules.length > 0 ? [AGENT_OS_FILE, ...modules] : CODEBOLT_AGENT_FILES.filter((name) => files.includes(name));
	return own.length === 0 ? others : own;
}

/** Files at the top of a folder that something here could run. */
export function runnableFilesIn(names: readonly string[]): readonly string[] {
	const modules = names.includes(AGENT_OS_FILE) ? agentOsModules(names) : [];
	return [...new Set([...RUN_NAMES.filter((name) => names.includes(name)), ...modules])];
}

type InputTypeRule = {
	readonly type: InputType;
	readonly items?: z.infer<typeof ItemType>;
	readonly choices?: readonly string[] | undefined;
};

/** Where in the value something is not of the type of the input, or not among its choices, and what it is instead; undefined when all of it is. */
export function mistypedIn(
	{ type, items, choices }: InputTypeRule,
	value: unknown,
): { readonly at: number | undefined; readonly expected: string; readonly got: string } | undefined {
	if (toTypeName(value) !== type) {
		return { at: undefined, expected: type, got: toTypeName(value) };
	}
	if (choices !== undefined && typeof value === 'string' && !choices.includes(value)) {
		return {
			at: undefined,
			expected: choices.map((choice) => `"${choice}"`).join(' or '),
			got: `"${value.slice(0, 100)}"`,
		};
	}
	const entries: readonly unknown[] = Array.isArray(value) && items !== undefined ? value : [];
	const at = entries.findIndex((entry) => toTypeName(entry) !== items);
	return at === -1 ? undefined : { at, expected: items ?? '', got: toTypeName(entries[at]) };
}

function toTypeName(value: unknown): string {
	return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
