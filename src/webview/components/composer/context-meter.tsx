/**
 * Ring that shows how full the model's context is, with the figure; the tokens are in the tooltip. A click opens what
 * can be done about it.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { costText, quotaText } from '../../../protocol/pages/usage-text.ts';
import type { Usage } from '../../../protocol/thread/thread.ts';
import type { Translate } from '../../parts/translate.ts';
import { translateText as inWords } from '../../../protocol/text/text.ts';
import { useOpener } from '../../parts/use-opener.ts';
import { useView } from '../../actions/view-context.ts';
import { createLeaveHandlers } from '../leaving.ts';
import { pageLanguage } from '../../parts/times.ts';

/**
 * Panel of what the thread has used, with the button that summarizes older messages. The ring that shows how full the
 * context is opens it.
 */
interface ContextPart {
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

function ContextPanel({ id, lines, parts, isRunning, onLeave }: ContextPanelProps) {
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
								<td>{tokens.toLocaleString(pageLanguage())}</td>
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

function costLines({ cost, turnCost, requestCost, isCostPartial }: Usage, t: Translate): string[] {
	if (cost === undefined) {
		return [];
	}
	const sum = inWords(costText(cost), t);
	return [
		isCostPartial === true
			? t('Cost: {sum}, and what models without a known price cost', { sum })
			: t('Cost: {sum}', { sum }),
		...(turnCost === undefined ? [] : [t('Cost of the last turn: {sum}', { sum: inWords(costText(turnCost), t) })]),
		...(requestCost === undefined
			? []
			: [t('Cost of the last request: {sum}', { sum: inWords(costText(requestCost), t) })]),
	];
}

/** Returns the parts that fill the context window, the largest first. */
function listContextParts({ contextParts: parts }: Usage, t: Translate): readonly ContextPart[] {
	return parts === undefined
		? []
		: [
				{ label: t('Conversation'), tokens: parts.conversation },
				{ label: t('Results of tools'), tokens: parts.results },
				{ label: t('Attached files'), tokens: parts.files },
				{ label: t('Rules and instructions'), tokens: parts.rules },
				{ label: t('Descriptions of tools'), tokens: parts.tools },
			]
				.filter(({ tokens }) => tokens > 0)
				.toSorted((a, b) => b.tokens - a.tokens);
}

/** Circumference 100, so that the dash is the percentage. */
const METER_RADIUS = 100 / (2 * Math.PI);

interface ContextMeterProps {
	/** Null: nothing was sent to a model yet. The ring then shows only with its panel. */
	readonly known: Usage | null;
	readonly isRunning: boolean;
	/** Raised when its panel should open. */
	readonly openRequests: number;
}

const NO_USAGE: Usage = {
	inputTokens: 0,
	outputTokens: 0,
	cachedInputTokens: 0,
	contextTokens: 0,
	contextWindow: 1,
	estimated: false,
};

export function ContextMeter({ known, isRunning, openRequests }: ContextMeterProps) {
	const { t } = useView();
	const { isOpen, id: panelId, button, open, leave } = useOpener('dialog');
	// A thread that is opened later must not answer what was asked for in another one.
	const answered = useRef(openRequests);
	useLayoutEffect(() => {
		if (openRequests > answered.current) {
			answered.current = openRequests;
			open();
		}
	}, [openRequests]);
	if (known === null && !isOpen) {
		return null;
	}
	const usage = known ?? NO_USAGE;
	const percent = Math.min(100, Math.round((usage.contextTokens / usage.contextWindow) * 100));
	const formatTokens = (tokens: number) => tokens.toLocaleString(pageLanguage());
	const lines = [
		known === null
			? t('Nothing was sent to a model in this thread.')
			: t('Context: {used} of {window} tokens ({percent} %)', {
					used: formatTokens(usage.contextTokens),
					window: formatTokens(usage.contextWindow),
					percent,
				}),
		t('Input: {n} ({cached} cached)', {
			n: formatTokens(usage.inputTokens),
			cached: formatTokens(usage.cachedInputTokens),
		}),
		t('Output: {n}', { n: formatTokens(usage.outputTokens) }),
		...(usage.estimated ? [t('Estimated')] : []),
		...costLines(usage, t),
		...(usage.quotas ?? []).map((quota) => inWords(quotaText(quota), t)),
	];
	const figure = `${usage.estimated ? '~' : ''}${percent} %`;
	const level = percent >= 90 ? 'full' : percent >= 70 ? 'high' : 'fine';
	return (
		<span class="context">
			<button
				{...button}
				type="button"
				class={`context-meter ${level}`}
				aria-label={[figure, ...lines].join('. ')}
				title={lines.join('\n')}
				onClick={() => (isOpen ? leave(false) : open())}
			>
				<svg viewBox="0 0 40 40" aria-hidden="true" focusable="false">
					<circle class="ring" cx="20" cy="20" r={METER_RADIUS} />
					<circle
						class="ring-used"
						cx="20"
						cy="20"
						r={METER_RADIUS}
						stroke-dasharray={`${percent} 100`}
						transform="rotate(-90 20 20)"
					/>
				</svg>
				<span class="context-percent">{figure}</span>
			</button>
			{isOpen && (
				<ContextPanel
					id={panelId}
					lines={lines}
					parts={listContextParts(usage, t)}
					isRunning={isRunning}
					onLeave={leave}
				/>
			)}
		</span>
	);
}
