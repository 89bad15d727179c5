/** Acts on the one capability of an index, shared by the test and the program that is killed meanwhile. */
import type { InstallStep } from '../../../src/catalog/marketplace/installer.ts';
import type { Marketplace } from '../../../src/catalog/marketplace/marketplace.ts';

type Act = 'install' | 'update' | 'rollBack' | 'remove';

export interface MarketplaceOrder {
	readonly home: string;
	readonly workspace: string;
	readonly location: string;
	readonly act: Act;
	readonly dieBefore?: InstallStep;
	/** Composes all of a host, and not its marketplace alone, which starts in half the time. */
	readonly isWholeHost?: boolean;
}

const ref = { name: 'greet', scope: 'global' } as const;
const never = new AbortController().signal;

export async function perform(marketplace: Marketplace, act: Act): Promise<void> {
	switch (act) {
		case 'install':
			await marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never);
			break;
		case 'update':
			await marketplace.update(ref, undefined, never);
			break;
		case 'rollBack':
			await marketplace.rollBack(ref, never);
			break;
		case 'remove':
			await marketplace.remove(ref, never);
			break;
	}
}
