/** Under the input: who answers and what it may do, how full its context is, and the button to send or stop. */
import type { Effort } from '../../../protocol/turn/models.ts';
import type { LevelInForce } from '../../../protocol/ops/permission-level.ts';
import type { Mode, Usage } from '../../../protocol/thread/thread.ts';
import type { Models } from '../../state/view-state.ts';
import { useView } from '../../actions/view-context.ts';
import { ContextMeter } from './context-meter.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LevelPicker } from '../approvals/level-picker.tsx';
import { ModePicker } from './mode-picker.tsx';
import { ModelPicker } from './model-picker.tsx';

export interface ComposerFooterProps {
	readonly mode: Mode;
	/** Null: not known yet. */
	readonly level: LevelInForce | null;
	readonly models: Models | null;
	readonly modelId: string | null;
	readonly effort: Effort | null;
	readonly usage: Usage | null;
	readonly isRunning: boolean;
	readonly isSending: boolean;
	readonly canSend: boolean;
	/** Word for what sending does at present. */
	readonly sendWord: string;
	readonly sendTitle: string;
	/** Raised when the list of modes should open. */
	readonly modeRequests: number;
	/** Raised when the list of models should open. */
	readonly modelRequests: number;
	/** Raised when the menu of levels should open. */
	readonly levelRequests: number;
	/** Raised when the panel of usage should open. */
	readonly usageRequests: number;
	onSend(): void;
}

export function ComposerFooter(props: ComposerFooterProps) {
	const { mode, level, levelRequests, models, modelId, effort, usage, isRunning, canSend, modelRequests } = props;
	const { sendWord, sendTitle, modeRequests, usageRequests, onSend } = props;
	const { t, threads } = useView();
	return (
		<div class="composer-footer">
			<ModePicker mode={mode} openRequests={modeRequests} />
			{level !== null && <LevelPicker inForce={level} openRequests={levelRequests} />}
			<ModelPicker models={models} modelId={modelId} effort={effort} openRequests={modelRequests} />
			<span class="spacer" />
			<ContextMeter known={usage} isRunning={isRunning} openRequests={usageRequests} />
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
					title={sendTitle}
					aria-label={sendWord}
					onClick={onSend}
				>
					<Icon name="arrow-up" />
				</button>
			)}
		</div>
	);
}
