/** workspace.instructions: what the files of the workspace tell agents; workspace.changes: what became of what they wrote. */
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import { findInstructions } from '../../machine/instructions/find-instructions.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import { createFileTarget } from '../../trust/gate/targets.ts';
import { currentText } from '../files/current-text.ts';
import type { FileDeps } from '../files/file-deps.ts';

type WorkspaceDeps = Pick<FileDeps, 'paths' | 'documents' | 'beforeImages' | 'wall'>;
type WorkspaceOp = 'workspace.instructions' | 'workspace.changes';

export function workspaceOps({
	paths,
	documents,
	beforeImages,
	wall,
}: WorkspaceDeps): Pick<OpImplementations, WorkspaceOp> {
	return {
		'workspace.changes': {
			prepare: () =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: 'What became of the files that this thread wrote' },
					run: async ({ caller }) => ({
						files: caller.threadId === null ? [] : await beforeImages.changedSince(caller.threadId),
					}),
				}),
		},
		'workspace.instructions': {
			async prepare(asked, { signal }) {
				const readCurrentText = async (place: Located, now: AbortSignal) =>
					(await currentText({ documents }, place, now)).text;
				const sources = {
					paths,
					read: readCurrentText,
					isHeld: (path: string) => wall.isHeld(path),
					held: () => wall.held(),
				};
				const { places, ...answer } = await findInstructions(sources, asked, signal);
				return {
					targets: places.map((place) => createFileTarget(place, 'read')),
					detail: { kind: 'text', text: answer.files.map(({ path }) => path).join('\n') },
					run: () => Promise.resolve(answer),
				};
			},
		},
	};
}
