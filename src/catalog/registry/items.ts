/** Items of the registry: the facts about each folder it found, and which items override which. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CapabilityManifest, ExecutorManifest } from '../../protocol/capability/manifest.ts';
import { type ManifestProblem, problemSaid, problemText } from '../../protocol/manifest/problem.ts';
import { text, type Text } from '../../protocol/text/text.ts';
import type { Executor } from '../executors.ts';
import type { CapabilityLocation } from './sources/capability-source.ts';

/**
 * Whose layout it was found in. Folders of Agent Skills (`skill-folder`) and of commands or prompts that are one file each
 * never take the place of another.
 */
export type Layout = 'prowess' | 'codebolt' | 'skill-folder' | 'commands' | 'prompts';

interface RegistryItem<Manifest> extends CapabilityLocation {
	/** Name from the manifest, or from the folder when no manifest can be read. */
	readonly name: string;
	/** Undefined when it cannot be used; then one of the problems is an error. */
	readonly manifest: Manifest | undefined;
	readonly problems: readonly ManifestProblem[];
	readonly layout: Layout;
	/** Places that this item overrides, nearest first. */
	readonly overrides: readonly CapabilityLocation[];
	/** Place that overrides this item; undefined: it is not overridden. */
	readonly overriddenBy: CapabilityLocation | undefined;
}

export interface CapabilityItem extends RegistryItem<CapabilityManifest> {
	readonly type: string;
	/** Name of the executor that would run it. */
	readonly executor: string | undefined;
}

export interface ExecutorItem extends RegistryItem<ExecutorManifest> {
	/** Types that its manifest declares, also when the executor cannot be used. */
	readonly types: readonly string[];
	/** Declared types that it really runs when no other executor is pinned. */
	readonly runs: readonly string[];
	/** Ours; undefined for those found in folders. */
	readonly own: Executor | undefined;
}

export interface RegistryState {
	/** Capabilities sorted by type and name; among equals, the one in force comes first. */
	readonly capabilities: readonly CapabilityItem[];
	/** In the order in which they were registered. */
	readonly executors: readonly ExecutorItem[];
	/** Folders that could not be read, or not whole. */
	readonly problems: readonly string[];
}

/** The errors of an item as one text, in English; empty when it can be used. */
export function describeItemErrors(item: Pick<RegistryItem<unknown>, 'problems'>): string {
	return errorsInWords(item, problemText);
}

/** The same in the words of the reader. */
export function errorsInWords(
	{ problems }: Pick<RegistryItem<unknown>, 'problems'>,
	inWords: (problem: ManifestProblem) => string,
): string {
	return problems
		.filter(({ severity }) => severity === 'error')
		.map((problem) => inWords(problem))
		.join('; ');
}

/** The same for whoever does not see which folder it is about. */
export function errorsIn(folder: string, { problems }: Pick<RegistryItem<unknown>, 'problems'>): string {
	const text = describeItemErrors({ problems });
	return problems.find(({ severity }) => severity === 'error')?.file === '' ? `${folder}: ${text}` : join(folder, text);
}

/** The same as a text, for the error that is made of it. */
export function errorsSaid(folder: string, { problems }: Pick<RegistryItem<unknown>, 'problems'>): Text {
	const errors = problems.filter(({ severity }) => severity === 'error');
	const [first, ...others] = errors.map((problem) => problemSaid(folder, problem));
	return first === undefined
		? text('')
		: others.reduce((left, right) => text('{left}; {right}', { left, right }), first);
}

export function isInForce(item: RegistryItem<unknown>): boolean {
	return item.manifest !== undefined && item.overriddenBy === undefined;
}

/**
 * True when the states are equal, so that no listener needs an event. Parts that were not read again are the same
 * objects, which makes the comparison fast.
 */
export function isSameState(a: RegistryState, b: RegistryState): boolean {
	return isDeepStrictEqual(a, b);
}
