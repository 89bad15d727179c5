/** What would become of an op, found out the way the broker does it, up to the decision. Nothing is done, asked or recorded. */
import type { ApprovalDetail } from '../../protocol/approvals.ts';
import { newId } from '../../protocol/ids.ts';
import { canonicalOp, ops } from '../../protocol/ops.ts';
import { readShellLine } from '../../protocol/ops/shell-line.ts';
import type { Permission, RiskLevel } from '../../protocol/risk.ts';
import { escapeInvisible } from '../approvals/escape-invisible.ts';
import { shownDetail } from '../approvals/shown-detail.ts';
import type { WorkspacePaths } from '../paths/workspace-paths.ts';
import { wordsOf } from '../policy/argv-pattern.ts';
import { limitPerHour } from '../policy/rate.ts';
import { assess } from '../policy/risk-assessor.ts';
import type { StrictRules } from '../policy/strict-rule.ts';
import { ThreadGrants } from '../policy/thread-grants.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { type Call, triggerOf, type Work } from './call.ts';
import type { Caller, Prepared, Target } from './op-implementation.ts';
import { commandTargets } from './ops/shell.ts';
import { fileTarget } from './ops/targets.ts';
import { checkPermissions, checkTrust, type GatePorts, judge, parse, prepare } from './steps.ts';

/** `invalid`: there is no such op, or it cannot be meant so. */
export interface Explanation {
	readonly op: string;
	readonly title: string;
	readonly decision: 'allow' | 'ask' | 'deny' | 'invalid';
	/** The rule, the level or the property that spoke. */
	readonly rule: string;
	readonly reason: string;
	readonly level: RiskLevel | null;
	readonly permission: Permission | null;
	/** Effects in any 60 minutes; 0: no limit. */
	readonly perHour: number;
	/** What the question would show; null when nobody would be asked. */
	readonly asked: {
		readonly detail: ApprovalDetail | null;
		readonly pattern: string | null;
		readonly threadScope: string | null;
		readonly warning: string | null;
	} | null;
	/** Why the op was judged by what was written only. */
	readonly unprepared: string | null;
}

export interface ExplainDeps {
	workOf(op: string): Work | undefined;
	readonly ports: GatePorts;
	readonly paths: WorkspacePaths;
	readonly policies: { readonly current: StrictRules; refresh(signal: AbortSignal): Promise<void> };
	readonly redactor: Redactor;
}

/** `question`: the op, then its params as JSON, or a command, or a path. As if an agent asked in a new thread. */
export async function explain(deps: ExplainDeps, question: string, signal: AbortSignal): Promise<Explanation> {
	const [, name = '', rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(question) ?? [];
	const op = canonicalOp(name);
	const work = deps.workOf(op);
	const call = callOf(op, work === undefined ? {} : paramsOf(work, rest));
	const parsed = parse(work, call);
	if (parsed.kind === 'refused' || work === undefined) {
		const reason = parsed.kind === 'refused' ? parsed.error.message : `there is no op "${op}"`;
		return { ...about(deps, op, work, call), decision: 'invalid', rule: 'params', reason };
	}
	const trusted = checkTrust(deps.ports, work);
	if (trusted.kind === 'refused') {
		return { ...about(deps, op, work, call), decision: 'deny', rule: 'trust', reason: trusted.error.message };
	}
	const { prepared, unprepared } = await preparedOrGuessed(deps, work, parsed.value.params, call, signal);
	await deps.policies.refresh(signal);
	const rulings = { grants: new ThreadGrants(), policies: deps.policies.current };
	const judged = judge(deps.ports, rulings, work, prepared, call);
	const known = { ...about(deps, op, work, call), unprepared };
	if (judged.kind === 'refused') {
		const { rule: spoken } = judged.error.facts;
		const rule = typeof spoken === 'string' ? spoken : 'gate';
		return { ...known, decision: 'deny', rule, reason: clean(deps, judged.error.message) };
	}
	const permitted = checkPermissions(work, call);
	if (permitted.kind === 'refused') {
		return { ...known, decision: 'deny', rule: 'permission', reason: permitted.error.message };
	}
	const { kind, rule, reason } = judged.value;
	const asked =
		judged.value.kind !== 'ask'
			? null
			: {
					detail: unprepared === null ? shownDetail(prepared.detail, (text) => deps.redactor.redact(text)) : null,
					pattern: judged.value.pattern,
					threadScope: judged.value.threadScope,
					warning: assess(prepared.targets).why ?? null,
				};
	return { ...known, decision: kind, rule, reason: clean(deps, reason), asked };
}

function about(
	deps: ExplainDeps,
	op: string,
	work: Work | undefined,
	call: Call,
): Omit<Explanation, 'decision' | 'rule' | 'reason'> {
	return {
		op: clean(deps, op),
		title: clean(deps, call.input),
		level: work?.def.risk ?? null,
		permission: work?.def.permission ?? null,
		perHour: work === undefined ? 0 : limitPerHour(work.def.risk, deps.ports.settings.current),
		asked: null,
		unprepared: null,
	};
}

function clean({ redactor }: ExplainDeps, text: string): string {
	return escapeInvisible(redactor.redact(text), 'line');
}

function callOf(op: string, params: unknown): Call {
	const caller: Caller = { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') };
	return {
		asked: { opId: newId('op'), op, params },
		origin: { caller, onProgress: () => {} },
		...{ trigger: triggerOf(caller, op), threadId: caller.threadId, ownLimitMs: 0, risk: 'CONTROLLED', input: op },
		...{ decision: 'not judged', assessed: null, paramsHash: null, place: undefined, released: undefined },
	};
}

/** The first reading that the op takes. */
function paramsOf({ op, def }: Work, text: string): unknown {
	if (text.startsWith('{')) {
		try {
			return JSON.parse(text);
		} catch {
			// Then it is a path that begins so.
		}
	}
	const words = wordsOf(text)?.map((word) => word.text) ?? [text];
	const [from = '', to = from] = words;
	const path = text === '' ? {} : { path: text };
	const readings: readonly unknown[] = [
		...(op === 'shell.run' ? [readShellLine(text), { argv: words }] : []),
		path,
		{ ...path, content: '' },
		{ ...path, edits: [{ find: ' ', replace: ' ' }] },
		{ from, to },
		{ pattern: text },
		{ query: text },
		{ question: text },
	];
	return readings.find((params) => def.params.safeParse(params).success) ?? path;
}

/** What cannot be prepared (no such program, nothing to replace …) is judged by the names that were written. */
async function preparedOrGuessed(
	deps: ExplainDeps,
	work: Work,
	params: unknown,
	call: Call,
	signal: AbortSignal,
): Promise<{ readonly prepared: Prepared<unknown>; readonly unprepared: string | null }> {
	const prepared = await prepare(work, params, call, signal);
	if (prepared.kind === 'go') {
		return { prepared: prepared.value, unprepared: null };
	}
	const targets = await targetsOf(deps, work, params);
	const run = () => Promise.reject(new Error('it was only looked at'));
	return {
		prepared: { targets, detail: { kind: 'text', text: '' }, run },
		unprepared: clean(deps, prepared.error.message),
	};
}

async function targetsOf({ paths }: ExplainDeps, { def }: Work, params: unknown): Promise<Target[]> {
	const commands = ops['shell.run'].params.safeParse(params);
	if (commands.success) {
		return commandTargets(commands.data, '.');
	}
	const { path, from, to } = params as Readonly<Record<string, unknown>>;
	const access = def.effect === 'read' ? 'read' : 'write';
	const named = [path, from, to].filter((each) => typeof each === 'string');
	return await Promise.all(
		named.map(async (each): Promise<Target> => {
			try {
				return fileTarget(await paths.locate(paths.resolve(each)), access);
			} catch {
				// It leads out, or cannot be a path: the gate refuses it.
				return { kind: 'file', access, path: '../', absolutePath: '', isSecret: true, isProtected: true };
			}
		}),
	);
}
