/** The view of capabilities as the extension tells its page of it: sections that a spec sets for each tab, searched by name. */
import type {
	AskedRows,
	CapabilitiesContent,
	CapabilitiesTab,
	CapabilityRow,
	CapabilitySection,
} from '../../../src/protocol/pages/capabilities-view.ts';

export class FakeCapabilities {
	revealed: { tab: CapabilitiesTab; isSearch: boolean } | null = null;
	readonly tabs = new Map<CapabilitiesTab, Partial<CapabilitiesContent>>();
	/** A tab is read after it. */
	beforeRead: Promise<void> | undefined;

	async read({ tab, search }: AskedRows): Promise<CapabilitiesContent> {
		await this.beforeRead;
		const { sections = [], ...rest } = this.tabs.get(tab) ?? {};
		return {
			sentence: '',
			choices: [],
			actions: [],
			empty: { text: `Nothing in ${tab} yet.`, actions: [{ id: 'prowess.begin', label: 'Begin', icon: 'add' }] },
			...rest,
			sections: sections
				.map((section) => ({ ...section, rows: section.rows.filter(({ name }) => name.includes(search)) }))
				.filter(({ rows }) => rows.length > 0),
		};
	}
}

export function capabilitySection(
	title: string,
	rows: readonly CapabilityRow[],
	given: Partial<CapabilitySection> = {},
): CapabilitySection {
	return { id: title, title, sentence: `On ${title}.`, rows: [...rows], left: 0, isClosedAtFirst: false, ...given };
}

export function capabilityRow(name: string, given: Partial<CapabilityRow> = {}): CapabilityRow {
	return {
		id: name,
		name,
		icon: 'tools',
		isBusy: false,
		isQuiet: false,
		description: `What ${name} does`,
		facts: ['this project', '1.0.0'],
		marks: [],
		parts: [],
		opens: 'Show Capability',
		buttons: [{ id: 'prowess.runCapability', label: 'Run…', icon: 'play' }],
		menu: [
			{ id: 'prowess.disableCapability', label: 'Disable', icon: 'circle-slash' },
			{ id: 'prowess.openManifest', label: 'Open Manifest', icon: 'go-to-file' },
		],
		...given,
	};
}
