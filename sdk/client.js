// Client of `prowess rpc` for programs: starts it, speaks JSON-RPC 2.0 with it, one message on a line. Types: client.d.ts.
import { spawn } from 'node:child_process';

const VERSION = 1;
/** Requests that are sent before earlier ones are answered; the others wait here. */
const REQUESTS_AT_ONCE = 16;
const CLOSE_MS = 5_000;

export class RpcFailure extends Error {
	constructor(method, { code, message, data }) {
		super(`${method}: ${data?.said ?? message}`);
		this.name = 'RpcFailure';
		this.code = typeof data?.code === 'string' ? data.code : String(code);
		this.detail = message;
		this.facts = data?.facts ?? {};
	}
}

/** Starts `prowess rpc` and greets it. Rejects with an RpcFailure when it cannot be started, or does not want to serve. */
export async function connect({
	command = 'prowess',
	args = [],
	options = [],
	folder = process.cwd(),
	env,
	client,
	onLog,
} = {}) {
	const child = spawn(command, [...args, 'rpc', '--workspace', folder, ...options], {
		env: env ?? process.env,
		stdio: ['pipe', 'pipe', 'pipe'],
	});
	const prowess = new Prowess(child, onLog);
	try {
		const name = client?.name ?? 'a program';
		prowess.host = await prowess.call('rpc/hello', { version: VERSION, client: { ...client, name } });
		return prowess;
	} catch (error) {
		await prowess.close();
		throw error;
	}
}

class Prowess {
	#child;
	#lastId = 0;
	#pending = new Map();
	#queue = [];
	#listeners = new Map();
	#rest = [];
	#said = '';
	#gone;
	#ended;

	constructor(child, onLog = () => {}) {
		this.#child = child;
		child.stdout.on('data', (bytes) => this.#read(bytes));
		child.stderr.setEncoding('utf8').on('data', (text) => {
			this.#said = (this.#said + text).slice(-2_000);
			onLog(text);
		});
		child.stdin.on('error', () => {});
		this.#ended = new Promise((resolve) => {
			const end = (why) => {
				if (this.#gone === undefined) {
					this.#gone = { code: 'CONNECTION_CLOSED', message: `prowess has ended: ${why}. ${this.#said.trim()}`.trim() };
					for (const { method, reject } of this.#pending.values()) reject(new RpcFailure(method, asData(this.#gone)));
					this.#pending.clear();
					this.#tell('closed', {});
				}
				resolve();
			};
			child.once('error', (error) => end(error.message));
			child.once('close', (code, signal) => end(signal ?? `exit code ${code}`));
		});
	}

	/** One request. Aborting `signal` cancels it. */
	async call(method, params = {}, { signal } = {}) {
		signal?.throwIfAborted();
		if (this.#gone !== undefined) throw new RpcFailure(method, asData(this.#gone));
		const id = ++this.#lastId;
		return await new Promise((resolve, reject) => {
			const onAbort = () => {
				this.#send({ method: '$/cancelRequest', params: { id } });
				settle(() => reject(signal.reason));
			};
			const settle = (how) => {
				signal?.removeEventListener('abort', onAbort);
				this.#pending.delete(id);
				how();
				this.#sendNext();
			};
			signal?.addEventListener('abort', onAbort, { once: true });
			const entry = {
				method,
				isSent: false,
				message: { id, method, params },
				resolve: (value) => settle(() => resolve(value)),
				reject: (error) => settle(() => reject(error)),
			};
			this.#pending.set(id, entry);
			this.#queue.push(id);
			this.#sendNext();
		});
	}

	/** Hears what is told without being asked. Returns what ends it. */
	on(method, listener) {
		const listeners = this.#listeners.get(method) ?? new Set();
		this.#listeners.set(method, listeners.add(listener));
		return () => void listeners.delete(listener);
	}

	/** Begins a thread. */
	async begin(wish = {}) {
		return await this.call('thread/create', wish);
	}

	/**
	 * Sends a message and yields the events of its thread up to the end of its turn, which is the last. Aborting `signal`
	 * stops the turn, whose end still comes. Leaving the loop early stops it, too.
	 */
	async *prompt(message, { signal } = {}) {
		const { threadId } = message;
		const waiting = [];
		let wake = () => {};
		let seq = 0;
		const put = (entry) => {
			waiting.push(entry);
			wake();
		};
		const ends = [
			this.on('thread/update', (update) => {
				if (update.threadId !== threadId) return;
				for (const event of update.events.slice(Math.max(0, seq - update.seq + 1))) put({ event });
				seq = Math.max(seq, update.seq + update.events.length - 1);
			}),
			this.on('rpc/missed', (missed) => missed.threadId === threadId && put({ isMissed: true })),
			this.on('closed', () => put({ isClosed: true })),
		];
		const stop = () => this.call('thread/stop', { threadId }).catch(() => {});
		let turnId;
		let isEnded = false;
		try {
			({ turnId } = await this.call('thread/prompt', message, { signal }));
			signal?.addEventListener('abort', stop, { once: true });
			if (signal?.aborted) void stop();
			while (!isEnded) {
				if (waiting.length === 0) await new Promise((resolve) => (wake = resolve));
				const { event, isMissed, isClosed } = waiting.shift() ?? {};
				if (isClosed) throw new RpcFailure('thread/prompt', asData(this.#gone));
				if (isMissed) {
					const snapshot = await this.call('thread/open', { threadId });
					isEnded = snapshot.turnId !== turnId;
					seq = Math.max(seq, snapshot.seq);
					yield { type: 'missed', snapshot };
				} else if (event !== undefined) {
					isEnded = event.type === 'turn.end' && event.turnId === turnId;
					yield event;
				}
			}
		} finally {
			signal?.removeEventListener('abort', stop);
			for (const end of ends) end();
			if (turnId !== undefined && !isEnded && this.#gone === undefined) await stop();
		}
	}

	/** Answers approvals, each once. `answer` gives an answer that was offered, or undefined to leave it to others. Returns what ends it. */
	onApproval(answer) {
		return this.#onDesk('approvals', answer, (id, given) => this.call('desk/approve', { id, answer: given }));
	}

	/** Answers questions of agents and capabilities in words, as `onApproval`. */
	onQuestion(answer) {
		return this.#onDesk('questions', answer, (id, given) => this.call('desk/reply', { id, answer: given }));
	}

	/** Ends it as when a program ends: what runs is stopped, and open questions are denied. */
	async close() {
		this.#child.stdin.end();
		const timer = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_MS);
		await this.#ended;
		clearTimeout(timer);
	}

	#onDesk(kind, answer, give) {
		const seen = new Set();
		const look = (desk) => {
			for (const item of desk[kind]) {
				if (seen.has(item.id)) continue;
				seen.add(item.id);
				void Promise.resolve(answer(item)).then(
					(given) => given !== undefined && give(item.id, given).catch(() => {}),
					() => {},
				);
			}
		};
		this.call('desk/list').then(look, () => {});
		return this.on('desk/changed', look);
	}

	#sendNext() {
		while (this.#queue.length > 0 && this.#underWay < REQUESTS_AT_ONCE) {
			const entry = this.#pending.get(this.#queue.shift());
			if (entry === undefined) continue;
			entry.isSent = true;
			this.#send(entry.message);
		}
	}

	get #underWay() {
		let count = 0;
		for (const { isSent } of this.#pending.values()) if (isSent) count += 1;
		return count;
	}

	#send(message) {
		if (this.#child.stdin.writable) this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
	}

	#read(bytes) {
		let from = 0;
		for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
			this.#rest.push(bytes.subarray(from, end));
			from = end + 1;
			const line = Buffer.concat(this.#rest).toString('utf8');
			this.#rest = [];
			if (line !== '') this.#take(JSON.parse(line));
		}
		if (from < bytes.length) this.#rest.push(bytes.subarray(from));
	}

	#take({ id, method, params, result, error }) {
		if (method !== undefined) {
			this.#tell(method, params);
			return;
		}
		const entry = this.#pending.get(id);
		if (entry === undefined) return;
		if (error === undefined) entry.resolve(result);
		else entry.reject(new RpcFailure(entry.method, error));
	}

	#tell(method, params) {
		for (const listener of [...(this.#listeners.get(method) ?? [])]) listener(params);
	}
}

function asData({ code, message }) {
	return { code, message, data: { code } };
}
