/** Entry of an MCP server, as settings and the files of other programs write it. */
import * as z from '../text/zod.ts';

const serverArguments = z.array(z.string().max(4_096)).max(100);
const reachablePaths = z.array(z.string().min(1).max(4_096)).max(20);

/** Reach of a server from its sandbox. */
const McpServerNeeds = z.object({
	network: z
		.array(z.string().min(1).max(300))
		.max(20)
		.optional()
		.meta({ description: 'Hosts it may reach without a question, such as `api.example.org`' }),
	read: reachablePaths.optional().meta({ description: 'Files and folders it may read beyond the workspace' }),
	write: reachablePaths
		.optional()
		.meta({ description: 'Files and folders it may change; `.`: ordinary files of the workspace' }),
});

/** Fields of other programs are left alone: what counts here is what is named here. */
export const McpServerEntry = z.object({
	type: z
		.enum(['stdio', 'local', 'http', 'streamable-http', 'sse'])
		.optional()
		.meta({ description: 'How it is reached. Default: `stdio` with a `command`, `http` with a `url`' }),
	command: z.string().min(1).max(4_096).optional().meta({ description: 'Program that is started, without a shell' }),
	args: serverArguments.optional().meta({ description: 'Its arguments' }),
	env: z
		.record(z.string().max(200), z.union([z.string().max(20_000), z.number(), z.null()]))
		.optional()
		.meta({ description: 'Variables it gets, such as `{ "TOKEN": "${secret:github}" }`' }),
	envFile: z.string().optional(),
	cwd: z.string().max(4_096).optional().meta({ description: 'Folder it is started in. Default: the workspace' }),
	url: z.string().max(4_096).optional().meta({ description: 'Address of a server that already runs' }),
	headers: z
		.record(z.string().max(200), z.string().max(20_000))
		.optional()
		.meta({ description: 'Headers of each request, such as `{ "Authorization": "Bearer ${secret:github}" }`' }),
	oauth: z
		.object({
			clientId: z.string().min(1).max(2_000).meta({ description: 'Name of the client' }),
			clientSecret: z
				.string()
				.max(4_096)
				.optional()
				.meta({ description: 'Its secret, such as `${secret:github-client}`' }),
		})
		.optional()
		.meta({
			description: 'Client that the authorization server knows already. Default: Prowess registers itself',
		}),
	disabled: z.boolean().optional().meta({ description: 'True: it is neither started nor offered' }),
	sandbox: z
		.boolean()
		.optional()
		.meta({ description: 'False: it runs as you, outside of the sandbox of commands. Default: in the sandbox' }),
	needs: McpServerNeeds.optional().meta({ description: 'What it may reach from its sandbox' }),
});
export type McpServerEntry = z.infer<typeof McpServerEntry>;

/** The entry with these paths among those that the server may change. */
export function withWriteNeed(entry: McpServerEntry, paths: readonly string[]): McpServerEntry {
	const { needs = {} } = entry;
	return { ...entry, needs: { ...needs, write: [...new Set([...(needs.write ?? []), ...paths])] } };
}

/** Name of a server in rules, in tools and for people. */
export const McpServerName = z
	.string()
	.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'expected the name of a server: letters, digits, "_", "." and "-"');
