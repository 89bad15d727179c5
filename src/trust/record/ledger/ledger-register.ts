/** The ledger, as the rest of the host sees it: with what it kept outside of its files. */
import { v7 } from 'uuid';
import { AnchorPlace, compareAnchorFile, faultsOutside } from './anchor-place.ts';
import { exportRows } from './export.ts';
import { HostLedger } from './ledger.ts';
import { noteMovedAside } from './ledger-upkeep.ts';
import { writePieces } from './write-pieces.ts';
import type { Ledger } from '../../../contract/ledger.ts';
import type { HostPorts } from '../../../contract/ports/ports.ts';
import { systemResolve } from '../../../machine/http/resolve-host.ts';
import { gitEnvironment } from '../../../machine/shell/git-settings.ts';
import { workerUrl } from '../../../machine/worker-url.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { HostStore, type OpenStoreThread, storeWorker } from '../store/thread/host-store.ts';

interface LedgerRegisterDeps {
	readonly ledger: HostLedger;
	readonly anchorPlace: AnchorPlace;
	/** Settles when the files are open and what was moved aside is noted: rows are read after that. */
	ready(): Promise<unknown>;
	/** Throws DENIED_BY_ORGANISATION where rows must not leave. */
	checkExport(): void;
}

/** Creates the databases and their thread, the ledger in them, and the place where its anchors are kept. */
export function createRecord(
	{ places, settings, log }: Pick<HostPorts, 'places' | 'settings' | 'log'>,
	redactor: Redactor,
	environment: Readonly<Record<string, string>>,
	storeThread: OpenStoreThread | undefined,
) {
	let noted = Promise.resolve();
	const store = new HostStore(
		storeThread ?? storeWorker(workerUrl('../trust/record/store/thread/worker.ts', 'ledger-worker.mjs', places.dist)),
		{ home: places.home, writer: `host_${v7()}` },
		{
			onMovedAside(path, saved) {
				noted = noted.then(() => noteMovedAside(ledger, path, saved, log));
			},
			onAnchored: (text) => anchorPlace.keep(text),
			onNotAnchored: (error) => log.warn('how far the ledger got could not be written down', { error }),
		},
	);
	const ledger = new HostLedger(store, redactor);
	const anchorPlace = new AnchorPlace({
		place: () => settings.current['prowess.ledger.anchor'],
		allowedHosts: () => settings.current['prowess.http.allowHosts'],
		resolve: systemResolve,
		environment: gitEnvironment(environment),
		log,
	});
	/** Resolves when it is noted what of a damaged ledger was moved aside. */
	const whenNoted = () => noted;
	return { store, ledger, anchorPlace, whenNoted };
}

export function ledgerRegister({ ledger, anchorPlace, ready, checkExport }: LedgerRegisterDeps): Ledger {
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
		export: (format, filter, signal) => {
			checkExport();
			return exportRows(ledger.pages(filter, signal), format);
		},
		exportTo: async (path, format, filter, signal) => {
			checkExport();
			return await writePieces(path, exportRows(ledger.pages(filter, signal), format), signal);
		},
	};
}
