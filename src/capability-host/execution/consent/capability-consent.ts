/**
 * The person's yes to a capability: what it wants to do, and what nothing here keeps it from doing. A yes for always is kept
 * for that content; any other byte in it is another capability, which is asked anew.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProwessError } from '../../../protocol/errors.ts';
import { newId, type ThreadId } from '../../../protocol/ids.ts';
import type { ContextWish } from '../../../protocol/manifest.ts';
import { LLM_SERVICE } from '../../../protocol/ops/llm.ts';
import { PERMISSIONS, type Permission } from '../../../protocol/risk.ts';
import { text } from '../../../protocol/text.ts';
import type { PersonDesk } from '../../gate/approvals/desk.ts';
import { type Decision, ruled } from '../../contract/decision.ts';
import { escapeInvisible } from '../../../base/escape-invisible.ts';
import { SharedQuestions } from '../../gate/approvals/shared-questions.ts';
import { replaceDurably } from '../../machine/home-files/durable-file.ts';
import { withLock } from '../../machine/home-files/file-lock.ts';
import { allowedToolsInWords } from '../../gate/policy/allowed-tools-in-words.ts';
import { LEVEL_PERMISSIONS } from '../../gate/policy/execution-permissions.ts';
import { LEVELS } from '../../gate/policy/levels.ts';
import type { ApprovalMode } from '../../contract/ports.ts';
import { type Executor, PORT_IN_WORDS } from '../../catalog/executors.ts';
import type { Sandbox } from '../../machine/sandbox/sandbox.ts';
import type { StartOptions } from '../start-options.ts';
import type { Capability } from '../../catalog/registry/capability-source.ts';

interface ConsentDeps {
	readonly home: string;
	readonly desk: PersonDesk;
	readonly approvalMode: ApprovalMode;
}

/** What somebody is to agree to. */
export interface ConsentSubject {
	readonly capability: Capability;
	readonly executor: Executor;
	/** Of the content of the capability, and of an executor that is not ours. */
	readonly hash: string;
	readonly sandbox: Sandbox;
	/** Whether code of the capability runs; else its instructions are carried out, and a sandbox keeps nothing of it in. */
	readonly runsOwnCode: boolean;
}

export interface Consent {
	readonly permissions: readonly Permission[];
	readonly decision: Decision;
	/** Whether a person has read what it asks for; else it came with Prowess, or nobody was asked. */
	readonly isByPerson: boolean;
}

type Asker = Pick<StartOptions, 'caller' | 'onWaiting'>;

interface AskedFor {
	/** In words. */
	readonly what: string;
	/** Under which a yes for always is kept. */
	readonly key: string;
	readonly threadId: ThreadId | null;
	/** Whether it is to run now; a yes to that alone is then offered. */
	readonly isStart: boolean;
}

export class CapabilityConsent {
	readonly #deps: ConsentDeps;
	readonly #questions = new SharedQuestions<'once' | 'content'>();
	/** Reads and writes of the file, one after the other. */
	#turn: Promise<unknown> = Promise.resolve();

	constructor(deps: ConsentDeps) {
		this.#deps = deps;
	}

	/** For one start, or for always. Rejects with DENIED_BY_USER, DENIED_BY_RULE or APPROVAL_EXPIRED. */
	ask(subject: ConsentSubject, asker: Asker, signal: AbortSignal): Promise<Consent> {
		return this.#ask(subject, asker, true, signal);
	}

	/** Only for always: nothing is started. Rejects as `ask` does. */
	askBeforehand(subject: ConsentSubject, asker: Asker, signal: AbortSignal): Promise<Consent> {
		return this.#ask(subject, asker, false, signal);
	}

	async #ask(
		subject: ConsentSubject,
		{ caller: { threadId }, onWaiting = () => {} }: Asker,
		isStart: boolean,
		signal: AbortSignal,
	): Promise<Consent> {
		const { capability, hash, sandbox } = subject;
		const { permissions, level, name, type, version } = capability.manifest;
		const [shadowed] = capability.shadows;
		const what = `${type} ${name} ${shownVersion(version)}${shadowed === undefined ? '' : `, in place of the ${shadowed.source} one`}`;
		const key = keyOf(subject, sandbox);
		if ((await this.#inTurn(() => this.#read())).includes(key)) {
			const decision = allowed('consent', `the user has agreed to ${what}, content ${hash}`);
			return { permissions, decision, isByPerson: true };
		}
		const isOpen = subject.runsOwnCode && sandbox !== 'bwrap';
		const needsPerson = !LEVELS[level].automatic || (LEVELS[level].sandbox === 'required' && isOpen);
		if (isOurs(subject) && !needsPerson) {
			const decision = allowed('built-in', `${what} came with Prowess, content ${hash}`);
			return { permissions, decision, isByPerson: false };
		}
		const { approvalMode } = this.#deps;
		const isAutomatic = approvalMode === 'full' ? LEVELS[level].automatic : approvalMode === 'auto' && !needsPerson;
		if (isAutomatic) {
			const decision = allowed(approvalMode, `${what}, content ${hash}; this host was started so`);
			return { permissions, decision, isByPerson: false };
		}
		if (approvalMode !== 'ask') {
			const reason = text('{what} needs your consent, and this session cannot ask.', { what });
			throw new ProwessError('DENIED_BY_RULE', `${what} needs the consent of the user, and nobody can be asked here`, {
				hash,
				reason,
				unattended: { automatic: !LEVELS[level].automatic ? 'never' : needsPerson ? 'full' : 'auto' },
			});
		}
		onWaiting(true);
		try {
			// Whoever starts the same content meanwhile gets the same answer.
			const shared = isStart ? `start ${key}` : `trust ${key}`;
			const put = (open: AbortSignal) => this.#put(subject, { what, key, threadId, isStart }, open);
			const scope = await this.#questions.ask(shared, threadId, put, signal);
			const asked = ruled({ kind: 'ask', rule: 'consent', reason: `${what}, content ${hash}` }, []);
			const decision: Decision = { ...asked, by: { kind: 'person', said: 'yes', scope: { kind: scope } } };
			return { permissions, decision, isByPerson: true };
		} finally {
			onWaiting(false);
		}
	}

	/** The yes; one for always is kept when it resolves. */
	async #put(
		subject: ConsentSubject,
		{ what, key, threadId, isStart }: AskedFor,
		signal: AbortSignal,
	): Promise<'once' | 'content'> {
		const { level, name, type, version } = subject.capability.manifest;
		const answer = await this.#deps.desk.ask(
			threadId,
			() => ({
				opId: newId('op'),
				threadId,
				op: 'capability.start',
				title: escapeInvisible(`${isStart ? 'Run' : 'Trust'} the ${what}`, 'line'),
				risk: level,
				reason: isOurs(subject)
					? text('It came with Prowess, and {level} always needs your consent.', { level })
					: text('It did not come with Prowess, and you have not approved this version yet.'),
				detail: { kind: 'text', text: detailOf(subject) },
				isOnceOffered: isStart,
				threadScope: null,
				pattern: escapeInvisible(`the ${type} ${name} ${shownVersion(version)} until its files change`, 'line'),
				// It is bound to the content, wherever that lies.
				isProjectOffered: false,
			}),
			signal,
		);
		if (answer === undefined || answer.kind === 'deny') {
			const words = answer?.kind === 'deny' ? (answer.reason?.trim() ?? '') : '';
			throw new ProwessError('DENIED_BY_USER', `the user said no to ${what}`, words === '' ? {} : { reason: words });
		}
		if (answer.kind !== 'always') {
			return 'once';
		}
		await this.#change((given) => [...given, key]);
		return 'content';
	}

	/** Whether this content was agreed to for always, whatever kept it in. */
	async isGiven(subject: Pick<ConsentSubject, 'capability' | 'hash'>): Promise<boolean> {
		return (await this.#inTurn(() => this.#read())).some((key) => key.startsWith(keyOf(subject, '')));
	}

	/** Of this content, whatever kept it in. False when nothing was agreed to. */
	async takeBack(hash: string): Promise<boolean> {
		return await this.#change((given) => given.filter((key) => !key.startsWith(`${hash}:`)));
	}

	/** No other process brings back what is taken away meanwhile. False when nothing is another than before. */
	async #change(changed: (given: readonly string[]) => readonly string[]): Promise<boolean> {
		const work = async () => {
			const given = await this.#read();
			const now = changed(given);
			if (now.length !== given.length) {
				await replaceDurably(this.#path, `${JSON.stringify(now, null, '\t')}\n`);
			}
			return now.length !== given.length;
		};
		// It takes a moment, and is not to be broken off half way.
		return await this.#inTurn(() => withLock(`${this.#path}.db`, work, new AbortController().signal));
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

function allowed(rule: string, reason: string): Decision {
	return ruled({ kind: 'allow', rule, reason }, []);
}

/**
 * What keeps it in is part of what was agreed to, and so is its name, which may be that of its folder only, and what it may:
 * another version of Prowess may read more into the same bytes.
 */
function keyOf({ capability, hash }: Pick<ConsentSubject, 'capability' | 'hash'>, sandbox: Sandbox | ''): string {
	const { type, name, level, permissions, allowedTools = [] } = capability.manifest;
	const rights = createHash('sha256')
		.update(JSON.stringify([level, permissions, allowedTools]))
		.digest('hex');
	return `${hash}:${type}/${name}:${rights.slice(0, 16)}:${sandbox}`;
}

/** What is none of the usual is quoted: it could be the beginning of a sentence. */
function shownVersion(version: string): string {
	return /^[\w.+-]+$/.test(version) ? version : JSON.stringify(version);
}

/** Came with the program that asks, and is run by what came with it: whoever runs that has agreed to it. */
function isOurs({ capability, executor }: ConsentSubject): boolean {
	return capability.source === 'built-in' && executor.folder === undefined;
}

/** Lists permissions and what is not enforced, each in a line of its own, so that no text of the capability can pass for one. */
function detailOf({ capability, executor, hash, sandbox, runsOwnCode }: ConsentSubject): string {
	const { manifest, path, source, shadows } = capability;
	const { description, permissions, level, context, provides, allowedTools = [] } = manifest;
	const beyond = permissions.filter((each) => !LEVEL_PERMISSIONS[level].includes(each));
	const given = permissions.filter((each) => !beyond.includes(each));
	const says = description.trim().replaceAll(/\s+/g, ' ');
	return [
		says === '' ? '' : `Description: ${says}`,
		`Permissions: ${permissionsInWords(given)}`,
		...allowedToolsInWords(allowedTools),
		...(beyond.length === 0 ? [] : [`Not granted, because its level is too low: ${beyond.join(', ')}`]),
		received[context],
		...(provides.includes(LLM_SERVICE)
			? [
					'Can answer other capabilities in a model’s place if you select it: it receives their messages and acts with its own permissions',
				]
			: []),
		...(executor.channel === 'loopback' ? [`Channel: ${PORT_IN_WORDS}`] : []),
		runsOwnCode ? notEnforced[sandbox] : CARRIED_OUT,
		...(given.includes('shell') ? [commandsInWords(given, sandbox)] : []),
		`Level: ${level}`,
		...shadows.map((each) => `Overrides the ${each.source} one in ${each.path}`),
		...(executor.folder === undefined ? [] : [`Runs in a third-party executor: ${executor.folder}`]),
		`Folder: ${path} (${source})`,
		`Content: sha256 ${hash}`,
	]
		.filter((line) => line !== '')
		.map((line) => escapeInvisible(line, 'line'))
		.join('\n');
}

function permissionsInWords(given: readonly Permission[]): string {
	if (given.length === 0) return 'none';
	return given.length === PERMISSIONS.length
		? 'everything the agent may ask for; each op needs approval as for the agent'
		: given.join(', ');
}

/** Its commands are not in the sandbox of its own process, but in that of all commands. */
function commandsInWords(given: readonly Permission[], sandbox: Sandbox): string {
	const changes = given.includes('workspace.write') ? 'only the workspace' : 'nothing';
	return sandbox === 'bwrap'
		? `Its commands: sandboxed apart from it; they change ${changes}, see neither your home nor secret files, and need your approval for each host or path beyond`
		: 'Its commands: NOT sandboxed on this machine; each needs approval as for the agent';
}

const received: { readonly [C in ContextWish]: string } = {
	full: 'Receives: the newest messages of the thread, without secrets',
	last: 'Receives: the last message of the thread, without secrets',
	none: 'Receives: nothing of the thread',
};

const CARRIED_OUT =
	'Runs no code of its own: a model carries out its instructions, and its ops are judged like those of the agent';

const notEnforced: { readonly [S in Sandbox]: string } = {
	bwrap: 'Sandboxed: its own process has no network, no other files and no other processes',
	permission:
		'NOT sandboxed on this machine: it can use the network and signal your other processes. Only Node’s flags keep it from your files',
	none: 'NOT sandboxed on this machine: it can use the network, your files and your processes, like any program you run',
};
