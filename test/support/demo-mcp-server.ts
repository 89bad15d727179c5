/**
 * Has what the public conformance package wants of a server under its own names, for our door over HTTP. None of it is in
 * the product: it shows what the door carries, and what it does not.
 */
import { Server, type ServerContext } from '@modelcontextprotocol/server';
import { png } from './pictures.ts';

const picture = png().toString('base64');
const note = { uri: 'test://embedded', mimeType: 'text/plain', text: 'Embedded.' };
const parts = {
	text: { type: 'text', text: 'A text for the conformance package.' },
	image: { type: 'image', data: picture, mimeType: 'image/png' },
	audio: { type: 'audio', data: 'UklGRiQAAABXQVZFZm10IA==', mimeType: 'audio/wav' },
	resource: { type: 'resource', resource: note },
} as const;

const person = {
	name: { type: 'string', default: 'John Doe' },
	age: { type: 'integer', default: 30 },
	score: { type: 'number', default: 95.5 },
	status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
	verified: { type: 'boolean', default: true },
} as const;

interface Content {
	readonly content: readonly object[];
	readonly isError?: boolean;
}

type Call = (context: ServerContext, server: Server) => Promise<Content> | Content;

/** Over HTTP no client of 2025 can be asked: nobody answers. */
const briefly = { timeout: 1_000 };

const saying = (...content: readonly object[]) => ({ content });

const tools: Readonly<Record<string, Call>> = {
	test_simple_text: () => saying(parts.text),
	test_image_content: () => saying(parts.image),
	test_audio_content: () => saying(parts.audio),
	test_embedded_resource: () => saying(parts.resource),
	test_multiple_content_types: () => saying(parts.text, parts.image, parts.resource),
	test_error_handling: () => ({ ...saying(parts.text), isError: true }),
	test_tool_with_progress: async ({ mcpReq: { _meta: meta, notify } }) => {
		const progressToken = meta?.progressToken ?? 'none';
		for (const progress of [0, 50, 100]) {
			await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
		}
		return saying(parts.text);
	},
	test_tool_with_logging: async ({ mcpReq: { notify } }) => {
		for (const data of ['started', 'processing', 'completed']) {
			await notify({ method: 'notifications/message', params: { level: 'info', data } });
		}
		return saying(parts.text);
	},
	test_sampling: async ({ mcpReq: { send } }) => {
		const messages = [{ role: 'user', content: parts.text }];
		await send({ method: 'sampling/createMessage', params: { messages, maxTokens: 100 } }, briefly);
		return saying(parts.text);
	},
	test_elicitation: (context) => elicit(context, { username: { type: 'string' }, email: { type: 'string' } }),
	test_elicitation_sep1034_defaults: (context) => elicit(context, person),
	json_schema_2020_12_tool: () => saying(parts.text),
};

async function elicit({ mcpReq: { send } }: ServerContext, properties: object): Promise<Content> {
	const requestedSchema = { type: 'object', properties, required: [] };
	await send({ method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema } }, briefly);
	return saying(parts.text);
}

const newerSchema = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	type: 'object',
	$defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
	properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
	additionalProperties: false,
} as const;

const resources: Readonly<Record<string, object>> = {
	'test://static-text': { mimeType: 'text/plain', text: 'Static text.' },
	'test://static-binary': { mimeType: 'image/png', blob: picture },
	'test://template/123/data': { mimeType: 'application/json', text: '{"id":"123"}' },
};

const prompts: Readonly<Record<string, (given: Readonly<Record<string, string>>) => readonly object[]>> = {
	test_simple_prompt: () => [parts.text],
	test_prompt_with_arguments: ({ arg1, arg2 }) => [{ type: 'text', text: `${arg1} and ${arg2}` }],
	test_prompt_with_embedded_resource: ({ resourceUri: uri }) => [
		{ type: 'resource', resource: { ...note, uri } },
		parts.text,
	],
	test_prompt_with_image: () => [parts.image, parts.text],
};

export function createDemoServer(): Server {
	const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} };
	const server = new Server({ name: 'demo', version: '1' }, { capabilities });
	server.setRequestHandler('tools/list', () => ({
		tools: Object.keys(tools).map((name) => ({
			name,
			description: name,
			inputSchema: name.startsWith('json_schema') ? { ...newerSchema } : { type: 'object' as const },
		})),
	}));
	server.setRequestHandler('tools/call', async ({ params }, context) => {
		const call = tools[params.name];
		if (call === undefined) throw new Error(`there is no tool ${params.name}`);
		return (await call(context, server)) as never;
	});
	server.setRequestHandler('resources/list', () => ({
		resources: Object.keys(resources).map((uri) => ({ uri, name: uri, description: uri, mimeType: 'text/plain' })),
	}));
	server.setRequestHandler('resources/templates/list', () => ({
		resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
	}));
	server.setRequestHandler(
		'resources/read',
		({ params: { uri } }) => ({ contents: [{ uri, ...resources[uri] }] }) as never,
	);
	server.setRequestHandler('resources/subscribe', () => ({}));
	server.setRequestHandler('resources/unsubscribe', () => ({}));
	server.setRequestHandler('prompts/list', () => ({
		prompts: Object.keys(prompts).map((name) => ({ name, description: name })),
	}));
	server.setRequestHandler('prompts/get', ({ params }) => {
		const contents = prompts[params.name]?.(params.arguments ?? {}) ?? [];
		return { messages: contents.map((content) => ({ role: 'user' as const, content })) } as never;
	});
	server.setRequestHandler('completion/complete', () => ({
		completion: { values: ['one'], total: 1, hasMore: false },
	}));
	return server;
}
