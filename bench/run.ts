/** Runs every benchmark, or those named, one after the other. Exit code 0 also when a bar is missed: a bench reports. */
import { ensureBundles } from '../scripts/setup/bundles.mjs';
import './as-bundled.ts';
import { type Figure, print } from './measure.ts';

const benches: Readonly<Record<string, () => Promise<Figure[]>>> = {
	activation: async () => await (await import('./activation.ts')).activationFigures(),
	agent: async () => await (await import('./agent.ts')).agentFigures(),
	broker: async () => await (await import('./broker.ts')).brokerFigures(),
	executor: async () => await (await import('./executor.ts')).executorFigures(),
	ledger: async () => await (await import('./ledger.ts')).ledgerFigures(),
	registry: async () => await (await import('./registry.ts')).registryFigures(),
	store: async () => await (await import('./store.ts')).storeFigures(),
	webview: async () => await (await import('./webview.ts')).webviewFigures(),
	size: async () => await (await import('./size.ts')).sizeFigures(),
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
