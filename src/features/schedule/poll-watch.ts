/**
 * Polls the condition of a watch: one op that only reads, through the broker, as any op of an agent. Nobody is there to be
 * asked, so what the gate would ask about is refused.
 */
import { createHash } from 'node:crypto';
import { cutText } from '../../base/text/one-line.ts';
import { type OpSeries, type PerformOp, requireOpResult } from '../../contract/ops/perform-op.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import { addressPollWords, commandPollWords, filesPollWords } from '../../protocol/schedule/poll-words.ts';
import { type WatchCondition, type WatchExpectation } from '../../protocol/schedule/watch-condition.ts';
import { text } from '../../protocol/text/text.ts';
import {
	isRemoteAddress,
	PATH_WILDCARD,
	pathBeforeWildcards,
	POLL_COMMAND_MS,
	readCommandLine,
} from './check-condition.ts';
import { scheduleLimits } from './limits.ts';
import type { KeptCondition, SeenPoll } from './schedule.ts';

const RESULT_CHARS = 120;

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

function seenCommand(
	{ exitCode, signal, timedOut, overTime, output }: OpResult<'shell.run'>,
	expects: WatchExpectation,
): SeenPoll {
	if (timedOut) {
		const seconds = (overTime?.limitMs ?? POLL_COMMAND_MS) / 1_000;
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
		timeoutMs: POLL_COMMAND_MS,
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
	const asked = { argv: ['git', 'remote', '-v'], cwd, timeoutMs: POLL_COMMAND_MS };
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
	const pattern =
		PATH_WILDCARD.test(path) || path === '' || path === '.' ? path.replace(/^\.?$/, '**') : `{${path},${path}/**}`;
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
