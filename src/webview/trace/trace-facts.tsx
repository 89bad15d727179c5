/** Facts of a trace, each with its name. */
import type { TraceFact } from './trace-words.ts';

export function TraceFacts({ facts }: { readonly facts: readonly TraceFact[] }) {
	return (
		<dl class="page-facts">
			{facts.map(({ label, text }, index) => (
				<div key={index}>
					<dt>{label}</dt>
					<dd>
						<bdi class="ledger-text">{text}</bdi>
					</dd>
				</div>
			))}
		</dl>
	);
}
