/** Which model answers; its last entry leads to connecting another. */
import { useEffect, useRef } from 'preact/hooks';
import { Effort, type ModelInfo } from '../../../protocol/models.ts';
import type { Models } from '../../state/view-state.ts';
import type { Translate } from '../../translate.ts';
import { useView } from '../../view-context.ts';
import { Icon } from '../icon.tsx';

const CONNECT = '\u0000connect';
const ASK_AGAIN = '\u0000ask-again ';
const EFFORT = '\u0000effort ';

interface ModelPickerProps {
	readonly models: Models | null;
	readonly modelId: string | null;
	/** Null: as the settings say. */
	readonly effort: Effort | null;
	readonly focusRequests: number;
}

export function ModelPicker({ models, modelId, effort, focusRequests }: ModelPickerProps) {
	const { t, threads, editor } = useView();
	const picker = useRef<HTMLSelectElement>(null);
	useEffect(() => {
		if (focusRequests > 0) {
			picker.current?.focus();
		}
	}, [focusRequests]);
	const list = models?.models ?? [];
	const model = list.find(({ id }) => id === modelId);
	const thinking = effort === null ? [] : [t('Thinking: {effort}', { effort: effortName(effort, t) })];
	const resting = (models?.resting ?? []).map(({ provider }) => provider);
	const problems = [
		...(models?.problems ?? []).map(({ provider, message }) => `${provider}: ${message}`),
		...resting.map((provider) =>
			t('{provider} failed three times in a minute. Other models are asked first.', { provider }),
		),
	];
	return (
		<span class="picker model">
			<select
				ref={picker}
				aria-label={t('Model')}
				title={[model?.name ?? modelId ?? t('No model'), ...thinking, ...problems].join('\n')}
				value={modelId ?? ''}
				onChange={(event) => {
					const chosen = event.currentTarget.value;
					if (chosen === CONNECT) {
						event.currentTarget.value = modelId ?? '';
						void editor.command('connectModel');
					} else if (chosen.startsWith(EFFORT)) {
						event.currentTarget.value = modelId ?? '';
						void threads.choose({ effort: Effort.safeParse(chosen.slice(EFFORT.length)).data ?? null });
					} else if (chosen.startsWith(ASK_AGAIN)) {
						event.currentTarget.value = modelId ?? '';
						void editor.askAgain(chosen.slice(ASK_AGAIN.length));
					} else {
						void threads.choose({ modelId: chosen });
					}
				}}
			>
				{model === undefined && (
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
				{model?.source === 'provider' && (
					<optgroup label={t('Thinking')}>
						{[null, ...Effort.options].map((each) => (
							<option key={each} value={EFFORT + (each ?? '')}>
								{each === effort ? `✓ ${effortName(each, t)}` : effortName(each, t)}
							</option>
						))}
					</optgroup>
				)}
				{resting.map((provider) => (
					<option key={provider} value={ASK_AGAIN + provider}>
						{t('Ask {provider} first again', { provider })}
					</option>
				))}
				<option value={CONNECT}>{t('Connect a model…')}</option>
			</select>
			<Icon name={problems.length > 0 ? 'warning' : 'chevron-down'} />
		</span>
	);
}

function effortName(effort: Effort | null, t: Translate): string {
	switch (effort) {
		case null:
			return t('As set for the model');
		case 'off':
			return t('Off');
		case 'low':
			return t('Low');
		case 'medium':
			return t('Medium');
		case 'high':
			return t('High');
	}
}

function byProvider(models: readonly ModelInfo[]): readonly [string, readonly ModelInfo[]][] {
	return [...Map.groupBy(models, ({ provider }) => provider)];
}
