/** Facts, each with its name, and with a button that copies it where that is wanted. */
import { IconButton } from './icon.tsx';
import { useText } from './text-actions.ts';

export interface NamedFact {
	readonly label: string;
	readonly text: string;
}

export function FactList({
	facts,
	canCopy = false,
}: {
	readonly facts: readonly NamedFact[];
	readonly canCopy?: boolean;
}) {
	const { t, copy } = useText();
	return (
		<dl class="page-facts">
			{facts.map(({ label, text }, index) => (
				<div key={index}>
					<dt>{label}</dt>
					<dd>
						<bdi class="ledger-text">{text}</bdi>
						{canCopy && (
							<IconButton
								icon="copy"
								title={t('Copy')}
								label={t('Copy {name}', { name: label })}
								onClick={() => copy(text)}
							/>
						)}
					</dd>
				</div>
			))}
		</dl>
	);
}
