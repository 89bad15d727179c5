/** Checks whether the ledger can be used, for an overview of the machine that must not take long. */
import { TimeoutError } from '../../../base/time/derived-signal.ts';
import type { Ledger } from '../../../contract/ledger.ts';
import { joinTexts, type Text, text } from '../../../protocol/text/text.ts';

/** Hint for the user on how to stop reports of faults of the whole ledger. */
const ACKNOWLEDGE_HINT = text(
	'Once you have looked at it, run "Prowess: Acknowledge Ledger Damage" or `prowess ledger acknowledge`.',
);

interface LedgerHealth {
	readonly ok: boolean;
	readonly detail: Text;
}

/** Rejects when it does not answer. When the time of `signal` is over before every row was checked, what was seen counts. */
export async function ledgerHealth(
	ledger: Pick<Ledger, 'query' | 'verify' | 'faults'>,
	signal: AbortSignal,
): Promise<LedgerHealth> {
	await ledger.query({ limit: 1 });
	try {
		const faults = await ledger.faults(signal);
		if (faults.length > 0) {
			return { ok: false, detail: joinTexts(`${faults.join('; ')}.`, ACKNOWLEDGE_HINT) };
		}
		const { ok, rows, problems } = await ledger.verify(signal);
		const [first] = problems;
		const detail =
			first === undefined
				? rows === 1
					? text('1 row, intact')
					: text('{n} rows, intact', { n: rows })
				: text('chain {chain}, row {row}: {problem}', { chain: first.writer, row: first.seq, problem: first.problem });
		return { ok, detail };
	} catch (error) {
		if (error instanceof TimeoutError) {
			return { ok: true, detail: text('It answers. Checking all of its rows takes longer than this look.') };
		}
		throw error;
	}
}
