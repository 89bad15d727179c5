/** Chips of the context that goes along with the message, each removable. */
import type { ImageRef } from '../../../protocol/ops/images.ts';
import { type ActiveFile, type ContextRef, contextLabel } from '../../../protocol/thread/context.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { useBytes } from '../transcript/tools/result-media.tsx';

const TOOLTIP_CHARS = 1_000;

interface ContextChipsProps {
	readonly refs: readonly ContextRef[];
	onRemove(ref: ContextRef): void;
	/** File that the user looks at; absent: there is none, or it is among the others. */
	readonly active?: ActiveFile | undefined;
	/** True when the model is told of that file. */
	readonly tellsActive: boolean;
	onTellActive(tells: boolean): void;
}

export function ContextChips({ refs, onRemove, active, tellsActive, onTellActive }: ContextChipsProps) {
	const { t } = useView();
	return refs.length === 0 && active === undefined ? null : (
		<ul class="chips" aria-label={t('Context')}>
			{active !== undefined && <ActiveChip file={active} isTold={tellsActive} onTell={onTellActive} />}
			{refs.map((ref, index) => (
				<li
					key={`${ref.kind}:${ref.kind === 'image' ? ref.id : 'text' in ref ? index : contextLabel(ref)}`}
					class="chip"
					title={'text' in ref ? ref.text.slice(0, TOOLTIP_CHARS) : contextLabel(ref)}
				>
					{ref.kind === 'image' ? <Picture image={ref} /> : <Icon name={refIcon(ref)} />}
					<span class="chip-label">{shortLabel(ref)}</span>
					<button
						type="button"
						class="chip-remove"
						title={t('Remove')}
						aria-label={t('Remove {name}', { name: contextLabel(ref) })}
						onClick={() => onRemove(ref)}
					>
						<Icon name="close" />
					</button>
				</li>
			))}
		</ul>
	);
}

function ActiveChip({ file, isTold, onTell }: { file: ActiveFile; isTold: boolean; onTell(tells: boolean): void }) {
	const { t } = useView();
	const ref: ContextRef = { kind: 'active', ...file };
	const name = contextLabel(ref);
	const title = isTold
		? t('The model is told that you look at {name}. Click to keep it to yourself.', { name })
		: t('The model is not told that you look at {name}. Click to tell it.', { name });
	return (
		<li class={isTold ? 'chip active-file' : 'chip active-file off'}>
			<button
				type="button"
				class="chip-toggle"
				aria-pressed={isTold}
				title={title}
				aria-label={t('Tell the model that you look at {name}', { name })}
				onClick={() => onTell(!isTold)}
			>
				<Icon name={isTold ? 'eye' : 'eye-closed'} />
				<span class="chip-label">{shortLabel(ref)}</span>
			</button>
		</li>
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
		case 'changes':
			return 'git-compare';
		case 'codebase':
			return 'search-sparkle';
		case 'commit':
			return 'git-commit';
		case 'symbol':
			return 'symbol-method';
		case 'thread':
			return 'comment-discussion';
		case 'capability':
			return 'tools';
		case 'resource':
			return 'plug';
		case 'prompt':
			return 'comment';
		case 'page':
			return 'globe';
		case 'pasted':
			return 'clippy';
		case 'problems':
			return 'warning';
		case 'hook':
			return 'symbol-event';
		case 'terminal':
			return 'terminal';
		case 'test':
			return 'beaker';
		case 'comment':
			return 'comment';
		case 'active':
			return 'eye';
		case 'image':
			return 'file-media';
	}
}

/** The last part of the path: the whole is in the tooltip. */
function shortLabel(ref: ContextRef): string {
	const label = contextLabel(ref);
	if (ref.kind === 'comment') return label.slice(ref.path.lastIndexOf('/') + 1);
	return !('path' in ref) || ref.kind === 'problems' || ref.kind === 'symbol'
		? label
		: (label.replace(/\/$/, '').split('/').at(-1) ?? label);
}

/**
 * Small picture without a text of its own, because its name stands beside it. The extension sends its bytes: the page
 * loads nothing by an address.
 */
export function Picture({ image }: { image: ImageRef }) {
	const { url } = useBytes(image);
	return url === undefined ? <Icon name="file-media" /> : <img class="chip-picture" src={url} alt="" />;
}
