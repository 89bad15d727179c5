/** Buttons about pages: they show the browser of the agent, and have a server opened that a command runs. */
import { opCard } from '../../../../protocol/op-table/cards.ts';
import type { ToolItem } from '../../../../protocol/thread/items.ts';
import { useView } from '../../../actions/view-context.ts';
import { Icon } from '../../../parts/icon.tsx';

/** Address of this machine as servers print it. */
const SERVED = /https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d{1,5})\b/;

const LAST_PORT = 65_535;

export function PageActions({ item }: { readonly item: ToolItem }) {
	const { t, editor, threads } = useView();
	if (item.tool === 'browser_open' && (item.status === 'done' || item.status === 'running')) {
		return (
			<div class="card-below">
				<button type="button" class="link-button of-editor" onClick={() => void editor.runAct(item.opId, 'watch')}>
					<Icon name="eye" /> {t('Watch')}
				</button>
			</div>
		);
	}
	const isServing = item.inBackground === true && opCard(item.tool).icon === 'terminal';
	const [served, port] = (isServing && SERVED.exec(item.output)) || [];
	if (served === undefined || Number(port) > LAST_PORT) return null;
	const url = `${served.split(':')[0]}://localhost:${port}`;
	return (
		<div class="card-below">
			<button
				type="button"
				class="link-button"
				title={url}
				onClick={() => threads.sendOrQueue(t('Open {url} in the browser and look at it.', { url }))}
			>
				<Icon name="browser" /> {t('Open the dev server and look at it')}
			</button>
		</div>
	);
}
