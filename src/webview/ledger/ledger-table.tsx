/** The rows as a table, which stays one for a screen reader where it is narrow. A row opens what exactly was recorded. */
import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LedgerPageEntry, LedgerPageRow } from '../../protocol/pages/ledger-page.ts';
import { Icon } from '../icon.tsx';
import { useText } from '../markdown/text/text-actions.ts';
import { formatLocalTime } from '../components/transcript/times.ts';
import { TableHead } from '../page/table-head.tsx';
import { LedgerEntries } from './ledger-entries.tsx';

interface LedgerTableProps {
	readonly rows: readonly LedgerPageRow[];
	readonly hasOlder: boolean;
	/** Only some of the rows are wanted. */
	readonly isFiltered: boolean;
	/** Undefined: they cannot be read, which is said elsewhere. */
	entriesOf(id: string): Promise<{ readonly entries: readonly LedgerPageEntry[] } | undefined>;
	onOlder(): void;
	onThread(threadId: string): void;
}

export function LedgerTable({ rows, hasOlder, isFiltered, entriesOf, onOlder, onThread }: LedgerTableProps) {
	const { t } = useText();
	const [openId, setOpenId] = useState<string | null>(null);
	const heads = [t('Time'), t('What was done'), t('Result'), t('Decided by'), t('Thread')];
	return (
		<>
			<p class="sr-only" role="status">
				{t('{n} rows shown', { n: rows.length })}
			</p>
			{rows.length === 0 ? (
				<p class="page-note">
					{hasOlder
						? t('Nothing found so far.')
						: isFiltered
							? t('Nothing is recorded that fits.')
							: t('Nothing is recorded yet.')}
				</p>
			) : (
				<table class="ledger-table" role="table" aria-label={t('Ledger')}>
					<TableHead heads={heads} />
					<tbody role="rowgroup">
						{rows.map((row) => (
							<Fragment key={row.id}>
								<LedgerTableRow
									row={row}
									isOpen={row.id === openId}
									onToggle={() => setOpenId(row.id === openId ? null : row.id)}
									onThread={onThread}
								/>
								{row.id === openId && (
									<tr role="row" class="ledger-detail">
										<td role="cell" colSpan={heads.length}>
											<LedgerRowDetail key={`${row.id} ${row.result}`} id={row.id} entriesOf={entriesOf} />
										</td>
									</tr>
								)}
							</Fragment>
						))}
					</tbody>
				</table>
			)}
			{hasOlder && (
				<button type="button" class="button secondary ledger-older" onClick={onOlder}>
					{t('Show older')}
				</button>
			)}
		</>
	);
}

interface LedgerTableRowProps {
	readonly row: LedgerPageRow;
	readonly isOpen: boolean;
	onToggle(): void;
	onThread(threadId: string): void;
}

function LedgerTableRow({ row, isOpen, onToggle, onThread }: LedgerTableRowProps) {
	const { t } = useText();
	const { at, what, doer, end, result, decidedBy, thread } = row;
	return (
		<tr role="row" class={isOpen ? 'open' : undefined}>
			<td role="cell" class="ledger-time">
				<time dateTime={at} title={at.replace('T', ' ').replace('Z', ' UTC')}>
					{formatLocalTime(at)}
				</time>
			</td>
			<td role="cell" class="ledger-what">
				<button type="button" class="ledger-open" aria-expanded={isOpen} onClick={onToggle}>
					<Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
					<bdi>{what}</bdi>
				</button>
				{doer !== 'agent' && <span class="ledger-doer">{doerText(doer, t)}</span>}
			</td>
			<td role="cell" class={`ledger-result ${end}`}>
				<Icon name={actEndIcons[end]} /> {result}
			</td>
			<td role="cell" class="ledger-decided">
				{decidedBy}
			</td>
			<td role="cell" class="ledger-thread">
				{thread !== null &&
					(thread.title === null ? (
						<span class="gone">{t('Deleted thread')}</span>
					) : (
						<button type="button" class="link-button" onClick={() => onThread(thread.id)}>
							<bdi>{thread.title}</bdi>
						</button>
					))}
			</td>
		</tr>
	);
}

function LedgerRowDetail({ id, entriesOf }: Pick<LedgerTableProps, 'entriesOf'> & { readonly id: string }) {
	const { t } = useText();
	const [entries, setEntries] = useState<readonly LedgerPageEntry[] | undefined>(undefined);
	useEffect(() => void entriesOf(id).then((read) => setEntries(read?.entries)), [id]);
	return entries === undefined ? <p class="page-waits">{t('Reading…')}</p> : <LedgerEntries entries={entries} />;
}

const actEndIcons: { readonly [E in LedgerPageRow['end']]: string } = {
	done: 'check',
	failed: 'error',
	denied: 'circle-slash',
	stopped: 'debug-stop',
	open: 'question',
	note: 'note',
};

function doerText(doer: string, t: ReturnType<typeof useText>['t']): string {
	switch (doer) {
		case 'user':
			return t('by you');
		case 'host':
			return t('by Prowess');
		default:
			return t('by {name}', { name: doer });
	}
}
