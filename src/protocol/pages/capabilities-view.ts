/**
 * The view *Capabilities* ↔ extension, over postMessage. The page shows one tab at a time, asks for its rows, and can ask only
 * for what a row or a tab offers. A page may be destroyed at any moment: it keeps only which tab it shows, and what is searched for.
 */
import * as z from '../text/zod.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';

/** In the order in which they are shown. */
export const CapabilitiesTab = z.enum(['installed', 'marketplace', 'mcp', 'runs']);
export type CapabilitiesTab = z.infer<typeof CapabilitiesTab>;

const OfferedButton = z.object({
	/** Id that the page asks for it by. */
	id: z.string(),
	label: z.string(),
	/** Name of a codicon. */
	icon: z.string(),
});

/** Every text of a row is shown as the text it is. */
export const CapabilityRow = z.object({
	id: z.string(),
	name: z.string(),
	/** Name of a codicon. */
	icon: z.string(),
	isBusy: z.boolean(),
	/** Disabled, or overridden. */
	isQuiet: z.boolean(),
	/** In one sentence; empty without any. */
	description: z.string(),
	/** State, source and version. */
	facts: z.array(z.string()),
	/** Reasons for the user to look at it. */
	marks: z.array(z.object({ kind: z.enum(['update', 'consent', 'warning', 'error']), text: z.string() })),
	/** Names of what belongs to it, such as the tools of a server. */
	parts: z.array(z.string()),
	/** Words for what its name opens; null: nothing. */
	opens: z.string().nullable(),
	/** Beside its name. */
	buttons: z.array(OfferedButton),
	/** In its menu. */
	menu: z.array(OfferedButton),
});
export type CapabilityRow = z.infer<typeof CapabilityRow>;

export const CapabilitySection = z.object({
	id: z.string(),
	title: z.string(),
	/** On what is in it; empty: it needs none. */
	sentence: z.string(),
	rows: z.array(CapabilityRow),
	/** Rows that fit and are left out. */
	left: z.int(),
	isClosedAtFirst: z.boolean(),
});
export type CapabilitySection = z.infer<typeof CapabilitySection>;

export const CapabilitiesContent = z.object({
	/** On the tab as a whole; empty: its sections say it. */
	sentence: z.string(),
	sections: z.array(CapabilitySection),
	/** Kinds that the rows can be narrowed to; empty: none. */
	choices: z.array(z.object({ id: z.string(), label: z.string() })),
	/** Below the search. */
	actions: z.array(OfferedButton),
	/** Said where there is no row at all, with the ways on. */
	empty: z.object({ text: z.string(), actions: z.array(OfferedButton) }),
});
export type CapabilitiesContent = z.infer<typeof CapabilitiesContent>;

/** Number beside the name of a tab, and what it counts; null: nothing asks for the user there. */
const Badge = z.object({ count: z.int().positive(), text: z.string() }).nullable();
export const CapabilitiesBadges = z.object({ installed: Badge, marketplace: Badge, mcp: Badge, runs: Badge });
export type CapabilitiesBadges = z.infer<typeof CapabilitiesBadges>;

/** Tab that a page is told to show. */
const TabToReveal = z.object({ tab: CapabilitiesTab, isSearch: z.boolean() });

/** Rows that are asked for; `choice` is the id of one, or empty. */
const AskedTabRows = z.object({ tab: CapabilitiesTab, search: z.string().max(500), choice: z.string().max(200) });
export type AskedRows = z.infer<typeof AskedTabRows>;

export const capabilitiesRequests = {
	/** First message of a (re)built page. */
	start: defineRequest(
		'capabilities/start',
		z.object({}),
		z.object({
			/** Null: what it showed before. */
			revealed: TabToReveal.nullable(),
			/** Translations of the page's own English strings; empty in English. */
			strings: z.record(z.string(), z.string()),
		}),
	),
	read: defineRequest('capabilities/read', AskedTabRows, CapabilitiesContent),
	/** Performs what a row offers, or, where `on` is null, its tab; anything else is refused. `open`: what its name opens. */
	act: defineRequest(
		'capabilities/act',
		z.object({ tab: CapabilitiesTab, on: z.string().max(8_192).nullable(), action: z.string().max(100) }),
		z.object({}),
	),
} as const;

/** Extension → page. */
export const capabilitiesNotifications = {
	/** Sent when rows of a tab have changed. */
	changed: defineNotification('capabilities/changed', z.object({ tab: CapabilitiesTab })),
	badges: defineNotification('capabilities/badges', CapabilitiesBadges),
	reveal: defineNotification('capabilities/reveal', TabToReveal),
} as const;
