/** List of everything that is allowed until further notice, which can be searched and revoked. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageAction, PageBlock } from '../../protocol/pages/capability-page.ts';
import { Icon } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';

type ApprovalsBlock = PageBlock & { readonly kind: 'approvals' };
type ApprovalsBlockRow = ApprovalsBlock['groups'][number]['rows'][number];

interface ApprovalsProps {
	readonly block: ApprovalsBlock;
	act(action: PageAction, on: string): void;
}

export function Approvals({ block: { groups, none, marked }, act }: ApprovalsProps) {
	const { t } = useText();
	const [query, setQuery] = useState('');
	const [said, setSaid] = useState('');
	const root = useRef<HTMLDivElement>(null);
	const revoked = useRef<{ readonly row: ApprovalsBlockRow; readonly index: number } | null>(null);
	const wanted = query.trim().toLowerCase();
	const found = groups
		.map(({ title, rows }) => ({ title, rows: rows.filter((row) => toSearchText(title, row).includes(wanted)) }))
		.filter(({ rows }) => rows.length > 0);
	const count = countApprovals(groups);
	const foundCount = countApprovals(found);

	// The button that had the keyboard goes with its row: the next one gets it, and the change is said.
	useLayoutEffect(() => {
		const gone = revoked.current;
		if (gone !== null && !groups.some(({ rows }) => rows.some(({ id }) => id === gone.row.id))) {
			revoked.current = null;
			setSaid(t('Revoked: {what}', { what: gone.row.what }));
			const buttons = root.current?.querySelectorAll<HTMLElement>('.approval-row button') ?? [];
			(buttons[Math.min(gone.index, buttons.length - 1)] ?? root.current)?.focus();
		}
	}, [groups]);
	useLayoutEffect(() => {
		const row = marked === undefined ? null : root.current?.querySelector<HTMLElement>('.approval-row.marked');
		row?.scrollIntoView({ block: 'center' });
		row?.querySelector('button')?.focus();
	}, [marked]);

	const revokeRow = (row: ApprovalsBlockRow, button: HTMLElement) => {
		const buttons = [...(root.current?.querySelectorAll<HTMLElement>('.approval-row button') ?? [])];
		revoked.current = { row, index: buttons.indexOf(button) };
		act(row.action, row.id);
	};
	return (
		<div class="approvals" ref={root} tabIndex={-1}>
			<p class="sr-only" role="status">
				{said}
			</p>
			{count === 0 ? (
				<p class="page-note">{none}</p>
			) : (
				<>
					<div class="search-row">
						<Icon name="search" />
						<input
							type="search"
							placeholder={t('Search approvals')}
							aria-label={t('Search approvals')}
							value={query}
							onInput={(event) => setQuery(event.currentTarget.value)}
						/>
					</div>
					{wanted !== '' && (
						<p class="page-note" role="status">
							{foundCount === 0 ? t('No approval matches') : t('{n} of {count}', { n: foundCount, count })}
						</p>
					)}
				</>
			)}
			{found.map(({ title, rows }) => (
				<section class="page-section" key={title}>
					<h2>{title}</h2>
					<ul class="approval-rows">
						{rows.map((row) => (
							<RevocableRow
								key={row.id}
								row={row}
								isMarked={row.id === marked}
								take={(button) => revokeRow(row, button)}
							/>
						))}
					</ul>
				</section>
			))}
		</div>
	);
}

interface ApprovalRowProps {
	readonly row: ApprovalsBlockRow;
	readonly isMarked: boolean;
	take(button: HTMLElement): void;
}

function RevocableRow({ row: { what, exact, notes, label }, isMarked, take }: ApprovalRowProps) {
	return (
		<li class={isMarked ? 'approval-row marked' : 'approval-row'} aria-current={isMarked ? 'true' : undefined}>
			<div class="approval-about">
				<p class="approval-what">
					<bdi>{what}</bdi>
				</p>
				{exact !== undefined && <code>{exact}</code>}
				{notes.map((note, index) => (
					<p class="page-note" key={index}>
						<bdi>{note}</bdi>
					</p>
				))}
			</div>
			<button
				type="button"
				class="button secondary"
				aria-label={`${label}: ${what}`}
				onClick={(event) => take(event.currentTarget)}
			>
				{label}
			</button>
		</li>
	);
}

function toSearchText(title: string, { what, exact = '', notes }: ApprovalsBlockRow): string {
	return [title, what, exact, ...notes].join('\n').toLowerCase();
}

function countApprovals(groups: ApprovalsBlock['groups']): number {
	return groups.reduce((count, { rows }) => count + rows.length, 0);
}
