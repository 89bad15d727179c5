/**
 * `capability.yaml` and `executor.yaml`: what a capability and an executor say of themselves. What a capability asks for is
 * a request; the host decides what it gets. How the files are read is in `manifest/`.
 */
import * as z from 'zod';
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
const version = z.string().min(1).max(100).default('1.0.0');
const description = z.string().max(2_000).default('');
const author = z.string().max(200).optional();

export const InputType = z.enum(['string', 'number', 'boolean', 'object', 'array']);
export type InputType = z.infer<typeof InputType>;

/** `string[]` and the like are arrays. */
const DeclaredType = z.union([
	InputType,
	z.enum(['string[]', 'number[]', 'boolean[]', 'object[]']).transform((): InputType => 'array'),
]);

export const CapabilityInput = z
	.object({
		name: z.string().min(1).max(100),
		type: DeclaredType,
		description: z.string().max(2_000).optional(),
		required: z.boolean().default(false),
		default: z.unknown().optional(),
	})
	.refine((input) => input.default === undefined || typeOf(input.default) === input.type, {
		path: ['default'],
		error: 'it is not of the type of the input',
	});
export type CapabilityInput = z.infer<typeof CapabilityInput>;

export const CapabilityOutput = z.object({
	name: z.string().min(1).max(100),
	type: DeclaredType,
	description: z.string().max(2_000).optional(),
});

/** How much of the conversation it is given: all that fits, the last message, or nothing. */
export const ContextWish = z.enum(['full', 'last', 'none']);

export const CapabilityManifest = z.object({
	name: ItemName,
	/** `skill`, `power`, `talent` or any other word; it decides which executor runs it. */
	type: TypeName,
	version,
	description,
	author,
	tags: z.array(z.string().min(1).max(100)).max(100).default([]),
	inputs: z.array(CapabilityInput).max(100).default([]),
	outputs: z.array(CapabilityOutput).max(100).default([]),
	permissions: z.array(Permission).max(100).default([]),
	level: RiskLevel.default('CONTROLLED'),
	/** The one executor that may run it, when its type has several. */
	executor: ItemName.optional(),
	context: ContextWish.default('full'),
	/** Names of services it can be asked for, e.g. `llm`. */
	provides: z.array(z.string().min(1).max(100)).max(100).default([]),
});
export type CapabilityManifest = z.infer<typeof CapabilityManifest>;

export const DEFAULT_ENTRY_POINT = 'dist/index.js';

export const ExecutorManifest = z.object({
	name: ItemName,
	version,
	description,
	author,
	supportedTypes: z.array(TypeName).min(1, 'expected at least one type').max(100),
	/** Of its program, below its folder. */
	entryPoint: z
		.string()
		.max(500)
		.regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\\:\0]+$/, 'expected a path below the folder, with slashes')
		.default(DEFAULT_ENTRY_POINT),
});
export type ExecutorManifest = z.infer<typeof ExecutorManifest>;

/** The first of them that is there counts. */
export const CAPABILITY_FILES = ['capability.yaml', 'capability.yml'] as const;
export const EXECUTOR_FILES = ['executor.yaml', 'executor.yml'] as const;
export const SKILL_FILE = 'SKILL.md';

function typeOf(value: unknown): string {
	return Array.isArray(value) ? 'array' : typeof value;
}
