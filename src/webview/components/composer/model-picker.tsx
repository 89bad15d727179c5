/** Button that names the model that answers and how hard it thinks, and opens the list of models. */
import { useLayoutEffect } from 'preact/hooks';
import type { Effort } from '../../../protocol/turn/models.ts';
import type { Models } from '../../state/view-state.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { useOpener } from '../../parts/use-opener.ts';
import { formatEffort, ModelMenu } from './model-menu.tsx';

interface ModelPickerProps {
	readonly models: Models | null;
	readonly modelId: string | null;
	/** Null: as the settings say. */
	readonly effort: Effort | null;
	/** Raised when the list should open. */
	readonly openRequests: number;
}

export function ModelPicker({ models, modelId, effort, openRequests }: ModelPickerProps) {
	const { t } = useView();
	const { isOpen, id: menuId, button, open, leave } = useOpener('dialog');
	useLayoutEffect(() => {
		if (openRequests > 0) {
			open();
		}
	}, [openRequests]);
	const model = models?.models.find(({ id }) => id === modelId);
	const name = model?.name ?? modelId ?? t('No model');
	const thinking = effort === null ? [] : [t('Thinking: {effort}', { effort: formatEffort(effort, t) })];
	const problems = [
		...(models?.problems ?? []).map(({ provider, message }) => `${provider}: ${message}`),
		...(models?.resting ?? []).map(({ provider }) =>
			t('{provider} failed often. Other models are asked first.', { provider }),
		),
	];
	return (
		<span class="picker model">
			<button
				{...button}
				type="button"
				class="model-button"
				aria-label={[t('Model: {name}', { name }), ...thinking, ...problems].join('. ')}
				title={[name, ...thinking, ...problems].join('\n')}
				onClick={() => (isOpen ? leave(false) : open())}
				onKeyDown={(event) => {
					if (!isOpen && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
						event.preventDefault();
						open();
					}
				}}
			>
				<span class="model-name">{name}</span>
				<Icon name={problems.length > 0 ? 'warning' : 'chevron-down'} />
			</button>
			{isOpen && <ModelMenu id={menuId} models={models} modelId={modelId} effort={effort} onLeave={leave} />}
		</span>
	);
}
