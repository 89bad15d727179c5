/** Tools of a server that the user has agreed to, as they stand now: what it says of them is compared with what was agreed to. */
import { inEnglish } from '../../protocol/text/text.ts';
import type { McpConnection } from './connection.ts';
import type { PinnedTools } from './consent/kept-consents.ts';
import type { McpConsent } from './consent/mcp-consent.ts';
import type { McpServer } from './server.ts';
import { findToolChanges, type McpTool, toPinnedTools } from './tools.ts';
import type { McpUser } from './user.ts';

interface AgreedTools {
	readonly tools: readonly McpTool[];
	/** Sentences on the others. */
	readonly notes: readonly string[];
}

interface Agreement {
	readonly server: McpServer;
	/** Hash of the launch (`LaunchIdentity`) that the user agreed to. */
	readonly hash: string;
	readonly consent: McpConsent;
	/** Tools were seen that were not known before. */
	onPinned(): void;
}

/** Asks about what is new or has changed. */
export async function agreedTools(
	connection: McpConnection,
	agreement: Agreement,
	user: McpUser,
	signal: AbortSignal,
): Promise<AgreedTools> {
	const { tools, problems } = await connection.tools(signal);
	const pinned = await pinnedNow(agreement, tools, user, signal);
	const usable = tools.filter((tool) => findPinnedHash(pinned, tool.name) === tool.hash);
	const gone = Object.keys(pinned).filter((each) => !tools.some((tool) => tool.name === each));
	const refused = tools.length - usable.length;
	return {
		tools: usable,
		notes: [
			...problems.map(inEnglish),
			...(gone.length === 0 ? [] : [`These tools are not there any more: ${gone.join(', ')}.`]),
			...(refused === 0 ? [] : [`${refused} tools are left out: they changed, and the user did not agree to that.`]),
		],
	};
}

/** Undefined: the user has not agreed to a tool of that name. */
export function findPinnedHash(pinned: PinnedTools, tool: string): string | undefined {
	return Object.hasOwn(pinned, tool) ? pinned[tool] : undefined;
}

async function pinnedNow(
	{ server, hash, consent, onPinned }: Agreement,
	tools: readonly McpTool[],
	user: McpUser,
	signal: AbortSignal,
): Promise<PinnedTools> {
	const before = await consent.pinned(hash);
	if (before !== undefined && before !== null) {
		const changes = findToolChanges(before, tools);
		const isSame = changes.added.length === 0 && changes.changed.length === 0;
		if (isSame || !(await consent.agreesToTools(server, hash, changes, user, signal))) {
			return before;
		}
	}
	await consent.pin(hash, toPinnedTools(tools), signal);
	onPinned();
	return toPinnedTools(tools);
}
