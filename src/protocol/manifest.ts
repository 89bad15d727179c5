/** `capability.yaml`: what a capability says of itself. What it asks for is a request; the host decides what it gets. */
import * as z from 'zod';
import { Permission, RiskLevel } from './risk.ts';

const name = z
	.string()
	.regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'expected lower-case letters, digits and hyphens, at most 64');

export const InputType = z.enum(['string', 'number', 'boolean', 'object', 'array']);

export const CapabilityInput = z.object({
	name: z.string().min(1).max(100),
	type: InputType,
	description: z.string().max(2_000).optional(),
	required: z.boolean().default(false),
	default: z.unknown().optional(),
});
export type CapabilityInput = z.infer<typeof CapabilityInput>;

export const CapabilityManifest = z.object({
	name,
	/** `skill`, `power`, `talent` or any other word; it decides which executor runs it. */
	type: name,
	version: z.string().min(1).max(100),
	description: z.string().max(2_000).default(''),
	inputs: z.array(CapabilityInput).max(100).default([]),
	permissions: z.array(Permission).max(100).default([]),
	level: RiskLevel.default('CONTROLLED'),
});
export type CapabilityManifest = z.infer<typeof CapabilityManifest>;

export const MANIFEST_FILE = 'capability.yaml';
