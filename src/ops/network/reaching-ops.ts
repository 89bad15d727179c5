/** Ops that reach other machines, or pages of them. Loaded with the first of them (`late-ops.ts`). */
import type { OpImplementation, OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { OpName } from '../../protocol/op-table/ops.ts';
import type { BrowserOp } from './browser-pages.ts';
import type { HttpSending } from './http-request.ts';
import { httpOps } from './http.ts';
import type { NetworkDeps } from './network-deps.ts';
import { webOps } from './web.ts';

export { BrowserPages } from './browser-pages.ts';

export type ReachingOp = Extract<OpName, `${'http' | 'cookie' | 'web' | 'browser'}.${string}`>;

export function reachingOps(deps: HttpSending & NetworkDeps): Pick<OpImplementations, ReachingOp> {
	const onPages = <N extends BrowserOp>(op: N): OpImplementation<N> => ({
		prepare: async (params, context) => (await deps.browsers.load()).ops[op].prepare(params, context),
	});
	return {
		...httpOps(deps),
		...webOps(deps),
		'browser.open': onPages('browser.open'),
		'browser.look': onPages('browser.look'),
		'browser.act': onPages('browser.act'),
	};
}
