/**
 * Built-in executors: which program runs capabilities of which types. The registry finds executors of other authors.
 */
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBuiltPrograms } from '../machine/worker-url.ts';
import { CODEBOLT_EXECUTOR } from '../protocol/execution/execution.ts';
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
	/**
	 * The program of ours in whose process it runs, because it is written for Codebolt and knows no frame of ours; of an
	 * executor whose content is not known yet, the one in which it would.
	 */
	readonly adapter?: Pick<Executor, 'program' | 'readable'>;
	/** Channel that its manifest names; of ours, only the one for programs for Codebolt has one. */
	readonly named?: 'descriptor' | 'loopback' | 'codebolt';
	/** Arguments that follow the program. */
	readonly args?: readonly string[];
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
	[CODEBOLT_EXECUTOR]: { description: 'Runs agents written for Codebolt', types: ['agent'] },
};

/** Types that something of ours runs, whoever writes them. */
export const builtInTypes: readonly string[] = Object.entries(BUILT_IN_EXECUTORS).flatMap(([name, { types }]) =>
	name === CODEBOLT_EXECUTOR ? [] : types,
);

export function builtInExecutors(dist: string): BuiltInExecutor[] {
	return Object.entries(BUILT_IN_EXECUTORS).map(([name, rest]) => ({
		name,
		...rest,
		executor: {
			...resolveOwnExecutor(name, dist),
			...(name === CODEBOLT_EXECUTOR ? { named: CODEBOLT_EXECUTOR } : {}),
		},
	}));
}

/** The program that runs the tools of a skill with this `runtime`. No executor of others takes its place. */
export function workerExecutor(runtime: WorkerRuntime, dist: string): Executor {
	if (runtime === 'node-worker') {
		return { ...resolveOwnExecutor(runtime, dist), worker: runtime };
	}
	const built = findBuiltPrograms(dist);
	const sources = join(dirname(fileURLToPath(import.meta.url)), '../../sdk/python');
	const folder = realpathSync(built === undefined ? sources : join(built, 'executors', runtime));
	return { program: join(folder, 'worker.py'), readable: [join(folder, '*')], worker: runtime };
}

/** Built, it lies in `dist`; run from the sources, where it is written. Without links on the way: Node's walls know real paths only. */
function resolveOwnExecutor(name: string, dist: string): Executor {
	const built = findBuiltPrograms(dist);
	if (built !== undefined) {
		const folder = join(realpathSync(built), 'executors');
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

/** The call with which the library of Codebolt opens its connection, in whichever file a bundler has put it. */
const CODEBOLT_ADDRESS = '/codebolt?';
const CODEBOLT_LIBRARY = '@codebolt/codeboltjs';

/** Tells whether an executor of others is written for Codebolt: its manifest says so, or, where that names no channel, its program or its package.json. */
export function isWrittenForCodebolt(
	named: Executor['named'],
	entry: string,
	files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
): boolean {
	const hasWord = (name: string, what: string) =>
		files.some(
			({ path, bytes }) =>
				path === name && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(what),
		);
	return named === undefined
		? hasWord(entry, CODEBOLT_ADDRESS) || hasWord(entry, CODEBOLT_LIBRARY) || hasWord('package.json', CODEBOLT_LIBRARY)
		: named === CODEBOLT_EXECUTOR;
}
