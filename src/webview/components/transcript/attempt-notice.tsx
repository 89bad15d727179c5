/** Outcome of a request to a model that failed: a countdown to the next try, who answers instead, or that it cannot be used. */
import { causeForUser } from '../../../protocol/errors/error-text.ts';
import type { Notice } from '../../../protocol/thread/items.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { useElapsed } from '../../parts/times.ts';

type Attempt = NonNullable<Notice['attempt']>;

interface AttemptNoticeProps {
	readonly at: string;
	readonly attempt: Attempt;
	readonly isRunning: boolean;
}

export function AttemptNotice({ at, attempt, isRunning }: AttemptNoticeProps) {
	const { t, threads } = useView();
	const { error, waitMs = 0, failed, next = '' } = attempt;
	const elapsed = useElapsed(at, isRunning && waitMs > 0);
	const left = elapsed === undefined ? 0 : Math.ceil((waitMs - elapsed) / 1000);
	const reason = causeForUser(error, t);
	const waited = Math.ceil(waitMs / 1000);
	const words =
		failed !== undefined && next === ''
			? `${failed}: ${reason}`
			: failed !== undefined
				? t('{failed}: {reason} {next} answers now.', { failed, reason, next })
				: left > 0
					? t('{reason} Trying again in {left} s.', { reason, left })
					: t('{reason} Tried again after {waited} s.', { reason, waited });
	return (
		<div class="item notice info" role="note">
			<Icon name={left > 0 ? 'watch' : 'info'} />
			<div class="notice-body">
				<p>
					<span class="sr-only">{t('Note:')} </span>
					{words}
				</p>
				{left > 0 && next !== '' && failed === undefined && (
					<div class="button-row">
						<button type="button" class="button" onClick={() => void threads.useNext()}>
							{t('Use {next} now', { next })}
						</button>
					</div>
				)}
			</div>
		</div>
	);
}
