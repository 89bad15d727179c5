/**
 * State that the view keeps for the page that replaces this one: its tab, the search of each tab, and which sections
 * are closed.
 */
import { CapabilitiesTab } from '../../protocol/pages/capabilities-view.ts';
import * as z from '../../protocol/text/zod.ts';

const ShownTab = z.object({
	tab: CapabilitiesTab,
	search: z.string(),
	choice: z.string(),
	/** Sections that are not as they are at first, by tab and id. */
	turned: z.array(z.string()),
});
export type ShownTab = z.infer<typeof ShownTab>;

export function readShownTab(state: unknown): ShownTab {
	return ShownTab.safeParse(state).data ?? { tab: 'installed', search: '', choice: '', turned: [] };
}
