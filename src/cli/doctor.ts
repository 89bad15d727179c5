/** `prowess doctor`: tries everything Prowess needs, each by itself, and says what is missing and what for. */
import { toErrorMessage } from '../base/text/message-of.ts';
import { deriveSignal } from '../base/time/derived-signal.ts';
import { hooksReport } from '../trust/gate/hooks/hooks-in-force.ts';
import { sandboxReport } from '../machine/sandbox/proof/sandbox-proof-text.ts';
import { ledgerHealth } from '../trust/record/ledger/ledger-health.ts';
import { overruledText } from '../protocol/pages/usage-text.ts';
import { modelRequests } from '../protocol/turn/models.ts';
import { serverRequests } from '../protocol/server.ts';
import type { CommandAction } from './invocation/command.ts';
import { type CliHost, withHost } from './ports/cli-host.ts';
import { unencryptedHosts } from './server/model-choice.ts';
import { exitCodes } from './terminal/exit-codes.ts';
import { Stopped } from './terminal/interruption.ts';
import { cliLimits } from './terminal/limits.ts';
import { visibleLine } from './terminal/visible.ts';
import type { DoctorCheckResult } from './machine-checks.ts';
import { inEnglish, joinTexts, type Text } from '../protocol/text/text.ts';
import { formatJson } from './invocation/print-result.ts';

export const doctor: CommandAction = async (invocation, context) => {
	const { checkGit, checkHome, checkNode, checkRipgrep, checkSqlite, checkTemporaryFolder } =
		await import('./machine-checks.ts');
	const checks = await withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => [
		checkNode(),
		checkSqlite(),
		checkHome(host.home),
		checkTemporaryFolder(),
		await checkRipgrep(host.places.ripgrepCandidates, context.signal),
		await checkGit(context.signal),
		await checkSandboxProof(host, context.signal),
		await checkLedgerHealth(host, context.signal),
		await checkPolicyRules(host, context.signal),
		...listOrganisation(host),
		await checkHooksInForce(host, context.signal),
		await checkOverruled(host, context.signal),
		...(await checkServerStart(host, context.signal)),
	]);
	if (invocation.switches.has('json')) {
		context.terminal.out(formatJson(checks));
	} else {
		for (const { name, ok, needed, detail, more = [] } of checks) {
			context.terminal.out(
				`${ok ? 'ok     ' : needed ? 'FAILED ' : 'missing'}  ${name.padEnd(10)}  ${visibleLine(detail)}\n`,
			);
			for (const line of more) context.terminal.out(`${' '.repeat(21)}${visibleLine(line)}\n`);
		}
	}
	return checks.every(({ ok, needed }) => ok || !needed) ? exitCodes.done : exitCodes.failed;
};

async function checkLedgerHealth(host: CliHost, signal: AbortSignal): Promise<DoctorCheckResult> {
	return await runDoctorCheck('Ledger', true, signal, async (within) =>
		ledgerHealth((await host.trustedBase()).ledger, within),
	);
}

/** A program in the sandbox tries to get out: what is installed is not always allowed to do what it should. */
async function checkSandboxProof(host: CliHost, signal: AbortSignal): Promise<DoctorCheckResult> {
	return await runDoctorCheck('Sandbox', false, signal, async () => {
		const base = await host.trustedBase();
		const proof = await base.proveCommandSandbox();
		return sandboxReport(await base.commandSandbox(), proof);
	});
}

async function checkPolicyRules(host: CliHost, signal: AbortSignal): Promise<DoctorCheckResult> {
	return await runDoctorCheck('Rules', false, signal, async (within) => {
		const problems = await (await host.trustedBase()).policy.problems(within);
		return { ok: problems.length === 0, detail: problems.join('; ') || 'all valid' };
	});
}

/** Rules of the user's organisation, where it has set any. Rules that cannot be relied on have ended the command before. */
function listOrganisation({ settings: { organisation } }: CliHost): DoctorCheckResult[] {
	if (organisation === undefined) return [];
	const { name, place } = organisation;
	const more = organisation.words().map(inEnglish);
	return [{ name: 'Organisation', ok: true, needed: false, detail: `rules of ${name}, in ${place}`, more }];
}

async function checkHooksInForce(host: CliHost, signal: AbortSignal): Promise<DoctorCheckResult> {
	return await runDoctorCheck('Hooks', false, signal, async () =>
		hooksReport(await (await host.trustedBase()).policy.hooks()),
	);
}

/** Judgements of Prowess that the user has overruled: which, how often, and what is off for it. */
async function checkOverruled(host: CliHost, signal: AbortSignal): Promise<DoctorCheckResult> {
	return await runDoctorCheck('Judgement', false, signal, async () => {
		const overruled = (await host.trustedBase()).usage.overrules.list();
		const more = overruled.map((each) => joinTexts(each.project, overruledText(each)));
		const off = overruled.filter(({ isOff }) => isOff).length;
		const detail = more.length === 0 ? 'nothing was overruled' : `${off} off; prowess usage --again switches them on`;
		return { ok: true, detail, more };
	});
}

async function checkServerStart(host: CliHost, signal: AbortSignal): Promise<DoctorCheckResult[]> {
	const checks: DoctorCheckResult[] = [];
	const started = await runDoctorCheck('Server', true, signal, async (within) => {
		const server = await host.server(within);
		const answer = await server.call(serverRequests.doctor, {}, within);
		const said = answer.checks.map(({ name, ok, detail }) => ({
			name: inEnglish(name),
			ok,
			detail: inEnglish(detail),
		}));
		const about = said.filter(({ name }) => name !== 'Workspace' && name !== 'Providers');
		checks.push(...about.map((check) => ({ ...check, needed: true })));
		return { ok: true, detail: 'starts and answers' };
	});
	return [started, ...checks, ...(started.ok ? [await checkUsableModels(host, signal)] : [])];
}

async function checkUsableModels(host: CliHost, signal: AbortSignal): Promise<DoctorCheckResult> {
	return await runDoctorCheck('Models', host.isModelNamed, signal, async (within) => {
		const server = await host.server(within);
		const { models, problems } = await server.call(modelRequests.list, {}, within);
		const usable = models.filter(({ source }) => source === 'provider').map(({ id }) => id);
		const faults = problems.map(({ provider, message }) => `${provider}: ${message}`);
		const none = 'no provider is connected; only the tour is available';
		const plain = unencryptedHosts(host.choice.providers);
		const word = `your key and your code travel unencrypted to ${plain.join(', ')}`;
		return {
			ok: usable.length > 0 && faults.length === 0,
			detail: [
				...faults,
				usable.length === 0 ? none : usable.slice(0, 5).join(', '),
				...(plain.length === 0 ? [] : [word]),
			].join('; '),
		};
	});
}

/** Finding of a check, in words that the editor shows in the reader's language. */
interface CheckFinding {
	readonly ok: boolean;
	readonly detail: Text | string;
	readonly more?: readonly Text[];
}

/** Runs a check within its time limit. An error of the check is its finding; only a stop is thrown on. */
async function runDoctorCheck(
	name: string,
	needed: boolean,
	signal: AbortSignal,
	look: (signal: AbortSignal) => Promise<CheckFinding>,
): Promise<DoctorCheckResult> {
	const limit = deriveSignal(signal, { what: name, timeoutMs: cliLimits.doctorCheckMs });
	try {
		const { ok, detail, more } = await look(limit.signal);
		const words = { name, needed, ok, detail: inEnglish(detail) };
		return more === undefined ? words : { ...words, more: more.map(inEnglish) };
	} catch (error) {
		if (error instanceof Stopped) {
			throw error;
		}
		return { name, needed, ok: false, detail: toErrorMessage(error) };
	} finally {
		limit.dispose();
	}
}
