import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kit } from './kit.ts';

/** Files by their path in the workspace. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

export function writeFiles(folder: string, files: Files): void {
	mkdirSync(folder, { recursive: true });
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
}

/** The sample project that `npm start` opens: TypeScript with one failing test. */
export function copySample(folder: string): void {
	cpSync(join(kit.root, 'examples/sample'), folder, { recursive: true });
}
