/** Frames of the agent, from version 1 to version 2. Pure. */
import type * as first from '@agentclientprotocol/sdk';
import type * as second from '@agentclientprotocol/sdk/experimental/v2';
import { WHOLE_PATCH } from './marks.ts';

/** A thread has one plan. */
const THREAD_PLAN_ID = 'todos';

/** Undefined: version 2 says it otherwise. */
export function updateToSecondVersion(update: first.SessionUpdate): second.SessionUpdate | undefined {
	switch (update.sessionUpdate) {
		case 'user_message_chunk':
			return {
				sessionUpdate: 'user_message',
				messageId: update.messageId ?? '',
				content: [toDraftContent(update.content)],
			};
		case 'agent_message_chunk':
		case 'agent_thought_chunk':
			return { ...update, messageId: update.messageId ?? '', content: toDraftContent(update.content) };
		case 'tool_call':
		case 'tool_call_update':
			return { sessionUpdate: 'tool_call_update', ...callToSecondVersion(update) };
		case 'plan':
			return { sessionUpdate: 'plan_update', plan: { type: 'items', planId: THREAD_PLAN_ID, entries: update.entries } };
		case 'available_commands_update':
			return {
				sessionUpdate: 'available_commands_update',
				availableCommands: update.availableCommands.map(({ name, description, input }) => ({
					type: 'command',
					name,
					description,
					...(input && { input: { type: 'text', hint: input.hint } }),
				})),
			};
		case 'config_option_update':
			return { sessionUpdate: 'config_option_update', configOptions: optionsToSecondVersion(update.configOptions) };
		case 'usage_update':
		case 'session_info_update':
		case 'notice':
			return update;
		case 'compaction_update':
			return update as second.SessionUpdate;
		default:
			return undefined;
	}
}

/** Result of a request that this client made, by its method in version 1. */
export function resultToSecondVersion(method: string, result: unknown): unknown {
	switch (method) {
		case 'initialize':
			return greetingToSecondVersion(result as first.InitializeResponse);
		case 'session/new':
		case 'session/load':
		case 'session/resume':
		case 'session/set_config_option': {
			const { modes: _, configOptions, ...rest } = result as first.NewSessionResponse;
			return { ...rest, ...(configOptions && { configOptions: optionsToSecondVersion(configOptions) }) };
		}
		default:
			return result;
	}
}

export function permissionToSecondVersion({
	sessionId,
	toolCall,
	options,
}: first.RequestPermissionRequest): second.RequestPermissionRequest {
	return {
		sessionId,
		title: toolCall.title ?? '',
		subject: { type: 'tool_call', toolCall: callToSecondVersion(toolCall) },
		options,
	};
}

function greetingToSecondVersion({ agentInfo }: first.InitializeResponse): second.InitializeResponse {
	return {
		protocolVersion: 2,
		info: { name: 'prowess', version: '', ...agentInfo },
		capabilities: {
			session: { prompt: { image: {}, embeddedContext: {} }, mcp: { stdio: {}, http: {} }, delete: {} },
		},
	};
}

function callToSecondVersion(call: first.ToolCallUpdate): second.ToolCallUpdate {
	const { toolCallId, title, kind, status, content, locations, rawInput } = call;
	return {
		toolCallId,
		...(title && { title }),
		...(kind && { kind }),
		...(status && { status }),
		...(content && { content: content.flatMap((each) => contentToSecondVersion(each)) }),
		...(locations && { locations: locations.map(({ path }) => ({ path })) }),
		...(rawInput !== undefined && { rawInput }),
	};
}

function contentToSecondVersion(content: first.ToolCallContent): second.ToolCallContent[] {
	if (content.type === 'content') {
		return [{ type: 'content', content: toDraftContent(content.content) }];
	}
	if (content.type !== 'diff') {
		return [];
	}
	const file = { path: content.path, fileType: 'text' } as const;
	const patch = content._meta?.[WHOLE_PATCH];
	return [
		{
			type: 'diff',
			changes: [content.oldText === null ? { operation: 'add', ...file } : { operation: 'modify', ...file }],
			...(typeof patch === 'string' && { patch: { format: 'git_patch', text: patch } }),
		},
	];
}

function optionsToSecondVersion(options: readonly first.SessionConfigOption[]): second.SessionConfigOption[] {
	return options.map(({ id, ...option }) => ({ ...option, configId: id }) as second.SessionConfigOption);
}

/** The agent says words alone. */
function toDraftContent(content: first.ContentBlock): second.ContentBlock {
	return content as second.ContentBlock;
}
