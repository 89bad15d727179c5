/** Parts of a host that ops on files are made of. */
import type { BeforeImages } from '../../contract/ops/op-implementation.ts';
import type { Caller, OwnFolders } from '../../contract/ops/caller.ts';
import type { DocumentPort, EditorPort, HostPorts } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { CodeIndex } from '../../features/code-index/code-index.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import type { CommandWall } from '../../machine/sandbox/command-wall.ts';
import { WorkspaceSearch } from '../../machine/search/workspace-search.ts';
import type { CommandRunner } from '../../machine/shell/command-runner.ts';
import type { WorkspaceSweeps } from '../../machine/sweep/workspace-sweeps.ts';
import { workerUrl } from '../../machine/worker-url.ts';
import type { LoadedSkills } from '../../trust/gate/policy/executions/loaded-skills.ts';

export interface FileDeps {
	readonly paths: WorkspacePaths;
	readonly documents: DocumentPort;
	readonly editor: EditorPort | undefined;
	readonly beforeImages: BeforeImages;
	/** Sandbox of commands. */
	readonly wall: Pick<CommandWall, 'isPlaceholder' | 'isHeld' | 'held'>;
	readonly search: WorkspaceSearch;
	readonly codeIndex: Pick<CodeIndex, 'find'>;
	ownFolders(caller: Caller, signal: AbortSignal): Promise<OwnFolders>;
}

export function requireEditor({ editor }: Pick<FileDeps, 'editor'>, op: `editor.${string}`): EditorPort {
	if (editor === undefined) {
		throw new ProwessError('NOT_AVAILABLE_HERE', `${op} needs an editor; this host has none`, {
			op,
			said: text('This needs an editor.'),
		});
	}
	return editor;
}

interface FileOpParts {
	readonly ports: Pick<HostPorts, 'documents' | 'editor' | 'settings' | 'places'>;
	readonly paths: WorkspacePaths;
	readonly checkpoints: { readonly images: BeforeImages };
	readonly commands: Pick<CommandRunner, 'environment'>;
	readonly commandSandbox: CommandWall;
	readonly sweeps: WorkspaceSweeps;
	readonly codeIndex: CodeIndex;
	readonly skills: LoadedSkills;
}

export function createFileDeps(parts: FileOpParts): FileDeps {
	const { paths, commands, commandSandbox, sweeps, codeIndex, skills } = parts;
	const { documents, editor, settings, places } = parts.ports;
	const { images } = parts.checkpoints;
	return {
		paths,
		documents,
		editor,
		beforeImages: {
			keep(change) {
				commandSandbox.expect(change.absolutePath);
				sweeps.expect(change.absolutePath);
				return images.keep(change);
			},
			written: (change) => images.written(change),
			callerNow: (caller) => images.callerNow(caller),
			swept: (swept) => images.swept(swept),
			lastWritten: (threadId, absolutePath) => images.lastWritten(threadId, absolutePath),
			changedSince: (threadId) => images.changedSince(threadId),
		},
		wall: commandSandbox,
		search: new WorkspaceSearch({
			ripgrepCandidates: [settings.current['prowess.tools.ripgrepPath'], ...places.ripgrepCandidates].filter(
				(path) => path !== '',
			),
			environment: commands.environment,
			workerUrl: workerUrl('./search/worker.ts', 'search-worker.mjs', places.dist),
		}),
		codeIndex,
		ownFolders: (caller, signal) => skills.foldersFor(caller, signal),
	};
}
