/** The code index in the hands of the user. A search is an op like any other; each change of the index is in the ledger. */
import { newId } from '../../protocol/rpc/ids.ts';
import type { OpInput, OpResult } from '../../protocol/op-table/ops.ts';
import { searchCode } from '../../protocol/ops/definitions/files/search-code.ts';
import { recordUserAct } from '../../trust/record/ledger/user-act.ts';
import { CodeIndex } from './code-index.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { type PerformOp, requireOpResult } from '../../contract/ops/perform-op.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import type { ProviderEmbeddings } from '../models/provider-embeddings.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import { workerUrl } from '../../machine/worker-url.ts';

export interface CodeRegister {
	/** Rejects as the op. */
	find(asked: OpInput<'search.code'>, signal: AbortSignal): Promise<OpResult<'search.code'>>;
	/** Reads all that is not in the index yet, of each folder. Rejects with NOT_AVAILABLE_HERE where it is off. */
	update(signal: AbortSignal): Promise<IndexedFiles>;
	/** Removes the index of all folders, also of workspaces that are not open. */
	remove(): Promise<void>;
}

interface IndexedFiles {
	readonly files: number;
	readonly indexed: number;
}

interface CodeRegisterDeps {
	readonly codeIndex: CodeIndex;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly paths: WorkspacePaths;
	readonly perform: PerformOp;
}

export function createCodeIndex(
	{ places, settings, log }: Pick<HostPorts, 'places' | 'settings' | 'log'>,
	embeddings: Pick<ProviderEmbeddings, 'chosenBy'>,
): CodeIndex {
	return new CodeIndex({
		home: places.home,
		workerUrl: workerUrl('../features/code-index/worker.ts', 'code-index-worker.mjs', places.dist),
		settings,
		log,
		embeddings: embeddings.chosenBy('prowess.search.codeIndexEmbeddings', settings),
	});
}

export function codeRegister({ codeIndex, ledger, paths, perform }: CodeRegisterDeps): CodeRegister {
	return {
		async find(asked, signal) {
			const origin = {
				caller: { kind: 'user', threadId: null } as const,
				onProgress: () => {},
				isNewId: true as const,
			};
			const outcome = await perform({ opId: newId('op'), op: 'search.code', params: asked }, origin, signal);
			return searchCode.result.parse(requireOpResult(outcome, 'the search'));
		},
		update: (signal) =>
			recordUserAct(
				ledger,
				{ op: 'code.update', input: 'Update the code index', params: {} },
				({ files, indexed }) => `${indexed} of ${files} files are in it`,
				async () => {
					let [files, indexed] = [0, 0];
					for (const scope of paths.resolveScope('.')) {
						const { realRoot: root, usualEncoding } = await paths.locate(scope);
						const state = await codeIndex.update({ root, usualEncoding }, signal);
						files += state.files;
						indexed += state.indexed;
					}
					return { files, indexed };
				},
			),
		remove: () =>
			recordUserAct(
				ledger,
				{ op: 'code.remove', input: 'Delete the code index of all folders', params: {} },
				() => 'deleted',
				() => codeIndex.remove(),
			),
	};
}
