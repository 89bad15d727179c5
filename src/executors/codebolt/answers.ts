/**
 * Calls of a program for Codebolt, and the op of the host that each becomes. Whatever has none is refused by name, in the
 * form in which the program waits for its answer: an older library knows an answer by its type alone.
 */
import { frameLimits, type ThreadContext } from '../../protocol/execution/execution.ts';
import { commandsToRun } from '../../protocol/ops/commands/commands-of-line.ts';
import type { ExecutionContext } from '../sdk/run.ts';
import type { InnerMessage } from './inner-port.ts';

type CallFields = Readonly<Record<string, unknown>>;
type CallHost = Pick<ExecutionContext, 'op' | 'progress' | 'projectPath' | 'messages'>;

/** Answers one call; `tell` sends a message before the answer. The fields go into the answer. */
type Carry = (
	params: CallFields,
	host: CallHost,
	tell: (message: CallFields) => void,
) => Promise<CallFields & { type?: string }>;

/** A whole file, as a program expects it. */
const MAX_READ_CHARS = 4_000_000;
const MAX_FOUND = 2_000;
const CUT_LINE = /\[… \d+ more characters in this line\]$/m;

const CARRIED: Readonly<Record<string, Carry>> = {
	'fsEvent/readFile': async (params, { op, projectPath }) => {
		const path = resolveInProject(projectPath, params['filePath'] ?? params['relPath'] ?? params['path']);
		return { content: await readWhole(op, path), path };
	},
	'fsEvent/createFile': (params, host) =>
		writeWhole(host, joinNamed(params['filePath'], params['fileName']), params['source'] ?? params['content']),
	'fsEvent/updateFile': (params, host) =>
		writeWhole(host, joinNamed(params['filePath'], params['filename'] ?? params['fileName']), params['newContent']),
	'fsEvent/writeToFile': (params, host) =>
		writeWhole(
			host,
			params['relPath'] ?? params['filePath'] ?? params['path'],
			params['newContent'] ?? params['content'],
		),
	'fsEvent/createFolder': async (params, { op, projectPath }) =>
		await op('fs.makeFolder', {
			path: resolveInProject(projectPath, joinNamed(params['folderPath'], params['folderName'])),
		}),
	'fsEvent/deleteFile': async (params, { op, projectPath }) =>
		await op('fs.delete', {
			path: resolveInProject(projectPath, joinNamed(params['filePath'], params['filename'] ?? params['fileName'])),
		}),
	'fsEvent/deleteFolder': async (params, { op, projectPath }) => {
		const named = joinNamed(params['folderpath'] ?? params['folderPath'], params['foldername'] ?? params['folderName']);
		return await op('fs.delete', { path: resolveInProject(projectPath, named), recursive: true });
	},
	'fsEvent/fileList': (params, host) =>
		listEntries(host, params['folderPath'] ?? params['path'], params['isRecursive'] === true),
	'fsEvent/listDirectory': (params, host) => listEntries(host, params['path'] ?? params['folderPath'], false),
	'fsEvent/searchFiles': (params, host) =>
		findInTexts(host, params['path'], params['regex'], { include: params['filePattern'], caseSensitive: true }),
	'fsEvent/grepSearch': (params, host) => {
		const { includePattern, excludePattern, caseSensitive } = params;
		const globs = [includePattern, typeof excludePattern === 'string' && excludePattern !== '' && `!${excludePattern}`];
		const include = globs.filter((glob) => typeof glob === 'string' && glob !== '').join(',');
		return findInTexts(host, params['path'], params['query'], { include, caseSensitive: caseSensitive !== false });
	},
	'fsEvent/fileSearch': async (params, { op }) => {
		const name = asText('query', params['query']).replaceAll(/[^\p{L}\p{N}_./-]/gu, '?');
		const { paths } = await op('fs.find', { pattern: `**/*${name}*`, path: '.', limit: MAX_FOUND });
		return { result: paths, files: paths };
	},
	executeCommand: async ({ message, returnEmptyStringOnSuccess }, host) => {
		const ended = await runCommandText(host, message);
		return returnEmptyStringOnSuccess === true && ended.success ? { ...ended, message: '', stdout: '' } : ended;
	},
	executeCommandWithStream: async ({ message }, host, tell) =>
		await runCommandText(host, message, (output) =>
			tell({ type: 'commandOutput', success: true, output, message: output }),
		),
	// The program waits for a failure alone: an end without one is told in the same form.
	executeCommandRunUntilError: async ({ message }, host) => ({
		...(await runCommandText(host, message)),
		type: 'commandError',
	}),
	'settingEvent/getProjectPath': (_, { projectPath }) =>
		Promise.resolve({ projectPath, projectName: projectPath?.split(/[\\/]/).at(-1) ?? null }),
	getChatHistory: (_, { messages }) => Promise.resolve({ chats: messages }),
	confirmationRequest: async ({ message, buttons }, { op }) => {
		const options = Array.isArray(buttons) ? buttons.map(String).filter((each) => each !== '') : [];
		const { answer } = await op('user.ask', {
			question: asText('message', message),
			options: options.length === 0 ? ['Yes', 'No'] : options,
		});
		return { message: answer, userMessage: answer, answer };
	},
	waitforReply: async ({ message }, { op }) => {
		const { answer } = await op('user.ask', { question: asText('message', message), options: [] });
		return { message: { userMessage: answer }, userMessage: answer };
	},
};

/** Messages that say something and wait for nothing. */
const HEARD: Readonly<Record<string, (message: InnerMessage, host: CallHost) => void>> = {
	sendMessage: ({ message }, { progress }) => {
		if (typeof message === 'string' && message.trim() !== '') progress(message);
	},
	notificationEvent: () => {},
	processStarted: () => {},
	processFinished: () => {},
};

/** Types of answers that do not follow from the call, as both libraries wait for them; for the browser as the `event`. */
const ANSWER_TYPES: Readonly<Record<string, string>> = {
	executeCommand: 'commandFinish',
	executeCommandWithStream: 'commandFinish',
	executeCommandRunUntilError: 'commandError',
	sendInterruptToTerminal: 'terminalInterrupted',
	inference: 'llmResponse',
	llmEvent: 'llmResponse',
	waitforReply: 'waitFormessageResponse',
	confirmationRequest: 'confirmationResponse',
	'browserEvent/getHTML': 'htmlReceived',
	'browserEvent/enter': 'EnterResponse',
	'crawlerEvent/click': 'clickFinished',
	'crawlerEvent/type': 'typeFinished',
	'gitEvent/Commit': 'gitCommitResponse',
	'agentEvent/findAgent': 'findAgentByTaskResponse',
	'agentEvent/startAgent': 'taskCompletionResponse',
	'agentEvent/agentsDetail': 'listAgentsResponse',
	'codeEvent/performMatch': 'getgetJsTreeResponse',
	'codeEvent/getMatcherList': 'getMatcherListTreeResponse',
	'codeEvent/getMatchDetail': 'matchDetailTreeResponse',
	'memoryEvent/set': 'memorySetResponse',
	'memoryEvent/get': 'memoryGetResponse',
	'debugEvent/addLog': 'debugEventResponse',
	'chatSummaryEvent/summarizeAll': 'getSummarizeAllResponse',
	'chatSummaryEvent/summarize': 'getSummarizeResponse',
	'vectordbEvent/queryVectorItem': 'qeryVectorItemResponse',
	'vectordbEvent/queryVectorItems': 'qeryVectorItemsResponse',
};

/** True where the program only says something. */
export function isHeard(message: InnerMessage, host: CallHost): boolean {
	const hear = Object.hasOwn(HEARD, message.type) ? HEARD[message.type] : undefined;
	hear?.(message, host);
	return hear !== undefined;
}

/** Carries a call out, or refuses it; the answer is sent at the end. Never rejects. */
export async function answerCall(
	call: InnerMessage,
	host: CallHost,
	send: (message: CallFields) => void,
): Promise<void> {
	const { type, action, requestId, message, agentId } = call;
	const name = typeof action === 'string' && action !== '' ? `${type}/${action}` : type;
	// Only the library that numbers its requests waits for this type; the older one waits for that of a command.
	const isUnnumberedUpdate = name === 'fsEvent/updateFile' && requestId === undefined;
	const answerType = isUnnumberedUpdate
		? 'commandOutput'
		: (ANSWER_TYPES[name] ?? `${typeof action === 'string' && action !== '' ? action : type}Response`);
	const sendAs = (fields: CallFields, as: string) => send({ ...fields, type: as, event: as, ...own });
	const own = { ...(requestId === undefined ? {} : { requestId }), ...(agentId === undefined ? {} : { agentId }) };
	const params = typeof message === 'object' && message !== null ? { ...call, ...message } : call;
	const carry = Object.hasOwn(CARRIED, name) ? CARRIED[name] : undefined;
	try {
		if (carry === undefined) throw new Error(describeRefusal(name));
		const fields = await carry(params, host, (told) => send({ ...told, ...own }));
		sendAs({ success: true, ...fields }, fields.type ?? answerType);
	} catch (error) {
		const said = error instanceof Error ? error.message : String(error);
		const isCommand = name.startsWith('executeCommand');
		if (carry === undefined) process.stderr.write(`${said}\n`);
		const failed = isCommand ? { exitCode: 1, stderr: said } : {};
		sendAs({ ...failed, success: false, error: said, message: said }, isCommand ? 'commandError' : answerType);
	}
}

function describeRefusal(name: string): string {
	return `"${name.slice(0, 100)}" of Codebolt is not available here. Files, folders and search, commands of the terminal, the path of the project, messages and questions are.`;
}

function asText(name: string, value: unknown): string {
	if (typeof value !== 'string' || value === '') throw new TypeError(`${name}: expected a text`);
	return value;
}

/** Codebolt names a file by its folder and its name, or by its whole path in either. */
function joinNamed(folder: unknown, name: unknown): string {
	const below = typeof folder === 'string' ? folder.replace(/[\\/]+$/, '') : '';
	const own = typeof name === 'string' ? name : '';
	if (own === '' || below === own || below.endsWith(`/${own}`)) return below;
	return below === '' || below === '.' ? own : `${below}/${own}`;
}

/** Below the workspace as the host names paths; what lies elsewhere is the host's to judge. */
function resolveInProject(projectPath: string | null, given: unknown): string {
	const path = asText('path', given).replaceAll('\\', '/');
	const root = projectPath?.replaceAll('\\', '/').replace(/\/$/, '');
	if (root === undefined || (path !== root && !path.startsWith(`${root}/`))) return path;
	return path.slice(root.length + 1) || '.';
}

async function readWhole(op: CallHost['op'], path: string): Promise<string> {
	let whole = '';
	for (let offset = 1; ;) {
		const { text, endLine, truncated, image } = await op('fs.read', {
			path,
			limit: 5000,
			raw: true,
			...(offset === 1 ? {} : { offset }),
		});
		if (image !== undefined) throw new Error(`${path} is a picture, which has no text`);
		whole += text;
		if (whole.length > MAX_READ_CHARS) throw new Error(`${path}: more than ${MAX_READ_CHARS} characters`);
		// A program that writes back such a text would lose the rest of the line.
		if (CUT_LINE.test(text)) throw new Error(`${path} has a line that is too long to be read whole`);
		if (!truncated) return whole;
		offset = endLine + 1;
	}
}

async function writeWhole({ op, projectPath }: CallHost, path: unknown, content: unknown): Promise<CallFields> {
	if (typeof content !== 'string') throw new TypeError('content: expected a text');
	const at = resolveInProject(projectPath, path);
	const { created, added, removed } = await op('fs.write', { path: at, content });
	return { path: at, result: `${created ? 'created' : 'changed'} ${at} (+${added} -${removed})` };
}

async function listEntries({ op, projectPath }: CallHost, folder: unknown, isRecursive: boolean): Promise<CallFields> {
	const path = folder === undefined || folder === '' ? '.' : resolveInProject(projectPath, folder);
	if (isRecursive) {
		const { paths } = await op('fs.find', { pattern: '**/*', path, limit: MAX_FOUND });
		return { files: paths, result: paths.join('\n') };
	}
	const { entries } = await op('fs.list', { path });
	const names = entries.map(({ name, kind }) => (kind === 'folder' ? `${name}/` : name));
	return { files: names, entries, result: names.join('\n') };
}

async function findInTexts(
	{ op, projectPath }: CallHost,
	folder: unknown,
	query: unknown,
	{ include, caseSensitive }: { readonly include: unknown; readonly caseSensitive: boolean },
): Promise<CallFields> {
	const { matches } = await op('search.text', {
		query: asText('query', query),
		path: folder === undefined || folder === '' ? '.' : resolveInProject(projectPath, folder),
		caseSensitive,
		limit: MAX_FOUND,
		...(typeof include === 'string' && include !== '' ? { include } : {}),
	});
	return { result: matches, results: matches };
}

interface EndedCommand extends CallFields {
	readonly type: 'commandFinish' | 'commandError';
	readonly success: boolean;
}

async function runCommandText(
	{ op }: CallHost,
	line: unknown,
	onOutput?: (text: string) => void,
): Promise<EndedCommand> {
	const command = asText('command', line);
	const read = commandsToRun(command, process.platform);
	if (read === undefined) throw new Error(`this command needs a shell, which is not here: ${command}`);
	const { background: _, ...commands } = { background: false, ...read };
	const { output, exitCode, signal, timedOut, overTime } = (await op(
		'shell.run',
		commands,
		onOutput === undefined ? {} : { onOutput },
	)) as {
		readonly output: string;
		readonly exitCode: number | null;
		readonly signal: string | null;
		readonly timedOut: boolean;
		readonly overTime?: { readonly program: string; readonly limitMs: number };
	};
	if (exitCode === 0)
		return { type: 'commandFinish', success: true, exitCode, output, stdout: output, stderr: '', message: output };
	const why = timedOut
		? overTime === undefined
			? 'the time limit was reached'
			: `${overTime.program} reached the time limit of ${overTime.limitMs / 1_000} s`
		: signal === null
			? `exit code ${exitCode}`
			: `ended by ${signal}`;
	return {
		type: 'commandError',
		success: false,
		exitCode: exitCode ?? 1,
		output,
		stdout: '',
		stderr: output,
		error: why,
		message: `${why}\n${output}`.trimEnd(),
	};
}

/** At most as many at once as the host takes; the others wait in order. */
export class Turnstile {
	#inside = 0;
	readonly #waiting: (() => void)[] = [];

	async pass(work: () => Promise<void>): Promise<void> {
		if (this.#inside >= frameLimits.dispatchesInFlight)
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
		else this.#inside += 1;
		try {
			await work();
		} finally {
			const next = this.#waiting.shift();
			if (next === undefined) this.#inside -= 1;
			else next();
		}
	}
}

/** The message that an agent of Codebolt is started with. */
export function createUserMessage(
	params: unknown,
	{ threadId, messages }: Pick<ThreadContext, 'threadId' | 'messages'>,
): CallFields {
	const given = typeof params === 'object' && params !== null ? (params as CallFields) : {};
	const last = messages.findLast(({ sender }) => sender === 'user');
	const said = typeof given['message'] === 'string' ? given['message'] : (last?.content ?? '');
	return {
		userMessage: said,
		messageId: last?.messageId ?? '',
		threadId: threadId ?? '',
		params: given,
		...Object.fromEntries(
			['Files', 'FullPaths', 'Folders', 'MCPs', 'Agents', 'Docs'].map((what) => [`mentioned${what}`, []]),
		),
		uploadedImages: [],
		selectedAgent: { id: '', name: '' },
	};
}
