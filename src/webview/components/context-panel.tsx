/** What the thread has used, and the way to summarize older messages: opened by the ring that says how full the context is. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useView } from '../view-context.ts';

interface ContextPanelProps {
	readonly id: string;
	readonly lines: readonly string[];
	readonly isRunning: boolean;
	onLeave(isByKey: boolean): void;
}

export function ContextPanel({ id, lines, isRunning, onLeave }: ContextPanelProps) {
	const { t, threads } = useView();
	const panel = useRef<HTMLDivElement>(null);
	const button = useRef<HTMLButtonElement>(null);
	useLayoutEffect(() => (isRunning ? panel : button).current?.focus(), []);
	return (
		<div
			ref={panel}
			id={id}
			class="context-panel"
			role="dialog"
			aria-label={t('Context')}
			tabIndex={-1}
			onKeyDown={(event) => {
				if (event.key === 'Escape') {
					// Outside, it stops the turn.
					event.stopPropagation();
					event.preventDefault();
					onLeave(true);
				}
			}}
			onFocusOut={(event) => {
				if (!(event.relatedTarget instanceof Node && panel.current?.contains(event.relatedTarget) === true)) {
					onLeave(false);
				}
			}}
		>
			{lines.map((line) => (
				<p key={line}>{line}</p>
			))}
			<button
				ref={button}
				type="button"
				class="button secondary"
				disabled={isRunning}
				title={isRunning ? t('Wait until the turn has ended.') : t('Summarize older messages')}
				onClick={() => {
					onLeave(true);
					void threads.send('/compact', []);
				}}
			>
				{t('Compact')}
			</button>
		</div>
	);
}
