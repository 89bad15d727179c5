/** Requirements of capabilities, as their manifests name them: told of without one of these, a capability would lead nowhere. */
import type { CapabilityManifest } from '../capability/manifest.ts';
import { splitPluginName } from '../capability/plugin.ts';

interface Requirement {
	/** Where those that it needs stand, with what these need. */
	readonly needs: readonly number[];
	/** Names of those that there are not, as they are written. */
	readonly missing: readonly string[];
}

/** Requirements by the places of those that have some. */
export type Requirements = ReadonlyMap<number, Requirement>;

type Requiring = Pick<CapabilityManifest, 'name' | 'type'> & { readonly requires?: readonly string[] | undefined };

const NO_REQUIREMENT: Requirement = { needs: [], missing: [] };

/** Returns requirements by the places of the capabilities in the list; only for those that need any. */
export function resolveRequirements(capabilities: readonly Requiring[]): Requirements {
	const requiring = [...capabilities.entries()].filter(([, { requires = [] }]) => requires.length > 0);
	const own = new Map<number, Requirement>();
	if (requiring.length === 0) {
		return own;
	}
	const places = new Map<string, number>();
	for (const [index, { type, name }] of capabilities.entries()) {
		for (const key of [`${type}/${name}`, name]) if (!places.has(key)) places.set(key, index);
	}
	for (const [index, each] of requiring) {
		const found = (each.requires ?? []).map((wanted) => ({ wanted, at: findRequiredPlace(wanted, each, places) }));
		const needs = found.flatMap(({ at }) => at ?? []);
		own.set(index, { needs, missing: found.flatMap(({ wanted, at }) => (at === undefined ? [wanted] : [])) });
	}
	return new Map(requiring.map(([index]) => [index, withTheirs(index, own)]));
}

/** A name means one of the same plugin first, then one of the same type. */
function findRequiredPlace(
	wanted: string,
	{ type, name }: Requiring,
	places: ReadonlyMap<string, number>,
): number | undefined {
	const { plugin } = splitPluginName(name);
	const keys = [...(plugin === undefined ? [] : [`${type}/${plugin}:${wanted}`]), `${type}/${wanted}`, wanted];
	return keys.map((key) => places.get(key)).find((at) => at !== undefined);
}

function withTheirs(index: number, own: Requirements): Requirement {
	const needs = new Set<number>();
	const missing = new Set<string>();
	const open = [index];
	for (let at = open.pop(); at !== undefined; at = open.pop()) {
		const { needs: next, missing: gone } = own.get(at) ?? NO_REQUIREMENT;
		for (const name of gone) missing.add(name);
		for (const need of next.filter((each) => each !== index && !needs.has(each))) {
			needs.add(need);
			open.push(need);
		}
	}
	return { needs: [...needs].sort((a, b) => a - b), missing: [...missing] };
}
