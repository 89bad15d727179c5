/** `prowess ledger …`: reads the record of decisions and effects, and acknowledges its damage; starts no server. */
import { type ActInWords, describeLedgerAct } from '../../trust/record/ledger/act-words.ts';
import { readTime } from '../../trust/record/ledger/filter-line.ts';
import type { Ledger } from '../../contract/ledger.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import {
	ActEnd,
	type ActFilter,
	type LedgerFilter,
	LedgerKind,
	type LedgerRow,
} from '../../protocol/approvals/ledger.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { canonicalOp } from '../../protocol/op-table/ops.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { readNumberOption } from '../invocation/typed-values.ts';
import { withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { cliLimits } from '../terminal/limits.ts';
import { pluralizeCount } from '../terminal/messages.ts';
import { promptText } from '../terminal/standard-input.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { formatJson, printResult } from '../invocation/print-result.ts';

export const listLedger: CommandAction = (invocation, context) =>
	withLedger(invocation, context, async (ledger) => {
		const limit = readNumberOption(invocation, 'limit', 20, cliLimits.ledgerRows);
		const filter = readLedgerFilter(invocation);
		const actFilter = readActFilter(invocation, filter);
		if (invocation.switches.has('json') && actFilter.end === undefined) {
			context.terminal.out(formatJson(await ledger.query({ ...filter, limit })));
			return exitCodes.done;
		}
		const { acts } = await ledger.acts(actFilter, limit, null, context.signal);
		if (invocation.switches.has('json')) {
			const rows = acts.flatMap(({ first, last }) => (last === null ? [first] : [last, first]));
			context.terminal.out(formatJson(rows));
		} else if (acts.length === 0) {
			const isFiltered = Object.keys(filter).length > 0 || actFilter.end !== undefined;
			context.terminal.err(isFiltered ? 'No rows match.\n' : 'The ledger is empty.\n');
		} else {
			context.terminal.out(
				[ACT_TABLE_HEAD, ...acts.map((act) => toActCells(describeLedgerAct(act)))].map(formatActRow).join(''),
			);
		}
		return exitCodes.done;
	});

export const showLedger: CommandAction = (invocation, context) =>
	withLedger(invocation, context, async (ledger) => {
		const id = invocation.operands[0] ?? '';
		const rows = await findNamedRows(ledger, id);
		if (rows.length === 0) {
			throw new ProwessError('NOT_FOUND', `the ledger has no row for "${id}"`, { id });
		}
		return printResult(invocation, context, rows, rows.map(formatLedgerRow).join('\n'));
	});

export const verifyLedger: CommandAction = (invocation, context) =>
	withLedger(invocation, context, async (ledger) => {
		const own = await ledger.verify(context.signal);
		const kept = invocation.values['anchors'];
		const elsewhere = kept === undefined ? [] : await ledger.compareAnchors(kept);
		const faults = [...own.faults, ...elsewhere];
		const verification = { ...own, faults, ok: own.ok && elsewhere.length === 0 };
		const { ok, rows, writers, removed, problems } = verification;
		if (invocation.switches.has('json')) {
			context.terminal.out(formatJson(verification));
		} else {
			const lines = problems.map(
				({ writer, seq, problem }) => `${visibleLine(writer)}:${seq}: ${visibleLine(problem)}\n`,
			);
			lines.push(...faults.map((fault) => `${visibleLine(fault)}\n`));
			if (own.faults.length > 0) {
				lines.push('Once you have looked at it, run: prowess ledger acknowledge\n');
			}
			const older = removed === 0 ? '' : `; ${removed} older rows were removed by prowess.ledger.keepDays`;
			context.terminal.out(
				`${lines.join('')}${ok ? 'intact' : 'BROKEN'}: ${pluralizeCount(rows, 'row')} of ${pluralizeCount(writers, 'writer')}${older}\n`,
			);
		}
		return ok ? exitCodes.done : exitCodes.failed;
	});

export const acknowledgeLedger: CommandAction = (invocation, context) =>
	withLedger(invocation, context, async (ledger) => {
		const faults = await ledger.acknowledge(context.signal);
		const said = faults.map((fault) => `acknowledged: ${visibleLine(fault)}\n`).join('');
		context.terminal.out(said === '' ? 'There is nothing to acknowledge.\n' : said);
		return exitCodes.done;
	});

export const exportLedgerCommand: CommandAction = (invocation, context) =>
	withLedger(invocation, context, async (ledger) => {
		const format = invocation.values['format'] === 'csv' ? 'csv' : 'jsonl';
		for await (const piece of ledger.export(format, readLedgerFilter(invocation), context.signal)) {
			context.terminal.out(piece);
			await context.terminal.flush();
		}
		return exitCodes.done;
	});

export const previewRedactionCommand: CommandAction = (invocation, context) =>
	withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		const text = await promptText('-', context.terminal.stdin, 'ledger redact-preview: the text', context.signal);
		const base = await host.trustedBase();
		context.terminal.out(base.previewRedaction(text).split('\n').map(visibleLine).join('\n'));
		return exitCodes.done;
	});

function withLedger(
	invocation: Invocation,
	context: CommandContext,
	work: (ledger: Ledger) => Promise<number>,
): Promise<number> {
	return withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) =>
		work((await host.trustedBase()).ledger),
	);
}

function readLedgerFilter({ values }: Invocation): LedgerFilter {
	const { op, thread, kind, since, until, text } = values;
	return {
		...(op === undefined ? {} : { op: canonicalOp(op) }),
		...(thread === undefined ? {} : { threadId: thread }),
		...(kind === undefined ? {} : { kind: LedgerKind.parse(kind) }),
		...(since === undefined ? {} : { since: readTimeOption('since', since) }),
		...(until === undefined ? {} : { until: readTimeOption('until', until) }),
		...(text === undefined ? {} : { text }),
	};
}

/** Returns the filter of acts. Asking for an op or a kind includes housekeeping, as `--all` does. */
function readActFilter({ values, switches }: Invocation, filter: LedgerFilter): ActFilter {
	const { op, kind } = filter;
	const end = values['result'];
	const withHousekeeping = switches.has('all') || op !== undefined || kind !== undefined;
	return { ...filter, ...(end === undefined ? {} : { end: ActEnd.parse(end) }), withHousekeeping };
}

function readTimeOption(option: string, text: string): string {
	const time = readTime(text);
	if (time === undefined) {
		throw new UsageError(`--${option} takes a time in UTC like 2026-11-20 or 2026-11-20T14:30; got "${text}"`);
	}
	return time;
}

/** An op has an intent and an outcome; `writer:number` names one row. */
async function findNamedRows(ledger: Ledger, id: string): Promise<LedgerRow[]> {
	const [, writer, seq] = /^(.+):(\d{1,15})$/.exec(id) ?? [];
	if (writer !== undefined) {
		return await ledger.query({ row: { writer, seq: Number(seq) } });
	}
	if (!id.startsWith('op_')) {
		throw new UsageError(
			`ledger show: expected an op id like "op_…" or a writer and a number like "abc:12", got "${id}"`,
		);
	}
	return (await ledger.query({ opId: id, limit: cliLimits.ledgerRows })).reverse();
}

const ACT_TABLE_HEAD = ['Time', 'Result', 'Decided by', 'What was done'];
const WIDTHS = [19, 18, 26];

function formatActRow(cells: readonly string[]): string {
	return `${cells.map((cell, index) => visibleLine(cell).padEnd(WIDTHS[index] ?? 0)).join('  ')}\n`;
}

/**
 * Returns the columns of the ledger's page. The doer is named for capabilities only, which act for the agent or the
 * user.
 */
function toActCells({ at, result, decidedBy, what, doer, tool, threadId, id }: ActInWords): string[] {
	const by = doer.includes('/') ? [`by ${doer}${tool === null ? '' : `: ${tool}`}`] : [];
	const thread = threadId === null ? [] : [threadId];
	return [formatActTime(at), inEnglish(result), inEnglish(decidedBy), what, ...by, ...thread, id];
}

/** Sorts as it reads, in the time zone of the machine. */
function formatActTime(at: string): string {
	const time = new Date(at);
	return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ');
}

function formatLedgerRow(row: LedgerRow): string {
	return Object.entries(row)
		.filter(([, value]) => value !== null && value !== undefined)
		.map(([name, value]) => `${name.padEnd(11)} ${visibleLine(String(value))}\n`)
		.join('');
}
