/**
 * Panel of what the thread has used, with the button that summarizes older messages. The ring that shows how full the
 * context is opens it.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useView } from '../actions/view-context.ts';
import { createLeaveHandlers } from './leaving.ts';

export interface ContextPart {
	readonly label: string;
	readonly tokens: number;
}

interface ContextPanelProps {
	readonly id: string;
	readonly lines: readonly string[];
	readonly parts: readonly ContextPart[];
	readonly isRunning: boolean;
	onLeave(isByKey: boolean): void;
}

export function ContextPanel({ id, lines, parts, isRunning, onLeave }: ContextPanelProps) {
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
			{...createLeaveHandlers(panel, onLeave)}
		>
			{lines.map((line) => (
				<p key={line}>{line}</p>
			))}
			{parts.length > 0 && (
				<table class="context-parts" aria-label={t('What fills the context, estimated')}>
					<tbody>
						{parts.map(({ label, tokens }) => (
							<tr key={label}>
								<th scope="row">{label}</th>
								<td>{tokens.toLocaleString()}</td>
							</tr>
						))}
					</tbody>
				</table>
			)}
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
