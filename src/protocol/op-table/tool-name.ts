/** Name by which a model calls an op: providers allow no dots. Apart from the ops, for those who must not carry their schemas. */
export function toolName(op: string): string {
	return op.replace('.', '_');
}
