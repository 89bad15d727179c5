/**
 * Polls the condition of a watch: one op that only reads, through the broker, as any op of an agent. Nobody is there to be
 * asked, so what the gate would ask about is refused.
 */
import { createHash } from 'node:crypto';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { cutText } from '../../base/text/one-line.ts';
import { type OpSeries, type PerformOp, requireOpResult } from '../../contract/ops/perform-op.ts';
import { parseTargetUrl } from '../../machine/http/target-url.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { readShellLine } from '../../protocol/ops/commands/read-shell-line.ts';
import { newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import { addressPollWords, commandPollWords, filesPollWords } from '../../protocol/schedule/poll-words.ts';
import { type WatchCondition, type WatchExpectation } from '../../protocol/schedule/watch-condition.ts';
import { text } from '../../protocol/text/text.ts';
import { scheduleLimits } from './limits.ts';
import type { KeptCondition, SeenPoll } from './schedule.ts';

/** Shorter than `pollMs`, until which no other process polls. */
const COMMAND_MS = scheduleLimits.pollMs * 0.75;
const RESULT_CHARS = 120;
const GLOB = /[*?[\]{}]/;

export interface PollAsked {
	readonly condition: KeptCondition;
	readonly threadId: ThreadId;
	/** Path by which ops name the folder in which is polled. */
	readonly place: string;
	readonly series: OpSeries;
}

/** Rejects with the error of the op where nothing was found out, and with NOT_FOUND for a ref that does not exist. */
export async function pollCondition(
	perform: PerformOp,
	{ condition, threadId, place, series }: PollAsked,
	signal: AbortSignal,
): Promise<SeenPoll> {
	const caller = { kind: 'agent', threadId, turnId: newId('trn') } as const;
	const askBroker = async (op: string, params: object) => {
		const asked = { opId: newId('op'), op, params };
		const isAgreed = op === 'shell.run' && condition.agreed !== undefined ? ({ isAgreed: true } as const) : {};
		const origin = { caller, onProgress: () => {}, isNewId: true, poll: series, ...isAgreed } as const;
		const outcome = await perform(asked, origin, signal);
		return requireOpResult(outcome, op);
	};
	switch (condition.kind) {
		case 'command': {
			const state = (await askBroker('shell.run', {
				...readCommandLine(condition.what),
				cwd: place,
			})) as OpResult<'shell.run'>;
			return seenCommand(state, condition.expects);
		}
		case 'ref':
			return await seenRef(askBroker, condition, place);
		case 'address': {
			const params = { url: condition.what, raw: true };
			return seenResponse((await askBroker('http.get', params)) as OpResult<'http.get'>, condition.expects);
		}
		case 'files':
			return await seenFiles(askBroker, condition.what, place);
	}
}

/** Throws what can be told of a condition before anything is polled. */
export function checkCondition(condition: WatchCondition): void {
	switch (condition.kind) {
		case 'command':
			readCommandLine(condition.what);
			return;
		case 'ref':
			checkRef(condition);
			return;
		case 'address':
			parseTargetUrl(condition.what);
			return;
		case 'files':
			if (/^(?:[/\\~]|[A-Za-z]:)/.test(condition.what) || condition.what.split(/[\\/]/).includes('..')) {
				throw new ProwessError('PATH_OUTSIDE_WORKSPACE', `"${condition.what}" is outside the workspace`, {
					path: condition.what,
				});
			}
	}
}

/** Host of an address, as rules name it: the consent to the watch covers it. Undefined: the condition names none. */
export function hostOfCondition({ kind, what, remote }: WatchCondition): string | undefined {
	const address = kind === 'address' ? what : remote !== undefined && isRemoteAddress(remote) ? remote : undefined;
	return address === undefined ? undefined : parseTargetUrl(address).host;
}

function readCommandLine(line: string) {
	const read = readShellLine(line);
	if (read === undefined) {
		throw new ProwessError('INVALID_PARAMS', `"${line}" cannot be read as a command`, {
			said: text(
				'"{line}" cannot be read as a command. Write a program with its arguments; variables are not understood.',
				{
					line,
				},
			),
		});
	}
	return { ...read, timeoutMs: COMMAND_MS };
}

function checkRef({ what, remote = 'origin' }: WatchCondition): void {
	const isName = (name: string) => /^[\p{L}\p{N}_][\p{L}\p{N}_./-]*$/u.test(name) && !name.includes('..');
	if (!isName(what) || !(isName(remote) || isRemoteAddress(remote))) {
		throw new ProwessError('INVALID_PARAMS', `"${what}" is not the name of a ref`, {
			said: text('"{ref}" is not the name of a branch or tag.', { ref: what }),
		});
	}
	if (isRemoteAddress(remote)) {
		parseTargetUrl(remote);
	}
}

function isRemoteAddress(remote: string): boolean {
	return /^https?:\/\//i.test(remote);
}

function seenCommand(
	{ exitCode, signal, timedOut, overTime, output }: OpResult<'shell.run'>,
	expects: WatchExpectation,
): SeenPoll {
	if (timedOut) {
		const seconds = (overTime?.limitMs ?? COMMAND_MS) / 1_000;
		throw new ProwessError('TIMEOUT', `${overTime?.program ?? 'the command'} did not end within ${seconds} s`, {
			seconds,
		});
	}
	const line = output.trim().split('\n').at(-1) ?? '';
	const result = cutText(commandPollWords({ exitCode, signal }, line), RESULT_CHARS);
	if (expects === 'changes') {
		return { mark: hashText(`${commandPollWords({ exitCode, signal }, '')}\n${output}`), result };
	}
	const holds =
		typeof expects === 'object'
			? 'says' in expects
				? output.includes(expects.says)
				: exitCode === expects.code
			: (exitCode === 0) === (expects === 'succeeds');
	return { mark: holds ? 'yes' : 'no', result };
}

type AskBroker = (op: string, params: object) => Promise<unknown>;

async function seenRef(askBroker: AskBroker, { what, remote }: WatchCondition, cwd: string): Promise<SeenPoll> {
	if (remote !== undefined) {
		return await seenRemoteRef(askBroker, { what, remote }, cwd);
	}
	const argv = ['git', 'rev-parse', '--verify', what];
	const { exitCode, output } = (await askBroker('shell.run', {
		argv,
		cwd,
		timeoutMs: COMMAND_MS,
	})) as OpResult<'shell.run'>;
	const commit = /^[0-9a-f]{40,64}/.exec(output.trim())?.[0];
	if (exitCode !== 0 || commit === undefined) {
		throw createRefNotFound(what, output.trim().split('\n')[0] ?? '');
	}
	return { mark: commit, result: commit.slice(0, 12) };
}

/** Asks as `git ls-remote` begins: for the list of refs. The request goes through the gate for addresses, without credentials. */
async function seenRemoteRef(
	askBroker: AskBroker,
	{ what, remote }: { readonly what: string; readonly remote: string },
	cwd: string,
): Promise<SeenPoll> {
	const address = isRemoteAddress(remote) ? remote : await readRemoteAddress(askBroker, remote, cwd);
	const url = `${address.replace(/\/+$/, '')}/info/refs?service=git-upload-pack`;
	const { status, body, encoding } = (await askBroker('http.get', { url, raw: true })) as OpResult<'http.get'>;
	if (status !== 200) {
		throw createRefNotFound(`${what} of ${remote}`, `HTTP ${status}`);
	}
	const refs = encoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : body;
	const names = [what, `refs/heads/${what}`, `refs/tags/${what}`, `refs/${what}`];
	const listed = Array.from(refs.matchAll(/([0-9a-f]{40,64})[ \t]([^\s\0]+)/g), ([, id = '', name = '']) => ({
		id,
		name,
	}));
	// The first line of a smart answer has its length before the id.
	const commit = listed.find(({ name }) => names.includes(name))?.id.slice(-40);
	if (commit === undefined) {
		throw createRefNotFound(`${what} of ${remote}`, 'it is not in the list');
	}
	return { mark: commit, result: commit.slice(0, 12) };
}

async function readRemoteAddress(askBroker: AskBroker, remote: string, cwd: string): Promise<string> {
	const asked = { argv: ['git', 'remote', '-v'], cwd, timeoutMs: COMMAND_MS };
	const { output } = (await askBroker('shell.run', asked)) as OpResult<'shell.run'>;
	const lines = output.split('\n').map((line) => line.split(/\s/));
	const address = lines.find(([name, , kind]) => name === remote && kind === '(fetch)')?.[1];
	if (address === undefined || !isRemoteAddress(address)) {
		throw new ProwessError('INVALID_PARAMS', `"${remote}" is no remote with an http address`, {
			said: text('"{remote}" is no remote with an address that begins with https. Name the address itself.', {
				remote,
			}),
		});
	}
	return address;
}

function createRefNotFound(ref: string, reason: string): ProwessError {
	const why = cutText(reason, RESULT_CHARS);
	return new ProwessError('NOT_FOUND', `git knows no ref "${ref}": ${why}`, {
		id: ref,
		said: text('Git knows no branch or tag "{ref}": {why}', { ref, why }),
	});
}

function seenResponse({ status, body, leadsTo }: OpResult<'http.get'>, expects: WatchExpectation): SeenPoll {
	const result = addressPollWords(status, leadsTo);
	if (expects === 'changes') {
		return { mark: hashText(`${status}\n${body}`), result: cutText(result, RESULT_CHARS) };
	}
	const isWell = status >= 200 && status < 300;
	const holds =
		typeof expects === 'object'
			? 'says' in expects
				? body.includes(expects.says)
				: status === expects.code
			: isWell === (expects === 'succeeds');
	return { mark: holds ? 'yes' : 'no', result: cutText(result, RESULT_CHARS) };
}

async function seenFiles(askBroker: AskBroker, what: string, place: string): Promise<SeenPoll> {
	const path = what.replace(/^\.\//, '').replace(/\/+$/, '');
	// A name without wildcards is a file, or a folder with all that is in it.
	const pattern = GLOB.test(path) || path === '' || path === '.' ? path.replace(/^\.?$/, '**') : `{${path},${path}/**}`;
	const params = { pattern, path: place, limit: scheduleLimits.watchedFiles, marks: true };
	const { paths, marks = [], truncated } = (await askBroker('fs.find', params)) as OpResult<'fs.find'>;
	if (truncated) {
		const most = scheduleLimits.watchedFiles;
		throw new ProwessError('INVALID_PARAMS', `"${what}" means more than ${most} files`, {
			said: text('"{what}" means more than {n} files. Name fewer.', { what, n: most }),
		});
	}
	// Another host may have the folder open alone, and then its name is in no path.
	const start = place === '.' ? 0 : place.length + 1;
	const all = paths.map((each, at) => `${each.slice(start)}\n${marks[at] ?? ''}`).join('\n');
	return { mark: hashText(all), result: filesPollWords(paths.length) };
}

/** Path below which all lies that the condition means; empty: anywhere in the folder. */
export function pathBeforeWildcards(what: string): string {
	const parts = what.replace(/^\.\//, '').replace(/\/+$/, '').split('/');
	const upTo = parts.findIndex((part) => GLOB.test(part) || part === '.');
	return (upTo === -1 ? parts : parts.slice(0, upTo)).join('/');
}

/** Throws where a glob names what is there and ignored: it would wait for ever. */
export async function refuseIgnored(perform: PerformOp, asked: PollAsked, signal: AbortSignal): Promise<void> {
	const { what } = asked.condition;
	const path = pathBeforeWildcards(what);
	const caller = { kind: 'agent', threadId: asked.threadId, turnId: newId('trn') } as const;
	const origin = { caller, onProgress: () => {}, isNewId: true, poll: asked.series } as const;
	const found = await perform(
		{ opId: newId('op'), op: 'fs.stat', params: { path: [asked.place, path].filter((each) => each !== '').join('/') } },
		origin,
		signal,
	);
	if (found.status !== 'done' && found.error.code !== 'NOT_FOUND') {
		// Paths through a link that leads out are there, and nothing is read through them.
		requireOpResult(found, 'fs.stat');
	}
	if (found.status === 'done') {
		throw new ProwessError('INVALID_PARAMS', `"${what}" means no file, except ignored ones`, {
			said: text('"{what}" means no file, except those that Git ignores, which are not watched.', { what }),
		});
	}
}

function hashText(words: string): string {
	return createHash('sha256').update(words).digest('hex').slice(0, 32);
}

/** Why a poll found nothing, for the record. */
export function describeProblem(error: unknown): string {
	return isProwessError(error) ? `${error.code}: ${error.message}` : toErrorMessage(error);
}
