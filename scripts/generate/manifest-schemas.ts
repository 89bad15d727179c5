/** JSON schemas of the manifests, for editors that check YAML with them: the declarations of src/protocol/capability/manifest.ts, as they are. */
import * as z from '../../src/protocol/text/zod.ts';
import { CapabilityManifest, ExecutorManifest } from '../../src/protocol/capability/manifest.ts';

export function manifestSchemas(): Readonly<Record<string, string>> {
	return {
		'schemas/capability.schema.json': schemaText('capability.yaml of Prowess', CapabilityManifest),
		'schemas/executor.schema.json': schemaText('executor.yaml of Prowess', ExecutorManifest),
	};
}

function schemaText(title: string, declared: z.ZodType): string {
	const schema = z.toJSONSchema(declared, { io: 'input', unrepresentable: 'any' });
	return `${JSON.stringify({ ...schema, title }, undefined, 2)}\n`;
}
