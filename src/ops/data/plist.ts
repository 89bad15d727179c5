/** plist.parse, of a file of the workspace or of given bytes. */
import { readBytes } from '../../machine/paths/reading/read-file.ts';
import type { parsePlist } from '../../machine/plist/parse-plist.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import { createFileTarget } from '../../trust/gate/targets.ts';
import { locateFile } from '../files/not-found.ts';
import type { FileDeps } from '../files/file-deps.ts';

export function plistOps({ paths }: Pick<FileDeps, 'paths'>): Pick<OpImplementations, 'plist.parse'> {
	return {
		'plist.parse': {
			async prepare({ path, data }, { signal }) {
				if (path === undefined) {
					const bytes =
						data === undefined
							? Buffer.alloc(0)
							: 'text' in data
								? Buffer.from(data.text, 'utf8')
								: Buffer.from(data.base64, 'base64');
					return {
						targets: [],
						detail: { kind: 'text', text: 'Read a property list that was given' },
						run: async () => ({ value: await parseLate(bytes) }),
					};
				}
				const located = await locateFile(paths, path, signal);
				return {
					targets: [createFileTarget(located, 'read')],
					detail: { kind: 'path', path: located.path },
					run: async (context) => ({ value: await parseLate(await readBytes(located, context.signal)) }),
				};
			},
		},
	};
}

/** Loads the parser with the first property list. */
async function parseLate(bytes: Buffer): Promise<ReturnType<typeof parsePlist>> {
	return (await import('../../machine/plist/parse-plist.ts')).parsePlist(bytes);
}
