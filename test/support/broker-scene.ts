/** A broker with one op, `test.op`, whose every part a test can say; with a ledger in memory. */
import * as z from '../../src/protocol/text/zod.ts';
import { PersonDesk } from '../../src/trust/gate/approvals/desk.ts';
import { Broker, type BrokerDeps } from '../../src/trust/broker/broker.ts';
import type { OpOrigin, OpWork } from '../../src/contract/ops/perform-op.ts';
import type { OpContext, Prepared } from '../../src/contract/ops/op-implementation.ts';
import type { OpTarget } from '../../src/contract/ops/target.ts';
import { Redactor } from '../../src/trust/record/redaction/redactor.ts';
import type { OpOutcome, OpProgress } from '../../src/protocol/turn/broker.ts';
import { newId, type OpId, type ThreadId } from '../../src/protocol/rpc/ids.ts';
import { defineOp } from '../../src/protocol/ops/define-op.ts';
import type { RiskLevel } from '../../src/protocol/ops/risk.ts';
import { testHost, type TestHostOptions } from './host-ports.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { joinTexts } from '../../src/protocol/text/text.ts';

interface Scene extends TestHostOptions {
	readonly risk?: RiskLevel;
	readonly timeoutMs?: number;
	readonly targets?: readonly OpTarget[];
	readonly ledger?: MemoryLedger;
	readonly run?: (context: OpContext) => Promise<unknown>;
	readonly prepare?: () => Promise<Prepared<unknown>>;
	readonly deps?: Partial<BrokerDeps>;
}

export const target = {
	kind: 'file',
	access: 'write',
	path: 'a.ts',
	absolutePath: '/w/a.ts',
	isSecret: false,
	isProtected: false,
} as const satisfies OpTarget;
export const never = new AbortController().signal;
export const secret = 'canary-0123456789-canary';

export function scene(options: Scene = {}) {
	const host = testHost(options);
	const ledger = options.ledger ?? new MemoryLedger();
	const redactor = new Redactor();
	redactor.addSecret(secret);
	const effects: OpId[] = [];
	const progress: OpProgress[] = [];
	const desk = new PersonDesk({
		person: host.ports.person,
		timeoutMs: () => 60_000,
		isUnattended: () => host.ports.approvalMode !== 'ask',
		onPortFailure: () => {},
	});
	const work: OpWork = {
		op: 'test.op',
		def: defineOp({
			params: z.object({ text: z.string().default(''), n: z.number().default(0) }),
			result: z.unknown(),
			risk: options.risk ?? 'MONITORED',
			permission: 'workspace.read',
			effect: 'write',
			timeoutMs: options.timeoutMs ?? 5_000,
			title: ({ text }) => joinTexts('Test', text),
			present: (result) => JSON.stringify(result),
		}),
		prepare: () =>
			options.prepare?.() ??
			Promise.resolve({
				targets: options.targets ?? [target],
				detail: { kind: 'path', path: 'a.ts' },
				run(context) {
					effects.push(context.opId);
					return options.run?.(context) ?? Promise.resolve({ ok: true });
				},
			}),
	};
	const broker = new Broker({
		workOf: (op) => (op === work.op ? work : undefined),
		ports: host.ports,
		ledger,
		redactor,
		desk,
		...options.deps,
	});
	const threadId = newId('thr');
	const origin = (thread: ThreadId = threadId): OpOrigin => ({
		caller: { kind: 'agent', threadId: thread, turnId: newId('trn') },
		onProgress: (each) => progress.push(each),
	});
	const perform = (params: unknown = {}, opId = newId('op'), signal = never, from = origin()) =>
		broker.perform({ opId, op: 'test.op', params }, from, signal);
	return { broker, ledger, desk, effects, progress, host, perform, origin };
}

export function codeOf(outcome: OpOutcome): string {
	return outcome.status === 'done' ? 'done' : `${outcome.status} ${outcome.error.code}`;
}

export function kinds(ledger: MemoryLedger): string[] {
	return ledger.rows.map((row) => row.kind);
}

/** Resolves when the desk shows a question. */
export function question(desk: PersonDesk): Promise<PersonDesk['current']> {
	if (desk.current.approvals.length > 0) {
		return Promise.resolve(desk.current);
	}
	return new Promise((resolve) => {
		const listening = desk.onDidChange((current) => {
			if (current.approvals.length > 0) {
				listening.dispose();
				resolve(current);
			}
		});
	});
}
