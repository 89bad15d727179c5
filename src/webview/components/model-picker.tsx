/** Which model answers; its last entry leads to connecting another. */
import { useEffect, useRef } from 'preact/hooks';
import type { ModelInfo } from '../../protocol/models.ts';
import type { Models } from '../state/view-state.ts';
import { useView } from '../view-context.ts';
import { Icon } from './icon.tsx';

const CONNECT = '\u0000connect';

interface ModelPickerProps {
	readonly models: Models | null;
	readonly modelId: string | null;
	readonly focusRequests: number;
}

export function ModelPicker({ models, modelId, focusRequests }: ModelPickerProps) {
	const { t, threads, editor } = useView();
	const picker = useRef<HTMLSelectElement>(null);
	useEffect(() => {
		if (focusRequests > 0) {
			picker.current?.focus();
		}
	}, [focusRequests]);
	const list = models?.models ?? [];
	const isKnown = list.some(({ id }) => id === modelId);
	const problems = (models?.problems ?? []).map(({ provider, message }) => `${provider}: ${message}`);
	return (
		<span class="picker model">
			<select
				ref={picker}
				aria-label={t('Model')}
				title={[list.find(({ id }) => id === modelId)?.name ?? modelId ?? t('No model'), ...problems].join('\n')}
				value={modelId ?? ''}
				onChange={(event) => {
					const chosen = event.currentTarget.value;
					if (chosen === CONNECT) {
						event.currentTarget.value = modelId ?? '';
						void editor.command('connectModel');
					} else {
						void threads.choose({ modelId: chosen });
					}
				}}
			>
				{!isKnown && (
					<option value={modelId ?? ''} disabled={true}>
						{modelId ?? t('No model')}
					</option>
				)}
				{byProvider(list).map(([provider, own]) => (
					<optgroup key={provider} label={provider}>
						{own.map(({ id, name }) => (
							<option key={id} value={id}>
								{name}
							</option>
						))}
					</optgroup>
				))}
				<option value={CONNECT}>{t('Connect a model…')}</option>
			</select>
			<Icon name={problems.length > 0 ? 'warning' : 'chevron-down'} />
		</span>
	);
}

function byProvider(models: readonly ModelInfo[]): readonly [string, readonly ModelInfo[]][] {
	return [...Map.groupBy(models, ({ provider }) => provider)];
}
