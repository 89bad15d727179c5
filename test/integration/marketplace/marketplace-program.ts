/**
 * A host in a process of its own, for tests of installations: does what it is told with one capability, and dies (SIGKILL)
 * before the step it is told. Started as: node marketplace-program.ts <json of MarketplaceOrder>
 */
import { createTrustedBase } from '../../../src/host/compose.ts';
import { testHost } from '../../support/host-ports.ts';
import { type MarketplaceOrder, perform } from './marketplace-acts.ts';

const order = JSON.parse(process.argv[2] ?? '') as MarketplaceOrder;
const { ports } = testHost({
	home: order.home,
	workspace: order.workspace,
	settings: { 'prowess.marketplace.indexes': [{ location: order.location }] },
});
const base = await createTrustedBase(ports);
const { marketplace } = base;
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
await base.close();
