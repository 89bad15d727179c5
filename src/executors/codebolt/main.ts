/**
 * Runs a program written for Codebolt as it is: an agent (`codeboltagent.yaml`), or an executor that is named as the
 * argument. The program finds the server that its library expects within its own process; each of its calls becomes an op
 * of the host, or is refused by name.
 */
import { readFileSync, statSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LoadFailure } from '../sdk/failure.ts';
import { type ExecutionContext, runExecutor } from '../sdk/run.ts';
import { answerCall, isHeard, Turnstile, createUserMessage } from './answers.ts';
import { type InnerMessage, openInnerPort } from './inner-port.ts';

/** Longest wait for its connection, as for that of an executor to the host. */
const INNER_CONNECT_MS = 30_000;
/** Longest wait for a program that has connected and is still being loaded. */
const LOAD_MS = 1_000;
const ENTRIES = ['index.js', 'dist/index.js', 'index.mjs', 'index.cjs', 'dist/index.mjs', 'dist/index.cjs'];
const MAX_SAID_CHARS = 20_000;

const [executor] = process.argv.slice(2);

await runExecutor(() => Promise.resolve(runCodeboltProgram));

async function runCodeboltProgram(params: unknown, context: ExecutionContext): Promise<unknown> {
	const { capability, projectPath, threadId, messages, agentId, agentInstanceId, metadata, signal } = context;
	const entry = executor ?? findEntry(capability.path);
	const id = process.env['SIDE_EXECUTION_ID'] ?? '';
	const { promise, resolve, reject } = Promise.withResolvers<unknown>();
	const turnstile = new Turnstile();
	const loaded = Promise.withResolvers<void>();
	const said: string[] = [];
	const endWith = (value: unknown) =>
		resolve(value === undefined || value === null ? said.join('\n\n') || undefined : value);
	const takeMessage = (message: InnerMessage): void => {
		const { type, sideExecutionId, result, error } = message;
		if (type === 'actionBlockComplete' && sideExecutionId !== undefined && sideExecutionId !== id) {
			reject(new Error(`it ended another execution than its own: ${JSON.stringify(sideExecutionId).slice(0, 100)}`));
		} else if (type === 'actionBlockComplete' || type === 'processStoped') {
			if (error === undefined || error === null) endWith(result ?? message['message']);
			else reject(new Error(typeof error === 'string' ? error : JSON.stringify(error)));
		} else if (isHeard(message, context)) {
			if (type === 'sendMessage') keepSaid(said, message['message']);
		} else {
			void turnstile.pass(() => answerCall(message, context, port.send));
		}
	};
	const invokeProgram = async (query: URLSearchParams): Promise<void> => {
		clearTimeout(connecting);
		await Promise.race([loaded.promise, new Promise((done) => setTimeout(done, LOAD_MS).unref())]);
		// The library tells the program of the connection first, which then begins to listen.
		await new Promise((done) => setImmediate(() => setImmediate(done)));
		const threadContext = { threadId, messages, projectPath, agentId, agentInstanceId, metadata };
		const from = { sideExecutionId: id, threadId, parentAgentId: agentId, parentAgentInstanceId: agentInstanceId };
		const given = { ...threadContext, params: forExecutor(params, context) };
		const timestamp = new Date().toISOString();
		port.send(
			executor !== undefined && query.has('IS_SIDE_EXECUTION')
				? { type: 'actionBlockInvocation', ...from, timestamp, threadContext: given, params: given.params }
				: {
						type: 'messageResponse',
						...from,
						timestamp,
						message: createUserMessage(params, context),
						threadContext: given,
					},
		);
	};
	const port = openInnerPort({
		onOpen: (query) => void invokeProgram(query),
		onHeard: (heard) => ('fault' in heard ? reject(new Error(`it sent ${heard.fault}`)) : takeMessage(heard.message)),
		onClosed: () => reject(new Error('it closed its connection before it said that it was done')),
	});
	const connecting = setTimeout(
		() => reject(new Error(`it did not connect to ws://localhost:$SOCKET_PORT/codebolt within ${INNER_CONNECT_MS} ms`)),
		INNER_CONNECT_MS,
	);
	signal.addEventListener('abort', () => {
		port.send({ type: 'stopProcessClicked' });
		reject(signal.reason as Error);
	});
	setEnvironment(port.variables, context, id);
	doWithoutAddons();
	process.chdir(executor === undefined ? capability.path : findRoot(entry));
	process.argv.splice(1, 2, entry);
	import(pathToFileURL(entry).href).then(() => loaded.resolve(), reject);
	return await promise;
}

/** The inputs of the capability, and which one the executor is to run, as Codebolt hands them over. */
function forExecutor(params: unknown, { capability }: ExecutionContext): unknown {
	if (executor === undefined) return params;
	return {
		...(params as object | null | undefined),
		capabilityPath: capability.path,
		capabilityName: capability.name,
		capabilityType: capability.type,
		capabilityConfig: capability.config,
		executionId: capability.executionId,
	};
}

function setEnvironment(variables: Readonly<Record<string, string>>, { agentId }: ExecutionContext, id: string): void {
	const known = {
		...variables,
		agentId: id,
		connectionId: id,
		parentId: agentId,
		parentAgentInstanceId: process.env['PARENT_AGENT_INSTANCE_ID'],
		threadId: process.env['THREAD_ID'],
	};
	for (const [name, value] of Object.entries(known)) {
		if (typeof value === 'string' && value !== '') process.env[name] = value;
	}
}

/**
 * The library loads parsers written in C at once, and uses them for one call. Executors load no such addons: a package
 * that needs one is replaced by something that says so when it is used.
 */
function doWithoutAddons(): void {
	const loader = Module as unknown as { _load: (request: string, ...more: unknown[]) => unknown };
	const load = loader._load;
	loader._load = (request, ...more) => {
		try {
			return Reflect.apply(load, loader, [request, ...more]);
		} catch (error) {
			const isAddon = (error as { readonly code?: unknown } | undefined)?.code === 'ERR_DLOPEN_DISABLED';
			if (!isAddon && !/^tree-sitter(?:-[\w-]+)?$/.test(request)) throw error;
			if (/^[./\\]|^[A-Za-z]:/.test(request)) throw error;
			return new Proxy(function addon() {}, {
				get: (_, name) => (name === '__esModule' || typeof name === 'symbol' ? undefined : refuseAddon(request)),
				apply: () => refuseAddon(request),
				construct: () => refuseAddon(request),
			});
		}
	};
}

function refuseAddon(name: string): never {
	throw new Error(`${name} is a native addon, and executors load none`);
}

/** The last of what it said stands in for a result, where it gives none. */
function keepSaid(said: string[], message: unknown): void {
	if (typeof message !== 'string' || message.trim() === '') return;
	said.push(message.slice(0, MAX_SAID_CHARS));
	while (said.join('\n\n').length > MAX_SAID_CHARS) said.shift();
}

/** The program that package.json names, or that lies where Codebolt's own builds put it. */
function findEntry(folder: string): string {
	const entry = [findMain(folder), ...ENTRIES].find((name) => name !== undefined && isProgram(join(folder, name)));
	if (entry === undefined) {
		const wanted = `there is nothing to run: package.json names no program that is there, and none of ${ENTRIES.join(', ')} is`;
		throw new LoadFailure('ACTION_BLOCK_NOT_FOUND', wanted);
	}
	return join(folder, entry);
}

function findMain(folder: string): string | undefined {
	try {
		const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly main?: unknown };
		return typeof main === 'string' ? main : undefined;
	} catch {
		return undefined;
	}
}

function isProgram(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Finds the folder of an executor: the nearest one above its program with an `executor.yaml`. */
function findRoot(entry: string): string {
	let folder = dirname(entry);
	while (!['executor.yaml', 'executor.yml'].some((name) => isProgram(join(folder, name)))) {
		const above = dirname(folder);
		if (above === folder) return dirname(entry);
		folder = above;
	}
	return folder;
}
