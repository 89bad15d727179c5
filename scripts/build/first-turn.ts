/** The sizes that a build has a budget for, by the metafiles of its bundles. */

import type { Metafile } from 'esbuild';
import { type Bundle, type FirstTurn, firstTurnBudgets } from './bundles.ts';

/** Metafiles by the names of their bundles. */
export type Metafiles = Readonly<Record<string, Metafile>>;

interface FirstTurnSize {
	readonly place: FirstTurn;
	readonly bytes: number;
	readonly budgetBytes: number;
	/** Bytes of each bundle of it, largest first. */
	readonly parts: readonly { readonly name: string; readonly bytes: number }[];
}

export function measureFirstTurns(bundles: readonly Bundle[], metafiles: Metafiles): readonly FirstTurnSize[] {
	return (Object.keys(firstTurnBudgets) as FirstTurn[]).map((place) => {
		const parts = bundles
			.filter(({ firstTurn = [] }) => firstTurn.includes(place))
			.map(({ name }) => ({ name, bytes: bundleBytes(metafiles[name]) }))
			.sort((one, other) => other.bytes - one.bytes);
		return {
			place,
			bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
			budgetBytes: firstTurnBudgets[place],
			parts,
		};
	});
}

/** Bytes of what is loaded of a bundle, without its source maps; 0 for one that was not built. */
export function bundleBytes(metafile: Metafile | undefined): number {
	return Object.entries(metafile?.outputs ?? {})
		.filter(([path]) => !path.endsWith('.map'))
		.reduce((sum, [, { bytes }]) => sum + bytes, 0);
}
