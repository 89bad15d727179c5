/** Which program runs capabilities of which type. Built, it lies in `dist`; run from the sources, where it is written. */
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program that runs capabilities of a type, and what it may read, as in `sandbox.ts`. */
export interface Executor {
	readonly program: string;
	readonly readable: readonly string[];
}

const TYPES: Readonly<Record<string, string>> = { skill: 'skill' };

export function executorFor(type: string, dist: string): Executor | undefined {
	const name = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
	if (name === undefined) {
		return undefined;
	}
	if (!import.meta.url.endsWith('.ts')) {
		const folder = join(dist, 'executors');
		return { program: join(folder, `${name}.mjs`), readable: [`${folder}/*`] };
	}
	const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
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
