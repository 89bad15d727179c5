/** The view as a whole: its tabs, the search, and the sections of the tab that is shown, which follow what changes. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
	type CapabilitiesBadges,
	type CapabilitiesContent,
	capabilitiesNotifications,
	capabilitiesRequests,
	CapabilitiesTab,
} from '../../protocol/pages/capabilities-view.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import * as z from '../../protocol/text/zod.ts';
import { drawStarted, type PageEnd } from '../parts/page-end.tsx';
import { Icon } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';
import { PageFailure } from '../parts/page-frame.tsx';
import type { Translate } from '../parts/translate.ts';
import { useTried } from '../parts/tried-calls.ts';
import { RowSection } from './capability-rows.tsx';
import { panelId, tabId, TabList } from '../parts/tab-list.tsx';

const ShownTab = z.object({
	tab: CapabilitiesTab,
	search: z.string(),
	choice: z.string(),
	/** Sections that are not as they are at first, by tab and id. */
	turned: z.array(z.string()),
});
/**
 * State that the view keeps for the page that replaces this one: its tab, the search of each tab, and which sections
 * are closed.
 */
type ShownTab = z.infer<typeof ShownTab>;

/** Between a letter that is typed and the search for it. */
const CAPABILITY_SEARCH_PAUSE_MS = 120;

interface CapabilitiesViewProps {
	readonly peer: Peer;
	/** Aborted when the page goes. */
	readonly signal: AbortSignal;
	readonly shownAtFirst: ShownTab;
	/** The keyboard goes into the search. */
	readonly isSearchAtFirst: boolean;
	keep(shown: ShownTab): void;
}

interface TabContent {
	readonly tab: CapabilitiesTab;
	readonly content: CapabilitiesContent;
}

const NO_BADGES: CapabilitiesBadges = { installed: null, marketplace: null, mcp: null, runs: null };

function CapabilitiesTabs({ peer, signal, shownAtFirst, isSearchAtFirst, keep }: CapabilitiesViewProps) {
	const { t } = useText();
	const [shown, setShown] = useState(shownAtFirst);
	const [read, setRead] = useState<TabContent | null>(null);
	const [badges, setBadges] = useState(NO_BADGES);
	const { failure, tried } = useTried(signal);
	const search = useRef<HTMLInputElement>(null);
	const sections = useRef<HTMLDivElement>(null);
	/** Aborts what is read for a tab or a search that is no longer shown. */
	const reading = useRef(new AbortController());
	const { tab, search: wanted, choice, turned } = shown;
	const content = read?.tab === tab ? read.content : null;

	async function readTab(): Promise<void> {
		reading.current.abort();
		const mine = new AbortController();
		reading.current = mine;
		const asked = { tab, search: wanted, choice };
		const either = AbortSignal.any([signal, mine.signal]);
		const next = await tried(peer.call(capabilitiesRequests.read, asked, either), either);
		if (next !== undefined) {
			setRead({ tab, content: next });
		}
	}
	async function requestAction(on: string | null, action: string): Promise<void> {
		await tried(peer.call(capabilitiesRequests.act, { tab, on, action }, signal));
	}
	const showTab = (next: CapabilitiesTab) => setShown((before) => ({ ...before, tab: next, choice: '' }));
	const toggleSection = (id: string) =>
		setShown((before) => ({
			...before,
			turned: before.turned.includes(id) ? before.turned.filter((each) => each !== id) : [...before.turned, id],
		}));

	useLayoutEffect(() => {
		if (isSearchAtFirst) {
			search.current?.focus();
		}
	}, []);
	// Before anybody sees it: a page may go in the next moment.
	useLayoutEffect(() => keep(shown), [shown]);
	useEffect(() => {
		const timer = setTimeout(() => void readTab(), read?.tab === tab ? CAPABILITY_SEARCH_PAUSE_MS : 0);
		return () => clearTimeout(timer);
	}, [tab, wanted, choice]);
	useEffect(() => {
		const heard = peer.on(capabilitiesNotifications, {
			changed: ({ tab: changed }) => {
				if (changed === tab) {
					void readTab();
				}
			},
			badges: setBadges,
			reveal: ({ tab: next, isSearch }) => {
				showTab(next);
				if (isSearch) {
					search.current?.focus();
				}
			},
		});
		return () => heard.dispose();
	}, [tab, wanted, choice]);

	const rows = content?.sections.reduce((sum, section) => sum + section.rows.length + section.left, 0) ?? 0;
	return (
		<main class="capabilities" aria-busy={content === null}>
			<h1 class="sr-only">{t('Capabilities')}</h1>
			<TabList
				label={t('Capabilities')}
				tabs={CapabilitiesTab.options.map((id) => ({ id, label: describeTab(id, t), badge: badges[id] }))}
				shown={tab}
				onShow={(id) => showTab(CapabilitiesTab.parse(id))}
			/>
			<div class="capabilities-search search-row">
				<Icon name="search" />
				<input
					ref={search}
					type="search"
					value={wanted}
					placeholder={t('Search by name or description')}
					aria-label={t('Search by name or description')}
					spellcheck={false}
					onInput={(event) => setShown((before) => ({ ...before, search: event.currentTarget.value }))}
					onKeyDown={(event) => {
						if (event.key === 'ArrowDown') {
							event.preventDefault();
							rowNames(sections.current)[0]?.focus();
						}
					}}
				/>
			</div>
			{content !== null && content.choices.length > 0 && (
				<select
					class="capabilities-choice"
					aria-label={t('Show only')}
					value={choice}
					onChange={(event) => {
						const { value } = event.currentTarget;
						setShown((before) => ({ ...before, choice: value }));
					}}
				>
					{content.choices.map(({ id, label }) => (
						<option key={id} value={id}>
							{label}
						</option>
					))}
				</select>
			)}
			<p class="sr-only" role="status">
				{content === null ? '' : rows === 1 ? t('1 entry') : t('{rows} entries', { rows })}
			</p>
			<PageFailure failure={failure} />
			<div
				ref={sections}
				id={panelId(tab)}
				class="capabilities-panel"
				role="tabpanel"
				aria-labelledby={tabId(tab)}
				tabIndex={-1}
				onKeyDown={(event) => moveAmongRows(event, sections.current, search.current)}
			>
				{content === null ? (
					failure === null && (
						<p class="page-waits">
							<Icon name="loading" spin /> {t('Reading…')}
						</p>
					)
				) : (
					<>
						{content.sentence !== '' && rows > 0 && <p class="capabilities-sentence">{content.sentence}</p>}
						{rows > 0 && content.actions.length > 0 && (
							<div class="button-row">
								{content.actions.map(({ id, label, icon }) => (
									<button key={id} type="button" class="link-button" onClick={() => void requestAction(null, id)}>
										<Icon name={icon} /> {label}
									</button>
								))}
							</div>
						)}
						{content.sections.map((section) => (
							<RowSection
								key={section.id}
								section={section}
								isClosed={wanted === '' && section.isClosedAtFirst !== turned.includes(`${tab}.${section.id}`)}
								onTurn={() => toggleSection(`${tab}.${section.id}`)}
								onAct={(on, action) => void requestAction(on, action)}
							/>
						))}
						{rows === 0 && (
							<Empty
								content={content}
								search={wanted}
								isNarrowed={wanted.trim() !== '' || choice !== ''}
								canSearchMarketplace={tab === 'installed'}
								onAct={(action) => void requestAction(null, action)}
								onClear={() => {
									setShown((before) => ({ ...before, search: '', choice: '' }));
									search.current?.focus();
								}}
								onSearchMarketplace={() => showTab('marketplace')}
							/>
						)}
					</>
				)}
			</div>
		</main>
	);
}

interface EmptyProps {
	readonly content: CapabilitiesContent;
	readonly search: string;
	readonly isNarrowed: boolean;
	readonly canSearchMarketplace: boolean;
	onAct(action: string): void;
	onClear(): void;
	onSearchMarketplace(): void;
}

/** Why there is nothing, and the ways on. */
function Empty(props: EmptyProps) {
	const { content, search, isNarrowed, canSearchMarketplace, onAct, onClear, onSearchMarketplace } = props;
	const { t } = useText();
	return (
		<div class="capabilities-empty">
			{isNarrowed ? (
				<>
					<p>{search.trim() === '' ? t('Nothing fits.') : t('Nothing fits “{search}”.', { search: search.trim() })}</p>
					{canSearchMarketplace && (
						<button type="button" class="button" onClick={onSearchMarketplace}>
							{t('Search the Marketplace')}
						</button>
					)}
					<button type="button" class="button secondary" onClick={onClear}>
						{t('Clear Search')}
					</button>
				</>
			) : (
				<>
					<p>{content.empty.text}</p>
					{content.empty.actions.map(({ id, label }) => (
						<button key={id} type="button" class="button" onClick={() => onAct(id)}>
							{label}
						</button>
					))}
				</>
			)}
		</div>
	);
}

/** Returns the element of each row that takes the keyboard. */
function rowNames(panel: HTMLElement | null): HTMLElement[] {
	return [...(panel?.querySelectorAll<HTMLElement>('.capability-name[tabindex], button.capability-name') ?? [])];
}

/** Up and down go from row to row; above the first is the search. Inside a menu the keys are the menu's. */
function moveAmongRows(event: KeyboardEvent, panel: HTMLElement | null, search: HTMLInputElement | null): void {
	const { key, target } = event;
	const isMove = key === 'ArrowDown' || key === 'ArrowUp' || key === 'Home' || key === 'End';
	if (!isMove || !(target instanceof HTMLElement) || target.closest('[role="menu"]') !== null) {
		return;
	}
	const names = rowNames(panel);
	const row = target.closest('.capability-row');
	const at = names.findIndex((name) => row?.contains(name) === true);
	if (at < 0) {
		return;
	}
	event.preventDefault();
	const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: names.length - 1 }[key];
	if (next < 0) {
		search?.focus();
	} else {
		names[Math.min(next, names.length - 1)]?.focus();
	}
}

/** The view *Capabilities*: a tab at a time, as the extension has put it into words. */
export function openCapabilities(end: PageEnd): void {
	const { editor, peer, signal } = end;
	drawStarted(end, capabilitiesRequests.start, {
		draw({ revealed }) {
			const before = readShownTab(editor.getState());
			return (
				<CapabilitiesTabs
					peer={peer}
					signal={signal}
					shownAtFirst={revealed === null ? before : { ...before, tab: revealed.tab }}
					isSearchAtFirst={revealed?.isSearch === true}
					keep={(shown) => editor.setState(shown)}
				/>
			);
		},
	});
}

function readShownTab(state: unknown): ShownTab {
	return ShownTab.safeParse(state).data ?? { tab: 'installed', search: '', choice: '', turned: [] };
}

function describeTab(tab: CapabilitiesTab, t: Translate): string {
	switch (tab) {
		case 'installed':
			return t('Installed');
		case 'marketplace':
			return t('Marketplace');
		case 'mcp':
			return t('MCP');
		case 'runs':
			return t('Runs');
		default:
			return tab satisfies never;
	}
}
