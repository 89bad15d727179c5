/**
 * Computes the scope of the answer "for this thread", both as it is described to the person and as it is kept. A change
 * of one ordinary file stands for changes of all ordinary files; every other act stands for itself.
 */
import type { OpDef } from '../../../../protocol/ops/define-op.ts';
import { type Text, text } from '../../../../protocol/text/text.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { RISK_LEVEL_RULES } from './levels.ts';

type ThreadScope = 'fileChanges' | 'exact';

export function computeThreadScope(def: Pick<OpDef, 'risk' | 'effect'>, target: OpTarget): ThreadScope {
	const isOrdinaryChange =
		target.kind === 'file' &&
		target.access === 'write' &&
		!target.isProtected &&
		!target.isSecret &&
		target.onlyByPerson === undefined &&
		target.hasNoUndo !== true;
	return isOrdinaryChange && def.effect === 'write' && RISK_LEVEL_RULES[def.risk].approval === 'target'
		? 'fileChanges'
		: 'exact';
}

/** A sentence fragment: "allow for this turn" means this. */
export const TURN_SCOPE = text(
	'file changes and commands in their sandbox, as at the level Auto, until this turn ends',
);

/** A sentence fragment: "allow for this thread" means this. */
export function threadScopeText(op: string, def: Pick<OpDef, 'risk' | 'effect'>, targets: readonly OpTarget[]): Text {
	if (targets.every((target) => computeThreadScope(def, target) === 'fileChanges')) {
		return text('all file changes in this workspace, except protected and secret files');
	}
	const [target] = targets;
	if (targets.length === 1 && target !== undefined) {
		return oneTarget(op, target.kind);
	}
	return targets.every(({ kind }) => kind === 'command')
		? text('these exact commands')
		: text('{op} of exactly these {count} targets', { op, count: targets.length });
}

function oneTarget(op: string, kind: OpTarget['kind']): Text {
	switch (kind) {
		case 'file':
			return text('{op} of exactly this file', { op });
		case 'database':
			return text('{op} of exactly this database', { op });
		case 'host':
			return text('{op} of exactly this host', { op });
		case 'secret':
			return text('{op} of exactly this secret', { op });
		case 'beyond':
			return text('{op} of exactly this path', { op });
		case 'capability':
			return text('{op} of exactly this capability', { op });
		case 'mcp':
			return op === 'mcp.sample'
				? text('all requests of this server to this model')
				: text('all calls of exactly this tool');
		case 'command':
			return text('this exact command');
	}
}
