/**
 * Explains how the broker would decide on an op, by the same steps up to the decision. Does, asks and records nothing.
 */
import { posix } from 'node:path';
import { textForUser } from '../../../protocol/errors/error-text.ts';
import { newId } from '../../../protocol/ids.ts';
import { canonicalOp, ops } from '../../../protocol/ops.ts';
import { filesOf, isElsewhere } from '../../../protocol/ops/commands/redirect.ts';
import { commandsOf } from '../../../protocol/ops/commands/command-chain.ts';
import { inEnglish, inTurn } from '../../../protocol/text/text.ts';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import type { Explanation, WhyAsked } from '../../../contract/explanation.ts';
import { shownDetail } from '../../gate/approvals/shown-detail.ts';
import type { WorkspacePaths } from '../../../machine/paths/workspace-paths.ts';
import type { ProjectRules } from '../../gate/policy/rules/project-rules.ts';
import { limitPerHour } from '../../gate/policy/executions/rate.ts';
import { assess } from '../../gate/policy/commands/risk-assessor.ts';
import { exactArgvPattern } from '../../gate/policy/rules/argv-pattern.ts';
import { mergeStrictRules, type StrictRules } from '../../gate/policy/rules/strict-rule.ts';
import type { ThreadLevels } from '../../gate/policy/levels/thread-levels.ts';
import type { ThreadModes } from '../../gate/policy/levels/thread-modes.ts';
import { ThreadGrants } from '../../gate/policy/levels/thread-grants.ts';
import type { Redactor } from '../../record/redaction/redactor.ts';
import { type Call, NOTHING_FOUND_YET } from '../call.ts';
import { triggerOf, type Caller } from '../../../contract/ops/caller.ts';
import type { Asked, Work } from '../../../contract/ops/perform-op.ts';
import type { Prepared } from '../../../contract/ops/op-implementation.ts';
import type { Target } from '../../../contract/ops/target.ts';
import { commandTargets } from '../../gate/targets/command-targets.ts';
import { fileTarget } from '../../gate/targets/file-target.ts';
import { questionAdvice, type Reading, readQuestion } from '../person/question-params.ts';
import { checkPermissions, checkTrust, type GatePorts, judge, parse, prepare, type Rulings } from '../steps.ts';

export interface ExplainDeps {
	workOf(op: string): Work | undefined;
	readonly ports: GatePorts;
	readonly paths: WorkspacePaths;
	readonly policies: { readonly current: StrictRules; refresh(signal: AbortSignal): Promise<void> };
	readonly projectRules: Pick<ProjectRules, 'current' | 'refresh'>;
	readonly levels: Pick<ThreadLevels, 'of' | 'strict' | 'refresh'>;
	readonly modes: Pick<ThreadModes, 'of' | 'refresh'>;
	/** Answers for threads; they count for what is asked in one. */
	readonly grants: ThreadGrants;
	readonly redactor: Redactor;
	/** Resolves to true when a sandboxed command sees the path in a `/tmp` of its own instead of the machine's. */
	isOwnTemporary(path: string): Promise<boolean>;
}

interface Asking {
	readonly op: string;
	readonly read: Reading;
	/** Advice on writing the params when they cannot be read. */
	readonly advice: string;
	readonly caller: Caller;
	readonly grants: ThreadGrants;
}

/**
 * Explains how an op would be decided if an agent asked for it in a new thread. `question`: the op, then its params as
 * JSON, or a command, or a path.
 */
export async function explain(deps: ExplainDeps, question: string, signal: AbortSignal): Promise<Explanation> {
	const [, name = '', rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(question) ?? [];
	const op = canonicalOp(name);
	const work = deps.workOf(op);
	const read = work === undefined ? { params: {} } : readQuestion(work, rest);
	const advice = work === undefined || rest.startsWith('{') ? '' : questionAdvice(work, rest);
	const caller: Caller = { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') };
	return await explained(deps, { op, read, advice, caller, grants: new ThreadGrants() }, signal);
}

/** For an op that waits for an answer: as it is judged where it was asked for. */
export async function explainAsked(
	deps: ExplainDeps,
	{ op, params }: Pick<Asked, 'op' | 'params'>,
	caller: Caller,
	signal: AbortSignal,
): Promise<WhyAsked> {
	const explanation = await explained(deps, { op, read: { params }, advice: '', caller, grants: deps.grants }, signal);
	return { explanation, question: clean(deps, `${op} ${askedText(params)}`) };
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

async function explained(
	deps: ExplainDeps,
	{ op, read, advice, caller, grants }: Asking,
	signal: AbortSignal,
): Promise<Explanation> {
	const work = deps.workOf(op);
	const call = callOf(op, read.params, caller);
	const parsed = parse(work, call);
	if (parsed.kind === 'refused' || work === undefined) {
		const reason = `${parsed.kind === 'refused' ? parsed.error.message : op}${advice}`;
		return { ...about(deps, op, work, call), decision: 'invalid', rule: work === undefined ? 'op' : 'params', reason };
	}
	const trusted = checkTrust(deps.ports, work);
	if (trusted.kind === 'refused') {
		return { ...about(deps, op, work, call), decision: 'deny', rule: 'trust', reason: trusted.error.message };
	}
	const looked = await preparedOrGuessed(deps, work, { ...read, params: parsed.value.params }, call, signal);
	const { policies, projectRules, levels, modes } = deps;
	await Promise.all([policies, projectRules, levels, modes].map((each) => each.refresh(signal)));
	const rulings: Rulings = {
		grants,
		policies: mergeStrictRules([policies.current, levels.strict]),
		projectRules: projectRules.current,
		levelOf: (threadId) => levels.of(threadId),
		modeOf: (threadId) => modes.of(threadId),
	};
	const judged = judge(deps.ports, rulings, work, looked.prepared, call);
	const known = { ...about(deps, op, work, call), unprepared: looked.unprepared };
	if (judged.kind === 'deny') {
		return { ...known, decision: 'deny', rule: judged.rule, reason: clean(deps, inEnglish(judged.reason)) };
	}
	if (looked.end !== undefined) {
		return { ...known, unprepared: null, ...looked.end };
	}
	const { prepared, unprepared } = looked;
	const permitted = checkPermissions(work, call);
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
	return { ...known, decision: kind, rule, reason: clean(deps, inEnglish(reason)), asked };
}

function warningFor(targets: readonly Target[]): string | null {
	const { level, reasons } = assess(targets);
	const words = reasons.map(inEnglish).join('; ');
	return level === 'low' ? null : `${level === 'high' ? 'Dangerous' : 'Unusual'}: ${words}.`;
}

function about(
	deps: ExplainDeps,
	op: string,
	work: Work | undefined,
	call: Call,
): Omit<Explanation, 'decision' | 'rule' | 'reason'> {
	return {
		op: clean(deps, op),
		title: clean(deps, inEnglish(call.title)),
		level: work?.def.risk ?? null,
		permission: work?.def.permission ?? null,
		perHour: work === undefined ? 0 : limitPerHour(work.def.risk, deps.ports.settings.current),
		asked: null,
		threadLevel: deps.levels.of(call.threadId),
		unprepared: null,
	};
}

function clean({ redactor }: ExplainDeps, text: string): string {
	return escapeInvisible(redactor.redact(text), 'line');
}

function callOf(op: string, params: unknown, caller: Caller): Call {
	return {
		asked: { opId: newId('op'), op, params },
		origin: { caller, onProgress: () => {} },
		trigger: triggerOf(caller, op),
		threadId: caller.threadId,
		ownLimitMs: 0,
		risk: 'CONTROLLED',
		title: inTurn(op),
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
	work: Work,
	{ params, filledIn }: Reading,
	call: Call,
	signal: AbortSignal,
): Promise<Looked> {
	const guessed = async (unprepared: string): Promise<Looked> => {
		const run = () => Promise.reject(new Error('it was only looked at'));
		const targets = await targetsOf(deps, work, params);
		return { prepared: { targets, detail: { kind: 'text', text: '' }, run }, unprepared };
	};
	if (filledIn !== undefined) {
		return await guessed(`${filledIn} was not given`);
	}
	const prepared = await prepare(work, params, call, signal);
	if (prepared.kind === 'go') {
		return { prepared: prepared.value, unprepared: null };
	}
	const reason = clean(deps, prepared.error.message);
	const looked = await guessed(reason);
	const { code } = prepared.error;
	if (code === 'HOST_REFUSED') {
		const refused = clean(
			deps,
			textForUser(prepared.error, (template) => template),
		);
		return { ...looked, end: { decision: 'deny', rule: 'hosts', reason: refused } };
	}
	const isHopeless = code === 'INVALID_PARAMS' || looked.prepared.targets.length === 0;
	return isHopeless ? { ...looked, end: { decision: 'invalid', rule: 'preparation', reason } } : looked;
}

async function targetsOf({ paths, isOwnTemporary }: ExplainDeps, { def }: Work, params: unknown): Promise<Target[]> {
	const commands = ops['shell.run'].params.safeParse(params);
	if (commands.success) {
		const { cwd, needs } = commands.data;
		const files = filesOf(commandsOf(commands.data).flatMap((each) => each.redirects ?? []));
		const found = files.map(async ({ path, mode }): Promise<Target | undefined> => {
			const access = mode === 'read' ? 'read' : 'write';
			if (needs?.noSandbox !== true && (await isOwnTemporary(path))) {
				return undefined;
			}
			return isElsewhere(path)
				? { kind: 'beyond', access, path, isSecret: true, isProtected: access === 'write', isStream: true }
				: await fileTargetOf(paths, posix.join(cwd, path), access);
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
	return await Promise.all(named.map((each) => fileTargetOf(paths, each, access)));
}

async function fileTargetOf(paths: ExplainDeps['paths'], named: string, access: 'read' | 'write'): Promise<Target> {
	try {
		return fileTarget(await paths.locate(paths.resolve(named)), access);
	} catch {
		// The path leads out of the workspace or is invalid: the gate refuses it under the name that was written.
		const path = leadsOut(named) ? named : `../${named}`;
		return { kind: 'file', access, path, absolutePath: '', isSecret: true, isProtected: true };
	}
}

function leadsOut(path: string): boolean {
	return /^(?:[/\\]|[A-Za-z]:)/.test(path) || path.split(/[\\/]/).includes('..');
}
