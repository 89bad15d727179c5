/** How full the model's context is: a ring with its figure, the tokens in the tooltip. */
import { costText } from '../../protocol/cost-text.ts';
import type { Usage } from '../../protocol/thread.ts';
import type { Translate } from '../translate.ts';
import { wordsOf as inWords } from '../../protocol/text.ts';
import { useView } from '../view-context.ts';

function costLines({ cost, isCostPartial }: Usage, t: Translate): string[] {
	if (cost === undefined) {
		return [];
	}
	const sum = inWords(costText(cost), t);
	return [
		isCostPartial === true
			? t('Cost: {sum}, and what models without a known price cost', { sum })
			: t('Cost: {sum}', { sum }),
	];
}

/** Circumference 100, so that the dash is the percentage. */
const RADIUS = 100 / (2 * Math.PI);

export function ContextMeter({ usage }: { usage: Usage }) {
	const { t } = useView();
	const percent = Math.min(100, Math.round((usage.contextTokens / usage.contextWindow) * 100));
	const n = (tokens: number) => tokens.toLocaleString();
	const lines = [
		t('Context: {used} of {window} tokens ({percent} %)', {
			used: n(usage.contextTokens),
			window: n(usage.contextWindow),
			percent,
		}),
		t('Input: {n} ({cached} cached)', { n: n(usage.inputTokens), cached: n(usage.cachedInputTokens) }),
		t('Output: {n}', { n: n(usage.outputTokens) }),
		...(usage.estimated ? [t('Estimated')] : []),
		...costLines(usage, t),
	];
	const level = percent >= 90 ? 'full' : percent >= 70 ? 'high' : 'fine';
	return (
		<span
			class={`context-meter ${level}`}
			role="img"
			tabIndex={0}
			aria-label={lines.join('. ')}
			title={lines.join('\n')}
		>
			<svg viewBox="0 0 40 40" aria-hidden="true" focusable="false">
				<circle class="ring" cx="20" cy="20" r={RADIUS} />
				<circle
					class="ring-used"
					cx="20"
					cy="20"
					r={RADIUS}
					stroke-dasharray={`${percent} 100`}
					transform="rotate(-90 20 20)"
				/>
			</svg>
			<span class="context-percent">
				{usage.estimated ? '~' : ''}
				{percent} %
			</span>
		</span>
	);
}
