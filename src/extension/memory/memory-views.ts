/** Views of memories in the editor, and the events that make them show the present state. */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { createMemoryCommands } from './memory-commands.ts';
import { type BadgedView, MemoryTree } from './memory-tree.ts';

interface MemoryViewPorts {
	readonly workspace: WorkspacePort;
	readonly view: BadgedView;
	base(): Promise<TrustedBase>;
}

export interface MemoryViews extends Disposable {
	readonly tree: MemoryTree;
	readonly commands: ReturnType<typeof createMemoryCommands>;
	/** From the moment it is there. */
	follow(base: TrustedBase): Disposable;
}

export function createMemoryViews({ workspace, view, base }: MemoryViewPorts): MemoryViews {
	const store = new DisposableStore();
	const tree = store.add(new MemoryTree(view, base));
	store.add(workspace.onDidChange(() => void tree.refresh()));
	return {
		tree,
		commands: createMemoryCommands({ tree, hasProject: () => workspace.folders.length > 0, base }),
		follow: ({ memory }) => memory.onDidChange(() => void tree.refresh()),
		dispose: () => store.dispose(),
	};
}
