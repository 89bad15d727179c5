/**
 * The models to choose from, by provider, found by what is typed; how hard the chosen one thinks; and the way to connect
 * another. The focus stays in the field, which names the active option.
 */
import { isComposingKey } from '../../parts/composing-key.ts';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Effort, type ModelInfo } from '../../../protocol/turn/models.ts';
import { memo } from '../../parts/memo.ts';
import type { Models } from '../../state/view-state.ts';
import type { Translate } from '../../parts/translate.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { createLeaveHandlers } from '../leaving.ts';

interface ModelMenuProps {
	readonly id: string;
	readonly models: Models | null;
	readonly modelId: string | null;
	readonly effort: Effort | null;
	onLeave(isByKey: boolean): void;
}

/** Options that Page Up and Page Down pass over. */
const MODELS_PER_PAGE = 10;
/** Pixels between the list and the upper edge of the view. */
const EDGE = 4;

export function ModelMenu({ id, models, modelId, effort, onLeave }: ModelMenuProps) {
	const { t, threads, editor } = useView();
	const menu = useRef<HTMLDivElement>(null);
	const field = useRef<HTMLInputElement>(null);
	const list = useRef<HTMLDivElement>(null);
	const [query, setQuery] = useState('');
	const all = models?.models ?? [];
	const groups = useMemo(() => groupModels(all, query), [all, query]);
	const found = useMemo(() => groups.flatMap(([, own]) => own), [groups]);
	// Remembers the id, not the index: the list may change while it is open.
	const [activeId, setActiveId] = useState(modelId);
	const active = Math.max(0, findModelIndex(found, activeId));
	const setActive = (at: number) => setActiveId(found[at]?.id ?? null);
	useLayoutEffect(() => {
		// A low panel has less room above the input than styles can know.
		menu.current?.style.setProperty('--room', `${Math.floor(menu.current.getBoundingClientRect().bottom) - EDGE}px`);
		field.current?.focus();
	}, []);
	useLayoutEffect(() => {
		list.current?.querySelector(`#${CSS.escape(`${id}-${active}`)}`)?.scrollIntoView({ block: 'nearest' });
	}, [active, found]);
	const chosen = all.find((model) => model.id === modelId);
	const chooseModel = (model: string) => {
		onLeave(true);
		void threads.choose({ modelId: model });
	};
	const moveActive = (to: number) => setActive(Math.min(found.length - 1, Math.max(0, to)));
	const keys: Readonly<Record<string, () => void>> = {
		ArrowDown: () => setActive(active >= found.length - 1 ? 0 : active + 1),
		ArrowUp: () => setActive(active <= 0 ? found.length - 1 : active - 1),
		PageDown: () => moveActive(active + MODELS_PER_PAGE),
		PageUp: () => moveActive(active - MODELS_PER_PAGE),
		Enter: () => {
			const model = found[active];
			if (model !== undefined) {
				chooseModel(model.id);
			}
		},
	};
	let index = -1;
	return (
		<div
			ref={menu}
			id={id}
			class="model-menu"
			role="dialog"
			aria-label={t('Model')}
			{...createLeaveHandlers(menu, onLeave)}
		>
			<input
				ref={field}
				type="text"
				role="combobox"
				spellcheck={false}
				aria-label={t('Search models')}
				aria-autocomplete="list"
				aria-expanded={found.length > 0}
				aria-controls={`${id}-list`}
				aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
				placeholder={t('Search models')}
				value={query}
				onInput={(event) => {
					setQuery(event.currentTarget.value);
					setActiveId(null);
				}}
				onKeyDown={(event) => {
					const act = isComposingKey(event) ? undefined : keys[event.key];
					if (act !== undefined) {
						event.preventDefault();
						event.stopPropagation();
						act();
					}
				}}
			/>
			<p class={found.length > 0 ? 'sr-only' : 'model-none'} role="status">
				{found.length > 0
					? describeModelCount(found.length, t)
					: models === null
						? t('Loading the models…')
						: t('No model is called that.')}
			</p>
			{found.length > 0 && (
				// The list scrolls to its active entry; a press on its scroll bar must not take the focus from the
				// field.
				<div
					ref={list}
					id={`${id}-list`}
					class="model-list"
					role="listbox"
					aria-label={t('Model')}
					tabIndex={-1}
					onMouseDown={(event) => event.preventDefault()}
				>
					{groups.map(([provider, own]) => (
						<div key={provider} role="group" aria-label={provider}>
							<div class="model-provider" aria-hidden="true">
								{provider}
							</div>
							{own.map((model) => {
								index += 1;
								return (
									<ModelOption
										key={model.id}
										id={`${id}-${index}`}
										model={model}
										isActive={index === active}
										isChosen={model.id === modelId}
										t={t}
										onChoose={chooseModel}
									/>
								);
							})}
						</div>
					))}
				</div>
			)}
			{chosen?.source === 'provider' && chosen.thinks !== false && (
				<fieldset class="model-effort">
					<legend>{t('Thinking')}</legend>
					{[null, ...Effort.options].map((each) => (
						<label key={each}>
							<input
								type="radio"
								name={`${id}-effort`}
								checked={each === effort}
								onChange={() => void threads.choose({ effort: each })}
							/>
							{formatEffort(each, t)}
						</label>
					))}
				</fieldset>
			)}
			<div class="model-more">
				{(models?.resting ?? []).map(({ provider }) => (
					<button
						key={provider}
						type="button"
						class="link-button"
						onClick={() => {
							onLeave(true);
							void editor.askAgain(provider);
						}}
					>
						{t('Ask {provider} first again', { provider })}
					</button>
				))}
				<button
					type="button"
					class="link-button of-editor"
					onClick={() => {
						onLeave(true);
						void editor.command('connectModel');
					}}
				>
					{t('Connect a model…')}
				</button>
			</div>
		</div>
	);
}

interface ModelOptionProps {
	readonly id: string;
	readonly model: ModelInfo;
	readonly isActive: boolean;
	readonly isChosen: boolean;
	readonly t: Translate;
	onChoose(modelId: string): void;
}

/** Memoized: with hundreds of options, a key redraws only those whose state changes. */
const ModelOption = memo(
	({ id, model, isActive, isChosen, t, onChoose }: ModelOptionProps) => {
		const facts = describeModelFacts(model, t);
		return (
			<div id={id} class="model-option" role="option" aria-selected={isActive} onClick={() => onChoose(model.id)}>
				<span class="model-words">
					<span>{model.name}</span>
					{facts !== '' && <span class="model-facts">{facts}</span>}
				</span>
				{isChosen && (
					<>
						<span class="sr-only">{t('In use')}</span>
						<Icon name="check" />
					</>
				)}
			</div>
		);
	},
	(a, b) => a.id === b.id && a.model === b.model && a.isActive === b.isActive && a.isChosen === b.isChosen,
);

function describeModelCount(n: number, t: Translate): string {
	return n === 1 ? t('1 model') : t('{n} models', { n });
}

function describeModelFacts({ contextWindow, price, thinks }: ModelInfo, t: Translate): string {
	return [
		...(contextWindow === undefined ? [] : [t('{n}k tokens', { n: Math.round(contextWindow / 1000) })]),
		...(price === undefined
			? []
			: [t('${input} in, ${output} out per million', { input: price.input, output: price.output })]),
		...(thinks === true ? [t('thinks')] : []),
	].join(' · ');
}

export function formatEffort(effort: Effort | null, t: Translate): string {
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

/** Groups by provider the models that hold every typed word in their provider, name or id. */
function groupModels(models: readonly ModelInfo[], query: string): readonly [string, readonly ModelInfo[]][] {
	const words = query.toLowerCase().split(/\s+/);
	const found = models.filter(({ id, name, provider }) => {
		const text = `${provider} ${name} ${id}`.toLowerCase();
		return words.every((word) => text.includes(word));
	});
	return [...Map.groupBy(found, ({ provider }) => provider)];
}

function findModelIndex(models: readonly ModelInfo[], modelId: string | null): number {
	return models.findIndex(({ id }) => id === modelId);
}
