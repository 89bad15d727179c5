/** The rows as a table. A row opens what exactly was recorded. */
import { useEffect, useState } from 'preact/hooks';
import type { LedgerPageEntry, LedgerPageRow } from '../../protocol/pages/ledger-page.ts';
import { Disclosure } from '../parts/disclosure.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { Icon } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';
import { formatLocalTime } from '../parts/times.ts';
import { ExpandableTable, ExpandingCell, type RowExpansion } from '../parts/expandable-table.tsx';

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
				<ExpandableTable
					class="ledger-table"
					label={t('Ledger')}
					heads={[t('When'), t('What was done'), t('Result'), t('Decided by'), t('Thread')]}
					rows={rows}
					openKey={openId}
					keyOf={({ id }) => id}
					drawRow={(row, expansion) => <LedgerTableRow row={row} expansion={expansion} onThread={onThread} />}
					drawDetail={({ id, result }) => <LedgerRowDetail key={`${id} ${result}`} id={id} entriesOf={entriesOf} />}
					onOpen={setOpenId}
				/>
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
	readonly expansion: RowExpansion;
	onThread(threadId: string): void;
}

function LedgerTableRow({ row, expansion, onThread }: LedgerTableRowProps) {
	const { t } = useText();
	const { at, what, doer, tool, end, result, decidedBy, thread } = row;
	return (
		<tr role="row" class={expansion.isOpen ? 'open' : undefined}>
			<td role="cell" class="ledger-time">
				<time dateTime={at} title={at.replace('T', ' ').replace('Z', ' UTC')}>
					{formatLocalTime(at)}
				</time>
			</td>
			<ExpandingCell {...expansion} title={what}>
				{doer !== 'agent' && <span class="ledger-doer">{doerText(doer, tool, t)}</span>}
			</ExpandingCell>
			<td role="cell" class={`ledger-result ${end}`}>
				<Icon name={actEndIcons[end]} /> {result}
			</td>
			<td role="cell" class="ledger-decided">
				{decidedBy}
			</td>
			<td role="cell" class="ledger-thread">
				{thread !== null &&
					(thread.title === null ? (
						<span class="gone">{thread.isOfScript ? t('Script') : t('Deleted thread')}</span>
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

function doerText(doer: string, tool: string | null, t: ReturnType<typeof useText>['t']): string {
	switch (doer) {
		case 'user':
			return t('by you');
		case 'host':
			return t('by Prowess');
		default:
			return t('by {name}', { name: tool === null ? doer : `${doer}: ${tool}` });
	}
}

/** Everything that is recorded of one act: what a reader looks for, and what ties it into its chain on demand. */
function LedgerEntries({ entries }: { readonly entries: readonly LedgerPageEntry[] }) {
	const { t } = useText();
	if (entries.length === 0) {
		return <p class="page-note">{t('This row is no longer in the ledger.')}</p>;
	}
	return (
		<>
			{entries.map(({ title, facts, hashes }, index) => (
				<section key={index} class="ledger-entry">
					<h2>{title}</h2>
					<FactList facts={facts} canCopy />
					<Disclosure class="ledger-hashes" summary={t('Hashes')}>
						{() => <FactList facts={hashes} canCopy />}
					</Disclosure>
				</section>
			))}
		</>
	);
}
