/** Everything that is recorded of one act: what a reader looks for, and what ties it into its chain on demand. */
import type { LedgerPageEntry } from '../../protocol/pages/ledger-page.ts';
import { Disclosure } from '../parts/disclosure.tsx';
import { useText } from '../parts/text-actions.ts';
import { FactList } from '../parts/fact-list.tsx';

export function LedgerEntries({ entries }: { readonly entries: readonly LedgerPageEntry[] }) {
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
