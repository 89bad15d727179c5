/**
 * Runs every benchmark, or those named, one after the other. A bar that is missed is reported and fails nothing; a benchmark
 * that breaks is named at the end, with exit code 1, and costs no figure of another.
 */
import { ensureBundles } from '../scripts/setup/bundles.mjs';
import './as-bundled.ts';
import { runBenches } from './benches.ts';
import type { Figure } from './measure.ts';

const benches: Readonly<Record<string, () => Promise<Figure[]>>> = {
	activation: async () => await (await import('./activation.ts')).activationFigures(),
	agents: async () => await (await import('./agents.ts')).agentTreeFigures(),
	agent: async () => await (await import('./agent.ts')).agentFigures(),
	broker: async () => await (await import('./broker.ts')).brokerFigures(),
	checkpoints: async () => await (await import('./checkpoints.ts')).checkpointFigures(),
	claims: async () => await (await import('./claims.ts')).claimFigures(),
	decision: async () => await (await import('./decision.ts')).decisionFigures(),
	evaluation: async () => await (await import('./evaluation.ts')).evaluationFigures(),
	'first-token': async () => await (await import('./first-token.ts')).firstTokenFigures(),
	executor: async () => await (await import('./executor.ts')).executorFigures(),
	ledger: async () => await (await import('./ledger.ts')).ledgerFigures(),
	memory: async () => await (await import('./memory.ts')).memoryFigures(),
	'code-index': async () => await (await import('./code-index.ts')).codeIndexFigures(),
	offer: async () => await (await import('./offer.ts')).offerFigures(),
	peers: async () => await (await import('./peers.ts')).peerFigures(),
	presented: async () => await (await import('./presented.ts')).presentedFigures(),
	quotas: async () => await (await import('./quotas.ts')).quotaFigures(),
	recall: async () => await (await import('./recall.ts')).recallFigures(),
	redaction: async () => await (await import('./redaction.ts')).redactionFigures(),
	registry: async () => await (await import('./registry.ts')).registryFigures(),
	scale: async () => await (await import('./scale.ts')).scaleFigures(),
	held: async () => await (await import('./held.ts')).heldFigures(),
	sandbox: async () => await (await import('./sandbox.ts')).sandboxFigures(),
	skills: async () => await (await import('./skills.ts')).skillFigures(),
	store: async () => await (await import('./store.ts')).storeFigures(),
	suggestions: async () => await (await import('./suggestions.ts')).suggestionFigures(),
	telemetry: async () => await (await import('./telemetry.ts')).telemetryFigures(),
	thread: async () => await (await import('./thread.ts')).threadFigures(),
	tokens: async () => await (await import('./tokens.ts')).tokenFigures(),
	webview: async () => await (await import('./webview.ts')).webviewFigures(),
	serve: async () => await (await import('./serve.ts')).serveFigures(),
	size: async () => await (await import('./size.ts')).sizeFigures(),
	worktrees: async () => await (await import('./worktrees.ts')).worktreeFigures(),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
	console.error(`no benchmark named ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}`);
	process.exit(2);
}
await ensureBundles(process.execPath, { isProduction: true });
const chosen = Object.entries(benches).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const broken = await runBenches(Object.fromEntries(chosen), console);
process.exitCode = broken.length === 0 ? 0 : 1;
