/**
 * Tools that skills leave to the threads which follow them: from the moment a skill is loaded until the user's next
 * message. The limits outlive the host, and no op, server or page can change them. A sub-agent has no tools beyond
 * those of the threads it works for.
 */
import { toErrorMessage } from '../../../../base/text/message-of.ts';
import { ThreadId } from '../../../../protocol/rpc/ids.ts';
import type { OpName } from '../../../../protocol/op-table/ops.ts';
import { isLeftBySkills, opsLeft, opsOfSkill } from '../../../../protocol/op-table/skill-tools.ts';
import type { SkillTools } from '../../../../protocol/ops/skill-tools-left.ts';
import { text } from '../../../../protocol/text/text.ts';
import { goesOn } from '../../../../protocol/thread/message/user-wishes.ts';
import * as z from '../../../../protocol/text/zod.ts';
import type { LogPort, SettingsPort } from '../../../../contract/ports/ports.ts';
import type { AgentRecords } from '../../access/agent-records.ts';
import { KeptPerThread } from './kept-per-thread.ts';

const ToolsOfThread = z.object({
	id: ThreadId,
	/** Skills that name tools, in the order in which they were loaded. */
	skills: z.array(z.object({ name: z.string(), tools: z.array(z.string()) })),
});
type ToolsOfThread = z.infer<typeof ToolsOfThread>;

interface ThreadToolsDeps {
	readonly home: string;
	readonly settings: Pick<SettingsPort, 'current'>;
	readonly log: Pick<LogPort, 'warn'>;
	/** Absent: there are no sub-agents. */
	readonly agents?: Pick<AgentRecords, 'ancestorsOf'>;
}

export class ThreadTools {
	readonly #deps: ThreadToolsDeps;
	readonly #kept: KeptPerThread<ToolsOfThread>;
	/** Threads of which this host knows what is kept: nobody else changes it while one works here. */
	readonly #known = new Set<ThreadId>();
	/** Removals from the file that are under way. */
	readonly #ending = new Map<ThreadId, Promise<void>>();

	constructor(deps: ThreadToolsDeps) {
		this.#deps = deps;
		this.#kept = new KeptPerThread({
			home: deps.home,
			file: 'thread-tools.json',
			entry: ToolsOfThread,
			consequence: text('agents only read'),
			misfit: 'the tools of this thread cannot be kept',
			log: deps.log,
		});
	}

	/** To be waited for before `of`. Rejects only when the signal aborts. */
	async ready(threadId: ThreadId | null, signal: AbortSignal): Promise<void> {
		const chain = this.#chainOf(threadId);
		await Promise.all(chain.map((id) => this.#ending.get(id) ?? Promise.resolve()));
		if (this.#kept.problem !== undefined || chain.some((id) => !this.#known.has(id))) {
			await this.#kept.refresh(signal);
			for (const id of chain) this.#known.add(id);
		}
	}

	/**
	 * Returns the tools left by the thread's own skills, and by those of each thread that it works for; an empty list
	 * where no skill names tools.
	 */
	of(threadId: ThreadId | null): readonly SkillTools[] {
		const chain = this.#chainOf(threadId);
		if (chain.length > 0 && this.#kept.problem !== undefined) {
			return [{ skills: [], ops: [...opsLeft([], false)] }];
		}
		return chain.flatMap((id) => {
			const { skills = [] } = this.#kept.of(id) ?? {};
			return skills.length === 0 ? [] : [this.#leftBy(skills)];
		});
	}

	/** True when skills leave the thread the right to run capabilities. Rejects only when the signal aborts. */
	async mayRun(threadId: ThreadId | null, signal: AbortSignal): Promise<boolean> {
		await this.ready(threadId, signal);
		return this.of(threadId).every(({ ops }) => ops.includes('capability.start'));
	}

	/**
	 * True when a skill would give the thread back tools that others leave out. Rejects only when the signal aborts.
	 */
	async widens(threadId: ThreadId, tools: readonly string[], signal: AbortSignal): Promise<boolean> {
		await this.ready(threadId, signal);
		const { skills = [] } = this.#kept.of(threadId) ?? {};
		const { ops: left } = this.#leftBy(skills);
		return skills.length > 0 && this.#opsLeft(opsOfSkill(tools)).some((op) => !isLeftBySkills(left, op));
	}

	/** The thread follows a skill that names tools. Answers what is left now. Rejects with INVALID_STATE when it cannot be kept. */
	async add(
		threadId: ThreadId,
		skill: ToolsOfThread['skills'][number],
		signal: AbortSignal,
	): Promise<readonly SkillTools[]> {
		await this.ready(threadId, signal);
		const { skills: before = [] } = this.#kept.of(threadId) ?? {};
		const skills = [...before.filter(({ name }) => name !== skill.name), skill];
		await this.#kept.set({ id: threadId, skills }, signal);
		return this.of(threadId);
	}

	/** The user says something in the thread: its skills end, unless that only steers the turn, or has it go on. */
	said(threadId: ThreadId, text: string, isSteering: boolean): void {
		this.#known.delete(threadId);
		if (isSteering || goesOn(text)) {
			return;
		}
		const before = this.#ending.get(threadId) ?? Promise.resolve();
		const ending = before.then(() => this.#end(threadId));
		this.#ending.set(threadId, ending);
		void ending.then(() => {
			if (this.#ending.get(threadId) === ending) this.#ending.delete(threadId);
		});
	}

	/** For a thread that is gone. Rejects with INVALID_STATE when the file cannot be read. */
	async forget(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		await this.#ending.get(threadId);
		await this.#kept.forget(threadId, signal);
	}

	/** Whatever fails, the tools stay as few as they were. */
	async #end(threadId: ThreadId): Promise<void> {
		const never = new AbortController().signal;
		try {
			await this.#kept.refresh(never);
			if (this.#kept.of(threadId) !== undefined) {
				await this.#kept.forget(threadId, never);
				await this.#kept.refresh(never);
			}
		} catch (error) {
			this.#deps.log.warn('the skills of a thread could not be ended', { threadId, error: toErrorMessage(error) });
		}
	}

	#chainOf(threadId: ThreadId | null): readonly ThreadId[] {
		return threadId === null ? [] : [threadId, ...(this.#deps.agents?.ancestorsOf(threadId) ?? [])];
	}

	#leftBy(skills: ToolsOfThread['skills']): SkillTools {
		return {
			skills: skills.map(({ name }) => name),
			ops: [...this.#opsLeft(skills.flatMap(({ tools }) => opsOfSkill(tools)))],
		};
	}

	#opsLeft(named: readonly OpName[]): readonly OpName[] {
		return opsLeft(named, this.#deps.settings.current['prowess.capabilities.strictTools']);
	}
}
