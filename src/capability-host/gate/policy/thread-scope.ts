/**
 * How far the answer "for this thread" reaches: as it is said to the person, and as it is kept. Changing one ordinary file
 * stands for changing them all; everything else stands for itself.
 */
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import type { Target } from '../../contract/target.ts';
import { LEVELS } from './levels.ts';

type ThreadScope = 'fileChanges' | 'exact';

export function threadScopeOf(def: Pick<OpDef, 'risk' | 'effect'>, target: Target): ThreadScope {
	const isOrdinaryChange =
		target.kind === 'file' &&
		target.access === 'write' &&
		!target.isProtected &&
		!target.isSecret &&
		target.onlyByPerson === undefined;
	return isOrdinaryChange && def.effect === 'write' && LEVELS[def.risk].approval === 'target' ? 'fileChanges' : 'exact';
}

/** A sentence fragment: "allow for this thread" means this. */
export function threadScopeText(op: string, def: Pick<OpDef, 'risk' | 'effect'>, targets: readonly Target[]): string {
	if (targets.every((target) => threadScopeOf(def, target) === 'fileChanges')) {
		return 'all file changes in this workspace, except protected and secret files';
	}
	if (targets.every((target) => target.kind === 'command')) {
		return targets.length === 1 ? 'this exact command' : 'these exact commands';
	}
	const [target] = targets;
	return targets.length === 1 && target !== undefined
		? `${op} of exactly this ${target.kind}`
		: `${op} of exactly these ${targets.length} targets`;
}
