/** Files as targets of the gate. */
import type { Located } from '../../../machine/paths/workspace-paths.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';

export type FileTarget = Extract<OpTarget, { kind: 'file' }>;

/** Target for the gate from a file that was found on the disk. */
export function createFileTarget(
	{ path, absolutePath, isSecret, isProtected, protectedKind }: Located,
	access: 'read' | 'write',
): FileTarget {
	const target = { kind: 'file', access, path, absolutePath, isSecret, isProtected } as const;
	return protectedKind === undefined ? target : { ...target, protectedKind };
}

/** The op whose rules speak of a target: a file that a command reads or writes through its streams is one of a file op. */
export function opOfTarget(op: string, target: OpTarget): string {
	return op !== 'shell.run' || target.kind !== 'file' ? op : target.access === 'write' ? 'fs.write' : 'fs.read';
}
