/**
 * Table of which one row at a time shows more below itself. The roles keep it a table for a screen reader where its
 * layout is narrow.
 */
import { type ComponentChildren, Fragment } from 'preact';
import { Icon } from './icon.tsx';

interface ExpandableTableProps<Row> {
	readonly class: string;
	readonly label: string;
	readonly heads: readonly string[];
	readonly rows: readonly Row[];
	/** Key of the row that is open; null: none. */
	readonly openKey: string | null;
	keyOf(row: Row): string;
	drawRow(row: Row, expansion: RowExpansion): ComponentChildren;
	drawDetail(row: Row): ComponentChildren;
	onOpen(key: string | null): void;
}

export interface RowExpansion {
	readonly isOpen: boolean;
	onToggle(): void;
}

export function ExpandableTable<Row>(props: ExpandableTableProps<Row>) {
	const { class: className, label, heads, rows, openKey, keyOf, drawRow, drawDetail, onOpen } = props;
	return (
		<table class={className} role="table" aria-label={label}>
			<thead role="rowgroup" class="sr-only-in-little-room">
				<tr role="row">
					{heads.map((head) => (
						<th key={head} role="columnheader" scope="col">
							{head}
						</th>
					))}
				</tr>
			</thead>
			<tbody role="rowgroup">
				{rows.map((row) => {
					const key = keyOf(row);
					const isOpen = key === openKey;
					return (
						<Fragment key={key}>
							{drawRow(row, { isOpen, onToggle: () => onOpen(isOpen ? null : key) })}
							{isOpen && (
								<tr role="row" class="ledger-detail">
									<td role="cell" colSpan={heads.length}>
										{drawDetail(row)}
									</td>
								</tr>
							)}
						</Fragment>
					);
				})}
			</tbody>
		</table>
	);
}

/** Cell whose title opens and closes its row. */
export function ExpandingCell(props: RowExpansion & { readonly title: string; readonly children?: ComponentChildren }) {
	const { isOpen, onToggle, title, children } = props;
	return (
		<td role="cell" class="ledger-what">
			<button type="button" class="ledger-open" aria-expanded={isOpen} onClick={onToggle}>
				<Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
				<bdi>{title}</bdi>
			</button>
			{children}
		</td>
	);
}
