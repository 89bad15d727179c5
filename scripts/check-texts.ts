/** Checks documents and the comments of sources; prints each problem as `file:line: message`. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup/paths.mjs';
import { checkedSources, commentProblems } from './texts/comments.ts';
import { documentProblems } from './texts/documents.ts';

const documents = ['*.md', 'docs/**/*.md', 'sdk/*.md', 'examples/**/*.md', '.github/**/*.md'];
const read = (file: string) => readFileSync(file, 'utf8');

const found = [
	...globSync(documents, { cwd: root }).flatMap((file) =>
		documentProblems(join(root, file), read(join(root, file)), read).map((problem) => ({ file, ...problem })),
	),
	...globSync([...checkedSources.files], { cwd: root, exclude: [...checkedSources.except] }).flatMap((file) =>
		commentProblems(read(join(root, file))).map((problem) => ({ file, ...problem })),
	),
];

for (const { file, line, message } of found) {
	console.error(`${file}:${line}: ${message}`);
}
process.exitCode = found.length === 0 ? 0 : 1;
