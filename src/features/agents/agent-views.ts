/** Sub-agents as they stand: what is kept of each, with what their turns do now. */
import type { AgentView } from '../../protocol/agents/agent-view.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { AgentRecord, AgentRecords } from '../../trust/gate/access/agent-records.ts';
import type { AgentWatch } from './agent-watch.ts';
import { agentLimits } from './limits.ts';

type OfAgent = AgentRecord & { readonly parent: ThreadId };

/** Else it is a thread of the user that follows a custom agent. */
export function isOfAgent(record: AgentRecord): record is OfAgent {
	return record.parent !== undefined;
}

export class AgentViews {
	readonly #records: AgentRecords;
	readonly #watch: AgentWatch;

	constructor({ records, watch }: { readonly records: AgentRecords; readonly watch: AgentWatch }) {
		this.#records = records;
		this.#watch = watch;
	}

	/** Returns the sub-agents of a thread, and their sub-agents, oldest first. */
	async of(threadId: ThreadId): Promise<AgentView[]> {
		return (await this.all()).filter(({ id }) => this.#records.ancestorsOf(id).includes(threadId));
	}

	/** Returns the sub-agents of all threads of this home, oldest first. */
	async all(): Promise<AgentView[]> {
		await this.#watch.settled();
		await this.#records.refresh(new AbortController().signal);
		const found = [...(await this.#records.all())].sort((one, other) => one.createdAt.localeCompare(other.createdAt));
		return found.flatMap((record) => (isOfAgent(record) ? [this.view(record)] : []));
	}

	/** Returns a sub-agent in the state of its turns; a sub-agent that never began counts as ended. */
	view(record: OfAgent): AgentView {
		const activity = this.#watch.activityOf(record.id);
		const { ops: _ops, level: _level, ...kept } = record;
		const isLost =
			record.state === 'created' &&
			!activity.isRunning &&
			Date.now() - Date.parse(record.createdAt) > agentLimits.beginMs;
		return {
			...kept,
			...activity.used,
			...(isLost ? { state: 'terminated', outcome: 'interrupted' } : {}),
			...(activity.isRunning && record.state !== 'terminated' ? { state: 'running' } : {}),
			...(activity.doing === undefined ? {} : { doing: activity.doing }),
			...(activity.isWaiting ? { isWaiting: true } : {}),
			level: Math.max(1, this.#records.ancestorsOf(record.id).length),
		};
	}
}
