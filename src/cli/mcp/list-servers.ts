/** `prowess mcp list` and `prowess mcp test`: which servers there are, and whether one works. */
import type { McpServerInfo } from '../../execution/mcp/mcp-servers.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { McpServerListing } from '../../protocol/ops/definitions/agent/mcp.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { addWriteNeed } from './change-servers.ts';
import { withHost } from '../ports/cli-host.ts';
import { openHome } from '../home/home-folder.ts';
import { isTrusted, realFolder } from '../home/trusted-folders.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { pluralizeCount } from '../terminal/messages.ts';
import { visibleLine } from '../terminal/visible.ts';
import { formatJson, printResult } from '../invocation/print-result.ts';

type ServerOffers = Awaited<ReturnType<TrustedBase['mcp']['offers']>>[number];

const SERVER_STATE_WORDS: { readonly [S in McpServerInfo['state']]: string } = {
	running: 'running',
	stopped: 'allowed',
	notAllowed: 'not allowed to start yet',
	disabled: 'disabled',
	failed: 'failed',
};

export const listServers: CommandAction = (invocation, context) =>
	withServers(invocation, context, async (mcp) => {
		const { servers, problems } = await mcp.list();
		const { terminal } = context;
		if (invocation.switches.has('json')) {
			terminal.out(formatJson({ servers, problems }));
			return exitCodes.done;
		}
		terminal.err(problems.map((problem) => `${visibleLine(problem)}\n`).join(''));
		if (servers.length === 0) {
			terminal.err('No MCP servers. Add one with "prowess mcp add <name> -- <command>".\n');
		}
		terminal.out(servers.map(formatServerInfo).join(''));
		return exitCodes.done;
	});

export const allowServer: CommandAction = (invocation, context) => {
	const paths = invocation.lists['write'] ?? [];
	if (paths.length > 0) addWriteNeed(invocation, context, paths);
	return withServers(invocation, context, async (mcp) => {
		const [name = ''] = invocation.operands;
		await mcp.allow(name, 'always', context.signal);
		const { servers } = await mcp.list();
		const { address = '' } = servers.find((server) => server.name === name) ?? {};
		const changes = paths.length === 0 ? '' : ` and to change ${paths.map(visibleLine).join(', ')}`;
		context.terminal.err(`Allowed the MCP server ${name} to start${changes}: ${visibleLine(address)}\n`);
		return exitCodes.done;
	});
};

export const signOutOfServer: CommandAction = (invocation, context) =>
	withServers(invocation, context, async (mcp) => {
		const [name = ''] = invocation.operands;
		const was = await mcp.signOut(name);
		context.terminal.err(was ? `Signed out of the MCP server ${name}.\n` : `You were not signed in at ${name}.\n`);
		return exitCodes.done;
	});

export const testServer: CommandAction = (invocation, context) =>
	withServers(invocation, context, async (mcp) => {
		const { operands, switches } = invocation;
		const [name = ''] = operands;
		if (switches.has('yes')) {
			await mcp.allow(name, 'once', context.signal);
		}
		const listing = await mcp.look(name, context.signal);
		const offers = (await mcp.offers(context.signal)).find(({ server }) => server === name);
		const { resources = [], prompts = [], problems = [] } = offers ?? {};
		await mcp.stop(name);
		const notes = [...listing.notes, ...problems.map(inEnglish)];
		const text = toolLines({ ...listing, notes }) + offerLines(name, { resources, prompts });
		return printResult(invocation, context, { ...listing, notes, resources, prompts }, text);
	});

function withServers(
	invocation: Invocation,
	context: CommandContext,
	work: (mcp: TrustedBase['mcp']) => Promise<number>,
): Promise<number> {
	const folder = realFolder(invocation.values['workspace'] ?? '.');
	const isOurs = invocation.switches.has('trust') || isTrusted(openHome(context.environment), folder);
	const workspace = isOurs ? trustedWorkspace(invocation, context, 'mcp') : undefined;
	const approvalMode = context.terminal.isInteractive ? 'ask' : 'never';
	return withHost(invocation, context, { workspace, approvalMode }, async (host) => {
		if (workspace === undefined) {
			context.terminal.err(`prowess: ${visibleLine(folder)} is not trusted, so it was not read\n`);
		}
		return await work((await host.trustedBase()).mcp);
	});
}

function formatServerInfo({ name, state, address, path, tools, failure, missing, oddities }: McpServerInfo): string {
	const seen = tools === undefined ? '' : `, ${pluralizeCount(tools.length, 'tool')}`;
	const why = failure === undefined ? [] : [failure];
	const lacks = missing.map((secret) => `needs the secret ${secret}: prowess secrets set ${secret}`);
	return [
		`${name}  ${SERVER_STATE_WORDS[state]}${seen}`,
		...[address, path, ...lacks, ...why, ...oddities.map(inEnglish)].map((line) => `  ${line}`),
	]
		.map((line) => `${visibleLine(line)}\n`)
		.join('');
}

/** Returns lines of resources and prompts, written as `prowess run` takes them. */
function offerLines(server: string, { resources, prompts }: Pick<ServerOffers, 'resources' | 'prompts'>): string {
	const formatArgumentHint = ({ arguments: wants }: ServerOffers['prompts'][number]) =>
		wants.map((each) => (each.isNeeded ? ` ${each.name}=…` : ` [${each.name}=…]`)).join('');
	return [
		...(resources.length === 0 ? [] : ['Resources, anywhere in a prompt:']),
		...resources.map(({ uri, name, description }) => `  @${server}:${uri}  ${description === '' ? name : description}`),
		...(prompts.length === 0 ? [] : ['Prompts, at the beginning of one:']),
		...prompts.map((prompt) => `  /${server}:${prompt.name}${formatArgumentHint(prompt)}  ${prompt.description}`),
	]
		.map((line) => `${visibleLine(line)}\n`)
		.join('');
}

function toolLines({ name, tools, notes, more }: McpServerListing): string {
	return [
		`${name} works: ${pluralizeCount(tools.length + more, 'tool')}.`,
		...notes,
		...tools.map((tool) => `  ${tool.name}  ${tool.description}`),
	]
		.map((line) => `${visibleLine(line)}\n`)
		.join('');
}
