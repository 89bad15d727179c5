/** Until when an answer is taken: short, and whole for who points at it or hears it. */
import { useView } from '../../actions/view-context.ts';
import { clockTime } from '../../parts/times.ts';

export function DockExpiry({ at }: { readonly at: string }) {
	const { t } = useView();
	const time = clockTime(at);
	const whole = t('Denied if you do not answer by {time}.', { time });
	return (
		<span class="dock-expiry" title={whole}>
			<span aria-hidden="true">{t('until {time}', { time })}</span>
			<span class="sr-only">{whole}</span>
		</span>
	);
}
