/** Builds the target for the gate from a file that was found on the disk. */
import type { Located } from '../../../machine/paths/workspace-paths.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';

export type FileTarget = Extract<OpTarget, { kind: 'file' }>;

export function createFileTarget(
	{ path, absolutePath, isSecret, isProtected, protectedKind }: Located,
	access: 'read' | 'write',
): FileTarget {
	const target = { kind: 'file', access, path, absolutePath, isSecret, isProtected } as const;
	return protectedKind === undefined ? target : { ...target, protectedKind };
}
