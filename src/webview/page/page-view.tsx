/** A page as it was told: title, what can be done, and its blocks. */
import type { PageAction, PageContent } from '../../protocol/pages/capability-page.ts';
import { Icon } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';
import { PageFailure, PageWaits } from '../parts/page-frame.tsx';
import { panelId, tabId, TabList } from '../parts/tab-list.tsx';
import { actionIcons } from './action-icons.ts';
import { PageBlockView, type BlockProps } from './block-view.tsx';

interface PageViewProps {
	/** Null while it is being made. */
	readonly content: PageContent | null;
	/** Problem with the last request; null: none. */
	readonly problem: string | null;
	/** `on`: the row it is for. */
	act(action: PageAction, on?: string): void;
	readonly form: BlockProps['form'];
}

export function PageView({ content, problem, act, form }: PageViewProps) {
	return (
		<main class="page" aria-busy={content === null}>
			<PageFailure failure={problem} />
			{content === null ? <PageWaits /> : <PageBody content={content} act={act} form={form} />}
		</main>
	);
}

function PageBody({ content, act, form }: { content: PageContent } & Pick<PageViewProps, 'act' | 'form'>) {
	const { t } = useText();
	const { title, kicker, summary, actions, blocks, tabs } = content;
	const drawn = blocks.map((block, index) => <PageBlockView key={index} block={block} act={act} form={form} />);
	return (
		<>
			<header class="page-head">
				{kicker !== '' && (
					<p class="page-kicker">
						<bdi>{kicker}</bdi>
					</p>
				)}
				<h1>
					<bdi>{title}</bdi>
				</h1>
				{tabs !== undefined && (
					<TabList
						label={title}
						tabs={tabs.list.map(({ id, label, count }) => ({
							id,
							label,
							badge: count === null ? null : { count, text: t('{n} open', { n: count }) },
						}))}
						shown={tabs.shown}
						onShow={(id) => act('showTab', id)}
					/>
				)}
				{summary !== '' && (
					<p class="page-summary">
						<bdi>{summary}</bdi>
					</p>
				)}
				{actions.length > 0 && (
					<div class="button-row" role="group" aria-label={t('Actions')}>
						{actions.map(({ action, label, isOn }, index) => (
							<button
								// A switch asks for something else when it is on, and stays the button that has the focus.
								key={isOn === undefined ? action : 'switch'}
								type="button"
								{...(isOn === undefined ? {} : { role: 'switch', 'aria-checked': isOn })}
								class={index === 0 ? 'button page-action' : 'button secondary page-action'}
								onClick={() => act(action)}
							>
								<Icon name={isOn === undefined ? actionIcons[action] : isOn ? 'verified-filled' : 'unverified'} />{' '}
								{label}
							</button>
						))}
					</div>
				)}
			</header>
			{tabs === undefined ? (
				drawn
			) : (
				<div key={tabs.shown} role="tabpanel" id={panelId(tabs.shown)} aria-labelledby={tabId(tabs.shown)}>
					{drawn}
				</div>
			)}
		</>
	);
}
