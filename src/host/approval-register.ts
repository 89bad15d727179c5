/** Everything that the user has allowed until further notice: gathered from where each is kept, and revoked there. */
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { toErrorMessage } from '../base/text/message-of.ts';
import { isWiderLevel, LEVEL_WORDS, type PermissionLevel } from '../protocol/ops/permission-level.ts';
import { inEnglish, type Text, text } from '../protocol/text/text.ts';
import { recordUserAct } from '../trust/record/ledger/user-act.ts';
import type { KeptApproval, KeptApprovalList, KeptApprovals, KeptIn } from '../contract/approvals.ts';
import type { SettingsPort } from '../contract/ports/ports.ts';
import type { CapabilityConsent } from '../execution/runs/consent/capability-consent.ts';
import { approvalId, type ApprovalOrigins } from '../trust/gate/approvals/approval-origins.ts';
import type { ProjectRules } from '../trust/gate/policy/rules/project-rules.ts';
import { ruleInWords } from '../trust/gate/policy/rules/rule-in-words.ts';
import type { McpConsent } from '../execution/mcp/consent/mcp-consent.ts';
import type { ThreadLevels } from '../trust/gate/policy/levels/thread-levels.ts';
import type { ThreadGrant, ThreadGrants } from '../trust/gate/policy/levels/thread-grants.ts';
import { CONSENTS_FILE } from '../execution/mcp/consent/kept-consents.ts';
import { watchFiles } from '../machine/home-files/watch-files.ts';
import type { SecretVault } from '../machine/secrets/secret-vault.ts';
import type { LedgerPort } from '../trust/record/ledger/ledger.ts';

interface ApprovalRegisterDeps {
	readonly home: string;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly settings: SettingsPort;
	readonly grants: ThreadGrants;
	readonly projectRules: ProjectRules;
	readonly levels: ThreadLevels;
	readonly consent: CapabilityConsent;
	readonly mcpConsent: McpConsent;
	readonly origins: ApprovalOrigins;
	readonly secrets: Pick<SecretVault, 'names'>;
}

/** Files in the home that other processes change, too. */
const WATCHED = ['project-rules.json', 'capability-consents.json', 'thread-levels.json', CONSENTS_FILE];

/** Characters of a content's hash that are shown. */
const SHOWN_HASH = 12;

export class ApprovalRegister implements KeptApprovals, Disposable {
	readonly #deps: ApprovalRegisterDeps;
	readonly #store = new DisposableStore();
	readonly #changed = this.#store.add(new Emitter<void>());
	#isWatching = false;

	constructor(deps: ApprovalRegisterDeps) {
		this.#deps = deps;
		this.#store.add(deps.grants.onDidChange(() => this.#changed.fire()));
		this.#store.add(
			deps.settings.onDidChange(() => {
				// The settings have the rule by now: revoked there, in whichever window, it is to count nowhere.
				for (const rule of deps.settings.current['prowess.approvals.allow']) {
					deps.grants.forgetRule(rule.trim());
				}
				this.#changed.fire();
			}),
		);
	}

	onDidChange(listener: () => void): Disposable {
		if (!this.#isWatching) {
			this.#isWatching = true;
			this.#store.add(watchFiles(this.#deps.home, WATCHED, () => this.#changed.fire()));
		}
		return this.#changed.event(listener);
	}

	async list(signal: AbortSignal): Promise<KeptApprovalList> {
		const { settings, grants, projectRules, levels, consent, mcpConsent, origins, secrets } = this.#deps;
		const problems: string[] = [];
		const noteUnreadable = (error: unknown): readonly never[] => {
			problems.push(toErrorMessage(error));
			return [];
		};
		const [known, consents, servers, names, ofProjects, ofThreads] = await Promise.all([
			origins.read(),
			consent.all(),
			mcpConsent.all().catch(noteUnreadable),
			secrets.names(),
			projectRules.all().catch(noteUnreadable),
			levels.all().catch(noteUnreadable),
		]);
		signal.throwIfAborted();
		const createApproval = (
			id: string,
			place: KeptIn,
			what: KeptApproval['what'],
			exact: string | null,
		): KeptApproval => ({
			id,
			in: place,
			what,
			exact,
			origin: known.get(id) ?? null,
		});
		const approvals = [
			...ofThreads
				.filter(({ level }) => isWiderLevel(level, settings.current['prowess.approvals.level']))
				.map(({ id, level }) =>
					createApproval(approvalId('level', id, level), { kind: 'level', threadId: id }, levelInWords(level), null),
				),
			...grants.list().map(grantApproval),
			...ofProjects.map(({ id, rule, folders, isOpen }) =>
				createApproval(id, { kind: 'project', folders, isOpen }, ruleInWords(rule), rule),
			),
			...listUniqueEntries(settings.current['prowess.approvals.allow']).map((rule) =>
				createApproval(approvalId('everywhere', rule), { kind: 'everywhere' }, ruleInWords(rule), rule),
			),
			...consents.map(({ id, type, name, hash }) =>
				createApproval(
					id,
					{ kind: 'capability' },
					text('Run the {type} {name} until its files change', { type, name }),
					`sha256 ${hash.slice(0, SHOWN_HASH)}`,
				),
			),
			...servers.map(({ id, server, address, hash }) =>
				createApproval(
					id,
					{ kind: 'mcp' },
					text('Start the MCP server {server}: {address}', { server, address }),
					`sha256 ${hash.slice(0, SHOWN_HASH)}`,
				),
			),
			...listUniqueEntries(settings.current['prowess.http.allowHosts']).map((host) =>
				createApproval(
					approvalId('host', host),
					{ kind: 'host' },
					text('Ask for requests to {host}, on this machine or its network', { host }),
					host,
				),
			),
		];
		return { approvals, secrets: names, problems };
	}

	async revoke(id: string, signal: AbortSignal): Promise<KeptApproval | undefined> {
		const { approvals } = await this.list(signal);
		const found = approvals.find((approval) => approval.id === id);
		if (found !== undefined) {
			const input = `no longer allow: ${inEnglish(found.what)} (${placeInWords(found.in)})`;
			await this.#recorded('approval.revoke', input, [found], signal);
		}
		return found;
	}

	async reset(signal: AbortSignal): Promise<readonly KeptApproval[]> {
		const { approvals } = await this.list(signal);
		if (approvals.length > 0) {
			await this.#recorded('approval.reset', 'no longer allow anything that was allowed', approvals, signal);
		}
		return approvals;
	}

	dispose(): void {
		this.#store.dispose();
	}

	async #recorded(
		op: 'approval.revoke' | 'approval.reset',
		input: string,
		revoked: readonly KeptApproval[],
		signal: AbortSignal,
	): Promise<void> {
		const params = revoked.map((approval) => ({ id: approval.id, in: approval.in.kind, exact: approval.exact }));
		const describeRevoked = () => `revoked: ${revoked.map(({ what }) => inEnglish(what)).join('; ')}`;
		await recordUserAct(this.#deps.ledger, { op, input, params }, describeRevoked, () => this.#take(revoked, signal));
	}

	async #take(revoked: readonly KeptApproval[], signal: AbortSignal): Promise<void> {
		const { settings, grants, projectRules, levels, consent, mcpConsent, origins } = this.#deps;
		const filterByKind = (kind: KeptIn['kind']) => revoked.filter((approval) => approval.in.kind === kind);
		const listExactRules = (kind: KeptIn['kind']) => filterByKind(kind).flatMap((approval) => approval.exact ?? []);
		const listApprovalIds = (kind: KeptIn['kind']) => filterByKind(kind).map(({ id }) => id);
		for (const id of listApprovalIds('thread')) {
			grants.revoke(id);
		}
		for (const { in: place } of filterByKind('level')) {
			if (place.kind === 'level') {
				await levels.set(place.threadId, settings.current['prowess.approvals.level'], signal);
			}
		}
		// No thread goes on with what was saved in it.
		for (const rule of [...listExactRules('project'), ...listExactRules('everywhere')]) {
			grants.forgetRule(rule);
		}
		if (listApprovalIds('project').length > 0) {
			await projectRules.remove(listApprovalIds('project'), signal);
		}
		if (listExactRules('everywhere').length > 0) {
			await settings.removeAllowed('prowess.approvals.allow', listExactRules('everywhere'));
		}
		if (listExactRules('host').length > 0) {
			await settings.removeAllowed('prowess.http.allowHosts', listExactRules('host'));
		}
		if (listApprovalIds('capability').length > 0) {
			await consent.remove(listApprovalIds('capability'));
		}
		if (listApprovalIds('mcp').length > 0) {
			await mcpConsent.remove(listApprovalIds('mcp'), signal);
		}
		await origins.forget(revoked.map(({ id }) => id));
		this.#changed.fire();
	}
}

function grantApproval({ id, threadId, covers, origin }: ThreadGrant): KeptApproval {
	const place: KeptIn = { kind: 'thread', threadId };
	switch (covers.kind) {
		case 'fileChanges':
			return {
				id,
				in: place,
				what: text('Change files in this workspace, except protected and secret files'),
				exact: null,
				origin,
			};
		case 'turn':
			return {
				id,
				in: place,
				what: text('Change files and run sandboxed commands, as at the level Auto, until the turn ends'),
				exact: null,
				origin,
			};
		case 'rule':
			return { id, in: place, what: ruleInWords(covers.rule), exact: covers.rule, origin };
		case 'flow': {
			const { texts, receivers } = covers;
			return {
				id,
				in: place,
				what: text('Send to {receivers} after {texts}', { receivers, texts }),
				exact: null,
				origin,
			};
		}
		case 'exact':
			return {
				id,
				in: place,
				what: text('{title}: exactly this', { title: origin?.title ?? '' }),
				exact: null,
				origin,
			};
	}
}

function levelInWords(level: PermissionLevel): Text {
	const { name, sentence } = LEVEL_WORDS[level];
	return text('Work at the permission level {name}: {sentence}', { name, sentence });
}

function listUniqueEntries(list: readonly string[]): readonly string[] {
	return [...new Set(list.map((entry) => entry.trim()))];
}

/** For the ledger. */
function placeInWords(place: KeptIn): string {
	switch (place.kind) {
		case 'thread':
		case 'level':
			return `in the thread ${place.threadId}`;
		case 'project':
			return place.isOpen ? 'in this project' : `in the project ${place.folders.join(', ')}`;
		case 'everywhere':
			return 'in all projects';
		case 'capability':
			return 'as a trusted capability';
		case 'mcp':
			return 'as an MCP server';
		case 'host':
			return 'in prowess.http.allowHosts';
	}
}
