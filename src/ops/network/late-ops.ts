/** Ops whose code is loaded with the first of them: few turns reach other machines. */
import type { OpImplementation, OpImplementations } from '../../contract/ops/op-implementation.ts';
import { OP_NAMES } from '../../protocol/op-table/ops.ts';
import type { DataDeps } from '../data/data-deps.ts';
import type { LateNetworkDeps } from './network-deps.ts';
import type { ReachingOp } from './reaching-ops.ts';

export function lateReachingOps(
	deps: LateNetworkDeps & Pick<DataDeps, 'secrets'>,
): Pick<OpImplementations, ReachingOp> {
	let loaded: Promise<Pick<OpImplementations, ReachingOp>> | undefined;
	const loadReachingOps = () => (loaded ??= import('./reaching-ops.ts').then(({ reachingOps }) => reachingOps(deps)));
	const performLate = <N extends ReachingOp>(op: N): OpImplementation<N> => ({
		prepare: async (params, context) => (await loadReachingOps())[op].prepare(params, context),
	});
	const names = OP_NAMES.filter((name): name is ReachingOp => /^(?:http|cookie|web|browser)\./.test(name));
	return Object.fromEntries(names.map((name) => [name, performLate(name)])) as unknown as Pick<
		OpImplementations,
		ReachingOp
	>;
}
