/** The op whose rules speak of a target: a file that a command reads or writes through its streams is one of a file op. */
import type { OpTarget } from '../../../../contract/ops/target.ts';

export function opOfTarget(op: string, target: OpTarget): string {
	return op !== 'shell.run' || target.kind !== 'file' ? op : target.access === 'write' ? 'fs.write' : 'fs.read';
}
