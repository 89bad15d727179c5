/** git.status and git.diff, over one folder or every folder of the workspace that is in a repository. */
import { isProwessError, type ProwessError } from '../../protocol/errors/errors.ts';
import type { GitStatus } from '../../machine/git/hardened-git.ts';
import { STATUS_FILES } from '../../machine/git/limits.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { CommandDeps } from '../commands/command-deps.ts';
import type { FileDeps } from '../files/file-deps.ts';
import { createFileTarget } from '../../trust/gate/targets.ts';

export function gitOps(
	deps: Pick<CommandDeps, 'git'> & Pick<FileDeps, 'paths'>,
): Pick<OpImplementations, 'git.status' | 'git.diff'> {
	return {
		'git.status': {
			async prepare() {
				const places = await everyFolder(deps);
				return {
					targets: [],
					detail: { kind: 'text', text: 'git status' },
					async run({ signal }) {
						const all = await inRepositories(places, (place) => deps.git.status(place.realPath, signal));
						const files = all.flatMap(({ place, answer }) =>
							answer.files.map((file) => ({ ...file, path: formatFolderPrefix(deps, place) + file.path })),
						);
						const branches = new Set(all.map(({ answer }: { answer: GitStatus }) => answer.branch));
						const shown = files.slice(0, STATUS_FILES);
						return {
							branch:
								branches.size > 1
									? [...branches].map((branch) => branch ?? '(detached)').join(', ')
									: ([...branches][0] ?? null),
							files: shown,
							truncated: all.some(({ answer }) => answer.truncated) || files.length > shown.length,
						};
					},
				};
			},
		},
		'git.diff': {
			async prepare({ path, staged, commit, isAlone }) {
				// A file that was deleted has a diff too, so the place need not exist.
				const asked = path === undefined ? undefined : await deps.paths.locate(deps.paths.resolve(path));
				const places = asked === undefined ? await everyFolder(deps) : [asked];
				return {
					targets: asked === undefined ? [] : [createFileTarget(asked, 'read')],
					detail: {
						kind: 'text',
						text: `git diff${staged ? ' --staged' : ''}${commit === undefined ? '' : ` ${commit}^!`}${path === undefined ? '' : ` ${path}`}`,
					},
					async run({ signal }) {
						const all = await inRepositories(places, (place) =>
							deps.git.diff(
								place.realRoot,
								{ staged, commit, isAlone, segments: asked?.segments, prefix: formatFolderPrefix(deps, place) },
								signal,
							),
						);
						return {
							patch: all.map(({ answer }) => answer.patch).join(''),
							truncated: all.some(({ answer }) => answer.truncated),
						};
					},
				};
			},
		},
	};
}

function everyFolder({ paths }: Pick<FileDeps, 'paths'>): Promise<Located[]> {
	return Promise.all(paths.resolveScope('.').map((asked) => paths.locate(asked)));
}

function formatFolderPrefix({ paths }: Pick<FileDeps, 'paths'>, { folder }: Located): string {
	return paths.folders.length > 1 ? `${folder.name}/` : '';
}

/** Folders without a repository, or without the commit that is asked for, are passed over as long as one has it. */
async function inRepositories<R>(
	places: readonly Located[],
	ask: (place: Located) => Promise<R>,
): Promise<{ place: Located; answer: R }[]> {
	const answers: { place: Located; answer: R }[] = [];
	let none: ProwessError | undefined;
	for (const place of places) {
		try {
			answers.push({ place, answer: await ask(place) });
		} catch (error) {
			if (!isProwessError(error) || (error.code !== 'NO_REPOSITORY' && error.code !== 'NOT_FOUND')) {
				throw error;
			}
			none ??= error;
		}
	}
	if (none !== undefined && answers.length === 0) {
		throw none;
	}
	return answers;
}
