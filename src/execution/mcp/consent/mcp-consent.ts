/**
 * The user's yes to a server: to its start, bound to its entry and the project's files that it runs, and to its tools, bound to
 * what it said of each when it was first seen. Whatever is another than that is asked anew.
 */
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import { cutText } from '../../../base/text/one-line.ts';
import type { ActKind } from '../../../protocol/ops/act-kind.ts';
import type { ApprovalDetail } from '../../../protocol/approvals/approvals.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { newId, type ThreadId } from '../../../protocol/rpc/ids.ts';
import { type Text, text } from '../../../protocol/text/text.ts';
import { recordUserAct } from '../../../trust/record/ledger/user-act.ts';
import type { ApprovalMode } from '../../../contract/ports/ports.ts';
import { approvalId, type ApprovalOrigins } from '../../../trust/gate/approvals/approval-origins.ts';
import type { PersonDesk } from '../../../trust/gate/approvals/desk.ts';
import { SharedQuestions } from '../../../trust/gate/approvals/shared-questions.ts';
import type { Redactor } from '../../../trust/record/redaction/redactor.ts';
import type { LedgerPort } from '../../../trust/record/ledger/ledger.ts';
import { formatServerAddress, type McpServer } from '../server.ts';
import { toPinnedTools, type ToolChanges } from '../tools.ts';
import { type KeptMcpConsent, KeptConsents, type PinnedTools } from './kept-consents.ts';
import { signInDetail } from './sign-in-detail.ts';
import { startDetail, type StartSubject } from './start-detail.ts';
import { toolsDetail } from './tools-detail.ts';

interface McpConsentDeps {
	readonly home: string;
	readonly desk: Pick<PersonDesk, 'ask'>;
	readonly origins: Pick<ApprovalOrigins, 'note'>;
	readonly ledger: Pick<LedgerPort, 'append'>;
	/** A command line may hold a key: neither a page nor a file of ours gets it. */
	readonly redactor: Pick<Redactor, 'redact' | 'redactDeep'>;
	readonly approvalMode: ApprovalMode;
}

/** Party that a question is asked for: the thread that is shown it, and the work that waits meanwhile. */
export interface McpAsker {
	readonly threadId: ThreadId | null;
	waitForPerson<T>(reason: string, wait: () => Promise<T>): Promise<T>;
}

interface McpConsentQuestion {
	readonly server: McpServer;
	readonly hash: string;
	readonly title: string;
	readonly reason: Text;
	readonly detail: ApprovalDetail;
	readonly act: ActKind;
	/** True when a yes may hold until further notice. */
	readonly isLasting: boolean;
}

/** Reach of a yes: until the server ends, or until further notice. */
type Scope = 'once' | 'always';

/** A consent that is kept, for who looks them over. */
interface McpApproval {
	readonly id: string;
	readonly server: string;
	readonly address: string;
	readonly hash: string;
}

export class McpConsent {
	readonly #deps: McpConsentDeps;
	readonly #kept: KeptConsents;
	readonly #questions = new SharedQuestions<Scope>();
	/** Launches that were agreed to until their server ends, with the tools that were seen then. */
	readonly #once = new Map<string, PinnedTools | null>();
	/** Changes that the user has refused, as hash and pins. */
	readonly #refused = new Set<string>();

	constructor(deps: McpConsentDeps) {
		this.#deps = deps;
		this.#kept = new KeptConsents(deps.home);
	}

	async isGiven(hash: string): Promise<boolean> {
		return this.#once.has(hash) || (await this.#kept.find(hash)) !== undefined;
	}

	/** Resolves when it may start. Rejects with DENIED_BY_USER, DENIED_BY_RULE or APPROVAL_EXPIRED. */
	async askStart(subject: StartSubject, asker: McpAsker, signal: AbortSignal): Promise<void> {
		const { server, identity } = subject;
		if (await this.isGiven(identity.hash)) {
			return;
		}
		const { name, launch } = server;
		const scope = await this.#ask(
			{
				server,
				hash: identity.hash,
				title: `Start the MCP server ${name}`,
				reason: text('You have not allowed this server yet, or its entry or files have changed since.'),
				detail: startDetail(subject),
				act: launch.kind === 'stdio' ? 'runs' : 'connects',
				isLasting: true,
			},
			asker,
			signal,
		);
		await this.#give(server, identity.hash, scope, signal);
	}

	/** Gives the consent as the user's own act, without a question. */
	async allow(server: McpServer, hash: string, scope: Scope, signal: AbortSignal): Promise<void> {
		if (!(await this.isGiven(hash))) {
			await this.#give(server, hash, scope, signal);
		}
	}

	/** Null: none has been seen. Undefined: the launch is not agreed to. */
	async pinned(hash: string): Promise<PinnedTools | null | undefined> {
		const once = this.#once.get(hash);
		return once !== undefined ? once : (await this.#kept.find(hash))?.tools;
	}

	/** The first tools that are seen are those that the user agreed to with the server. */
	async pin(hash: string, tools: PinnedTools, signal: AbortSignal): Promise<void> {
		if (this.#once.has(hash)) {
			this.#once.set(hash, tools);
		} else {
			await this.#kept.pin(hash, tools, signal);
		}
	}

	/**
	 * Resolves with true when the user agrees to tools that are new or whose description has changed. After a no, the
	 * same change is not asked about again while the host runs.
	 */
	async agreesToTools(
		server: McpServer,
		hash: string,
		{ added, changed }: ToolChanges,
		asker: McpAsker,
		signal: AbortSignal,
	): Promise<boolean> {
		const key = JSON.stringify([hash, toPinnedTools([...added, ...changed])]);
		if (this.#refused.has(key)) {
			return false;
		}
		try {
			await this.#ask(
				{
					server,
					hash: key,
					title: `Use the changed tools of the MCP server ${server.name}`,
					reason: text('This server’s descriptions of its tools changed since you allowed it.'),
					detail: toolsDetail(server.name, { added, changed }),
					act: 'callsTool',
					isLasting: true,
				},
				asker,
				signal,
			);
			return true;
		} catch (error) {
			if (!isProwessError(error) || error.code !== 'DENIED_BY_USER') {
				throw error;
			}
			this.#refused.add(key);
			return false;
		}
	}

	/** Resolves with the user's yes to a page on which they sign in at a server. Rejects as for its start. */
	async askSignIn(server: McpServer, page: URL, asker: McpAsker, signal: AbortSignal): Promise<void> {
		const asked: McpConsentQuestion = {
			server,
			hash: JSON.stringify(['sign-in', server.name, page.origin]),
			title: `Sign in at the MCP server ${server.name}`,
			reason: text('The server answers only those who are signed in.'),
			detail: signInDetail(server, page),
			act: 'connects',
			isLasting: false,
		};
		await this.#ask(asked, asker, signal);
	}

	/** Drops the consent that held until the server ends; called at its end. */
	forgetOnce(hash: string): void {
		this.#once.delete(hash);
	}

	async all(): Promise<readonly McpApproval[]> {
		return (await this.#kept.all()).map(({ hash, server, address }) => ({
			id: createMcpApprovalId(hash),
			server,
			address,
			hash,
		}));
	}

	/** Removes the kept consents that have these ids. */
	async remove(ids: readonly string[], signal: AbortSignal): Promise<void> {
		const kept = await this.#kept.all();
		await this.#kept.remove(
			kept.filter(({ hash }) => ids.includes(createMcpApprovalId(hash))).map(({ hash }) => hash),
			signal,
		);
	}

	async #ask(asked: McpConsentQuestion, asker: McpAsker, signal: AbortSignal): Promise<Scope> {
		const { name } = asked.server;
		const isStart = asked.isLasting && asked.act !== 'callsTool';
		if (this.#deps.approvalMode !== 'ask') {
			const reason = text('The MCP server "{name}" needs your consent, and this session cannot ask.', { name });
			throw new ProwessError(
				'DENIED_BY_RULE',
				`the MCP server ${name} needs the consent of the user, and nobody can be asked here`,
				{
					server: name,
					reason,
					unattended: { automatic: 'never', ...(isStart ? { mcpServer: name } : {}) },
				},
			);
		}
		return await asker.waitForPerson(asked.title, () =>
			this.#questions.ask(asked.hash, asker.threadId, (open) => this.#put(asked, asker.threadId, open), signal),
		);
	}

	async #put(
		{ server, title, reason, detail, act, isLasting }: McpConsentQuestion,
		threadId: ThreadId | null,
		signal: AbortSignal,
	): Promise<Scope> {
		const opId = newId('op');
		const answer = await this.#deps.desk.ask(
			threadId,
			() => ({
				opId,
				threadId,
				op: 'mcp.tools',
				title: escapeInvisible(title, 'line'),
				risk: 'RESTRICTED',
				act,
				warning: null,
				reason,
				detail: this.#deps.redactor.redactDeep(detail) as ApprovalDetail,
				isOnceOffered: true,
				threadScope: null,
				pattern: isLasting ? `the MCP server ${server.name} until its entry or its tools change` : null,
				isProjectOffered: false,
			}),
			signal,
		);
		if (answer === undefined || answer.kind === 'deny') {
			const words = answer?.kind === 'deny' ? (answer.reason?.trim() ?? '') : '';
			const message = `the user said no to the MCP server ${server.name}`;
			throw new ProwessError('DENIED_BY_USER', message, words === '' ? {} : { reason: words });
		}
		return answer.kind === 'always' ? 'always' : 'once';
	}

	async #give(server: McpServer, hash: string, scope: Scope, signal: AbortSignal): Promise<void> {
		const { name } = server;
		const address = cutText(this.#deps.redactor.redact(formatServerAddress(server)), 1_000);
		const how = scope === 'once' ? 'until it ends' : 'until its entry changes';
		const act = {
			op: 'mcp.allow',
			input: `Start the MCP server ${name} ${how}: ${address}`,
			params: { name, hash, scope },
		} as const;
		await recordUserAct(
			this.#deps.ledger,
			act,
			() => `allowed ${how}`,
			async () => {
				if (scope === 'once') {
					this.#once.set(hash, null);
					return;
				}
				const at = new Date().toISOString();
				await this.#kept.put({ hash, server: name, address, at, tools: null } satisfies KeptMcpConsent, signal);
				const title = `Start the MCP server ${name}`;
				await this.#deps.origins.note(createMcpApprovalId(hash), { at, title, opId: newId('op'), threadId: null });
			},
		);
	}
}

function createMcpApprovalId(hash: string): string {
	return approvalId('mcp', hash);
}
