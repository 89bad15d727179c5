/** The page as a whole: filter, what the check of the chains found, and the table, which follows what is recorded. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
	type LedgerPageFilter,
	ledgerPageNotifications,
	ledgerPageRequests,
	type LedgerVerdict,
	NO_LEDGER_FILTER,
} from '../../protocol/pages/ledger-page.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { drawStarted, type PageEnd } from '../parts/page-end.tsx';
import { useText } from '../parts/text-actions.ts';
import { PageFrame, PageWaits } from '../parts/page-frame.tsx';
import { useTried } from '../parts/tried-calls.ts';
import { LedgerFilters, type ThreadChoice } from './ledger-filters.tsx';
import { LedgerTable } from './ledger-table.tsx';
import { LedgerVerdictView } from './ledger-verdict.tsx';
import { type ShownRows, withNewest, withOlder } from './shown-rows.ts';

interface LedgerViewProps {
	readonly peer: Peer;
	/** Aborted when the page goes. */
	readonly signal: AbortSignal;
	readonly filterAtFirst: LedgerPageFilter;
	/** For the page that is made in place of this one. */
	keep(filter: LedgerPageFilter): void;
}

function LedgerView({ peer, signal, filterAtFirst, keep }: LedgerViewProps) {
	const { t } = useText();
	const [filter, setFilter] = useState(filterAtFirst);
	const [shown, setShown] = useState<ShownRows | null>(null);
	const [threads, setThreads] = useState<readonly ThreadChoice[]>([]);
	const [lineProblem, setLineProblem] = useState<string | null>(null);
	const { failure, tried } = useTried(signal);
	const [verdict, setVerdict] = useState<LedgerVerdict | 'checking'>('checking');
	const search = useRef<HTMLInputElement>(null);
	/** Number of the newest request for the first rows: what an older one brings is too late. */
	const asked = useRef(0);

	async function readRows(wanted: LedgerPageFilter, isNew: boolean): Promise<void> {
		const mine = ++asked.current;
		const answer = await tried(peer.call(ledgerPageRequests.rows, { filter: wanted, before: null }, signal));
		if (answer === undefined || mine !== asked.current) {
			return;
		}
		setThreads(answer.threads);
		setLineProblem(answer.problem);
		if (answer.problem === null) {
			setShown((before) => (isNew || before === null ? answer : withNewest(before, answer)));
		}
	}
	async function showOlder(): Promise<void> {
		const before = shown?.next ?? null;
		const mine = asked.current;
		const answer = await tried(peer.call(ledgerPageRequests.rows, { filter, before }, signal));
		if (answer !== undefined && mine === asked.current) {
			setShown((held) => (held === null ? answer : withOlder(held, answer)));
		}
	}
	async function verifyChains(): Promise<void> {
		setVerdict('checking');
		const found = await tried(peer.call(ledgerPageRequests.verify, {}, signal));
		if (found !== undefined) {
			setVerdict(found);
		}
	}
	async function acknowledgeFaults(): Promise<void> {
		const answer = await tried(peer.call(ledgerPageRequests.acknowledge, {}, signal));
		if (answer?.done === true) {
			await verifyChains();
		}
	}

	// Before anybody sees it: a page may go in the next moment.
	useLayoutEffect(() => keep(filter), [filter]);
	useEffect(() => void readRows(filter, true), [filter]);
	useEffect(() => void verifyChains(), []);
	useEffect(() => {
		const readAgain = () => void readRows(filter, false);
		// Another host may have written meanwhile, of which nobody tells.
		window.addEventListener('focus', readAgain);
		const heard = peer.on(ledgerPageNotifications, {
			recorded: readAgain,
			filter: ({ filter: wanted }) => {
				setFilter(wanted);
				void verifyChains();
			},
			search: () => search.current?.focus(),
		});
		return () => {
			window.removeEventListener('focus', readAgain);
			heard.dispose();
		};
	}, [filter]);

	return (
		<PageFrame
			class="page ledger"
			title={t('Ledger')}
			summary={t('Everything that was done or refused here, with who decided. Newest first.')}
			isReading={shown === null}
			failure={failure}
		>
			<LedgerVerdictView
				verdict={verdict}
				onVerify={() => void verifyChains()}
				onAcknowledge={() => void acknowledgeFaults()}
				onExport={() => void tried(peer.call(ledgerPageRequests.export, { filter }, signal))}
			/>
			<LedgerFilters
				search={search}
				filter={filter}
				problem={lineProblem}
				threads={threads}
				rows={shown?.rows ?? []}
				onChange={setFilter}
			/>
			{shown === null ? (
				<PageWaits />
			) : (
				<LedgerTable
					rows={shown.rows}
					hasOlder={shown.next !== null}
					isFiltered={JSON.stringify(filter) !== JSON.stringify(NO_LEDGER_FILTER)}
					entriesOf={(id) => tried(peer.call(ledgerPageRequests.entries, { id }, signal))}
					onOlder={() => void showOlder()}
					onThread={(threadId) => void tried(peer.call(ledgerPageRequests.openThread, { threadId }, signal))}
				/>
			)}
		</PageFrame>
	);
}

/** The page of the ledger: what was recorded, newest first, as the extension has put it into words. */
export function openLedgerPage(end: PageEnd): void {
	const { editor, peer, signal } = end;
	drawStarted(end, ledgerPageRequests.start, {
		copy: (text) => void peer.call(ledgerPageRequests.copy, { text }, signal),
		draw: ({ filter }) => (
			<LedgerView peer={peer} signal={signal} filterAtFirst={filter} keep={(changed) => editor.setState(changed)} />
		),
	});
}
