/**
 * A host in a process of its own, for tests of installations: does what it is told with one capability, and dies (SIGKILL)
 * before the step it is told. Started as: node marketplace-program.ts <json of MarketplaceOrder>
 */
import { marketplaceScene } from '../../support/marketplace-scene.ts';
import { type MarketplaceOrder, perform } from './marketplace-acts.ts';

const order = JSON.parse(process.argv[2] ?? '') as MarketplaceOrder;
const { marketplace, close } = order.isWholeHost === true ? await ofWholeHost() : ofMarketplaceAlone();
marketplace.onDidProgress(({ step }) => {
	if (step === order.dieBefore) {
		process.kill(process.pid, 'SIGKILL');
	}
});
try {
	await perform(marketplace, order.act);
} catch (error) {
	console.error(error instanceof Error && 'code' in error ? `${String(error.code)}: ${error.message}` : String(error));
	process.exitCode = 1;
}
await close();

function ofMarketplaceAlone() {
	const scene = marketplaceScene([order.location], { home: order.home });
	return { marketplace: scene.marketplace, close: () => Promise.resolve() };
}

async function ofWholeHost() {
	const { createTrustedBase } = await import('../../../src/host/compose.ts');
	const { testHost } = await import('../../support/host-ports.ts');
	const { ports } = testHost({
		home: order.home,
		workspace: order.workspace,
		settings: { 'prowess.marketplace.indexes': [{ location: order.location }] },
	});
	const base = await createTrustedBase(ports);
	return { marketplace: base.marketplace, close: () => base.close() };
}
