/** Everything that is recorded of one act: what a reader looks for, and what ties it into its chain on demand. */
import type { LedgerPageEntry } from '../../protocol/pages/ledger-page.ts';
import { Disclosure } from '../components/disclosure.tsx';
import { IconButton } from '../icon-button.tsx';
import { useText } from '../markdown/text/text-actions.ts';

type LedgerFact = LedgerPageEntry['facts'][number];

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
					<LedgerFacts facts={facts} />
					<Disclosure class="ledger-hashes" summary={t('Hashes')}>
						{() => <LedgerFacts facts={hashes} />}
					</Disclosure>
				</section>
			))}
		</>
	);
}

function LedgerFacts({ facts }: { readonly facts: readonly LedgerFact[] }) {
	const { t, copy } = useText();
	return (
		<dl class="page-facts">
			{facts.map(({ label, text }, index) => (
				<div key={index}>
					<dt>{label}</dt>
					<dd>
						<bdi class="ledger-text">{text}</bdi>
						<IconButton
							icon="copy"
							title={t('Copy')}
							label={t('Copy {name}', { name: label })}
							onClick={() => copy(text)}
						/>
					</dd>
				</div>
			))}
		</dl>
	);
}
