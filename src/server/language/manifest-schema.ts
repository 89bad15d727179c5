/** Derives from the one declaration of manifests which values may stand where. */
import * as z from '../../protocol/text/zod.ts';
import { CapabilityManifest, ExecutorManifest } from '../../protocol/capability/manifest.ts';

/** The part of a JSON schema that a manifest needs. */
export interface Schema {
	readonly description?: string;
	readonly type?: string;
	readonly enum?: readonly unknown[];
	readonly examples?: readonly unknown[];
	readonly default?: unknown;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
}

export type ManifestKind = 'capability' | 'executor';

const schemas = new Map<ManifestKind, Schema>();

export function resolveManifestSchema(kind: ManifestKind): Schema {
	const known = schemas.get(kind);
	if (known !== undefined) {
		return known;
	}
	const declared = kind === 'capability' ? CapabilityManifest : ExecutorManifest;
	const schema = z.toJSONSchema(declared, { io: 'input', unrepresentable: 'any' }) as Schema;
	schemas.set(kind, schema);
	return schema;
}

/** `-` is an entry of a list. Undefined where nothing is declared. */
export function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
	return path.reduce<Schema | undefined>(
		(at, step) =>
			step === '-' ? at?.items : Object.hasOwn(at?.properties ?? {}, step) ? at?.properties?.[step] : undefined,
		schema,
	);
}

/** Returns the values that the schema names, as they are written in a manifest. */
export function listSchemaValues({ type, enum: choices, examples }: Schema): readonly string[] {
	const named = [...(choices ?? []), ...(examples ?? []), ...(type === 'boolean' ? [true, false] : [])];
	return [...new Set(named.map(String))];
}
