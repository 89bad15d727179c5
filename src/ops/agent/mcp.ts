/**
 * mcp.tools and mcp.call. No server starts before the gate has decided: only `run` asks a server, and the user about
 * it.
 */
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import type { OpContext, OpImplementations } from '../../contract/ops/op-implementation.ts';
import { withoutMedia } from '../../execution/mcp/call-result.ts';
import { formatServerAddress } from '../../execution/mcp/server.ts';
import type { McpUser } from '../../execution/mcp/user.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { CommandDeps } from '../commands/command-deps.ts';
import type { CapabilityDeps } from './capability-deps.ts';

type McpOp = 'mcp.tools' | 'mcp.call' | 'mcp.resources' | 'mcp.read' | 'mcp.prompt' | 'mcp.sample';

type McpOpDeps = Pick<
	CapabilityDeps,
	'mcp' | 'mcpReading' | 'mcpSampling' | 'isResourceNamedByUser' | 'traceparentOf'
> &
	Pick<AgentDeps, 'askUser'> &
	Pick<CommandDeps, 'connections'>;

export function mcpOps({
	mcp,
	mcpReading,
	mcpSampling,
	connections,
	askUser,
	isResourceNamedByUser,
	traceparentOf,
}: McpOpDeps): Pick<OpImplementations, McpOp> {
	const createMcpUser = (context: OpContext, server: string): McpUser => ({
		threadId: context.caller.threadId,
		waitForPerson: (reason, wait) => context.waitForPerson(reason, wait),
		answer: async (question, options) => {
			const askHere = () => askUser(question, options, context, server);
			return (await context.waitForPerson(`the MCP server ${server} asks`, askHere)).words;
		},
		sample: mcpSampling.askerFor(server, context),
		traceparent: context.caller.kind === 'agent' ? traceparentOf(context.caller.turnId, context.opId) : undefined,
		hosts: connections.gateFor(context, {
			title: `the MCP server ${server}`,
			approved: [],
			isInBackground: () => false,
		}),
	});
	const createServerTarget = (server: string) => ({ kind: 'mcp', server, tool: '', isKnown: true }) as const;
	return {
		...mcpSampling.implementation(),
		'mcp.tools': {
			prepare: ({ server, query }) =>
				Promise.resolve({
					targets: server === undefined ? [] : [createServerTarget(server)],
					detail: { kind: 'text', text: `Find tools of ${server ?? 'all MCP servers that may start'}` },
					run: (context) => {
						// Without a name, all are asked but for those that a rule refuses or has asked about; one that is named was judged.
						const isListed = (name: string) => server !== undefined || context.isAllowed(createServerTarget(name));
						const asked = { server, query, isListed };
						return mcp.listings(asked, createMcpUser(context, server ?? ''), context.signal);
					},
				}),
		},
		'mcp.call': {
			async prepare({ server: name, tool, arguments: args }) {
				const { server, hash } = await mcp.known(name, tool);
				const lines = [`${name}/${tool}`, `Server: ${formatServerAddress(server)}`, '', JSON.stringify(args, null, 2)];
				return {
					targets: [{ kind: 'mcp', server: name, tool }],
					detail: { kind: 'text', text: escapeInvisible(lines.join('\n'), 'lines') },
					run: async (context) =>
						shownTo(
							context,
							await mcp.call(
								{ server: name, tool, args, hash },
								createMcpUser(context, name),
								(line) => context.emit(line),
								context.signal,
							),
						),
				};
			},
		},
		'mcp.resources': {
			prepare: ({ server, query }) =>
				Promise.resolve({
					targets: [createServerTarget(server)],
					detail: { kind: 'text', text: `List resources of ${server}` },
					run: (context) => mcpReading.list({ server, query }, createMcpUser(context, server), context.signal),
				}),
		},
		'mcp.read': {
			async prepare({ server: name, uri }, { caller, signal }) {
				const server = await mcp.named(name);
				const lines = [uri, `Server: ${formatServerAddress(server)}`];
				// Another one may carry whatever a model wants to tell the server.
				const listed = isResourceNamedByUser(caller, name, uri) ? 'yes' : await mcp.lists(name, uri, signal);
				const target = { kind: 'mcp', server: name, tool: uri } as const;
				return {
					targets: [listed === 'no' ? target : { ...target, isKnown: true }],
					detail: { kind: 'text', text: escapeInvisible(lines.join('\n'), 'lines') },
					run: async (context) => {
						const mustBeListed = listed === 'later' && !context.isAllowed(target);
						const read = { server: name, uri, mustBeListed };
						return shownTo(context, await mcpReading.read(read, createMcpUser(context, name), context.signal));
					},
				};
			},
		},
		'mcp.prompt': {
			prepare: ({ server, name, arguments: given }) =>
				Promise.resolve({
					targets: [{ kind: 'mcp', server, tool: name, isKnown: true }],
					detail: { kind: 'text', text: `Take the prompt ${name} of ${server}` },
					run: async (context) =>
						shownTo(
							context,
							await mcpReading.prompt({ server, name, given }, createMcpUser(context, server), context.signal),
						),
				}),
		},
	};
}

function shownTo<R extends Parameters<typeof withoutMedia>[0]>({ caller }: OpContext, result: R): R | Omit<R, 'media'> {
	return caller.kind === 'agent' ? result : withoutMedia(result);
}
