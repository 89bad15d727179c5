/**
 * Clients of a host: who they are, what each may, and how questions reach them. A question goes to every client that may
 * answer; the first answer counts, and the others hear from the desk through whom it came.
 */
import type { Disposable } from '../../base/disposable.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { GivenAnswer, GivenWords } from '../../contract/approvals.ts';
import type { PersonPort, SettingsPort } from '../../contract/ports/ports.ts';
import { type ActedThrough, type ClientPrincipal, ClientRight } from '../../protocol/approvals/access.ts';
import { isOffered } from '../../protocol/approvals/approvals.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { isWiderLevel, type PermissionLevel, pickNarrowerLevel } from '../../protocol/ops/permission-level.ts';
import { accessDenied } from '../../trust/gate/access/access.ts';

export interface ClientWish {
	readonly principal: ClientPrincipal;
	/** Name that the user gave the device it runs on; absent: it has none. */
	readonly device?: string;
	/** Absent: all. */
	readonly rights?: readonly ClientRight[];
	/** Widest permission level of threads that it prompts; absent: whichever the thread has. None beyond the user's own may be chosen. */
	readonly widest?: PermissionLevel;
	/** Asks whoever is at the client; absent: it is shown the desk, and answers there by the id of a question. */
	readonly person?: PersonPort;
}

export class Clients {
	readonly #settings: Pick<SettingsPort, 'current'>;
	readonly #admitted = new Set<Client>();
	readonly #open = new Set<OpenAsk>();

	/** Asks the clients that may answer. Without one, and when the last has gone, there is no answer. */
	readonly person: PersonPort = {
		isOnlyWay: true,
		approve: (approval, signal, tryFirst, proposed) =>
			this.#ask<GivenAnswer>(async (client, person, life) => {
				let shown = approval;
				const tryHere = tryFirst && (async () => (shown = await tryFirst()));
				const answer = await person.approve(approval, life, tryHere, proposed);
				return answer && isOffered(shown, answer) ? { ...answer, ...client.by } : undefined;
			}, signal),
		answer: (question, signal) =>
			this.#ask<GivenWords>(async (client, person, life) => {
				const said = await person.answer(question, life);
				const words = typeof said === 'string' ? said : said?.words;
				return words === undefined ? undefined : { words, ...client.by };
			}, signal),
	};

	constructor(settings: Pick<SettingsPort, 'current'>) {
		this.#settings = settings;
	}

	/** Throws ACCESS_DENIED for a client that may not even look. Questions that are open are asked there, too. */
	admit(wish: ClientWish): Client {
		const client = new Client(wish, this.#settings, () => this.#admitted.delete(client));
		client.check('look');
		this.#admitted.add(client);
		for (const each of this.#open) each.ask(client);
		return client;
	}

	async #ask<A extends GivenAnswer | GivenWords>(ask: AskClient<A>, signal: AbortSignal): Promise<A | undefined> {
		const open = new OpenAsk(ask as AskClient<GivenAnswer | GivenWords>, signal);
		this.#open.add(open);
		try {
			for (const client of this.#admitted) open.ask(client);
			return (await open.answer()) as A | undefined;
		} finally {
			this.#open.delete(open);
		}
	}
}

export class Client implements Disposable {
	readonly principal: ClientPrincipal;
	readonly person: PersonPort | undefined;
	/** Name of the client in the record of what is done through it. */
	readonly by: ActedThrough;
	readonly #wish: ClientWish;
	readonly #settings: Pick<SettingsPort, 'current'>;
	readonly #onLeave: () => void;
	readonly #left = new AbortController();

	constructor(wish: ClientWish, settings: Pick<SettingsPort, 'current'>, onLeave: () => void) {
		this.principal = wish.principal;
		this.person = wish.person;
		this.by = { through: wish.principal, ...(wish.device !== undefined && { device: wish.device }) };
		this.#wish = wish;
		this.#settings = settings;
		this.#onLeave = onLeave;
	}

	/** Aborts when it has gone. */
	get left(): AbortSignal {
		return this.#left.signal;
	}

	/** The rights that it came with and that the user's settings leave to its kind. */
	get rights(): readonly ClientRight[] {
		const denied: readonly string[] = this.#settings.current['prowess.access.deny'][this.principal] ?? [];
		const own = this.#wish.rights ?? ClientRight.options;
		return ClientRight.options.filter((right) => own.includes(right) && !denied.includes(right));
	}

	/** Widest permission level that it may choose. */
	get widest(): PermissionLevel {
		const users = this.#settings.current['prowess.approvals.level'];
		return this.#wish.widest === undefined ? users : pickNarrowerLevel(users, this.#wish.widest);
	}

	/** Throws ACCESS_DENIED. */
	check(right: ClientRight): void {
		if (!this.rights.includes(right)) {
			throw accessDenied(this.principal, right, null);
		}
	}

	/** Level to which a thread at `level` is narrowed before it prompts there; undefined: it stays. */
	narrowed(level: PermissionLevel): PermissionLevel | undefined {
		return this.#wish.widest !== undefined && isWiderLevel(level, this.#wish.widest) ? this.#wish.widest : undefined;
	}

	/** Throws DENIED_BY_RULE for a level that it may not choose. */
	checkLevel(level: PermissionLevel): void {
		if (isWiderLevel(level, this.widest)) {
			const message = `the permission level "${level}" is wider than "${this.widest}", the widest through ${this.principal}`;
			throw new ProwessError('DENIED_BY_RULE', message, {
				reason: text('This client may choose no permission level wider than {widest}.', { widest: this.widest }),
			});
		}
	}

	/** Ends the client: nobody there answers any more. Idempotent. */
	dispose(): void {
		this.#left.abort();
		this.#onLeave();
	}
}

type AskClient<A> = (client: Client, person: PersonPort, signal: AbortSignal) => Promise<A | undefined>;

/** Question while it is open: asked at each client once, settled by the first answer or when nobody is left. */
class OpenAsk {
	readonly #ask: AskClient<GivenAnswer | GivenWords>;
	readonly #signal: AbortSignal;
	readonly #settled = Promise.withResolvers<GivenAnswer | GivenWords | undefined>();
	#waiting = 0;
	#failure: unknown;

	constructor(ask: AskClient<GivenAnswer | GivenWords>, signal: AbortSignal) {
		this.#ask = ask;
		this.#signal = signal;
	}

	ask(client: Client): void {
		if (!client.rights.includes('answer') || this.#signal.aborted) return;
		this.#waiting += 1;
		void this.#at(client)
			.catch((error: unknown) => {
				this.#failure = error;
				return undefined;
			})
			.then((answer) => {
				this.#waiting -= 1;
				if (answer !== undefined) this.#settled.resolve(answer);
				else this.#endWithoutAny();
			});
	}

	/** Rejects with the failure of the last client that could have answered, where one has failed. */
	answer(): Promise<GivenAnswer | GivenWords | undefined> {
		this.#endWithoutAny();
		return this.#settled.promise;
	}

	#endWithoutAny(): void {
		if (this.#waiting > 0) return;
		if (this.#failure === undefined) this.#settled.resolve(undefined);
		else this.#settled.reject(this.#failure);
	}

	/** Aborts with the question, whose reason says what became of it, and with the client. */
	async #at(client: Client): Promise<GivenAnswer | GivenWords | undefined> {
		const life = deriveSignal(this.#signal);
		const over = Promise.withResolvers<undefined>();
		const onLeave = () => life.abort(client.left.reason);
		const onOver = () => over.resolve(undefined);
		life.signal.addEventListener('abort', onOver, { once: true });
		client.left.addEventListener('abort', onLeave, { once: true });
		if (client.left.aborted) onLeave();
		try {
			const { person } = client;
			const answered = person === undefined ? over.promise : this.#ask(client, person, life.signal);
			const answer = await Promise.race([answered, over.promise]);
			// The right may have been taken from it meanwhile.
			return client.rights.includes('answer') ? answer : undefined;
		} finally {
			client.left.removeEventListener('abort', onLeave);
			life.dispose();
		}
	}
}
