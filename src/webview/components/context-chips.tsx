/** What goes along with the message, each of it removable. */
import { type ContextRef, contextLabel } from '../../protocol/context.ts';
import { useView } from '../view-context.ts';
import { Icon } from './icon.tsx';

export function ContextChips({ refs, onRemove }: { refs: readonly ContextRef[]; onRemove(index: number): void }) {
	const { t } = useView();
	return refs.length === 0 ? null : (
		<ul class="chips" aria-label={t('Context')}>
			{refs.map((ref, index) => (
				<li key={`${ref.kind}:${contextLabel(ref)}`} class="chip" title={contextLabel(ref)}>
					<Icon name={refIcon(ref)} />
					<span class="chip-label">{shortLabel(ref)}</span>
					<button
						type="button"
						class="chip-remove"
						title={t('Remove')}
						aria-label={t('Remove {name}', { name: contextLabel(ref) })}
						onClick={() => onRemove(index)}
					>
						<Icon name="close" />
					</button>
				</li>
			))}
		</ul>
	);
}

export function refIcon(ref: ContextRef): string {
	switch (ref.kind) {
		case 'file':
			return 'file';
		case 'folder':
			return 'folder';
		case 'selection':
			return 'list-selection';
		case 'problems':
			return 'warning';
	}
}

/** The last part of the path: the whole is in the tooltip. */
function shortLabel(ref: ContextRef): string {
	const label = contextLabel(ref);
	return ref.kind === 'problems' ? label : (label.replace(/\/$/, '').split('/').at(-1) ?? label);
}
