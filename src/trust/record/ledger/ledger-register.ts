/** The ledger, as the rest of the host sees it: with what it kept outside of its files. */
import { type AnchorPlace, compareAnchorFile, faultsOutside } from './anchor-place.ts';
import { exportRows } from './export.ts';
import type { HostLedger as ChainedLedger } from './ledger.ts';
import { writePieces } from './write-pieces.ts';
import type { Ledger } from '../../../contract/ledger.ts';

interface LedgerRegisterDeps {
	readonly ledger: ChainedLedger;
	readonly anchorPlace: AnchorPlace;
	/** Settles when the files are open and what was moved aside is noted: rows are read after that. */
	ready(): Promise<unknown>;
}

export function ledgerRegister({ ledger, anchorPlace, ready }: LedgerRegisterDeps): Ledger {
	return {
		async query(query) {
			await ready();
			return await ledger.query(query);
		},
		async acts(filter, limit, before, signal) {
			await ready();
			return await ledger.acts(filter, limit, before, signal);
		},
		onDidRecord: ledger.onDidRecord,
		async verify(signal) {
			const own = await ledger.verify(signal);
			const faults = [...own.faults, ...(await faultsOutside(ledger, anchorPlace, signal))];
			return { ...own, faults, ok: own.ok && faults.length === 0 };
		},
		faults: async (signal) => [...(await ledger.faults()), ...(await faultsOutside(ledger, anchorPlace, signal))],
		compareAnchors: (path) => compareAnchorFile(ledger, path),
		acknowledge: async (signal) => ledger.acknowledge(await faultsOutside(ledger, anchorPlace, signal)),
		export: (format, filter, signal) => exportRows(ledger.pages(filter, signal), format),
		exportTo: (path, format, filter, signal) =>
			writePieces(path, exportRows(ledger.pages(filter, signal), format), signal),
	};
}
