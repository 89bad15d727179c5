/**
 * Built-in executors: which program runs capabilities of which types. The registry finds executors of other authors.
 */
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerRuntime } from '../protocol/execution/worker.ts';

/** The program that runs capabilities of a type, and what it may read, as in `sandbox.ts`. */
export interface Executor {
	readonly program: string;
	readonly readable: readonly string[];
	/**
	 * Folder of an executor that is not built in: the user consents to everything in it together with the capability,
	 * and it runs from a copy.
	 */
	readonly folder?: string;
	/** Set when the executor can connect only to a port of this machine. */
	readonly channel?: 'loopback';
	/** Runtime of a long-lived worker, which speaks in lines. */
	readonly worker?: WorkerRuntime;
}

export interface BuiltInExecutor {
	readonly name: string;
	readonly description: string;
	readonly types: readonly string[];
	readonly executor: Executor;
}

/** Built-in executors, keyed by the name of their folder in `src/executors`. */
const BUILT_IN_EXECUTORS: Readonly<Record<string, Pick<BuiltInExecutor, 'description' | 'types'>>> = {
	skill: { description: 'Runs skills that are programs for Node, or written instructions', types: ['skill'] },
	power: { description: 'Runs powers: written work of several steps, with steering and a budget', types: ['power'] },
	talent: { description: 'Runs talents: advice from knowledge and the thread, without effects', types: ['talent'] },
};

/** Types that something of ours runs. */
export const builtInTypes: readonly string[] = Object.values(BUILT_IN_EXECUTORS).flatMap(({ types }) => types);

export function builtInExecutors(dist: string): BuiltInExecutor[] {
	return Object.entries(BUILT_IN_EXECUTORS).map(([name, rest]) => ({
		name,
		...rest,
		executor: resolveOwnExecutor(name, dist),
	}));
}

/** The program that runs the tools of a skill with this `runtime`. No executor of others takes its place. */
export function workerExecutor(runtime: WorkerRuntime, dist: string): Executor {
	if (runtime === 'node-worker') {
		return { ...resolveOwnExecutor(runtime, dist), worker: runtime };
	}
	const isBuilt = !import.meta.url.endsWith('.ts');
	const sources = join(dirname(fileURLToPath(import.meta.url)), '../../sdk/python');
	const folder = realpathSync(isBuilt ? join(dist, 'executors', runtime) : sources);
	return { program: join(folder, 'worker.py'), readable: [join(folder, '*')], worker: runtime };
}

/** Built, it lies in `dist`; run from the sources, where it is written. Without links on the way: Node's walls know real paths only. */
function resolveOwnExecutor(name: string, dist: string): Executor {
	if (!import.meta.url.endsWith('.ts')) {
		const folder = join(realpathSync(dist), 'executors');
		return { program: join(folder, `${name}.mjs`), readable: [`${folder}/*`] };
	}
	const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '../..'));
	return {
		program: join(root, 'src/executors', name, 'main.ts'),
		readable: [
			...['base', 'protocol', 'executors'].map((each) => join(root, 'src', each, '*')),
			join(root, 'package.json'),
			// The folder itself may be a link.
			join(root, 'node_modules'),
			join(root, 'node_modules/ws/*'),
			join(realpathSync(join(root, 'node_modules/ws')), '*'),
		],
	};
}
