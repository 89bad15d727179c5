/**
 * The person's yes to a capability: what it wants to do, and what nothing here keeps it from doing. A yes for always is kept
 * for that content; any other byte in it is another capability, which is asked anew.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { newId, type ThreadId } from '../../../protocol/rpc/ids.ts';
import type { Permission } from '../../../protocol/ops/risk.ts';
import { text } from '../../../protocol/text/text.ts';
import { approvalId, type ApprovalOrigins } from '../../../trust/gate/approvals/approval-origins.ts';
import type { PersonDesk } from '../../../trust/gate/approvals/desk.ts';
import type { ActedThrough } from '../../../protocol/approvals/access.ts';
import { type ApprovedScope, type OpDecision, createDecision } from '../../../contract/decision.ts';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import { SharedQuestions } from '../../../trust/gate/approvals/shared-questions.ts';
import { replaceDurably } from '../../../machine/home-files/durable-file.ts';
import { withLock } from '../../../machine/home-files/file-lock.ts';
import { RISK_LEVEL_RULES } from '../../../trust/gate/policy/levels/levels.ts';
import type { ApprovalMode, WorkspaceFolder } from '../../../contract/ports/ports.ts';
import type { Sandbox } from '../../../machine/sandbox/sandbox.ts';
import { installedFrom } from '../../../catalog/marketplace/installed-from.ts';
import { consentDetail, type ConsentSubject } from './consent-detail.ts';
import { isAuthored, WHILE_WORKED_ON, WorkedOn } from './worked-on.ts';
import type { StartOptions } from '../start/start-options.ts';

interface CapabilityConsentDeps {
	readonly home: string;
	readonly origins: Pick<ApprovalOrigins, 'note'>;
	readonly desk: PersonDesk;
	readonly approvalMode: ApprovalMode;
	/** True while a command runs, which may change any file of the project. */
	readonly isCommandRunning: () => boolean;
}

/** A yes for always, as it is kept. */
interface KeptCapabilityConsent {
	/** Id of the kept consent. */
	readonly id: string;
	readonly type: string;
	readonly name: string;
	/** Hash of the content that the user agreed to. */
	readonly hash: string;
}

export interface Consent {
	readonly permissions: readonly Permission[];
	readonly decision: OpDecision;
	/** True when a person has read what the capability asks for; else it came with Prowess, or nobody was asked. */
	readonly isByPerson: boolean;
}

type ConsentAsker = Pick<StartOptions, 'caller' | 'onWaiting'> & {
	/**
	 * True when the capability gives a thread back tools that another skill leaves out: then only the person can say
	 * yes, each time.
	 */
	readonly givesBackTools?: boolean;
};

interface ConsentQuestion {
	/** In words. */
	readonly what: string;
	/** Under which a yes for always is kept. */
	readonly key: string;
	readonly threadId: ThreadId | null;
	/** True when the capability is about to run; then a yes for this once is offered too. */
	readonly isStart: boolean;
	readonly givesBackTools: boolean;
	/** True when the user may agree to what they make of it while they work on it. */
	readonly isWorkOffered: boolean;
}

/** With the client that the yes came through. */
interface GivenConsent extends ActedThrough {
	readonly scope: 'once' | 'content' | 'work';
}

const APPROVED: { readonly [S in GivenConsent['scope']]: ApprovedScope } = {
	once: { kind: 'once' },
	content: { kind: 'content' },
	work: { kind: 'thread', covers: 'this capability while they work on it' },
};

export class CapabilityConsent {
	readonly #deps: CapabilityConsentDeps;
	readonly #questions = new SharedQuestions<GivenConsent>();
	readonly #worked = new WorkedOn();
	/** Reads and writes of the file, one after the other. */
	#turn: Promise<unknown> = Promise.resolve();

	constructor(deps: CapabilityConsentDeps) {
		this.#deps = deps;
	}

	/** For one start, or for always. Rejects with DENIED_BY_USER, DENIED_BY_RULE or APPROVAL_EXPIRED. */
	ask(subject: ConsentSubject, asker: ConsentAsker, signal: AbortSignal): Promise<Consent> {
		return this.#ask(subject, asker, true, signal);
	}

	/** Only for always: nothing is started. Rejects as `ask` does. */
	askBeforehand(subject: ConsentSubject, asker: ConsentAsker, signal: AbortSignal): Promise<Consent> {
		return this.#ask(subject, asker, false, signal);
	}

	async #ask(
		subject: ConsentSubject,
		{ caller, onWaiting = () => {}, givesBackTools = false }: ConsentAsker,
		isStart: boolean,
		signal: AbortSignal,
	): Promise<Consent> {
		const { threadId } = caller;
		const { capability, hash, sandbox } = subject;
		const { permissions, level, name, type, version } = capability.manifest;
		const [overridden] = capability.overrides;
		const what = `${type} ${name} ${shownVersion(version)}${overridden === undefined ? '' : `, in place of the ${overridden.source} one`}`;
		const key = createConsentKey(subject, sandbox);
		if (!givesBackTools && (await this.#inTurn(() => this.#read())).includes(key)) {
			const decision = createAllowDecision('consent', `the user has agreed to ${what}, content ${hash}`);
			return { permissions, decision, isByPerson: true };
		}
		const isUsers = isStart && caller.kind === 'user' && !givesBackTools;
		if (isUsers && !this.#deps.isCommandRunning() && this.#worked.covers(subject)) {
			const reason = `the user works on ${what}, and it asks for no more than they agreed to; content ${hash}`;
			return { permissions, decision: createAllowDecision('consent', reason), isByPerson: true };
		}
		const isOpen = subject.runsOwnCode && sandbox !== 'bwrap';
		const needsPerson =
			givesBackTools ||
			!RISK_LEVEL_RULES[level].automatic ||
			(RISK_LEVEL_RULES[level].sandbox === 'required' && isOpen);
		if (isOurs(subject) && !needsPerson) {
			const decision = createAllowDecision('built-in', `${what} came with Prowess, content ${hash}`);
			return { permissions, decision, isByPerson: false };
		}
		const { approvalMode } = this.#deps;
		const isAutomatic =
			approvalMode === 'full'
				? RISK_LEVEL_RULES[level].automatic && !givesBackTools
				: approvalMode === 'auto' && !needsPerson;
		if (isAutomatic) {
			const decision = createAllowDecision(approvalMode, `${what}, content ${hash}; this host was started so`);
			return { permissions, decision, isByPerson: false };
		}
		if (approvalMode !== 'ask') {
			const reason = text('{what} needs your consent, and this session cannot ask.', { what });
			throw new ProwessError('DENIED_BY_RULE', `${what} needs the consent of the user, and nobody can be asked here`, {
				hash,
				reason,
				unattended: {
					automatic: givesBackTools || !RISK_LEVEL_RULES[level].automatic ? 'never' : needsPerson ? 'full' : 'auto',
				},
			});
		}
		onWaiting(true);
		try {
			// Starts of the same content that come meanwhile get the same answer.
			const isWorkOffered = isUsers && !needsPerson && isAuthored(subject);
			const shared = `${isStart ? 'start' : 'trust'} ${key}${givesBackTools ? ` in ${threadId}` : ''}${isWorkOffered ? ' of an author' : ''}`;
			const putQuestion = (open: AbortSignal) =>
				this.#put(subject, { what, key, threadId, isStart, givesBackTools, isWorkOffered }, open);
			const { scope, ...through } = await this.#questions.ask(shared, threadId, putQuestion, signal);
			const asked = createDecision({ kind: 'ask', rule: 'consent', reason: `${what}, content ${hash}` }, []);
			const decision: OpDecision = {
				...asked,
				by: { kind: 'person', said: 'yes', scope: APPROVED[scope], ...through },
			};
			return { permissions, decision, isByPerson: true };
		} finally {
			onWaiting(false);
		}
	}

	/** The yes; one for always is kept when it resolves. */
	async #put(
		subject: ConsentSubject,
		{ what, key, threadId, isStart, givesBackTools, isWorkOffered }: ConsentQuestion,
		signal: AbortSignal,
	): Promise<GivenConsent> {
		const { level, name, type, version } = subject.capability.manifest;
		const opId = newId('op');
		const title = escapeInvisible(`${isStart ? 'Run' : 'Trust'} the ${what}`, 'line');
		const { capability, executor, hash } = subject;
		// Behind an executor of others the hash is that of both.
		const isOwn = capability.source === 'global' && executor.folder === undefined;
		const installed = isOwn ? await installedFrom(this.#deps.home, capability.path, hash) : undefined;
		const answer = await this.#deps.desk.ask(
			threadId,
			() => ({
				opId,
				threadId,
				op: 'capability.start',
				title,
				risk: level,
				act: 'runsCapability',
				warning: null,
				reason: givesBackTools
					? text('It would give the agent tools that another skill of this thread leaves out.')
					: isOurs(subject)
						? text('It came with Prowess, and what it may do always needs your consent.')
						: text('It did not come with Prowess, and you have not approved this version yet.'),
				detail: consentDetail(subject, installed),
				isOnceOffered: isStart,
				threadScope: isWorkOffered ? WHILE_WORKED_ON : null,
				pattern: escapeInvisible(`the ${type} ${name} ${shownVersion(version)} until its files change`, 'line'),
				// The yes is bound to the content, wherever that lies.
				isProjectOffered: false,
			}),
			signal,
		);
		if (answer === undefined || answer.kind === 'deny') {
			const words = answer?.kind === 'deny' ? (answer.reason?.trim() ?? '') : '';
			throw new ProwessError('DENIED_BY_USER', `the user said no to ${what}`, words === '' ? {} : { reason: words });
		}
		const { through, device } = answer;
		if (answer.kind === 'thread' && isWorkOffered) {
			this.#worked.begin(subject);
			return { scope: 'work', through, device };
		}
		if (answer.kind !== 'always') {
			return { scope: 'once', through, device };
		}
		await this.#change((given) => [...given, key]);
		await this.#deps.origins.note(createConsentApprovalId(key), {
			at: new Date().toISOString(),
			title,
			opId,
			threadId,
		});
		return { scope: 'content', through, device };
	}

	/** Ends what was agreed to for work on a capability: somebody else than the user has changed these files of the workspace. */
	changedByOthers(paths: readonly string[], folders: readonly WorkspaceFolder[]): void {
		this.#worked.changedByOthers(paths, folders);
	}

	/** Ends all that was agreed to for work: files may have changed of which nobody will hear. */
	endWork(): void {
		this.#worked.end();
	}

	/** Resolves with true when the user agreed to this content for always, in whatever sandbox. */
	async isGiven(subject: Pick<ConsentSubject, 'capability' | 'hash'>): Promise<boolean> {
		return (await this.#inTurn(() => this.#read())).some((key) => key.startsWith(createConsentKey(subject, '')));
	}

	/** Takes back every yes to this content, in whatever sandbox. Resolves with false when there was none. */
	async takeBack(hash: string): Promise<boolean> {
		this.#worked.end();
		return await this.#change((given) => given.filter((key) => !key.startsWith(`${hash}:`)));
	}

	/** Every yes for always that is kept. */
	async all(): Promise<readonly KeptCapabilityConsent[]> {
		return (await this.#inTurn(() => this.#read())).map((key) => {
			const [, hash = '', type = '', name = ''] = /^([^:]*):([^/]*)\/(.*):[^:]*:[^:]*$/.exec(key) ?? [];
			return { id: createConsentApprovalId(key), type, name, hash };
		});
	}

	/** Removes the kept consents of these ids. */
	async remove(ids: readonly string[]): Promise<void> {
		await this.#change((given) => given.filter((key) => !ids.includes(createConsentApprovalId(key))));
	}

	/** No other process brings back what is taken away meanwhile. False when nothing is another than before. */
	async #change(changed: (given: readonly string[]) => readonly string[]): Promise<boolean> {
		const replaceKept = async () => {
			const given = await this.#read();
			const now = changed(given);
			if (now.length !== given.length) {
				await replaceDurably(this.#path, `${JSON.stringify(now, null, '\t')}\n`);
			}
			return now.length !== given.length;
		};
		// No caller's signal applies: the write takes a moment, and is not to be broken off half way.
		return await this.#inTurn(() => withLock(`${this.#path}.db`, replaceKept, new AbortController().signal));
	}

	async #inTurn<T>(work: () => Promise<T>): Promise<T> {
		const mine = this.#turn.then(work);
		this.#turn = mine.catch(() => undefined);
		return await mine;
	}

	async #read(): Promise<string[]> {
		try {
			const kept: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
			return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
		} catch {
			// Not there, or not ours: then everything is asked.
			return [];
		}
	}

	get #path(): string {
		return join(this.#deps.home, 'capability-consents.json');
	}
}

function createAllowDecision(rule: string, reason: string): OpDecision {
	return createDecision({ kind: 'allow', rule, reason }, []);
}

/**
 * Builds the key of a consent. The sandbox is part of what the user agreed to. So are the name, which may be that of
 * the folder only, and the rights: another version of Prowess may read more into the same bytes.
 */
function createConsentKey(
	{ capability, hash }: Pick<ConsentSubject, 'capability' | 'hash'>,
	sandbox: Sandbox | '',
): string {
	const { type, name, level, permissions, allowedTools = [] } = capability.manifest;
	const rights = createHash('sha256')
		.update(JSON.stringify([level, permissions, allowedTools]))
		.digest('hex');
	return `${hash}:${type}/${name}:${rights.slice(0, 16)}:${sandbox}`;
}

function createConsentApprovalId(key: string): string {
	return approvalId('capability', key);
}

/** Quotes a version of unusual characters, which could be the beginning of a sentence. */
function shownVersion(version: string): string {
	return /^[\w.+-]+$/.test(version) ? version : JSON.stringify(version);
}

/** Came with the program that asks, and is run by what came with it: whoever runs that has agreed to it. */
function isOurs({ capability, executor }: ConsentSubject): boolean {
	return capability.source === 'built-in' && executor.folder === undefined;
}
