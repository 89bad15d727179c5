/** Under the input: who answers and what it may do, how full its context is, and the button to send or stop. */
import type { LevelInForce } from '../../protocol/permission-level.ts';
import type { Mode, Usage } from '../../protocol/thread.ts';
import type { Models } from '../state/view-state.ts';
import { useView } from '../view-context.ts';
import { ContextMeter } from './context-meter.tsx';
import { Icon } from './icon.tsx';
import { LevelPicker } from './level-picker.tsx';
import { ModelPicker } from './model-picker.tsx';

export interface ComposerFooterProps {
	readonly mode: Mode;
	/** Null: not known yet. */
	readonly level: LevelInForce | null;
	readonly models: Models | null;
	readonly modelId: string | null;
	readonly usage: Usage | null;
	readonly isRunning: boolean;
	readonly isSending: boolean;
	readonly canSend: boolean;
	/** What sending does now. */
	readonly sendWord: string;
	/** Raised when the model picker should take the focus. */
	readonly modelRequests: number;
	/** Raised when the menu of levels should open. */
	readonly levelRequests: number;
	onSend(): void;
}

export function ComposerFooter(props: ComposerFooterProps) {
	const { mode, level, levelRequests, models, modelId, usage, isRunning, canSend, sendWord, modelRequests, onSend } =
		props;
	const { t, threads } = useView();
	return (
		<div class="composer-footer">
			<span class="picker">
				<select
					aria-label={t('Mode')}
					title={mode === 'agent' ? t('Agent: can use every tool') : t('Ask: reads and answers only')}
					value={mode}
					onChange={(event) => void threads.choose({ mode: event.currentTarget.value === 'ask' ? 'ask' : 'agent' })}
				>
					<option value="agent">{t('Agent')}</option>
					<option value="ask">{t('Ask')}</option>
				</select>
				<Icon name="chevron-down" />
			</span>
			{level !== null && <LevelPicker inForce={level} openRequests={levelRequests} />}
			<ModelPicker models={models} modelId={modelId} focusRequests={modelRequests} />
			<span class="spacer" />
			{usage !== null && <ContextMeter usage={usage} />}
			{isRunning && (
				<button
					type="button"
					class="send-button stop"
					title={t('Stop (Esc)')}
					aria-label={t('Stop')}
					onClick={() => void threads.stop()}
				>
					<span class="stop-square" aria-hidden="true" />
				</button>
			)}
			{(!isRunning || canSend) && (
				<button
					type="button"
					class="send-button"
					disabled={!canSend}
					title={sendWord}
					aria-label={sendWord}
					onClick={onSend}
				>
					<Icon name="arrow-up" />
				</button>
			)}
		</div>
	);
}
