/** Memories in the hands of the user: looked over, added, accepted, forgotten. Each change is the user's own act, in the ledger. */
import type { OpInput, OpResult } from '../../protocol/op-table/ops.ts';
import { memoryRemember } from '../../protocol/ops/definitions/agent/memory.ts';
import { recordUserAct } from '../../trust/record/ledger/user-act.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import { Memories } from './memories.ts';
import type { ProviderEmbeddings } from '../models/provider-embeddings.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { workerUrl } from '../../machine/worker-url.ts';
import type { UserWords } from '../../execution/runs/start/user-words.ts';
import type { Memory } from './memory.ts';
import type { Judgement } from '../../protocol/turn/judgement.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import { inEnglish } from '../../protocol/text/text.ts';

export interface MemoryRegister extends Pick<Memories, 'list' | 'onDidChange' | 'embeddingProblem'> {
	/**
	 * Remembered from now on. Rejects with SECRETS_IN_MEMORY, MEMORY_FULL or INVALID_PARAMS. `folder`: of another project than the
	 * open one.
	 */
	add(memory: OpInput<'memory.remember'>, folder?: string): Promise<OpResult<'memory.remember'>>;
	/** Out of the inbox: from now on it is recalled. Rejects with NOT_FOUND. */
	accept(id: string): Promise<Memory>;
	/** Deletes it, wherever it is. Rejects with NOT_FOUND. */
	forget(id: string): Promise<Memory>;
}

interface MemoryRegisterDeps {
	readonly memories: Memories;
	readonly ledger: Pick<LedgerPort, 'append'>;
	/** Counts that the user has deleted what an agent had kept. */
	readonly overrules: { count(judgement: Judgement, occasion: string): unknown };
}

export function createMemories(
	{ places, workspace, settings, log }: Pick<HostPorts, 'places' | 'workspace' | 'settings' | 'log'>,
	redactor: Redactor,
	words: UserWords,
	embeddings: Pick<ProviderEmbeddings, 'chosenBy'>,
): Memories {
	return new Memories({
		home: places.home,
		workerUrl: workerUrl('../features/memory/worker.ts', 'memory-worker.mjs', places.dist),
		workspace,
		settings,
		log,
		redact: (text) => redactor.redact(text),
		embeddings: embeddings.chosenBy('prowess.memory.embeddings', settings),
		isWantedByUser: (caller, text) => words.wantRemembered(caller, text),
	});
}

const user: Caller = { kind: 'user', threadId: null };

export function memoryRegister({ memories, ledger, overrules }: MemoryRegisterDeps): MemoryRegister {
	return {
		list: (filter) => memories.list(filter),
		onDidChange: memories.onDidChange,
		get embeddingProblem() {
			return memories.embeddingProblem;
		},
		async add(memory, folder) {
			const params = memoryRemember.params.parse(memory);
			memories.check(params, user, folder);
			return recordUserAct(
				ledger,
				{ op: 'memory.remember', input: inEnglish(memoryRemember.title(params)), params },
				({ id }) => `remembered as ${id}`,
				() => memories.note(params, user, folder),
			);
		},
		accept: (id) =>
			recordUserAct(
				ledger,
				{ op: 'memory.accept', input: `Accept the memory ${id}`, params: { id } },
				({ text }) => `accepted: ${text}`,
				() => memories.accept(id),
			),
		forget: (id) =>
			recordUserAct(
				ledger,
				{ op: 'memory.forget', input: `Forget the memory ${id}`, params: { id } },
				({ text }) => `forgotten: ${text}`,
				async () => {
					const memory = await memories.forget(id);
					if (memory.by !== 'user') overrules.count({ kind: 'memory', name: '' }, id);
					return memory;
				},
			),
	};
}
