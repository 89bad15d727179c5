/** Ops that reach other machines, or pages of them. Loaded with the first of them (`late-ops.ts`). */
import type { OpImplementation, OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { OpName } from '../../protocol/op-table/ops.ts';
import type { BrowserOp } from './browser-pages.ts';
import type { DataDeps } from '../data/data-deps.ts';
import { CookieJars } from '../../machine/http/cookie-jar.ts';
import { httpOps } from './http.ts';
import type { LateNetworkDeps } from './network-deps.ts';
import { webOps } from './web.ts';

export { BrowserPages } from './browser-pages.ts';

export type ReachingOp = Extract<OpName, `${'http' | 'cookie' | 'web' | 'browser'}.${string}`>;

/** Once for each host: the cookies of its callers live in it. */
export function reachingOps(late: LateNetworkDeps & Pick<DataDeps, 'secrets'>): Pick<OpImplementations, ReachingOp> {
	const cookies = new CookieJars();
	late.onDidEndExecution(({ executionId }) => cookies.forget(executionId));
	const deps = { ...late, http: { ...late.http, cookies } };
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
