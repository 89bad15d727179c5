/** Runs every benchmark, or those named, one after the other. Exit code 0 also when a bar is missed: a bench reports. */
import { ensureBundles } from '../scripts/setup/bundles.mjs';
import { activationFigures } from './activation.ts';
import { agentFigures } from './agent.ts';
import { brokerFigures } from './broker.ts';
import { executorFigures } from './executor.ts';
import { ledgerFigures } from './ledger.ts';
import { type Figure, print } from './measure.ts';
import { registryFigures } from './registry.ts';
import { sizeFigures } from './size.ts';
import { storeFigures } from './store.ts';
import { webviewFigures } from './webview.ts';

const benches: Readonly<Record<string, () => Promise<Figure[]>>> = {
	activation: activationFigures,
	agent: agentFigures,
	broker: brokerFigures,
	executor: executorFigures,
	ledger: ledgerFigures,
	registry: registryFigures,
	store: storeFigures,
	webview: webviewFigures,
	size: sizeFigures,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
	console.error(`no benchmark named ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}`);
	process.exit(2);
}
await ensureBundles(process.execPath, { isProduction: true });
const figures: Figure[] = [];
for (const [name, bench] of Object.entries(benches)) {
	if (wanted.length === 0 || wanted.includes(name)) {
		console.error(`measuring ${name} …`);
		figures.push(...(await bench()));
	}
}
print(figures);
