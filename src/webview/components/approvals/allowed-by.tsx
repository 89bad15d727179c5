/** Why nobody was asked before a tool call that would have been asked about: in words, so that it can be taken back. */
import { assertNever } from '../../../base/assert-never.ts';
import type { AllowedBy, AllowingRule } from '../../../protocol/approvals/approvals.ts';
import { LEVEL_WORDS } from '../../../protocol/ops/permission-level.ts';
import { translateText } from '../../../protocol/text/text.ts';
import type { Translate } from '../../parts/translate.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';

/** Says why the call was allowed; an answer or rule that can be revoked is a link to where that is done. */
export function AllowedByLine({ allowedBy }: { allowedBy: AllowedBy }) {
	const { t, editor } = useView();
	const renderRuleLink = (text: string, rule: AllowingRule | null) => (
		<button
			key={text}
			type="button"
			class="link-button"
			title={t('Show in Manage Approvals')}
			onClick={() => void editor.showAllowed(rule)}
		>
			{text}
		</button>
	);
	return (
		<p class="detail-note">
			<Icon name="pass" />{' '}
			{allowedBy.kind === 'rules'
				? allowedBy.rules.map((rule) => renderRuleLink(ruleText(rule, t), rule))
				: allowedBy.kind === 'thread' || allowedBy.kind === 'turn'
					? renderRuleLink(allowedText(allowedBy, t), null)
					: allowedText(allowedBy, t)}
		</p>
	);
}

/** Beside the title, for who looks at the card alone. */
export function AllowedByMark({ allowedBy }: { allowedBy: AllowedBy }) {
	const { t } = useView();
	const text = allowedText(allowedBy, t);
	return (
		<span class="allowed-mark" role="img" title={text} aria-label={text}>
			<Icon name="pass" />
		</span>
	);
}

function allowedText(allowedBy: AllowedBy, t: Translate): string {
	switch (allowedBy.kind) {
		case 'rules':
			return allowedBy.rules.map((rule) => ruleText(rule, t)).join(' ');
		case 'thread':
			return t('Allowed by your answer for this thread.');
		case 'turn':
			return t('Allowed by your answer for this turn.');
		case 'reads':
			return t('Only reads, so it ran without asking.');
		case 'level':
		case 'autonomy':
			return t('Allowed by the permission level {level}.', {
				level: translateText(LEVEL_WORDS[allowedBy.level ?? 'full'].name, t),
			});
		case 'host':
			return t('Allowed because this host was started to approve by itself.');
		default:
			return assertNever(allowedBy);
	}
}

function ruleText({ rule, scope }: AllowingRule, t: Translate): string {
	switch (scope) {
		case 'project':
			return t('Allowed by your rule for this project: {rule}', { rule });
		case 'everywhere':
			return t('Allowed by your rule for all projects: {rule}', { rule });
		case 'thread':
			return t('Allowed by your rule for this thread: {rule}', { rule });
		default:
			return assertNever(scope);
	}
}
