/** Composition of the record: the databases and their thread, the ledger in them, and where its anchors are kept. */
import { v7 } from 'uuid';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { systemResolve } from '../../machine/http/resolve-host.ts';
import { gitEnvironment } from '../../machine/shell/git-settings.ts';
import { AnchorPlace } from '../../trust/record/ledger/anchor-place.ts';
import { HostLedger } from '../../trust/record/ledger/ledger.ts';
import { noteMovedAside } from '../../trust/record/ledger/ledger-upkeep.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { HostStore } from '../../trust/record/store/thread/host-store.ts';
import { type OpenStoreThread, workerThread } from '../../trust/record/store/thread/store-thread.ts';
import { workerUrl } from '../../machine/worker-url.ts';

export function hostRecord(
	{ places, settings, log }: Pick<HostPorts, 'places' | 'settings' | 'log'>,
	redactor: Redactor,
	environment: Readonly<Record<string, string>>,
	storeThread: OpenStoreThread | undefined,
) {
	let noted = Promise.resolve();
	const store = new HostStore(
		storeThread ?? workerThread(workerUrl('../trust/record/store/thread/worker.ts', 'ledger-worker.mjs', places.dist)),
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
