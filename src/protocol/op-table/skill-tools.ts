/**
 * Tools that a skill leaves to the thread that follows it: those that its manifest names, and a few that only read, search and
 * ask. The host refuses the others; the server does not offer them. Source: S1-13, C16.
 */
import type { OpDef } from '../ops/define-op.ts';
import { opsOfForeignTool } from './foreign-tools.ts';
import { canonicalOp, isOpName, opOfCall, type OpName, ops } from './ops.ts';

/** Left by every skill, unless the user wants it strict. */
const BASE: readonly OpName[] = ['fs.read', 'fs.list', 'fs.find', 'fs.stat', 'search.text', 'search.code', 'user.ask'];

/** They end what was begun, or ask the user for a yes to a plan. */
const ALWAYS_LEFT_OPS: readonly OpName[] = ['shell.stop', 'capability.stop', 'plan.write'];

/** Ops that cannot do without others. */
const WITH: { readonly [N in OpName]?: readonly OpName[] } = {
	'shell.run': ['net.connect'],
	'capability.start': ['net.connect'],
};

/** Reads tools as a manifest names them: `fs.edit`, `fs_edit`, `Edit`, `Bash(git *)`. Neither words in brackets nor tools that nobody knows count. */
export function opsOfSkill(tools: readonly string[]): readonly OpName[] {
	const named = tools.flatMap((tool): readonly OpName[] => {
		const name = tool.replace(/\(.*$/s, '').trim();
		const own = canonicalOp(name);
		const op = isOpName(own) ? own : opOfCall(name, {});
		return op === undefined ? (opsOfForeignTool(name) ?? []) : [op, ...listSharedToolOps(op)];
	});
	return [...new Set(named)];
}

/** Other ops of the tool by which models know this one. */
function listSharedToolOps(op: OpName): readonly OpName[] {
	return (Object.keys(ops) as OpName[]).filter((name) => (ops[name] as OpDef).sharedTool?.of === op);
}

/** All that skills leave to their thread which name these ops. */
export function opsLeft(named: readonly OpName[], isStrict: boolean): readonly OpName[] {
	const all = [...named, ...named.flatMap((op) => WITH[op] ?? []), ...(isStrict ? [] : BASE), ...ALWAYS_LEFT_OPS];
	return [...new Set(all)];
}

/**
 * Returns true when an op may be asked for in the thread. Housekeeping of a turn always may, and reads that models are
 * not told of. A start may, so that another skill can be followed; if something may run is judged when that is known.
 */
export function isLeftBySkills(left: readonly string[], op: string): boolean {
	const def: OpDef | undefined = isOpName(op) ? ops[op] : undefined;
	const isQuiet = def?.tool === undefined && (def?.effect === 'read' || def?.effect === 'interact');
	return op === 'capability.start' || def?.isHousekeeping === true || isQuiet || left.includes(op);
}
