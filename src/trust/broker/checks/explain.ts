/**
 * Explains how the broker would decide on an op, by the same steps up to the decision. Does, asks and records nothing.
 */
import { posix } from 'node:path';
import type { Explanation, WhyAsked } from '../../../contract/decision.ts';
import { textForUser } from '../../../protocol/errors/error-text.ts';
import { newId } from '../../../protocol/rpc/ids.ts';
import { canonicalOp, ops } from '../../../protocol/op-table/ops.ts';
import { listRedirectFiles, isElsewhere } from '../../../protocol/ops/commands/redirect.ts';
import { listChainCommands } from '../../../protocol/ops/commands/command-chain.ts';
import { inEnglish, joinTexts } from '../../../protocol/text/text.ts';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import { shownDetail } from '../../gate/approvals/shown-detail.ts';
import type { WorkspacePaths } from '../../../machine/paths/workspace-paths.ts';
import type { ProjectRules } from '../../gate/policy/rules/project-rules.ts';
import { limitPerHour } from '../../gate/policy/executions/rate.ts';
import { assessTargets } from '../../gate/policy/commands/risk-assessor.ts';
import { exactArgvPattern } from '../../gate/policy/rules/argv-pattern.ts';
import { findLabelId, type ThreadLabels } from '../../gate/labels/thread-labels.ts';
import { mergeStrictRules, type StrictRules } from '../../gate/policy/rules/strict-rule.ts';
import type { ThreadLevels } from '../../gate/policy/levels/thread-levels.ts';
import type { ThreadModes } from '../../gate/policy/levels/thread-modes.ts';
import { ThreadGrants } from '../../gate/policy/levels/thread-grants.ts';
import type { Redactor } from '../../record/redaction/redactor.ts';
import { type BrokerCall, NOTHING_FOUND_YET } from '../call.ts';
import { formatOpTrigger, type Caller } from '../../../contract/ops/caller.ts';
import type { RequestedOp, OpWork } from '../../../contract/ops/perform-op.ts';
import type { Prepared } from '../../../contract/ops/op-implementation.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';
import { commandTargets, createFileTarget } from '../../gate/targets.ts';
import { questionAdvice, type ParamsReading, readQuestion } from '../person/question-params.ts';
import {
	checkPermissions,
	checkTrust,
	type GatePorts,
	judgeCall,
	parseCall,
	prepareCall,
	type Rulings,
} from '../steps.ts';

export interface ExplainDeps {
	workOf(op: string): OpWork | undefined;
	readonly ports: GatePorts;
	readonly paths: WorkspacePaths;
	readonly policies: { readonly current: StrictRules; refresh(signal: AbortSignal): Promise<void> };
	readonly projectRules: Pick<ProjectRules, 'current' | 'refresh'>;
	readonly levels: Pick<ThreadLevels, 'of' | 'strict' | 'refresh'>;
	readonly modes: Pick<ThreadModes, 'of' | 'refresh'>;
	/** Texts from outside that models have read. */
	readonly labels: Pick<ThreadLabels, 'of' | 'ready' | 'tighten'>;
	/** Answers for threads; they count for what is asked in one. */
	readonly grants: ThreadGrants;
	readonly redactor: Redactor;
	/** Resolves to true when a sandboxed command sees the path in a `/tmp` of its own instead of the machine's. */
	isOwnTemporary(path: string): Promise<boolean>;
}

interface ExplainedOp {
	readonly op: string;
	readonly read: ParamsReading;
	/** Advice on writing the params when they cannot be read. */
	readonly advice: string;
	readonly caller: Caller;
	readonly grants: ThreadGrants;
}

/**
 * Explains how an op would be decided if an agent asked for it in a new thread. `question`: the op, then its params as
 * JSON, or a command, or a path.
 */
export async function explainOp(deps: ExplainDeps, question: string, signal: AbortSignal): Promise<Explanation> {
	const [, name = '', rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(question) ?? [];
	const op = canonicalOp(name);
	const work = deps.workOf(op);
	const read = work === undefined ? { params: {} } : readQuestion(work, rest);
	const advice = work === undefined || rest.startsWith('{') ? '' : questionAdvice(work, rest);
	const caller: Caller = { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') };
	return await createExplanation(deps, { op, read, advice, caller, grants: new ThreadGrants() }, signal);
}

/** For an op that waits for an answer: as it is judged where it was asked for. */
export async function explainAsked(
	deps: ExplainDeps,
	{ op, params }: Pick<RequestedOp, 'op' | 'params'>,
	caller: Caller,
	signal: AbortSignal,
): Promise<WhyAsked> {
	const explanation = await createExplanation(
		deps,
		{ op, read: { params }, advice: '', caller, grants: deps.grants },
		signal,
	);
	return { explanation, question: redactToLine(deps, `${op} ${askedText(params)}`) };
}

/** The params as a person would type them after the op. */
function askedText(params: unknown): string {
	const { argv, path, cwd = '.', background = false, ...others } = params as Readonly<Record<string, unknown>>;
	const isAlone = cwd === '.' && background === false && Object.values(others).every((other) => other === undefined);
	if (isAlone && path === undefined && Array.isArray(argv)) {
		return exactArgvPattern(argv.map(String));
	}
	return isAlone && argv === undefined && typeof path === 'string' ? path : JSON.stringify(params);
}

async function createExplanation(
	deps: ExplainDeps,
	{ op, read, advice, caller, grants }: ExplainedOp,
	signal: AbortSignal,
): Promise<Explanation> {
	const work = deps.workOf(op);
	const call = createExplainedCall(op, read.params, caller);
	const parsed = parseCall(work, call);
	if (parsed.kind === 'refused' || work === undefined) {
		const reason = `${parsed.kind === 'refused' ? parsed.error.message : op}${advice}`;
		return {
			...describeExplainedCall(deps, op, work, call),
			decision: 'invalid',
			rule: work === undefined ? 'op' : 'params',
			reason,
		};
	}
	const trusted = checkTrust(deps.ports, work);
	if (trusted.kind === 'refused') {
		return {
			...describeExplainedCall(deps, op, work, call),
			decision: 'deny',
			rule: 'trust',
			reason: trusted.error.message,
		};
	}
	const looked = await preparedOrGuessed(deps, work, { ...read, params: parsed.value.params }, call, signal);
	const { policies, projectRules, levels, modes, labels } = deps;
	await Promise.all([policies, projectRules, levels, modes].map((each) => each.refresh(signal)));
	await labels.ready(findLabelId(caller), signal);
	const rulings: Rulings = {
		grants,
		policies: mergeStrictRules([policies.current, levels.strict]),
		projectRules: projectRules.current,
		levelOf: (threadId) => levels.of(threadId),
		modeOf: (threadId) => modes.of(threadId),
		textsReadBy: (each) => labels.of(findLabelId(each)),
		tighten: (input, decided) => labels.tighten(input, decided),
	};
	const judged = judgeCall(deps.ports, rulings, work, looked.prepared, call);
	const known = { ...describeExplainedCall(deps, op, work, call), unprepared: looked.unprepared };
	const permitted = checkPermissions(work, call);
	const isOfTexts = judged.kind === 'deny' && judged.rule === 'outside-text';
	if (judged.kind === 'deny' && !(isOfTexts && permitted.kind === 'refused')) {
		return { ...known, decision: 'deny', rule: judged.rule, reason: redactToLine(deps, inEnglish(judged.reason)) };
	}
	if (looked.end !== undefined) {
		return { ...known, unprepared: null, ...looked.end };
	}
	const { prepared, unprepared } = looked;
	if (permitted.kind === 'refused') {
		return { ...known, decision: 'deny', rule: 'permission', reason: permitted.error.message };
	}
	const { kind, rule, reason } = judged;
	const asked =
		judged.kind !== 'ask'
			? null
			: {
					detail: unprepared === null ? shownDetail(prepared.detail, (text) => deps.redactor.redact(text)) : null,
					pattern: judged.pattern,
					threadScope: judged.threadScope === null ? null : inEnglish(judged.threadScope),
					passesAt: judged.passesAt,
					warning: warningFor(prepared.targets),
				};
	return { ...known, decision: kind, rule, reason: redactToLine(deps, inEnglish(reason)), asked };
}

function warningFor(targets: readonly OpTarget[]): string | null {
	const { level, reasons } = assessTargets(targets);
	const words = reasons.map(inEnglish).join('; ');
	return level === 'low' ? null : `${level === 'high' ? 'Dangerous' : 'Unusual'}: ${words}.`;
}

function describeExplainedCall(
	deps: ExplainDeps,
	op: string,
	work: OpWork | undefined,
	call: BrokerCall,
): Omit<Explanation, 'decision' | 'rule' | 'reason'> {
	return {
		op: redactToLine(deps, op),
		title: redactToLine(deps, inEnglish(call.title)),
		level: work?.def.risk ?? null,
		permission: work?.def.permission ?? null,
		perHour: work === undefined ? 0 : limitPerHour(work.def.risk, deps.ports.settings.current),
		asked: null,
		threadLevel: deps.levels.of(call.threadId),
		unprepared: null,
	};
}

function redactToLine({ redactor }: ExplainDeps, text: string): string {
	return escapeInvisible(redactor.redact(text), 'line');
}

function createExplainedCall(op: string, params: unknown, caller: Caller): BrokerCall {
	return {
		asked: { opId: newId('op'), op, params },
		shownParams: params,
		origin: { caller, onProgress: () => {} },
		trigger: formatOpTrigger(caller, op),
		threadId: caller.threadId,
		ownLimitMs: 0,
		risk: 'CONTROLLED',
		title: joinTexts(op),
		...NOTHING_FOUND_YET,
	};
}

interface Looked {
	readonly prepared: Prepared<unknown>;
	readonly unprepared: string | null;
	/** Decision that holds in any case, unless a rule refuses the op before. */
	readonly end?: Pick<Explanation, 'decision' | 'rule' | 'reason'>;
}

/**
 * Prepares the op; when that fails (no such program, nothing to replace …), falls back to targets guessed from the
 * names that were written.
 */
async function preparedOrGuessed(
	deps: ExplainDeps,
	work: OpWork,
	{ params, filledIn }: ParamsReading,
	call: BrokerCall,
	signal: AbortSignal,
): Promise<Looked> {
	const prepareGuessed = async (unprepared: string): Promise<Looked> => {
		const refuseToRun = () => Promise.reject(new Error('it was only looked at'));
		const targets = await guessTargets(deps, work, params);
		return { prepared: { targets, detail: { kind: 'text', text: '' }, run: refuseToRun }, unprepared };
	};
	if (filledIn !== undefined) {
		return await prepareGuessed(`${filledIn} was not given`);
	}
	const prepared = await prepareCall(work, params, call, signal);
	if (prepared.kind === 'go') {
		return { prepared: prepared.value, unprepared: null };
	}
	const reason = redactToLine(deps, prepared.error.message);
	const looked = await prepareGuessed(reason);
	const { code } = prepared.error;
	if (code === 'HOST_REFUSED') {
		const refused = redactToLine(
			deps,
			textForUser(prepared.error, (template) => template),
		);
		return { ...looked, end: { decision: 'deny', rule: 'hosts', reason: refused } };
	}
	const isHopeless = code === 'INVALID_PARAMS' || looked.prepared.targets.length === 0;
	return isHopeless ? { ...looked, end: { decision: 'invalid', rule: 'preparation', reason } } : looked;
}

async function guessTargets(
	{ paths, isOwnTemporary }: ExplainDeps,
	{ def }: OpWork,
	params: unknown,
): Promise<OpTarget[]> {
	const commands = ops['shell.run'].params.safeParse(params);
	if (commands.success) {
		const { cwd, needs } = commands.data;
		const files = listRedirectFiles(listChainCommands(commands.data).flatMap((each) => each.redirects ?? []));
		const found = files.map(async ({ path, mode }): Promise<OpTarget | undefined> => {
			const access = mode === 'read' ? 'read' : 'write';
			if (needs?.noSandbox !== true && (await isOwnTemporary(path))) {
				return undefined;
			}
			return isElsewhere(path)
				? { kind: 'beyond', access, path, isSecret: true, isProtected: access === 'write', isStream: true }
				: await guessFileTarget(paths, posix.join(cwd, path), access);
		});
		const targets = (await Promise.all(found)).filter((each) => each !== undefined);
		return [...commandTargets(commands.data, '.'), ...targets];
	}
	const { path, from, to, host } = params as Readonly<Record<string, unknown>>;
	if (typeof host === 'string') {
		return [{ kind: 'host', host: host.toLowerCase() }];
	}
	const access = def.effect === 'read' ? 'read' : 'write';
	const named = [path, from, to].filter((each) => typeof each === 'string');
	return await Promise.all(named.map((each) => guessFileTarget(paths, each, access)));
}

async function guessFileTarget(
	paths: ExplainDeps['paths'],
	named: string,
	access: 'read' | 'write',
): Promise<OpTarget> {
	try {
		return createFileTarget(await paths.locate(paths.resolve(named)), access);
	} catch {
		// The path leads out of the workspace or is invalid: the gate refuses it under the name that was written.
		const path = leadsOut(named) ? named : `../${named}`;
		return { kind: 'file', access, path, absolutePath: '', isSecret: true, isProtected: true };
	}
}

function leadsOut(path: string): boolean {
	return /^(?:[/\\]|[A-Za-z]:)/.test(path) || path.split(/[\\/]/).includes('..');
}
