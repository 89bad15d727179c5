/** From what was found to what is in force: names, precedence, and which executor runs what. */
import { nonEmptyText } from '../../base/text/lenient.ts';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CapabilityManifest, ExecutorManifest } from '../../protocol/capability/manifest.ts';
import { createTopPlace, type ManifestProblem, manifestProblem } from '../../protocol/manifest/problem.ts';
import { text, type Text } from '../../protocol/text/text.ts';
import type { ReadManifest } from '../../protocol/manifest/read-manifest.ts';
import type { BuiltInExecutor } from '../executors.ts';
import { type IsOff, nothingIsOff, type CapabilityLocation } from './sources/capability-source.ts';
import type { ItemFolder } from './reading/listed-folder.ts';
import { type CapabilityItem, type ExecutorItem, isInForce, type Layout } from './items.ts';
import { rankItems } from './precedence.ts';

export interface FoundItem<Manifest> extends CapabilityLocation {
	readonly folder: ItemFolder;
	readonly layout: Layout;
	readonly read: ReadManifest<Manifest>;
}

/** `found` in the order of registration. */
export function capabilityItems(
	found: readonly FoundItem<CapabilityManifest>[],
	executors: readonly ExecutorItem[],
): CapabilityItem[] {
	const runners = new Map<string, string | undefined>();
	const findRunnerName = ({ type, executor }: CapabilityManifest) => {
		const key = `${type}:${executor ?? ''}`;
		if (!runners.has(key)) runners.set(key, executorItemFor(executors, type, executor, nothingIsOff)?.name);
		return runners.get(key);
	};
	const items = found.map(({ path, source, layout, folder, read: { manifest, problems, raw } }) => ({
		path,
		source,
		layout,
		name: manifest?.name ?? nonEmptyText(raw['name']) ?? folder.name,
		type: manifest?.type ?? nonEmptyText(raw['type']) ?? folder.type ?? 'skill',
		manifest,
		problems,
		executor: manifest === undefined ? undefined : findRunnerName(manifest),
	}));
	return rankItems(items, formatItemKey)
		.map((item) => ({ item, key: formatItemKey(item), standing: rankStanding(item) }))
		.sort(
			(a, b) =>
				compareTexts(a.key, b.key) || a.standing - b.standing || b.item.overrides.length - a.item.overrides.length,
		)
		.map(({ item }) => item);
}

/** The built-in ones are registered first. */
export async function executorItems(
	found: readonly FoundItem<ExecutorManifest>[],
	builtIn: readonly BuiltInExecutor[],
): Promise<ExecutorItem[]> {
	const own = builtIn.map(({ name, description, types, executor }) => ({
		path: executor.program,
		source: 'built-in' as const,
		layout: 'prowess' as const,
		name,
		manifest: { name, description, version: '1.0.0', supportedTypes: [...types], entryPoint: executor.program },
		problems: [],
		types,
		own: executor,
	}));
	const others = await Promise.all(
		found.map(async ({ path, source, layout, folder, read: { manifest, problems, raw } }) => {
			const claimed = raw['supportedTypes'];
			const isBuilt = manifest === undefined || (await isExistingFile(join(path, manifest.entryPoint)));
			return {
				path,
				source,
				layout,
				name: manifest?.name ?? nonEmptyText(raw['name']) ?? folder.name,
				manifest,
				problems: isBuilt
					? problems
					: [
							...problems,
							createManifestWarning('entryPoint', text('{file} is not there', { file: manifest.entryPoint })),
						],
				types: manifest?.supportedTypes ?? (Array.isArray(claimed) ? claimed.map(String) : []),
				own: undefined,
			};
		}),
	);
	const items = rankItems([...own, ...others], ({ name }) => name);
	const runners = new Map<string, (typeof items)[number]>();
	for (const item of items.filter(isInForce)) {
		for (const type of item.types) runners.set(type, item);
	}
	return items.map((item) => ({
		...item,
		runs: item.types.filter((type) => runners.get(type) === item),
		problems: [
			...item.problems,
			...(isInForce(item) ? item.types : [])
				.filter((type) => runners.get(type) !== item && runners.get(type)?.source === item.source)
				.map((type) =>
					createManifestWarning(
						'supportedTypes',
						text('capabilities of type {type} are run by the executor {name}', {
							type,
							name: runners.get(type)?.name ?? '',
						}),
					),
				),
		],
	}));
}

/**
 * Returns the effective executor for a type: usable, enabled, the last registered of its name, and the last of those
 * that run the type.
 */
export function executorItemFor(
	executors: readonly ExecutorItem[],
	type: string,
	pin: string | undefined,
	isOff: IsOff,
): ExecutorItem | undefined {
	const byName = new Map(
		executors.filter(({ manifest, path }) => manifest !== undefined && !isOff(path)).map((each) => [each.name, each]),
	);
	return executors.findLast(
		(each) => byName.get(each.name) === each && each.types.includes(type) && (pin === undefined || each.name === pin),
	);
}

/**
 * Returns the executors with the types they run while some are off: a disabled one runs none, and the one it had
 * overridden runs them again.
 */
export function runningTypes(executors: readonly ExecutorItem[], isOff: IsOff): ExecutorItem[] {
	return executors.map((item) => ({
		...item,
		runs: item.types.filter((type) => executorItemFor(executors, type, undefined, isOff) === item),
	}));
}

function formatItemKey({ type, name }: { readonly type: string; readonly name: string }): string {
	return `${type}:${name}`;
}

/** In force, then overridden, then broken. */
function rankStanding({
	manifest,
	overriddenBy,
}: {
	readonly manifest: unknown;
	readonly overriddenBy: unknown;
}): number {
	return manifest === undefined ? 2 : overriddenBy === undefined ? 0 : 1;
}

function compareTexts(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

function createManifestWarning(field: string, words: Text): ManifestProblem {
	return manifestProblem('warning', words, { ...createTopPlace('executor.yaml'), path: [field] });
}

async function isExistingFile(path: string): Promise<boolean> {
	return await stat(path).then(
		(stats) => stats.isFile(),
		() => false,
	);
}
