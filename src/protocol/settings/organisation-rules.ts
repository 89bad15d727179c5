/**
 * Rules of an organisation: one file that administrators write, which users and workspaces can only tighten. An unknown
 * key is an error: a rule that is misspelled must not silently be none.
 */
import * as z from '../text/zod.ts';
import { PermissionLevel } from '../ops/permission-level.ts';

/** Text with `*` for anything. */
const pattern = z.string().min(1).max(500);
const patterns = z.array(pattern).max(500);
const dollars = z.number().positive().max(1_000_000);
const amount = z.int().positive().max(1_000_000_000_000);

/** An MCP server that may run: all words of its command line, or its address. */
const AllowedServer = z.union([
	z.strictObject({
		command: z.array(pattern).min(1).max(100),
		/** Names of variables that its entry may set; absent: none. */
		env: z.array(z.string().min(1).max(200)).max(100).optional(),
	}),
	z.strictObject({ url: pattern }),
]);
export type AllowedServer = z.infer<typeof AllowedServer>;

export const OrganisationRules = z.strictObject({
	/** Name of the organisation, as users read it. */
	organisation: z.string().min(1).max(100),
	/** Whom users ask about the rules. */
	contact: z.string().min(1).max(300).optional(),
	/** Grows with each change of rules at an address: of those that were read there, none older counts any more. */
	version: z.int().positive().optional(),
	/** Last day on which the rules count; afterwards nothing starts until newer ones are there. */
	validUntil: z.iso.date().optional(),
	/** Models as `kind of provider/model`; those of the editor are `editor/model`. */
	models: patterns.optional(),
	/** Kinds of providers at their own addresses, `editor`, and addresses of others. */
	providers: patterns.optional(),
	mcpServers: z.array(AllowedServer).max(500).optional(),
	/** Locations of marketplace indexes, beside what ships with Prowess. */
	marketplaces: patterns.optional(),
	/** Ed25519 keys, in base64, of which one has signed whatever comes from a marketplace. */
	publishers: z.array(z.base64().length(44)).max(500).optional(),
	/** Installed versions that are disabled at once: `type/name` or `type/name@version`. */
	revoked: z
		.array(z.string().regex(/^[^/@\s]+\/[^@\s]+(?:@\S+)?$/, 'expected type/name or type/name@version'))
		.max(5_000)
		.optional(),
	widestLevel: PermissionLevel.optional(),
	/** Commands, MCP servers and hooks run in a sandbox or not at all. */
	sandbox: z.literal('required').optional(),
	/** Hosts that the agent, commands and capabilities may reach. */
	hosts: patterns.optional(),
	deny: patterns.optional(),
	ask: patterns.optional(),
	quotas: z
		.strictObject({
			tokensPerHour: amount.optional(),
			toolCallsPerMinute: z.int().positive().max(1_000_000).optional(),
			dollarsPerHour: dollars.optional(),
			dollarsPerDay: dollars.optional(),
			dollarsPerMonth: dollars.optional(),
			tokensPerThread: amount.optional(),
			dollarsPerThread: dollars.optional(),
			tokensPerCapability: amount.optional(),
			dollarsPerCapability: dollars.optional(),
			tokensPerSchedule: amount.optional(),
			dollarsPerSchedule: dollars.optional(),
		})
		.optional(),
	ledger: z
		.strictObject({
			/** Place of the anchors, as `prowess.ledger.anchor` names it. */
			anchor: z
				.string()
				.max(2_000)
				.regex(/^(?:git-note:.+|https:\/\/\S+)$/, 'expected git-note: with a path, or an https address')
				.optional(),
			/** Least and most days that rows are kept. */
			leastDays: z.int().min(7).max(36_500).optional(),
			mostDays: z.int().min(7).max(36_500).optional(),
		})
		.refine(({ leastDays = 0, mostDays = Infinity }) => leastDays <= mostDays, {
			path: ['leastDays'],
			message: 'expected no more than mostDays',
		})
		.optional(),
	/** Exports of threads and the ledger. Absent: they are allowed. */
	export: z.literal('denied').optional(),
});
export type OrganisationRules = z.infer<typeof OrganisationRules>;

/** Address of the rules, in the system folder in their place, and the key that has signed them. */
export const OrganisationAddress = z.strictObject({
	address: z.url({ protocol: /^https?$/ }),
	/** 32 bytes of an ed25519 public key, in base64. */
	publicKey: z.base64().length(44),
});
export type OrganisationAddress = z.infer<typeof OrganisationAddress>;
