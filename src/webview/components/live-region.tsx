/** Tells a screen reader what changed. Two regions that are always there: one waits for a pause, one does not. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Announcement, findAnnouncement } from '../state/announcement.ts';
import type { ViewState } from '../state/view-state.ts';
import { useView } from '../actions/view-context.ts';

export function LiveRegion({ state }: { state: ViewState }) {
	const { t } = useView();
	const last = useRef(state);
	const [said, setSaid] = useState<Announcement | undefined>(undefined);
	useEffect(() => {
		const next = findAnnouncement(last.current, state, t);
		last.current = state;
		if (next !== undefined) {
			setSaid(next);
		}
	}, [state]);
	return (
		<div class="sr-only">
			<div role="status" aria-live="polite">
				{said?.isUrgent === false ? said.text : ''}
			</div>
			<div role="alert" aria-live="assertive">
				{said?.isUrgent === true ? said.text : ''}
			</div>
		</div>
	);
}
