/** MCP servers over HTTP that specs take apart: each answers as usual but for the ways that a spec replaces. */
import type { ServerResponse } from 'node:http';
import { httpSite, type HttpSite, type Received } from './http-site.ts';
import { McpScene, type McpSceneOptions } from './mcp-scene.ts';

interface Asked {
	readonly request: Received;
	readonly response: ServerResponse;
	readonly id: number;
	readonly method: string;
}

/** Part of a server that a spec replaces, by method of the protocol or of HTTP; undefined: it answers as usual. */
export type Way = (asked: Asked) => unknown;

export const rpcResult = (id: number, result: object) => JSON.stringify({ jsonrpc: '2.0', id, result });
export const saidText = (text: string) => ({ content: [{ type: 'text', text }] });
export const sseMessage = (data: string, more = '') => `${more}event: message\ndata: ${data}\n\n`;
export const openEvents = (response: ServerResponse) =>
	response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
const refuseDiscovery: Way = ({ response, id }) =>
	response
		.writeHead(200, { 'content-type': 'application/json' })
		.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
export const askForm = (id: string) =>
	JSON.stringify({
		jsonrpc: '2.0',
		id,
		method: 'elicitation/create',
		params: {
			message: 'Is it fine?',
			requestedSchema: { type: 'object', properties: { fine: { type: 'boolean' } }, required: ['fine'] },
		},
	});

/** Answers by method, as a server of the revision 2025-11-25. */
export const usualAnswers: Readonly<Record<string, object>> = {
	initialize: {
		protocolVersion: '2025-11-25',
		capabilities: { tools: {} },
		serverInfo: { name: 'site', version: '1' },
	},
	'tools/list': { tools: [{ name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' } }] },
	'tools/call': saidText('over'),
};

export class McpSites {
	readonly scene: McpScene;
	readonly #sites: HttpSite[] = [];

	private constructor(scene: McpScene) {
		this.scene = scene;
	}

	/** Opens the host for all sites of a file. */
	static async open(options: McpSceneOptions = {}): Promise<McpSites> {
		return new McpSites(await McpScene.open({}, options));
	}

	/** A site with these ways, and the server by which the settings name it; `more` of its entry. */
	async serve(ways: Readonly<Record<string, Way>>, more: object = {}) {
		const { scene } = this;
		const at = await httpSite((request, response) => {
			const { id = 0, method = request.method } = (
				request.body === '' ? {} : JSON.parse(request.body)
			) as Partial<Asked>;
			const way = { 'server/discover': refuseDiscovery, ...ways }[method];
			if (way !== undefined) return void way({ request, response, id, method });
			if (usualAnswers[method] === undefined)
				return void response.writeHead(request.method === 'GET' ? 405 : 202).end();
			response.writeHead(200, { 'content-type': 'application/json' }).end(rpcResult(id, usualAnswers[method]));
		});
		this.#sites.push(at);
		const { current } = scene.host.ports.settings;
		const server = `web${at.port}`;
		scene.host.change({
			'prowess.mcp.servers': {
				...current['prowess.mcp.servers'],
				[server]: { type: 'http', url: `http://127.0.0.1:${at.port}/mcp`, ...more },
			},
			'prowess.http.allowHosts': [...current['prowess.http.allowHosts'], `127.0.0.1:${at.port}`],
		});
		return {
			at,
			server,
			call: () => scene.call(server, 'echo'),
			failure: () => scene.failure(server, 'echo'),
			/** Resolves with why it failed. */
			async failed() {
				for (;;) {
					const { servers } = await scene.base.mcp.list();
					const found = servers.find(({ name }) => name === server);
					if (found?.failure !== undefined) return found.failure;
					await new Promise((resolve) => setImmediate(resolve));
				}
			},
		};
	}

	/** Ends what a spec has started. */
	async closeSites(): Promise<void> {
		for (const site of this.#sites.splice(0)) {
			await this.scene.base.mcp.stop(`web${site.port}`);
			await site.close();
		}
	}
}
