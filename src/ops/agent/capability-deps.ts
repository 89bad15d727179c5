/** Parts of a host that agents find, start and switch capabilities with, and ask MCP servers with. */
import type { CapabilityRegistry } from '../../catalog/registry/capability-registry.ts';
import type { CapabilitySwitch } from '../../catalog/registry/sources/capability-switch.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { PerformOp } from '../../contract/ops/perform-op.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { McpServers } from '../../execution/mcp/mcp-servers.ts';
import { McpReading } from '../../execution/mcp/offers/mcp-reading.ts';
import type { CapabilityManager } from '../../execution/runs/capability-manager.ts';
import type { NamedByUser } from '../../execution/runs/start/named-by-user.ts';
import type { UserWords } from '../../execution/runs/start/user-words.ts';
import type { ModelAccess } from '../../features/models/model-access.ts';
import type { OpId, TurnId } from '../../protocol/rpc/ids.ts';
import type { CapabilitySwitchWish } from '../../protocol/thread/message/user-wishes.ts';
import type { ThreadTools } from '../../trust/gate/policy/levels/thread-tools.ts';
import { McpSampling } from './mcp-sampling.ts';

export interface CapabilityDeps {
	readonly capabilities: Pick<
		CapabilityManager,
		| 'available'
		| 'offered'
		| 'usedHere'
		| 'find'
		| 'load'
		| 'bodyOf'
		| 'start'
		| 'waitOrStop'
		| 'wait'
		| 'stop'
		| 'info'
		| 'listFor'
		| 'follow'
		| 'wasStoppedByUser'
	>;
	/** True when the user named the capability in the last message of the caller's thread. */
	isNamedByUser(caller: Caller, capability: { readonly type: string; readonly name: string }): boolean;
	/** True when the user asked for exactly this switch in the last message of the caller's thread. */
	isSwitchedByUser(caller: Caller, wish: CapabilitySwitchWish): boolean;
	switchCapability(
		wish: CapabilitySwitchWish,
		signal: AbortSignal,
	): Promise<{ readonly type: string; readonly name: string }>;
	/** True when skills leave the caller the right to run capabilities. */
	mayRun(caller: Caller, signal: AbortSignal): Promise<boolean>;
	readonly mcp: Pick<McpServers, 'listings' | 'known' | 'named' | 'lists' | 'call'>;
	readonly mcpSampling: Pick<McpSampling, 'askerFor' | 'implementation'>;
	/** Value of `traceparent` for what an op asks of a server; undefined: nobody is told of its turn. */
	traceparentOf(turnId: TurnId, opId: OpId): string | undefined;
	readonly mcpReading: Pick<McpReading, 'list' | 'read' | 'prompt'>;
	/** True when the user wrote this address of a resource in the last message of the caller's thread. */
	isResourceNamedByUser(caller: Caller, server: string, uri: string): boolean;
}

interface CapabilityOpParts {
	readonly ports: Pick<HostPorts, 'settings'>;
	readonly capabilities: CapabilityManager;
	readonly registry: CapabilityRegistry;
	readonly capabilitySwitch: CapabilitySwitch;
	readonly named: NamedByUser;
	readonly words: UserWords;
	readonly threadTools: ThreadTools;
	readonly mcp: McpServers;
	readonly models: ModelAccess;
	readonly perform: PerformOp;
	readonly traceparentOf: CapabilityDeps['traceparentOf'];
}

export function createCapabilityDeps(parts: CapabilityOpParts): CapabilityDeps {
	const { capabilities, registry, capabilitySwitch, named, words, threadTools, mcp, models, perform } = parts;
	return {
		capabilities,
		isNamedByUser: (caller, capability) => named.has(caller, capability),
		isSwitchedByUser: (caller, wish) => words.wantSwitched(caller, wish),
		async switchCapability(wish, signal) {
			const found = await capabilitySwitch.find((await registry.state()).capabilities, wish, wish.isEnabled);
			await capabilitySwitch.set(found, wish.isEnabled, signal);
			return found;
		},
		mayRun: async (caller, signal) => caller.kind !== 'agent' || (await threadTools.mayRun(caller.threadId, signal)),
		mcp,
		mcpSampling: new McpSampling({ perform, settings: parts.ports.settings, models }),
		mcpReading: new McpReading(mcp),
		isResourceNamedByUser: (caller, server, uri) => words.wantResource(caller, server, uri),
		traceparentOf: parts.traceparentOf,
	};
}
