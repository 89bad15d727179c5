/**
 * Custom agents of the project and of the user, as kinds of sub-agents. Their text is somebody's text: a sub-agent follows it
 * only after the user has agreed to just this content, and has no more rights for it than without.
 */
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { decodeUtf16 } from '../../../base/text/utf16.ts';
import { findNearNames } from '../../../base/text/near-names.ts';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import type { HandOff } from '../../../protocol/agents/agent-view.ts';
import type { ConsentDetail } from '../../../protocol/approvals/consent.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { newId, type ThreadId } from '../../../protocol/rpc/ids.ts';
import { text } from '../../../protocol/text/text.ts';
import * as z from '../../../protocol/text/zod.ts';
import type { HostPorts } from '../../../contract/ports/ports.ts';
import type { AgentTurnOptions } from '../../../protocol/thread/thread-requests.ts';
import type { PersonDesk } from '../../../trust/gate/approvals/desk.ts';
import { SharedQuestions } from '../../../trust/gate/approvals/shared-questions.ts';
import { SharedJson } from '../../../machine/home-files/shared-json.ts';
import { readRegularFile } from '../../../machine/paths/reading/read-regular-file.ts';
import { agentLimits } from '../limits.ts';
import { type AgentFile, agentFiles } from './agent-files.ts';

/** `changed`: it said something else when the user agreed to it. */
type CustomAgentState = 'allowed' | 'changed' | 'not allowed' | 'unusable';

export interface CustomAgent {
	readonly name: string;
	readonly description: string;
	/** Absolute. */
	readonly path: string;
	readonly isOfProject: boolean;
	readonly state: CustomAgentState;
	/** True when the user took back the consent to just this content. */
	readonly isRevoked?: true;
	/** Ops that it may ask for; undefined: all of its parent. */
	readonly ops: readonly string[] | undefined;
	/** Names of models as written, best first. */
	readonly models: readonly string[];
	readonly instructions: string;
	/** Prompts for other custom agents. */
	readonly handOffs: readonly HandOff[];
	/** Options of each of its turns. */
	readonly options?: AgentTurnOptions;
	/** True when it works in a worktree of its own. */
	readonly isIsolated?: boolean;
	/** SHA-256 of the file. */
	readonly hash: string;
	/** In words. */
	readonly problems: readonly string[];
}

const KeptAgentConsent = z.object({ path: z.string().max(4_096), hash: z.string().max(100), at: z.iso.datetime() });
const KeptAgents = z.object({
	agents: z.array(KeptAgentConsent).max(agentLimits.keptConsents),
	/** Contents that the user took the consent to back from, the latest of them. */
	revoked: z.array(KeptAgentConsent).max(agentLimits.keptConsents).optional(),
});
type KeptAgents = z.infer<typeof KeptAgents>;

interface CustomAgentsDeps {
	readonly ports: Pick<HostPorts, 'places' | 'workspace' | 'approvalMode'>;
	readonly desk: Pick<PersonDesk, 'ask'>;
	redact(text: string): string;
	/** Lists the files of enabled plugins; absent: there are none. */
	plugins?(): Promise<readonly AgentFile[]>;
}

/** Thread on whose page the question appears, and the work that waits meanwhile. */
interface CustomAgentAsker {
	readonly threadId: ThreadId | null;
	waitForPerson<T>(reason: string, wait: () => Promise<T>): Promise<T>;
}

export class CustomAgents {
	readonly #deps: CustomAgentsDeps;
	readonly #kept: SharedJson<KeptAgents>;
	readonly #questions = new SharedQuestions<'once' | 'always'>();

	constructor(deps: CustomAgentsDeps) {
		this.#deps = deps;
		this.#kept = new SharedJson({
			path: join(deps.ports.places.home, 'agent-consents.json'),
			schema: KeptAgents,
			empty: { agents: [] },
			consequence: text('custom agents ask for your consent again'),
			misfit: `more than ${agentLimits.keptConsents} custom agents cannot be kept. Revoke some first`,
		});
	}

	/** Lists custom agents from the files at the time of the call. */
	async list(): Promise<readonly CustomAgent[]> {
		const { places, workspace } = this.#deps.ports;
		const kept = await this.#kept.read();
		const ofPlugins = (await this.#deps.plugins?.()) ?? [];
		const files = [...agentFiles(places, workspace), ...ofPlugins];
		const found: CustomAgent[] = [];
		// Bounded, because a folder may hold thousands of files and a process may have few open.
		for (let at = 0; at < files.length; at += agentLimits.readAtOnce) {
			const some = files.slice(at, at + agentLimits.readAtOnce);
			found.push(...(await Promise.all(some.map((file) => this.#look(file, kept)))));
		}
		return namingShadowed(found);
	}

	async #look(
		{ path, isOfProject, name, plugin, leftOut }: AgentFile,
		{ agents, revoked = [] }: KeptAgents,
	): Promise<CustomAgent> {
		const { workspace } = this.#deps.ports;
		const qualifyName = (own: string) => (plugin === undefined ? own : `${plugin}:${own}`);
		const file = { path, isOfProject };
		try {
			if (leftOut !== undefined) throw new Error(leftOut);
			const folder = workspace.folders.find((each) => path.startsWith(each.path + sep));
			const content = await readAgentContent(path, isOfProject ? folder?.path : undefined);
			const hash = createHash('sha256').update(content).digest('hex');
			const agreed = agents.find((each) => each.path === path)?.hash;
			const state = agreed === undefined ? 'not allowed' : agreed === hash ? 'allowed' : 'changed';
			const { readAgentFile } = await import('./read-agent-file.ts');
			const read = readAgentFile(content, basename(path), name);
			const isRevoked = revoked.some((each) => each.path === path && each.hash === hash);
			return { ...file, ...read, name: qualifyName(read.name), state, ...(isRevoked && { isRevoked }), hash };
		} catch (error) {
			const nothing = { description: '', ops: [], models: [], instructions: '', handOffs: [], hash: '' };
			return { ...file, ...nothing, name: qualifyName(name), state: 'unusable', problems: [toErrorMessage(error)] };
		}
	}

	/**
	 * The one of that name, once the user has agreed to what it says now. Rejects with NOT_FOUND, naming those that there are,
	 * and with DENIED_BY_USER, DENIED_BY_RULE or APPROVAL_EXPIRED.
	 */
	async agreed(name: string, asker: CustomAgentAsker, signal: AbortSignal): Promise<CustomAgent> {
		const all = await this.list();
		const found = all.find((agent) => agent.name === name && agent.state !== 'unusable');
		if (found === undefined) {
			const usable = all.filter(({ state }) => state !== 'unusable').map((agent) => agent.name);
			const more = usable.length > agentLimits.namedAgents ? ['…'] : [];
			const near = findNearNames(name, usable);
			const names = [...new Set([...near, ...usable])].slice(0, agentLimits.namedAgents).concat(more);
			const there = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
			const broken = all
				.filter((agent) => agent.name === name)
				.map(({ path, problems }) => `; ${path}: ${problems[0]}`);
			throw new ProwessError('NOT_FOUND', `there is no custom agent "${name}"; ${there}${broken.join('')}`, {
				name,
				said: text('There is no custom agent "{name}". There are: {names}', { name, names: names.join(', ') || '–' }),
			});
		}
		if (found.state === 'allowed' || ['auto', 'full'].includes(this.#deps.ports.approvalMode)) {
			return found;
		}
		if (this.#deps.ports.approvalMode !== 'ask') {
			const reason = text('The custom agent "{name}" needs your consent, and this session cannot ask.', { name });
			throw new ProwessError('DENIED_BY_RULE', `the custom agent "${name}" needs the consent of the user`, { reason });
		}
		const putQuestion = (open: AbortSignal) => this.#put(found, asker.threadId, open);
		const scope = await asker.waitForPerson(`Use the custom agent ${name}`, () =>
			this.#questions.ask(found.hash, asker.threadId, putQuestion, signal),
		);
		if (scope === 'always') {
			await this.#keep(found, signal);
		}
		return found;
	}

	/** Agrees to what that file says now. Rejects with NOT_FOUND for a file that holds no agent. */
	async allow(path: string, signal: AbortSignal): Promise<CustomAgent> {
		const found = (await this.list()).find((agent) => agent.path === path && agent.state !== 'unusable');
		if (found === undefined) {
			throw new ProwessError('NOT_FOUND', `${path}: it is no file of a custom agent that is read here`, { path });
		}
		await this.#keep(found, signal);
		return found;
	}

	/** False when it was not agreed to. */
	async revoke(path: string, signal: AbortSignal): Promise<boolean> {
		let isThere = false;
		await this.#kept.change((before) => {
			const taken = before.agents.filter((each) => each.path === path);
			isThere = taken.length > 0;
			const revoked = [...(before.revoked ?? []).filter((each) => each.path !== path), ...taken];
			return isThere
				? {
						agents: before.agents.filter((each) => each.path !== path),
						revoked: revoked.slice(-agentLimits.keptConsents),
					}
				: before;
		}, signal);
		return isThere;
	}

	async #keep({ path, hash }: CustomAgent, signal: AbortSignal): Promise<void> {
		const entry = { path, hash, at: new Date().toISOString() };
		await this.#kept.change(
			({ agents, revoked = [] }) => ({
				agents: [...agents.filter((each) => each.path !== path), entry],
				revoked: revoked.filter((each) => each.path !== path),
			}),
			signal,
		);
	}

	async #put(agent: CustomAgent, threadId: ThreadId | null, signal: AbortSignal): Promise<'once' | 'always'> {
		const opId = newId('op');
		const answer = await this.#deps.desk.ask(
			threadId,
			() => ({
				opId,
				threadId,
				op: 'agent.spawn',
				title: this.#clean(`Use the custom agent ${agent.name}`),
				risk: 'MONITORED',
				act: 'other',
				warning: null,
				reason: text('You have not allowed this agent yet, or its file has changed since.'),
				detail: this.#detailOf(agent),
				isOnceOffered: true,
				threadScope: null,
				pattern: this.#clean(`the custom agent ${agent.name} until its file changes`),
				isProjectOffered: false,
			}),
			signal,
		);
		if (answer === undefined || answer.kind === 'deny') {
			const words = answer?.kind === 'deny' ? (answer.reason?.trim() ?? '') : '';
			const message = `the user said no to the custom agent "${agent.name}"`;
			throw new ProwessError('DENIED_BY_USER', message, words === '' ? {} : { reason: words });
		}
		return answer.kind === 'always' ? 'always' : 'once';
	}

	#detailOf({ description, ops, path, instructions, problems }: CustomAgent): ConsentDetail {
		const tools =
			ops === undefined ? text('all tools of its parent') : text('the tools {tools}', { tools: ops.join(', ') });
		return {
			kind: 'consent',
			description: this.#clean(description),
			may: [{ permission: null, meaning: tools }],
			mayNot: [
				text('It may do no more than the thread that starts it, and its calls ask as usual.'),
				...problems.map((problem) => text('Not as its author meant it: {problem}', { problem: this.#clean(problem) })),
			],
			notEnforced: [],
			enforced: [],
			maker: [text('It lies in {path}.', { path: this.#clean(path) })],
			level: 'MONITORED',
			levelMeaning: text('a sub-agent follows its instructions'),
			details: [{ label: text('Instructions:'), value: escapeInvisible(this.#deps.redact(instructions), 'lines') }],
		};
	}

	#clean(words: string): string {
		return escapeInvisible(this.#deps.redact(words), 'line');
	}
}

/** Marks each agent whose name an earlier one has: only the first counts. */
function namingShadowed(found: readonly CustomAgent[]): readonly CustomAgent[] {
	const first = new Map<string, string>();
	return found.map((agent) => {
		const taken = first.get(agent.name);
		if (taken === undefined && agent.state !== 'unusable') first.set(agent.name, agent.path);
		const why = `it is not used: ${taken} has the same name and comes first`;
		return taken === undefined ? agent : { ...agent, problems: [...agent.problems, why] };
	});
}

/** `folder`: links do not lead out of it. */
async function readAgentContent(path: string, folder: string | undefined): Promise<string> {
	const real = await realpath(path);
	if (folder !== undefined && !real.startsWith((await realpath(folder)) + sep)) {
		throw new Error('it is a link that leads out of the workspace');
	}
	const bytes = await readRegularFile(real, agentLimits.agentFileBytes);
	return decodeUtf16(bytes) ?? bytes.toString('utf8');
}
