/**
 * `capability.yaml` and `executor.yaml`: what a capability and an executor say of themselves. What a capability asks for is
 * a request; the host decides what it gets. How the files are read is in `manifest/`.
 * The descriptions are what editors show to whoever writes them.
 */
import { MAX_ALLOWED_TOOL_CHARS, MAX_ALLOWED_TOOLS } from './manifest/limits.ts';
import * as z from './zod.ts';
import { DatabaseName, DatabasePath } from './ops/sql.ts';
import { SubTurnBudget } from './ops/agent.ts';
import { OutputSchema } from './ops/llm.ts';
import { Permission, RiskLevel } from './risk.ts';

/** Of capabilities, types and executors. */
export const ItemName = z
	.string()
	.regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'expected lower-case letters, digits and hyphens, at most 64');

/** Where executors lie, beside the folders of the types; so no type has this name. */
export const EXECUTORS_FOLDER = 'executors';

const TypeName = ItemName.refine(
	(type) => type !== EXECUTORS_FOLDER,
	`"${EXECUTORS_FOLDER}" is not the name of a type`,
);
const version = z.string().min(1).max(100).default('1.0.0').describe('Its version, such as 1.0.0.');
const description = z
	.string()
	.max(2_000)
	.default('')
	.describe('What it does, in a sentence; people and the agent choose by it.');
const author = z.string().max(200).optional().describe('Who made it.');

const InputType = z.enum(['string', 'number', 'boolean', 'object', 'array']);
type InputType = z.infer<typeof InputType>;

const ItemType = z.enum(['string', 'number', 'boolean', 'object']);

/** `string[]` and the like are arrays. One list, so that a type nobody knows is answered with all of them. */
const WrittenType = z.enum([...InputType.options, 'string[]', 'number[]', 'boolean[]', 'object[]']);
const DeclaredType = WrittenType.transform((declared) => (declared.endsWith('[]') ? 'array' : declared)).pipe(
	InputType,
);

export const CapabilityInput = z
	.object({
		name: z.string().min(1).max(100).describe('What it is called in the params.'),
		type: WrittenType.describe('What it must be; string[] and the like are lists.'),
		items: ItemType.optional().describe('What each entry of a list must be.'),
		description: z.string().max(2_000).optional().describe('What it is for; shown in the form.'),
		required: z.boolean().default(false).describe('Whether it cannot be left out.'),
		default: z.unknown().optional().describe('Taken when it is left out; of the same type.'),
	})
	.transform(({ type, items, ...input }) => {
		const [, of = items] = /^(.+)\[\]$/.exec(type) ?? [];
		const entries = ItemType.safeParse(of).data;
		return {
			...input,
			type: InputType.safeParse(type).data ?? ('array' as const),
			...(entries === undefined ? {} : { items: entries }),
		};
	})
	.refine((input) => input.default === undefined || mistypedIn(input, input.default) === undefined, {
		path: ['default'],
		error: 'it is not of the type of the input',
	});
export type CapabilityInput = z.infer<typeof CapabilityInput>;

const CapabilityOutput = z.object({
	name: z.string().min(1).max(100),
	type: DeclaredType,
	description: z.string().max(2_000).optional(),
});

/** How much of the conversation it is given: all that fits, the last message, or nothing. */
export const ContextWish = z.enum(['full', 'last', 'none']);
export type ContextWish = z.infer<typeof ContextWish>;

export const CapabilityManifest = z.object({
	name: ItemName.describe('Its name, the same as that of its folder.'),
	type: TypeName.meta({
		description: 'Any word; it decides which executor runs it.',
		examples: ['skill', 'power', 'talent'],
	}),
	version,
	description,
	author,
	tags: z.array(z.string().min(1).max(100)).max(100).default([]).describe('Words to find it by.'),
	inputs: z.array(CapabilityInput).max(100).default([]).describe('What it is given; nothing else is taken.'),
	outputs: z.array(CapabilityOutput).max(100).default([]).describe('What it gives back; for its readers.'),
	permissions: z
		.array(Permission)
		.max(100)
		.default([])
		.describe('What it asks for. It gets what its level allows and the user agrees to.'),
	level: RiskLevel.default('CONTROLLED').describe(
		'How much it may cost the user if it goes wrong; it bounds the permissions.',
	),
	executor: ItemName.optional().describe('The one executor that may run it, when its type has several.'),
	context: ContextWish.default('full').describe(
		'How much of the conversation it is given: all that fits, the last message, or nothing.',
	),
	databases: z
		.record(DatabaseName, DatabasePath)
		.optional()
		.describe(
			'The databases it uses: the names it uses for them, with their paths in the workspace. Then it may use no other.',
		),
	tools: z
		.array(z.string().min(1).max(100))
		.max(200)
		.optional()
		.describe('For written instructions: the ops its model is offered, as fs.read; all that it may use, when absent.'),
	allowedTools: z
		.array(z.string().min(1).max(MAX_ALLOWED_TOOL_CHARS))
		.max(MAX_ALLOWED_TOOLS)
		.optional()
		.describe(
			'Tools it may use without a question once a person has agreed to it, as in SKILL.md: Edit, Bash(git status *). Whatever else it may do is asked.',
		),
	budget: SubTurnBudget.optional().describe('For written instructions: the answers, tokens and time one run may take.'),
	schema: OutputSchema.optional().describe('For written instructions: the form of the result, as a JSON Schema.'),
	modelInvocable: z
		.boolean()
		.default(true)
		.describe(
			'Whether the agent and other capabilities are offered it and may start it; else only a person starts it.',
		),
	userInvocable: z.boolean().default(true).describe('Whether it is among those that a person is given to choose from.'),
	license: z.string().max(500).optional().describe('Under which licence it may be used.'),
	compatibility: z.string().max(500).optional().describe('What it needs of its surroundings; for its readers.'),
	metadata: z
		.record(z.string().min(1).max(100), z.string().max(2_000))
		.optional()
		.describe('What else is said of it, for other tools and its readers.'),
	provides: z
		.array(z.string().min(1).max(100))
		.max(100)
		.default([])
		.describe(
			"Services it can be asked for. With llm it can answer other capabilities in a model's place, once the user names it.",
		),
});
export type CapabilityManifest = z.infer<typeof CapabilityManifest>;

export const DEFAULT_ENTRY_POINT = 'dist/index.js';

export const ExecutorManifest = z.object({
	name: ItemName.describe('Its name.'),
	version,
	description,
	author,
	supportedTypes: z
		.array(TypeName)
		.min(1, 'expected at least one type')
		.max(100)
		.describe('Types of the capabilities that it runs.'),
	entryPoint: z
		.string()
		.max(500)
		.regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\\:\0]+$/, 'expected a path below the folder, with slashes')
		.default(DEFAULT_ENTRY_POINT)
		.describe('Path of its program below its folder, with slashes.'),
	channel: z
		.enum(['descriptor', 'loopback'])
		.optional()
		.describe('How it is reached: by descriptor 3 (default) or, when it can do no other, by a port of this machine.'),
});
export type ExecutorManifest = z.infer<typeof ExecutorManifest>;

/** The first of them that is there counts. */
export const CAPABILITY_FILES = ['capability.yaml', 'capability.yml'] as const;
export const EXECUTOR_FILES = ['executor.yaml', 'executor.yml'] as const;
export const SKILL_FILE = 'SKILL.md';
/** Alone in a folder it makes that a power, as Kiro has them. */
export const POWER_FILE = 'POWER.md';
/** What makes a folder a capability: read in this order, and only as far as the ones before leave something out. */
export const CAPABILITY_MANIFESTS: readonly string[] = [...CAPABILITY_FILES, SKILL_FILE, POWER_FILE];

type Typed = { readonly type: InputType; readonly items?: z.infer<typeof ItemType> };

/** Where in the value something is not of the type of the input, and what it is instead; undefined when all of it is. */
export function mistypedIn(
	{ type, items }: Typed,
	value: unknown,
): { readonly at: number | undefined; readonly expected: string; readonly got: string } | undefined {
	if (typeOf(value) !== type) {
		return { at: undefined, expected: type, got: typeOf(value) };
	}
	const entries: readonly unknown[] = Array.isArray(value) && items !== undefined ? value : [];
	const at = entries.findIndex((entry) => typeOf(entry) !== items);
	return at === -1 ? undefined : { at, expected: items ?? '', got: typeOf(entries[at]) };
}

function typeOf(value: unknown): string {
	return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
